import type { Secrets } from './secrets.ts'

// A name, the quotes behind it, what gives it a value, and the quote that opens the value.
const HEAD = /(?<![\w.-])([A-Za-z_][\w.:-]{1,60})(["'\\]*)(\s*[:=]\s*)(\\?["'])/g
const BARE_HEAD = /([A-Za-z_][\w.:-]{1,60})()(\s*[:=]\s*)(\\?["'])/y

/**
 * Hides the values that are given to secret names between quotes, as programs do it: `"token": "…"` in a script,
 * `password="…"` of an element, `login(password: "…")` of a query. The time is linear in the text's length.
 */
export function redactAssignments(text: string, { hides, pseudonymize }: Secrets): string {
  if (!text.includes('"') && !text.includes("'")) return text
  const endOf = createEndFinder(text)
  const head = new RegExp(HEAD)
  const pieces: string[] = []
  let copied = 0
  let read = 0
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const closing = match[2] ?? ''
    // The same quotes stand before the name and behind it.
    const isQuoted = match.index - closing.length >= read && text.endsWith(closing, match.index)
    BARE_HEAD.lastIndex = match.index
    const [whole = '', name = '', , , quote = ''] = (isQuoted ? match : BARE_HEAD.exec(text)) ?? []
    const start = match.index + whole.length
    const end = endOf(quote, start)
    if (end === -1) {
      head.lastIndex = match.index + 1
      continue
    }
    const value = text.slice(start, end)
    if (!isKeyOfKeyboard(value) && hides(name, value)) {
      pieces.push(text.slice(copied, start), pseudonymize(value))
      copied = end
    }
    read = end + quote.length
    head.lastIndex = read
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

// As `accesskey` has them (HTML Living Standard, section 6.6.2): single characters.
function isKeyOfKeyboard(value: string): boolean {
  return /^\S(?: \S)*$/.test(value)
}

const ENDINGS: ReadonlyMap<string, RegExp> = new Map(
  ['"', "'", '\\"', "\\'"].map((quote) => [
    quote,
    new RegExp(`${quote.replace('\\', '\\\\')}|[\\n\\r\\u2028\\u2029]`, 'g'),
  ]),
)

/** Finds where on its line a quote comes next, or -1. A line without one is read once, however often it is looked for. */
function createEndFinder(text: string): (quote: string, from: number) => number {
  const absentUntil = new Map<string, number>()
  return (quote, from) => {
    const ending = ENDINGS.get(quote)
    if (ending === undefined || from <= (absentUntil.get(quote) ?? -1)) return -1
    ending.lastIndex = from
    const found = ending.exec(text)
    if (found?.[0] === quote) return found.index
    absentUntil.set(quote, found?.index ?? text.length)
    return -1
  }
}
