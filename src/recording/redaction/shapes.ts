import { type Found, nextCoined, SHORTEST } from './coined-tokens.ts'
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

/** A mark, and what it is a mark of. */
interface Mark {
  readonly text: string
  /** Where in it the characters stand that are looked up. */
  readonly offset: number
  readonly of: number
}

/** What three characters may be the first of. */
interface Known {
  readonly beginnings: Beginning[]
  readonly marks: Mark[]
}

const KEY_LENGTH = 3
const CHAR_BITS = 7
const MASK = (1 << (KEY_LENGTH * CHAR_BITS)) - 1
/** One bit for each three characters of ASCII: whether something is known of them. */
const KNOWN = new Int32Array(2 ** 16)
const known = new Map<number, Known>()
const NOTHING: Known = { beginnings: [], marks: [] }

function knownOf(key: string): Known {
  const three = key.split('').reduce((recent, each) => withNext(recent, each.charCodeAt(0)), 0)
  KNOWN[three >>> 5] = (KNOWN[three >>> 5] ?? 0) | (1 << three)
  const entry = known.get(three) ?? { beginnings: [], marks: [] }
  known.set(three, entry)
  return entry
}

for (const [texts, { pattern, isUsual = false }] of BEGINNINGS) {
  const rest = new RegExp(pattern, 'y')
  for (const text of texts.split(' '))
    knownOf(text.slice(0, KEY_LENGTH)).beginnings.push({ text, rest, isUsual })
}
// The longest says most.
for (const { beginnings } of known.values()) beginnings.sort((a, b) => b.text.length - a.text.length)

/** The last three characters as one number; where one is not of ASCII, it may be that of others. */
function withNext(recent: number, code: number): number {
  return ((recent << CHAR_BITS) ^ code) & MASK
}

/** Whether something that is looked for has these three characters. */
function isKnown(three: number): boolean {
  return ((KNOWN[three >>> 5] as number) & (1 << three)) !== 0
}

/** Digits, letters and `_`. */
const IN_WORD = new Uint8Array(128)
for (const code of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'))
  IN_WORD[code] = 1

const [QUOTE, DASH] = [0x22, 0x2d]

/** Finds the next secret in a text by its beginning. To find all takes time linear to the text's length. */
function nextToken(text: string, from: number): Found | undefined {
  let recent = 0
  for (let next = from; next < text.length; next++) {
    recent = withNext(recent, text.charCodeAt(next))
    if (!isKnown(recent)) continue
    const at = next - KEY_LENGTH + 1
    const end = at < from ? undefined : endOfToken(text, at, (known.get(recent) ?? NOTHING).beginnings)
    if (end !== undefined) return { start: at, end }
  }
  return undefined
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && IN_WORD[text.charCodeAt(at)] === 1
}

const IN_BASE64 = /^[A-Za-z0-9+/]{64}$/

// A file as base64 has every beginning somewhere.
function isInBase64(text: string, at: number): boolean {
  return /[+/]/.test(text.charAt(at - 1)) && IN_BASE64.test(text.slice(Math.max(0, at - 64), at))
}

function endOfToken(text: string, at: number, beginnings: readonly Beginning[]): number | undefined {
  if (beginnings.length === 0 || isInWord(text, at - 1)) return undefined
  for (const { text: beginning, rest, isUsual } of beginnings) {
    if (!text.startsWith(beginning, at)) continue
    if (isInBase64(text, at)) return undefined
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

const FOLLOWING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'.split('')
for (const [of, { marks }] of LOOKED_FOR.entries())
  for (const text of marks) {
    const offset = offsetOf(text)
    for (const key of keysOf(text.slice(offset))) knownOf(key).marks.push({ text, offset, of })
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

/** Of what the text last scanned has marks, and whether of anything. */
const seen = new Uint8Array(LOOKED_FOR.length)
let hasSeen = false

const SLICE_BYTES = 1024
/** Where in a slice characters end that are known. */
const ends = new Int32Array(SLICE_BYTES)

/**
 * Whether a text has no token of a known beginning. Of what it has marks of is noted.
 * @param bytes its first `length` ones, each a character of ISO 8859-1: to read these takes less than half the time
 */
function scan(bytes: Buffer, length: number, given?: string): boolean {
  if (hasSeen) seen.fill(0)
  hasSeen = false
  let text = given
  let recent = 0
  for (let start = 0; start < length; start += SLICE_BYTES) {
    const end = Math.min(start + SLICE_BYTES, length)
    let count = 0
    for (let next = start; next < end; next++) {
      recent = withNext(recent, bytes[next] as number)
      if (isKnown(recent)) ends[count++] = next
    }
    for (let each = 0; each < count; each++) {
      const at = (ends[each] as number) - KEY_LENGTH + 1
      const { beginnings, marks } = known.get(keyAt(bytes, at)) ?? NOTHING
      if (mayBegin(bytes, at, beginnings)) {
        text ??= bytes.toString('latin1')
        if (endOfToken(text, at, beginnings) !== undefined) return false
      }
      noteMarks(bytes, at, marks)
    }
  }
  return true
}

function keyAt(bytes: Buffer, at: number): number {
  return withNext(withNext(bytes[at] ?? 0, bytes[at + 1] ?? 0), bytes[at + 2] ?? 0)
}

// No token goes on with what ends a string.
function mayBegin(bytes: Buffer, at: number, beginnings: readonly Beginning[]): boolean {
  if (beginnings.length === 0 || (at > 0 && IN_WORD[bytes[at - 1] as number] === 1)) return false
  return beginnings.some(({ text }) => startsWith(bytes, text, at) && bytes[at + text.length] !== QUOTE)
}

function noteMarks(bytes: Buffer, at: number, marks: readonly Mark[]): void {
  for (const { text, offset, of } of marks) {
    if (!startsWith(bytes, text, at - offset)) continue
    hasSeen = true
    seen[of] = 1
  }
}

function startsWith(bytes: Buffer, text: string, at: number): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  return true
}

const OWN_BYTES = 32 * 1024
const own = Buffer.allocUnsafeSlow(OWN_BYTES)

function scanText(text: string): boolean {
  if (text.length > OWN_BYTES) return scan(Buffer.from(text, 'latin1'), text.length, text)
  own.write(text, 'latin1')
  return scan(own, text.length, text)
}

function fitsSeen(text: string): boolean {
  return (
    hasSeen &&
    LOOKED_FOR.some(
      (lead, at) =>
        seen[at] === 1 && (lead.beside === undefined || text.includes(lead.beside)) && isLead(lead, text),
    )
  )
}

function isLead({ pattern, leads }: Lead, text: string): boolean {
  if (leads === undefined) return text.search(pattern) !== -1
  for (const [, found = ''] of text.matchAll(pattern)) if (leads(found)) return true
  return false
}

/** Whether a text may hold such a secret, to be checked before the text is looked into. */
export function mayHoldShape(text: string): boolean {
  return !scanText(text) || nextCoined(text, 0) !== undefined || fitsSeen(text)
}

/** The same of bytes in which no token is coined. */
export function mayHoldKnown(bytes: Buffer): boolean {
  return !scan(bytes, bytes.length) || (hasSeen && fitsSeen(bytes.toString('latin1')))
}

/** A text in which all that is a secret by its form is replaced. */
export function replaceShapes(text: string, by: (found: string) => string): string {
  const issued = scanText(text) ? text : replaceAll(text, nextToken, by)
  const coined = issued.length < SHORTEST ? issued : replaceAll(issued, nextCoined, by)
  if (coined === text) return hasSeen ? replaceSeen(text, by) : text
  return FRAMED.reduce(
    (left, [mark, pattern]) => (left.includes(mark) ? left.replaceAll(pattern, by) : left),
    coined,
  )
}

/** The same of tokens that their issuers begin alike. */
export function replaceIssued(text: string, by: (found: string) => string): string {
  return replaceAll(text, nextToken, by)
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
