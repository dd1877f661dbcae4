import { readFileSync } from 'node:fs'
import { placeIn, type Place } from './place.ts'

/** What is wrong with a module, for people, and where. */
export interface ModuleMistake {
  readonly message: string
  /** Absent where the error does not lead to code of a user. */
  readonly place: Place | undefined
}

/** What Jiti says of a text that it cannot read. */
const PARSE_ERROR = /^(?:ParseError|SyntaxError): (.*?)\s+((?:\/|[A-Za-z]:\\).*):(\d+):(\d+)\s*$/s
/** What Node writes before the stack of a text that it cannot read: the place, the line, and a mark below it. */
const MARKED = /^((?:\/|[A-Za-z]:\\).*):(\d+)\n.*\n( *)\^/
/** How an import is called in what is made of TypeScript. */
const IMPORTED = /\(0 ?, ?_\w+\.(\w+)\)/g
const NOT_CALLED = /^([\w.]+) is not .* function$/

/** What an error says that came while a module was loaded. */
export async function mistakeOf(error: Error, file: string): Promise<ModuleMistake> {
  const message = error.message.replace(/\nRequire stack:[\s\S]*$/, '').replaceAll(IMPORTED, '$1')
  const unread = unreadIn(error)
  if (unread !== undefined) return unread
  const place = placeIn(error.stack, NOT_CALLED.exec(message)?.[1])
  if (place !== undefined || error.name !== 'SyntaxError') return { message, place }
  return { message, place: await unreadAt(file) }
}

function unreadIn({ message, stack = '' }: Error): ModuleMistake | undefined {
  const [, said = '', file, line, column] = PARSE_ERROR.exec(message) ?? []
  if (file !== undefined)
    return { message: said, place: { file, line: Number(line), column: Number(column) + 1 } }
  const [, marked, at, spaces = ''] = MARKED.exec(stack) ?? []
  return marked === undefined
    ? undefined
    : { message, place: { file: marked, line: Number(at), column: spaces.length + 1 } }
}

/** What Jiti makes of a text that it cannot read. */
const UNREAD = /^exports\.__JITI_ERROR__ = (\{.*\})/s

// Node does not say where a module cannot be read, unless it is CommonJS.
async function unreadAt(file: string): Promise<Place | undefined> {
  const { createJiti } = await import('jiti')
  const source = readFileSync(file, 'utf8')
  const made = createJiti(import.meta.url, { fsCache: false }).transform({
    source,
    filename: file,
    async: true,
  })
  const [, error] = UNREAD.exec(made) ?? []
  if (error === undefined) return undefined
  const { line, column } = JSON.parse(error) as Place
  return { file, line, column: column + 1 }
}
