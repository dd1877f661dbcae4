import type { NameKind } from './names.ts'
import { isHidden, looksSecret, type Secrets } from './secrets.ts'

const INSERT =
  /\b(?:INSERT|REPLACE)\s{1,9}(?:IGNORE\s{1,9})?INTO\s{1,9}[\w."`[\]$-]{1,200}\s{0,9}\(([^()]{1,4000})\)\s{0,9}VALUES\s{0,9}/gi
// What pg_dump writes: a row a line, in which tabs separate the columns.
const COPY = /^COPY [\w."$-]{1,200} \(([^()\n]{1,4000})\) FROM stdin;\r?\n/gm
/** What is in each text that has such statements. */
export const MAY_HOLD_SQL = /INTO|into|Into| FROM stdin;/
const LITERAL = /\s*(?:N?'((?:[^'\\]|''|\\[\s\S])*)'|[^\s,()']+)\s*/y

/** Hides what statements of SQL, such as those of dumps, put into columns that are named like a secret. */
export function redactSql(text: string, secrets: Secrets): string {
  return redactInserts(text.includes(' FROM stdin;') ? redactCopies(text, secrets) : text, secrets)
}

function kindsOf(names: string, { kindOf }: Secrets): readonly NameKind[] {
  return names.split(',').map((name) => kindOf(name.trim().replaceAll(/["`[\]]/g, '')))
}

function redactInserts(text: string, secrets: Secrets): string {
  const pieces: string[] = []
  let copied = 0
  for (const match of text.matchAll(INSERT)) {
    const kinds = kindsOf(match[1] ?? '', secrets)
    if (match.index < copied || kinds.every((kind) => kind === 'harmless')) continue
    let at = match.index + match[0].length
    // Each row is between brackets.
    for (let column = 0; text[at] === '('; column = 0) {
      do {
        LITERAL.lastIndex = ++at
        const [whole = '', value = ''] = LITERAL.exec(text) ?? []
        const start = at + whole.indexOf("'") + 1
        const kind = kinds[column++] ?? 'harmless'
        at += whole.length
        if (value === '' || isHidden(value) || !looksSecret(kind, value)) continue
        pieces.push(text.slice(copied, start), secrets.pseudonymize(value))
        copied = start + value.length
      } while (text[at] === ',')
      const next = /[)\s]*,\s*(?=\()/y
      next.lastIndex = at
      at += next.exec(text)?.[0].length ?? 1
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

function redactCopies(text: string, secrets: Secrets): string {
  const pieces: string[] = []
  let copied = 0
  for (const { 0: head, 1: names = '', index } of text.matchAll(COPY)) {
    const kinds = kindsOf(names, secrets)
    if (index < copied || kinds.every((kind) => kind === 'harmless')) continue
    const start = index + head.length
    const end = text.indexOf('\n\\.', start)
    const rows = text.slice(start, end === -1 ? text.length : end)
    const hidden = rows.replaceAll(/[^\r\n]+/g, (row) =>
      row
        .split('\t')
        .map((value, column) =>
          value !== String.raw`\N` && looksSecret(kinds[column] ?? 'harmless', value)
            ? secrets.pseudonymize(value)
            : value,
        )
        .join('\t'),
    )
    pieces.push(text.slice(copied, start), hidden)
    copied = start + rows.length
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}
