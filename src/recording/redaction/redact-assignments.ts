import { isMadeOfWords, looksCoined, looksRandom } from './random-look.ts'
import { keepingLengths, type Secrets } from './secrets.ts'

/** What stands before a literal in some languages, and the quote that others have around an escaped one. */
const PREFIX = String.raw`(?:[bBrRuUfF@$]{1,2}(?=["'])|String\.raw(?=\x60)|"(?=\\"))?`
/** A comment between a name and its value. */
const COMMENT = String.raw`(?:\/\*[^*\n]{0,80}\*\/\s*)?`
const LINE_COMMENT = String.raw`(?:(?:\/\*[^*\n]{0,80}\*\/|(?<=\s)\/\/[^\n]{0,80}\n)\s*)?`
/** A type between them, and its name where it is the name of another value: `case 'a': token = '…'`. */
const TYPE = String.raw`(?:&(?:'[a-z]{1,20}\s)?)?[A-Za-z][\w.!<>|[\]?]{0,40}`
const GIVES = String.raw`(\s*${COMMENT}(?::{0,3}=\s*|[!=]={1,2}\s*|(?<=[ \t])(?:string|str)\s*=\s*|:\s*(?:${TYPE}\s*=\s*)?|=(?:>|&gt;)\s*|[?|+.]{1,2}=\s*|,\s*)|\]\s*=\s*|;s:\d{1,9}:)${LINE_COMMENT}${PREFIX}`
const QUOTE = String.raw`(\\?"""|\\?["']|\x60|\\u00(?:22|27)|\\x2[27]|&quot;|&#3[49];)`

// A name, the quotes behind it, what gives it a value, and the quote that opens the value.
const headBehind = (before: string): RegExp =>
  new RegExp(
    String.raw`${before}([A-Za-z_][\w.:-]{1,60})((?:\\u00(?:22|27)|\\x2[27]|["'\\]|&quot;|&#3[49];)*)${GIVES}${QUOTE}`,
    'g',
  )
const HEAD = headBehind(String.raw`(?<![\w.-])`)
// Quotes that are written as characters of a script stand before names without a sign between.
const ESCAPED_QUOTE = /\\u002[27]|\\x2[27]/
const HEAD_BEHIND_ESCAPED = headBehind(String.raw`(?:(?<=\\u002[27]|\\x2[27])|(?<![\w.-])(?!(?:u00|x)2[27]))`)
const BARE_HEAD = new RegExp(String.raw`([A-Za-z_][\w.:-]{1,60})()${GIVES}${QUOTE}`, 'y')
// What PHP serializes, where the value may be a name.
const LENGTH = /^s:\d+$/
const IS_CHOICE = /\?\s{0,5}["'`]$/
/** What is in each text that has such values. */
export const ANY_QUOTE = /["'\x60]|\\(?:u002|x2)[27]|&quot;|&#3[49];/

/**
 * Hides the values that are given to secret names between quotes, as programs do it: `"token": "…"` in a script,
 * `password="…"` of an element, `login(password: "…")` of a query. The time is linear in the text's length.
 */
export function redactAssignments(text: string, secrets: Secrets): string {
  const { hides, pseudonymize, isScript = false } = secrets
  const head = ESCAPED_QUOTE.test(text) ? HEAD_BEHIND_ESCAPED : HEAD
  head.lastIndex = 0
  const pieces: string[] = []
  let copied = 0
  let read = 0
  let endOf: EndFinder | undefined
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const closing = match[2] ?? ''
    // The same quotes stand before the name and behind it.
    const isQuoted = match.index - closing.length >= read && text.endsWith(closing, match.index)
    BARE_HEAD.lastIndex = match.index
    const [whole = '', name = '', , gives = '', quote = ''] = (isQuoted ? match : BARE_HEAD.exec(text)) ?? []
    const start = match.index + whole.length
    if (LENGTH.test(name)) {
      head.lastIndex = start
      continue
    }
    const end = (endOf ??= createEndFinder(text))(quote, start)
    if (end === -1) {
      head.lastIndex = match.index + 1
      continue
    }
    const value = text.slice(start, end)
    // Of `passes ? 'pass' : 'fail'`, neither is a name.
    if (isQuoted && closing !== '' && IS_CHOICE.test(text.slice(Math.max(0, match.index - 8), match.index))) {
      read = end + quote.length
      head.lastIndex = read
      continue
    }
    const isPattern = whole.endsWith('raw\x60') && /[[\\]/.test(value)
    const isOther =
      gives.trimStart().startsWith(',') &&
      !(isQuoted && closing !== '' && !name.includes(':') && looksMadeUp(value))
    // The quote may have ended a literal, such as that of `"token: "+token+"…"`.
    if (isOther || isPattern || (isScript && OF_PROGRAM.test(value))) {
      head.lastIndex = match.index + name.length + 1
      continue
    }
    if (!isCharacter(value) && !hasSpaces(value) && (hides(name, value) || hides(innerName(gives), value))) {
      // What PHP serializes has its length before it.
      const hidden = gives.startsWith(';') ? keepingLengths(secrets).pseudonymize(value) : pseudonymize(value)
      pieces.push(text.slice(copied, start), hidden)
      copied = end
    } else if (IS_NAME.test(value) && startsWith(GIVES_TO_NAME, text, end + quote.length)) {
      read = start - quote.length
      head.lastIndex = start
      continue
    } else if (ANY_QUOTE.test(value)) {
      // Quotes of another kind: each level of them has one kind less.
      pieces.push(text.slice(copied, start), redactAssignments(value, secrets))
      copied = end
    }
    read = end + quote.length
    head.lastIndex = read
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

/** What is given to a name may be the name of what follows: `worker: "acme_token": "…"`. */
const IS_NAME = /^[A-Za-z_][\w.-]{1,60}$/
const GIVES_TO_NAME = /[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'\\&]/y

function startsWith(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

// Behind a comma there is mostly another name.
function looksMadeUp(value: string): boolean {
  return looksRandom(value) || (value.length >= 10 && looksCoined(value) && !isMadeOfWords(value))
}

const OF_PROGRAM = /^\s*(?:[),;\]}?:|&=]|\+\s*[A-Za-z_$(]|\.[A-Za-z_$]+\()/

const INNER_NAME = /^:\s*([A-Za-z_][\w.-]{1,60})\s*=\s*$/

// What looks like a type behind a label.
function innerName(gives: string): string {
  return INNER_NAME.exec(gives.trimStart())?.[1] ?? ''
}

// A text of several lines that says something.
function hasSpaces(value: string): boolean {
  return value.includes('\n') && /\S\s\S/.test(value.trim())
}

// A key of the keyboard, as `accesskey` has them (HTML Living Standard, section 6.6.2), or an icon of a font.
function isCharacter(value: string): boolean {
  return /^(?:\S(?: \S)*|\\u?[\da-f]{4})$/i.test(value)
}

const ENDINGS: ReadonlyMap<string, RegExp> = new Map(
  [
    '"',
    "'",
    '\x60',
    '\\"',
    "\\'",
    '"""',
    '\\"""',
    '&quot;',
    '&#34;',
    '&#39;',
    '\\u0022',
    '\\u0027',
    '\\x22',
    '\\x27',
  ].map((quote) => [
    quote,
    new RegExp(quote.replace('\\', '\\\\') + (quote.endsWith('"""') ? '' : '|[\\n\\r\\u2028\\u2029]'), 'g'),
  ]),
)

type EndFinder = (quote: string, from: number) => number

/** Finds where on its line a quote comes next, or -1. A line without one is read once, however often it is looked for. */
function createEndFinder(text: string): EndFinder {
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
