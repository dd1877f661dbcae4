import { validate } from '@readme/openapi-parser'
import { isObject } from '../../engine/schema/schema.ts'
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
  const pretty = JSON.stringify(value, undefined, 2).split('\n')
  const result = await validate(isAlone ? (value as never) : file)
  if (result.valid) return []
  const messages = result.errors.map(({ message }) => readMessage(message, pretty))
  const lines = linesOf(
    { file, text, format, value },
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
