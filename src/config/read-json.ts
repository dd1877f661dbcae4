import { findDeepNesting } from './nesting.ts'
import { KeyLines, type ConfigSource, type LineProblem } from './config-source.ts'

/** Reads JSON. A key that comes twice is a problem, though JSON itself would let it pass. */
export function readJson(text: string): ConfigSource {
  const deep = findDeepNesting(text)
  if (deep !== undefined) {
    const problems = [{ line: deep, message: 'not valid JSON here: it is nested too deep' }]
    return { value: undefined, problems, lineOf: () => deep }
  }
  const { lines, twice, line } = scan(text)
  try {
    return { value: JSON.parse(text), problems: twice, lineOf: (keys) => lines.of(keys) }
  } catch (error) {
    const message = `not valid JSON: ${(error as Error).message}`
    return { value: undefined, problems: [{ line, message }], lineOf: (keys) => lines.of(keys) }
  }
}

interface Scan {
  readonly lines: KeyLines
  readonly twice: readonly LineProblem[]
  /** Where the scan ended: at the mistake of a malformed text. */
  readonly line: number
}

const TOKEN = /[ \t\r\n]*([{}[\],:]|"(?:[^"\\\n]|\\.)*"|[^\s{}[\],:"]+|$)/y

/** Goes through a JSON text for what `JSON.parse` does not tell: the lines of keys and of the first mistake. */
function scan(text: string): Scan {
  const lines = new KeyLines()
  const twice: LineProblem[] = []
  let [at, start, counted, line] = [0, 0, 0, 1]

  const next = (): string => {
    TOKEN.lastIndex = at
    const [whole = '', token] = TOKEN.exec(text) ?? []
    start = at + whole.length - (token?.length ?? 0)
    if (token === undefined) throw new SyntaxError('no token of JSON')
    at += whole.length
    return token
  }
  const lineHere = (): number => {
    line += text.slice(counted, start).split('\n').length - 1
    counted = Math.max(counted, start)
    return line
  }
  const expect = (token: string, wanted: string): void => {
    if (!wanted.includes(token) || token === '') throw new SyntaxError(`not one of ${wanted}`)
  }
  const entries = (close: string, readEntry: (token: string, index: number) => void): void => {
    for (let index = 0; ; index++) {
      const token = next()
      if (index === 0 && token === close) return
      readEntry(token, index)
      const end = next()
      if (end === close) return
      expect(end, ',')
    }
  }
  const readValue = (token: string, path: readonly string[]): void => {
    if (token === '[') {
      return entries(']', (first, index) => {
        lines.add([...path, String(index)], lineHere())
        readValue(first, [...path, String(index)])
      })
    }
    if (token !== '{') return void JSON.parse(token)
    entries('}', (key) => {
      expect(key.slice(0, 1), '"')
      const keys = [...path, JSON.parse(key) as string]
      if (lines.has(keys))
        twice.push({ keys, line: lineHere(), message: `the key '${keys.join('.')}' comes twice` })
      lines.add(keys, lineHere())
      expect(next(), ':')
      readValue(next(), keys)
    })
  }
  try {
    readValue(next(), [])
    if (next() !== '') throw new SyntaxError('more after the end')
  } catch {
    return { lines, twice, line: lineHere() }
  }
  return { lines, twice, line: lineHere() }
}
