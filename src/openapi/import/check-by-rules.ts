import { validate } from '@readme/openapi-parser'
import { MAX_VALUES } from '../../data-files/limits.ts'
import { atPointer, isObject } from '../../engine/schema/schema.ts'
import { linesOf, type PlacedProblem } from './problem.ts'
import { pointerOf } from './node.ts'
import { readText } from './library.ts'

/** A description's files: its own, and how many there are. */
export interface CheckedFiles {
  readonly file: string
  readonly text: string
  readonly isAlone: boolean
}

/**
 * What a description gets wrong by the rules of its version's specification. Slow for a large one, and only for one
 * whose references are known to lead somewhere within its directory.
 */
export async function checkByRules({ file, text, isAlone }: CheckedFiles): Promise<PlacedProblem[]> {
  const { value, format } = readText(text, file)
  // The parser knows no later version.
  if (!isObject(value) || /^3\.[2-9]/.test(String(value['openapi']))) return []
  const unchecked = (why: string): PlacedProblem[] => [
    { file, line: 1, pointer: '#', message: `is not checked by the rules of its specification: ${why}` },
  ]
  if (typeof (value['openapi'] ?? value['swagger']) !== 'string') {
    const key = 'openapi' in value ? 'openapi' : 'swagger'
    const [line = 1] = linesOf({ text, format }, [[key]])
    const message = `must be a text in quotes, such as ${key === 'openapi' ? '"3.1.0"' : '"2.0"'}`
    return [{ file, line, pointer: `#/${key}`, message }]
  }
  const excess = findExcess(value)
  if (excess !== undefined) return unchecked(excess)
  const pretty = JSON.stringify(value, undefined, 2).split('\n')
  const result = await validate(isAlone ? (value as never) : file, { timeoutMs: MAX_MS }).catch(
    (error: Error) => error,
  )
  if (result instanceof Error)
    return unchecked(
      result.name === 'TimeoutError'
        ? `its references take more than ${MAX_MS / 1000} seconds`
        : `the checker fails (${result.message.split('\n', 1)[0] ?? ''})`,
    )
  if (result.valid) return []
  const messages = result.errors.map(({ message }) => readMessage(message, pretty))
  const lines = linesOf(
    { text, format },
    messages.map(({ path }) => path),
  )
  const problems = messages.map(({ path, message }, index) => ({
    file,
    line: lines[index] ?? 1,
    pointer: pointerOf(path),
    message,
  }))
  problems.sort((a, b) => a.line - b.line)
  const more = result.additionalErrors
  return more === 0
    ? problems
    : [...problems, { file, line: 1, pointer: '#', message: `and ${more} more problems` }]
}

const MAX_MS = 20_000
const MAX_NESTED = 400

/** Lists of objects each of which the parser compares with all others. */
const COMPARED = ['parameters', 'tags']
const MAX_COMPARED = 2000

/**
 * What is too much for the parser: how far a document's references expand, since it puts in their place what they name,
 * and how long a list is whose items must differ.
 */
function findExcess(document: Readonly<Record<string, unknown>>): string | undefined {
  const sizes = new Map<object, number>()
  let long: string | undefined
  const sizeOf = (value: unknown, depth: number): number => {
    if (value === null || typeof value !== 'object') return 1
    const known = sizes.get(value)
    if (known !== undefined) return known
    if (depth > MAX_NESTED) return Infinity
    sizes.set(value, 1)
    const held = isObject(value) ? value : {}
    const reference = held['$ref']
    for (const name of COMPARED) {
      const list = held[name]
      if (Array.isArray(list) && list.length > MAX_COMPARED) long = `it has a list of ${list.length} ${name}`
    }
    const parts: unknown[] =
      typeof reference === 'string' && reference.startsWith('#')
        ? [atPointer(document, reference.slice(1))]
        : Object.values(value)
    const size = parts.reduce<number>((sum, part) => sum + sizeOf(part, depth + 1), 1)
    sizes.set(value, size)
    return size
  }
  const size = sizeOf(document, 0)
  if (size === Infinity) return `its references nest deeper than ${MAX_NESTED} levels`
  return size > MAX_VALUES ? `its references expand to more than ${MAX_VALUES} values` : long
}

interface Finding {
  readonly path: readonly string[]
  readonly message: string
}

const FRAME = /^> *(\d+) \| (.*)$/m

// A place is given as a line of the document as the parser prints it, with what is wrong below that line.
function readMessage(text: string, pretty: readonly string[]): Finding {
  const [summary = ''] = text.split('\n', 1)
  const message = summary.replace(/^[A-Z]+ /, '').replace(/\.$/, '')
  const [, line, content] = FRAME.exec(text) ?? []
  const at = Number(line) - 1
  if (line === undefined || pretty[at]?.trimEnd() !== content?.trimEnd()) return { path: [], message }
  return { path: pathAtLine(pretty, at), message }
}

/** The path of what stands on a line of an indented JSON text. */
function pathAtLine(lines: readonly string[], at: number): string[] {
  const keys: (string | number)[] = []
  for (const line of lines.slice(1, at + 1)) {
    const depth = line.search(/\S/) / 2
    if (/^\s*[\]}]/.test(line)) continue
    const [, key] = /^\s*("(?:[^"\\]|\\.)*"): /.exec(line) ?? []
    const before = keys[depth - 1]
    keys.length = Math.min(keys.length, depth)
    keys[depth - 1] =
      key === undefined ? (typeof before === 'number' ? before + 1 : 0) : (JSON.parse(key) as string)
  }
  return keys.map(String)
}
