import { Composer, isDocument, LineCounter, Parser, type CST, type Document } from 'yaml'

/** The content of a file, or what keeps it from being read. */
export interface ReadText {
  readonly format: 'json' | 'yaml'
  /** `undefined` for a text that cannot be read. */
  readonly value: unknown
  /** In the order of the file. A text with a value can be served in spite of them. */
  readonly problems: readonly TextProblem[]
}

/** Something wrong with a text in its format. */
export interface TextProblem {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

const MEBIBYTE = 2 ** 20
const MOST_CHARACTERS = { json: 128 * MEBIBYTE, yaml: 16 * MEBIBYTE }
/** The deepest that values may lie within each other. */
const MOST_LEVELS = 200
/** The most values of a file, those that an alias repeats counted each time. */
const MOST_VALUES = 10_000_000

/** Reads JSON or YAML, within bounds. A text that begins with a brace is JSON, as far as it is JSON. */
export function readText(text: string, file: string): ReadText {
  const isJson = /^\s*[[{]/.test(text)
  const format = isJson ? 'json' : 'yaml'
  if (text.length > MOST_CHARACTERS[format]) {
    const hint = isJson ? '' : '. As JSON, it may be larger'
    return failed(
      format,
      1,
      `it has ${text.length} characters; the most is ${MOST_CHARACTERS[format]}${hint}`,
    )
  }
  const read = isJson ? readJson(text, file) : readYaml(text)
  const excess = read.value === undefined ? undefined : findExcess(read.value)
  return excess === undefined ? read : failed(read.format, 1, excess)
}

function failed(format: 'json' | 'yaml', line: number, message: string): ReadText {
  return { format, value: undefined, problems: [{ line, message }] }
}

function readJson(text: string, file: string): ReadText {
  try {
    return { format: 'json', value: JSON.parse(text), problems: [] }
  } catch (error) {
    // A flow mapping of YAML begins with a brace too.
    if (!file.endsWith('.json') && text.length <= MOST_CHARACTERS.yaml) return readYaml(text)
    const { message } = error as Error
    const [, position = String(text.length)] = /at position (\d+)/.exec(message) ?? []
    const line = text.slice(0, Number(position)).split('\n').length
    return failed('json', line, `not valid JSON: ${message}`)
  }
}

/** The line counter and the document of a YAML text, for the places of its values; `undefined` for too deep a text. */
export function composeYaml(text: string): { document: Document; lines: LineCounter } | undefined {
  const lines = new LineCounter()
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  // The composer calls itself for what lies within; a stack that runs out may take the process with it.
  if (isTooDeep(tokens)) return undefined
  const options = { merge: true, prettyErrors: false, logLevel: 'error' as const }
  const [document] = [...new Composer(options).compose(tokens, true, text.length)]
  return isDocument(document) ? { document, lines } : undefined
}

function readYaml(text: string): ReadText {
  const composed = composeYaml(text)
  if (composed === undefined)
    return failed('yaml', 1, `not valid YAML: values lie more than ${MOST_LEVELS} deep`)
  const { document, lines } = composed
  const problems = document.errors.map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    message: `not valid YAML: ${message.split('\n', 1)[0] ?? ''}`,
  }))
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY'))
    return { format: 'yaml', value: undefined, problems: problems.slice(0, 1) }
  try {
    // How often an alias may be used is bounded by the number of values it gives, below.
    return { format: 'yaml', value: document.toJS({ maxAliasCount: -1 }), problems }
  } catch (error) {
    return failed('yaml', 1, `not valid YAML: ${(error as Error).message}`)
  }
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  const left: [token: CST.Token, depth: number][] = tokens.map((token) => [token, 0])
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [token, depth] = next
    if (depth > MOST_LEVELS) return true
    if (token.type === 'document' && token.value !== undefined) left.push([token.value, depth])
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      if (key) left.push([key, depth + 1])
      if (value) left.push([value, depth + 1])
    }
  }
  return false
}

/** What keeps a value from being walked through: too deep, without end, or too many values. */
function findExcess(value: unknown): string | undefined {
  const levels: object[][] = [[[value]]]
  let count = 0
  for (;;) {
    const next = levels.at(-1)?.pop()
    if (next === undefined) {
      levels.pop()
      if (levels.length === 0) return undefined
      continue
    }
    const parts = Object.values(next) as unknown[]
    count += parts.length
    if (count > MOST_VALUES) return `its aliases expand to more than ${MOST_VALUES} values`
    const within = parts.filter((part): part is object => part !== null && typeof part === 'object')
    if (within.length === 0) continue
    if (levels.length > MOST_LEVELS)
      return `its values lie more than ${MOST_LEVELS} deep, or an alias stands within what it names`
    levels.push(within)
  }
}
