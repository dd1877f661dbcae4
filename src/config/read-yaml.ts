import { createRequire } from 'node:module'
import type { Document, Node } from 'yaml'
import { lazy } from '../engine/lazy.ts'
import { findExpansion } from './expansion.ts'
import { findDeepNesting } from './nesting.ts'
import type { ConfigSource, LineProblem } from './config-source.ts'

// Loaded with the first file that is read.
const yaml = lazy(() => createRequire(import.meta.url)('yaml') as typeof import('yaml'))

/** Reads YAML. Tags are refused, aliases and merge keys expand only so far, and nesting has an end. */
export function readYaml(text: string): ConfigSource {
  // A parser that runs out of stack may take the whole process with it.
  const deep = findDeepNesting(text)
  if (deep !== undefined) {
    const problems = [{ line: deep, message: 'not valid YAML here: it is nested too deep' }]
    return { value: undefined, problems, lineOf: () => deep }
  }
  const lines = new (yaml().LineCounter)()
  const document = yaml().parseDocument(text, { lineCounter: lines, ...PARSING })
  const lineAt = (offset: number): number => lines.linePos(offset).line
  const problems = problemsOf(document, text, lineAt)
  const malformed = document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')
  const read = malformed ? { problems: [] } : toData(document, lineAt)
  return {
    value: 'value' in read ? read.value : undefined,
    problems: [...problems, ...('problems' in read ? read.problems : [])],
    lineOf: (keys) => lineAt(offsetOf(document, keys)),
  }
}

const PARSING = { prettyErrors: false, logLevel: 'error', merge: true } as const

function problemsOf(document: Document, text: string, lineAt: (offset: number) => number): LineProblem[] {
  const told = new Set<string>()
  return [...document.errors, ...document.warnings].flatMap(({ code, message, pos: [start] }) => {
    if (code === 'DUPLICATE_KEY') {
      const [key = ''] = /^("[^"]*"|'[^']*'|.+?(?=\s*:(?:\s|$)))/.exec(text.slice(start)) ?? []
      return [{ line: lineAt(start), message: `the key '${key.replace(/^["']|["']$/g, '')}' comes twice` }]
    }
    // One mistake is met again on the way out of all that it stands in.
    if (told.has(message)) return []
    told.add(message)
    return [{ line: lineAt(start), message: `not valid YAML: ${message}` }]
  })
}

type Read = { readonly value: unknown } | { readonly problems: readonly LineProblem[] }

function toData(document: Document, lineAt: (offset: number) => number): Read {
  const refuse = (problem: string): Read => ({
    problems: [{ line: lineAt(offsetOfAlias(document)), message: `not valid YAML: ${problem}` }],
  })
  try {
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    const problem = findExpansion(value)
    return problem === undefined ? { value } : refuse(problem)
  } catch (error) {
    return refuse((error as Error).message.split('\n')[0] ?? '')
  }
}

// The first alias that names nothing; where all name something, the last one, which was too many.
function offsetOfAlias(document: Document): number {
  let offset = 0
  yaml().visit(document, {
    Alias(_key, alias) {
      offset = alias.range?.[0] ?? offset
      return alias.resolve(document) === undefined ? yaml().visit.BREAK : undefined
    },
  })
  return offset
}

function offsetOf(document: Document, keys: readonly string[]): number {
  let offset = 0
  let node: unknown = document.contents
  for (const key of keys) {
    if (yaml().isAlias(node)) node = node.resolve(document)
    if (yaml().isSeq(node)) {
      node = node.items[Number(key)]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
      continue
    }
    const pair = yaml().isMap(node)
      ? node.items.find((item) => yaml().isScalar(item.key) && String(item.key.value) === key)
      : undefined
    if (pair === undefined || !yaml().isScalar(pair.key)) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
