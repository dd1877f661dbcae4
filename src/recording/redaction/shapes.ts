import { type Found, nextCoined } from './coined-tokens.ts'
import { FRAMED } from './framed-secrets.ts'
import { BEGINNINGS } from './issued-tokens.ts'
import { type Lead, LEADS } from './leads.ts'
import { looksMade } from './random-look.ts'

/** A beginning, what follows it, and whether that has to look made. */
interface Beginning {
  readonly text: string
  readonly rest: RegExp
  readonly isUsual: boolean
}

/** By what all of them begin with, which is looked up at each beginning of a word. */
const KEY_LENGTH = 3
const byKey = new Map<string, Beginning[]>()
/** One bit for each three characters of ASCII: whether something begins with them. */
const KNOWN = new Int32Array(2 ** 16)
const CHAR_BITS = 7
const MASK = (1 << (KEY_LENGTH * CHAR_BITS)) - 1
/** What they may be. */
const kinds = new Map<number, number>()
const [IS_BEGINNING, IS_MARK] = [1, 2]

for (const [texts, { pattern, isUsual = false }] of BEGINNINGS) {
  const rest = new RegExp(pattern, 'y')
  for (const text of texts.split(' ')) {
    const key = text.slice(0, KEY_LENGTH)
    byKey.set(key, [...(byKey.get(key) ?? []), { text, rest, isUsual }])
    note(key, IS_BEGINNING)
  }
}
// The longest says most.
for (const all of byKey.values()) all.sort((a, b) => b.text.length - a.text.length)

function note(key: string, kind: number): number {
  const three = key.split('').reduce((recent, each) => withNext(recent, each.charCodeAt(0)), 0)
  kinds.set(three, (kinds.get(three) ?? 0) | kind)
  KNOWN[three >>> 5] = (KNOWN[three >>> 5] ?? 0) | (1 << three)
  return three
}

/** The last three characters as one number; where one is not of ASCII, it may be that of others. */
function withNext(recent: number, code: number): number {
  return ((recent << CHAR_BITS) ^ code) & MASK
}

function isKnown(three: number): boolean {
  return ((KNOWN[three >>> 5] as number) & (1 << three)) !== 0
}

/** Digits, letters and `_`. */
const IN_WORD = new Uint8Array(128)
for (const code of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'))
  IN_WORD[code] = 1

const DASH = 0x2d

/** Finds the next secret in a text by its beginning. To find all takes time linear to the text's length. */
function nextToken(text: string, from: number): Found | undefined {
  let recent = 0
  for (let next = from; next < text.length; next++) {
    recent = withNext(recent, text.charCodeAt(next))
    if (!isKnown(recent) || ((kinds.get(recent) ?? 0) & IS_BEGINNING) === 0) continue
    const at = next - KEY_LENGTH + 1
    if (at < from || isInWord(text, at - 1)) continue
    const end = endOfToken(text, at)
    if (end !== undefined) return { start: at, end }
  }
  return undefined
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && IN_WORD[text.charCodeAt(at)] === 1
}

function endOfToken(text: string, at: number): number | undefined {
  for (const { text: beginning, rest, isUsual } of byKey.get(text.slice(at, at + KEY_LENGTH)) ?? []) {
    if (!text.startsWith(beginning, at)) continue
    // Names with dashes hold every word.
    if (isUsual && text.charCodeAt(at - 1) === DASH) continue
    rest.lastIndex = at + beginning.length
    const found = rest.exec(text)
    if (found !== null && (!isUsual || looksMade(found[0]))) return rest.lastIndex
  }
  return undefined
}

/** What needs a look once a mark of it is in a text. */
const LOOKED_FOR: readonly Lead[] = [
  ...LEADS,
  ...FRAMED.map(([mark, pattern]) => ({ marks: [mark], pattern })),
]

/** A mark, and what it is a mark of. */
interface Mark {
  readonly text: string
  /** Where in it the characters stand that are looked up. */
  readonly offset: number
  readonly of: number
}

const FOLLOWING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'.split('')
const marksOf = new Map<number, Mark[]>()
for (const [of, { marks }] of LOOKED_FOR.entries())
  for (const text of marks) {
    const offset = offsetOf(text)
    for (const key of keysOf(text.slice(offset))) {
      const three = note(key, IS_MARK)
      marksOf.set(three, [...(marksOf.get(three) ?? []), { text, offset, of }])
    }
  }

function keysOf(mark: string): readonly string[] {
  return mark.length < KEY_LENGTH
    ? FOLLOWING.flatMap((each) => keysOf(mark + each))
    : [mark.slice(0, KEY_LENGTH)]
}

/** Words have fewer quotes, slashes and the like than letters, so that few texts have what is looked up. */
function offsetOf(mark: string): number {
  const counts = Array.from(
    { length: Math.max(1, mark.length - KEY_LENGTH + 1) },
    (_, at) => mark.slice(at, at + KEY_LENGTH).replaceAll(/[a-z]/g, '').length,
  )
  return counts.indexOf(Math.max(...counts))
}

/** Of what the text last scanned has marks. */
const seen = new Uint8Array(LOOKED_FOR.length)

/** Notes in one pass of what a text has marks; `undefined` as soon as there is a token, and whether it has any. */
function scanMarks(text: string): boolean | undefined {
  let hasMark = false
  let recent = 0
  for (let next = 0; next < text.length; next++) {
    recent = withNext(recent, text.charCodeAt(next))
    if (!isKnown(recent)) continue
    const kind = kinds.get(recent)
    const at = next - KEY_LENGTH + 1
    if (kind !== IS_MARK && !isInWord(text, at - 1) && endOfToken(text, at) !== undefined) return undefined
    if (kind === IS_BEGINNING) continue
    for (const mark of marksOf.get(recent) ?? []) {
      if (!text.startsWith(mark.text, at - mark.offset)) continue
      if (!hasMark) seen.fill(0)
      hasMark = true
      seen[mark.of] = 1
    }
  }
  return hasMark
}

/** Whether a text may hold such a secret, to be checked before the text is looked into. */
export function mayHoldShape(text: string): boolean {
  const hasMark = scanMarks(text)
  if (hasMark === undefined || nextCoined(text, 0) !== undefined) return true
  return (
    hasMark &&
    LOOKED_FOR.some(
      ({ pattern, beside }, at) =>
        seen[at] === 1 && (beside === undefined || text.includes(beside)) && text.search(pattern) !== -1,
    )
  )
}

/** A text in which all that is a secret by its form is replaced. */
export function replaceShapes(text: string, by: (found: string) => string): string {
  const hasMark = scanMarks(text)
  const issued = hasMark === undefined ? replaceAll(text, nextToken, by) : text
  const coined = replaceAll(issued, nextCoined, by)
  if (coined === text) return hasMark ? replaceSeen(text, by) : text
  return FRAMED.reduce(
    (left, [mark, pattern]) => (left.includes(mark) ? left.replaceAll(pattern, by) : left),
    coined,
  )
}

function replaceSeen(text: string, by: (found: string) => string): string {
  return FRAMED.reduce(
    (left, [mark, pattern], at) =>
      seen[LEADS.length + at] === 1 && left.includes(mark) ? left.replaceAll(pattern, by) : left,
    text,
  )
}

function replaceAll(
  text: string,
  next: (text: string, from: number) => Found | undefined,
  by: (found: string) => string,
): string {
  const pieces: string[] = []
  let copied = 0
  for (let found = next(text, 0); found !== undefined; found = next(text, copied)) {
    pieces.push(text.slice(copied, found.start), by(text.slice(found.start, found.end)))
    copied = found.end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}
