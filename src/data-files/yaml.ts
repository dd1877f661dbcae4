import { createRequire } from 'node:module'
import type { CST, Document, LineCounter, Node, Pair, Scalar, YAMLMap } from 'yaml'
import { lazy, remembered } from '../engine/lazy.ts'
import { unreadable, type DataFile, type Keys, type Problem } from './data-file.ts'
import { findExcessLength, findExpansion, MAX_LEVELS, MAX_VALUES, TOO_DEEP } from './limits.ts'

// Loaded with the first file that is read.
const yaml = lazy(() => createRequire(import.meta.url)('yaml') as typeof import('yaml'))

/**
 * Reads YAML. Tags are refused, aliases and merge keys expand only so far, and nesting has an end.
 * @param maxValues the most values that aliases may expand to, in place of what fits a file of this size
 */
export function readYaml(text: string, { maxValues }: { readonly maxValues?: number } = {}): DataFile {
  const excess = findExcessLength(text, 'YAML')
  if (excess !== undefined) return unreadable(1, excess)
  const composed = compose(text)
  if (typeof composed === 'number') return unreadable(composed, `not valid YAML here: ${TOO_DEEP}`)
  const { document } = composed
  const problems = problemsOf(composed)
  const linesOf = (places: readonly Keys[]): readonly number[] => linesIn(composed, places)
  // What comes after a first document, or a key that comes twice, leaves something to read.
  const isMalformed = document.errors.some(({ code }) => code !== 'MULTIPLE_DOCS')
  if (isMalformed) return { value: undefined, problems, linesOf }
  const { value, problem } = toData(document, maxValues)
  if (problem === undefined) return { value, problems, linesOf }
  const [line = 1] = linesAt(composed, [offsetOfAlias(document)])
  return {
    value: undefined,
    problems: [...problems, { line, message: `not valid YAML: ${problem}` }],
    linesOf,
  }
}

/** The lines of places in a YAML text. */
export function linesInYaml(text: string, places: readonly Keys[]): readonly number[] {
  const composed = compose(text)
  return typeof composed === 'number' ? places.map(() => composed) : linesIn(composed, places)
}

/** The first line of a YAML text that lies too deep for a parser that calls itself; `undefined` when none does. */
export function findDeepNesting(text: string): number | undefined {
  return tokensOf(text).deep
}

interface Composed {
  readonly document: Document
  readonly lines: LineCounter
}

/** The document of a text, or the line that lies too deep. */
function compose(text: string): Composed | number {
  const { tokens, lines, deep } = tokensOf(text)
  // A parser that runs out of stack may take the whole process with it.
  if (deep !== undefined) return deep
  const [document, second] = new (yaml().Composer)(PARSING).compose(tokens, true, text.length)
  if (document === undefined) return 1
  if (second !== undefined) {
    const { YAMLParseError } = yaml()
    const [start, end] = second.range
    document.errors.push(
      new YAMLParseError(
        [start, end],
        'MULTIPLE_DOCS',
        'it has multiple documents, of which the first is read',
      ),
    )
  }
  return { document, lines }
}

// The package compares each key of a map with all before it.
const PARSING = { prettyErrors: false, logLevel: 'error', merge: true, uniqueKeys: false } as const

// What lies too deep is left where it begins: a token of the parser takes a hundred times its text.
function tokensOf(text: string): { tokens: CST.Token[]; lines: LineCounter; deep: number | undefined } {
  const { Lexer, LineCounter, Parser } = yaml()
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    const depth = parser.stack.length - NOT_NESTED
    if (depth > MAX_LEVELS) return { tokens, lines, deep: lines.linePos(parser.offset).line }
  }
  tokens.push(...parser.end())
  return { tokens, lines, deep: undefined }
}

/** The document and the value that is being read, which the parser's stack has beside what these stand in. */
const NOT_NESTED = 2

function problemsOf({ document, lines }: Composed): Problem[] {
  const known = new Set<string>()
  const mistakes = [...document.errors, ...document.warnings].flatMap(({ message, pos: [start] }) => {
    const { line } = lines.linePos(start)
    // One mistake is met again on the way out of all that it stands in.
    if (known.has(message)) return []
    known.add(message)
    return [{ line, message: `not valid YAML: ${message.split('\n', 1)[0] ?? ''}` }]
  })
  const twice = findTwice(document).map(({ key, offset }) => ({
    line: lines.linePos(offset).line,
    message: `the key '${key}' comes twice`,
  }))
  return [...twice, ...mistakes].toSorted((a, b) => a.line - b.line)
}

/** The keys that come twice in a map, each time that they come again. */
function findTwice(document: Document): { readonly key: string; readonly offset: number }[] {
  const found: { readonly key: string; readonly offset: number }[] = []
  const { isScalar } = yaml()
  yaml().visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) found.push({ key: String(key.value), offset: key.range?.[0] ?? 0 })
        keys.add(key.value)
      }
    },
  })
  return found
}

function toData(document: Document, maxValues: number | undefined): { value?: unknown; problem?: string } {
  try {
    resolveAliases(document)
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    const problem = findExpansion(value, maxValues)
    return problem === undefined ? { value } : { problem }
  } catch (error) {
    // Parts that name themselves as what they are merged with.
    if (error instanceof RangeError)
      return { problem: 'a merge key is circular: it stands within what it names' }
    return { problem: (error as Error).message.split('\n', 1)[0] ?? '' }
  }
}

// The package looks through all anchors and aliases for each alias, and merges what is merged again each time.
function resolveAliases(document: Document): void {
  const { Alias, isAlias, isCollection } = yaml()
  const named = new Map<string, Node>()
  let values = 0
  yaml().visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) named.set(node.anchor, node)
        return
      }
      const found = named.get(node.source) as ReturnType<typeof node.resolve>
      const nodes = found === undefined ? [] : [found]
      node.resolve = (of, context) => {
        if (context === undefined) return found
        values += isCollection(found) ? found.items.length + 1 : 1
        if (values > MAX_VALUES) throw new Error(`its aliases expand to more than ${MAX_VALUES} values`)
        const own = Object.assign(Object.create(context) as typeof context, { aliasResolveCache: nodes })
        return Alias.prototype.resolve.call(node, of, own)
      }
    },
  })
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

function linesIn(composed: Composed, places: readonly Keys[]): readonly number[] {
  const pairOf = createPairs()
  return linesAt(
    composed,
    places.map((keys) => offsetOf(composed.document, keys, pairOf)),
  )
}

function linesAt({ lines }: Composed, offsets: readonly number[]): readonly number[] {
  return offsets.map((offset) => lines.linePos(offset).line)
}

type PairOf = (map: YAMLMap, key: string) => Pair<Scalar> | undefined

/** Finds pairs by their keys; each map is gone through once. */
function createPairs(): PairOf {
  const { isScalar } = yaml()
  const pairs = remembered((map: YAMLMap) => {
    const byKey = new Map<string, Pair<Scalar>>()
    for (const pair of map.items)
      if (isScalar(pair.key) && !byKey.has(String(pair.key.value)))
        byKey.set(String(pair.key.value), pair as Pair<Scalar>)
    return byKey
  })
  return (map, key) => pairs(map).get(key)
}

function offsetOf(document: Document, keys: Keys, pairOf: PairOf): number {
  const { isAlias, isMap, isSeq } = yaml()
  let offset = 0
  let node: unknown = document.contents
  for (const key of keys) {
    if (isAlias(node)) node = node.resolve(document)
    if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
      continue
    }
    const pair = isMap(node) ? pairOf(node, String(key)) : undefined
    if (pair === undefined) break
    offset = pair.key.range?.[0] ?? offset
    node = pair.value
  }
  return offset
}
