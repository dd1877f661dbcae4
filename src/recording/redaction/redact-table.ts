import type { NameKind } from './names.ts'
import { redactText } from './redact-text.ts'
import { looksSecret, type Secrets } from './secrets.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const

// A cell (RFC 4180): between quotes, in which two stand for one, or up to what separates it from the next.
const CELLS: ReadonlyMap<string, RegExp> = new Map(
  DELIMITERS.map((delimiter) => [
    delimiter,
    new RegExp(String.raw`"((?:[^"]|"")*)"|[^${delimiter.replace('|', String.raw`\|`)}\r\n]*`, 'y'),
  ]),
)

/**
 * Hides the values below the secret names of a table's first row; `undefined` where it has none. The time is linear in
 * the text's length.
 */
export function redactTable(text: string, secrets: Secrets): string | undefined {
  const [head = ''] = /^[^\r\n]*/.exec(text) ?? []
  const delimiter = DELIMITERS.toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ','
  const kinds = head.split(delimiter).map((name) => secrets.kindOf(name.replaceAll('"', '').trim()))
  if (kinds.every((kind) => kind === 'harmless')) return undefined
  return head + redactRows(text, head.length, kinds, delimiter, secrets)
}

function redactRows(
  text: string,
  start: number,
  kinds: readonly NameKind[],
  delimiter: string,
  secrets: Secrets,
): string {
  const cell = new RegExp(CELLS.get(delimiter) ?? /./y)
  const pieces: string[] = []
  let column = 0
  for (let at = start; at < text.length; at++) {
    const code = text[at] as string
    column = code === delimiter ? column + 1 : 0
    pieces.push(code)
    cell.lastIndex = at + 1
    const [whole = '', quoted] = cell.exec(text) ?? []
    pieces.push(redactCell(whole, quoted, kinds[column] ?? 'harmless', secrets))
    at += whole.length
  }
  return pieces.join('')
}

function redactCell(whole: string, quoted: string | undefined, kind: NameKind, secrets: Secrets): string {
  const value = quoted ?? whole
  if (value === '') return whole
  if (!looksSecret(kind, value)) return redactText(whole, secrets)
  return quoted === undefined ? secrets.pseudonymize(value) : `"${secrets.pseudonymize(value)}"`
}
