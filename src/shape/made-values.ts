import { literalPattern } from '../routing/path-template.ts'
import { formatsOf, UUID } from './formats.ts'
import { greatestOf, leastOf } from '../statistics.ts'

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/
/** What databases and `isoformat` write: no zone, or one that RFC 3339 does not have. */
const LOCAL_TIME = /^\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?( ?(UTC|GMT|[+-]\d{4}))?$/
/** What `toString` of JavaScript's dates writes. */
const WRITTEN_TIME =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d( GMT[+-]\d{4})?( \([\w +-]+\))?$/
/** An ETag in its quotes. */
const TAG = /^(?:W\/)?"(.*)"$/
const TOKEN = /^(W\/)?"?(\d{1,6}-)?([\w+/=-]{12,})"?$/

/** What recordings have in place of secrets. */
const HIDDEN = /^redacted-[0-9a-f]{8,16}~*$/

/**
 * The form of values that a server makes up, as keywords of JSON Schema; `undefined` where they are not of one kind.
 * @param values texts of one field
 */
export function formOfMade(values: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const all = values.filter((value) => typeof value === 'string')
  const plain = all.filter((text) => !HIDDEN.test(text))
  const texts = plain.length > 0 ? plain : all
  const first = texts.find((text) => madeKind(text) !== undefined) ?? texts[0] ?? ''
  if (all.length < values.length || !texts.every((text) => areMadeAlike(first, text))) return undefined
  const kind = madeKind(first)
  if (kind === 'uuid') return { type: 'string', format: kind }
  const lengths = texts.map(({ length }) => length)
  if (kind === 'date-time') return momentSchema(leastOf(lengths), greatestOf(lengths))
  if (kind === undefined) return { type: 'string', pattern: `^${patternAround(texts)}$` }
  if (!kind.startsWith('id of')) return undefined
  const isAround = texts.every((text) => QUOTED_TOKEN.test(text)) || arePaths(texts)
  return { type: 'string', pattern: `^${isAround ? patternAround(texts) : patternOf(texts)}$` }
}

/** How long moments are that have milliseconds or microseconds, in UTC or with an offset, as some servers write them all. */
const WHOLE_MOMENTS = new Set(
  ['.000Z', '.000000Z', '.000+00:00', '.000000+00:00'].map((end) => 19 + end.length),
)

/** Moments as a server writes them, by how long the shortest and the longest of them are. */
export function momentSchema(shortest: number, longest: number): Readonly<Record<string, unknown>> {
  const moment = { type: 'string', format: 'date-time' }
  const isSame = shortest === longest && WHOLE_MOMENTS.has(shortest)
  return isSame ? { ...moment, minLength: shortest, maxLength: shortest } : moment
}

const QUOTED_TOKEN = /^(?:W\/)?"[0-9A-Za-z]{12,}"$/

// Base64 has slashes as well, but not the same parts around tokens in several texts.
function arePaths(texts: readonly string[]): boolean {
  const [first = [], ...others] = texts.map(tokensOf)
  const isFixed = (_part: string, at: number): boolean => at % 2 === 0
  const fixed = first.filter(isFixed).join('\n')
  return (
    first[0]?.startsWith('/') === true && others.every((parts) => parts.filter(isFixed).join('\n') === fixed)
  )
}

/** Whether two texts are of one kind of what a server makes up: alike, or alike but for such tokens in them. */
export function areMadeAlike(one: string, other: string): boolean {
  const [kind, otherKind] = [madeKind(one), madeKind(other)]
  const isId = (kind ?? otherKind)?.startsWith('id of') === true
  // Drawn signs may be letters alone.
  if (kind === otherKind && kind !== undefined) return true
  if (isId && (kind === undefined || otherKind === undefined)) return isSameShape(one, other)
  if (kind !== undefined || otherKind !== undefined || !one.includes('/')) return false
  const [parts, others] = [tokensOf(one), tokensOf(other)]
  return (
    parts.length > 1 &&
    parts.length === others.length &&
    parts.every((part, at) => {
      const found = others[at] ?? ''
      if (at % 2 === 0) return part === found
      return part === found || (part.length === found.length && (isDrawn(part) || isDrawn(found)))
    })
  )
}

/** Base64 with its padding, which is long enough for an id and too short for a file. */
const PADDED = /[0-9A-Za-z+]{6,46}={1,2}/g

/** Whether two texts differ in no more than ids in Base64 whose bytes are not readable. */
export function areBytesAlike(one: string, other: string): boolean {
  const own = withoutBytes(one)
  return own !== one && own === withoutBytes(other)
}

function withoutBytes(text: string): string {
  return text.replaceAll(PADDED, (part) => {
    const isOfBytes = part.length % 4 === 0 && Buffer.from(part, 'base64').includes(0)
    return isOfBytes ? `<${part.length}>` : part
  })
}

/**
 * The form of what a server makes up anew for each answer, such as validators; `undefined` where it may be anything else.
 * @param values all that a field had
 */
export function formOfTokens(values: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const different = new Set(values)
  const areTokens = [...different].every(
    (value) => typeof value === 'string' && madeKind(value)?.startsWith('id of') === true,
  )
  const isSure = different.size > 1 || [...different].every((value) => DIGEST.test(String(value)))
  // What counts is not drawn.
  const counts = new Set([...different].map((value) => COUNTED.exec(String(value))?.[1]))
  return areTokens && isSure && counts.size === 1 ? formOfMade([...different]) : undefined
}

/** The number that a revision begins with. */
const COUNTED = /^(?:W\/)?"?(\d{1,6})-/

/** A hash, in quotes or without, which no other text is like. */
const DIGEST = /^(?:W\/)?"?[0-9a-f]{32,}"?$/i

/** Fewer values may be alike by chance. */
const MIN_DRAWN = 4
/** So many are enough where capitals and small letters are in no order. */
const MIN_MIXED = 3

/**
 * The form of short texts whose signs a server draws, such as codes of seven letters and digits; `undefined` where these
 * may be anything else.
 * @param values those of one field, in items that were made
 */
export function formOfDrawn(values: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const texts = values.filter((value) => typeof value === 'string')
  const [{ length } = ''] = texts
  const beginnings = new Set(texts.map((text) => text.slice(0, 2)))
  const areDrawn =
    texts.length === values.length &&
    texts.length >= (areInNoOrder(texts) ? MIN_MIXED : MIN_DRAWN) &&
    beginnings.size * 4 >= texts.length * 3 &&
    new Set(texts).size === texts.length &&
    texts.every((text) => text.length === length && /^[0-9A-Za-z]{5,}$/.test(text)) &&
    (areInNoOrder(texts) || texts.some(isDrawn)) &&
    texts.filter((text) => isDrawn(text) || !isWord(text)).length * 2 >= texts.length
  return areDrawn ? { type: 'string', pattern: `^${patternOf(texts)}$` } : undefined
}

/** Words, also such as begin with a capital, initials, and numbers. */
const PIECE = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
/** Letters of both cases and digits that are drawn make pieces of hardly two signs on average. */
const MAX_PIECE = 2.75

/** Whether texts, taken together, are of letters in both cases, and digits, that are drawn rather than written. */
export function areInNoOrder(texts: readonly string[]): boolean {
  const all = texts.join('-')
  const pieces = all.match(PIECE) ?? []
  return /[A-Z]/.test(all) && /[a-z]/.test(all) && pieces.join('').length <= pieces.length * MAX_PIECE
}

// Letters alone that are in one case, but for the first.
function isWord(text: string): boolean {
  return /^[A-Za-z]?[a-z]*$|^[A-Z]*$/.test(text)
}

function isDrawn(text: string): boolean {
  if (/\d/.test(text)) return /[a-z]/i.test(text)
  return hasMixedCase(LETTERS.exec(text)?.[0] ?? '')
}

/** Letters alone may be drawn where they are many, or come after what says the kind, such as `si_`. */
const LETTERS = /(?<![A-Za-z])[A-Za-z]{16,}$|(?<=^[a-z]{2,8}_)[A-Za-z]{12,}$/

/** Whether so many letters of a text are capitals that it is drawn: words begin with them, and have few. */
export function hasMixedCase(text: string): boolean {
  const share = text.replaceAll(/[^A-Z]/g, '').length / text.length
  return share > 0.25 && share < 0.75
}

function isSameShape(one: string, other: string): boolean {
  const shape = (text: string): string => text.replaceAll(/[0-9A-Za-z]+/g, (run) => `${run.length}`)
  return shape(one) === shape(other)
}

// What is between tokens, and every other part is one.
function tokensOf(text: string): readonly string[] {
  return /\s/.test(text) || text.length > MAX_AROUND ? [text] : text.split(/([0-9A-Za-z]{12,})/)
}

/** Longer texts have more in them than names of things. */
const MAX_AROUND = 512

// The tokens of several texts by their signs, and what is between them as it is.
function patternAround(texts: readonly string[]): string {
  const rows = texts.map(tokensOf)
  const parts = rows[0]?.map((part, at) => {
    const all = rows.map((row) => row[at] ?? '')
    return all.every((each) => each === part) ? literalPattern(part) : patternOf(all)
  })
  return (parts ?? []).join('')
}

const SIGNS = ['0-9', '0-9a-f', '0-9A-F', '0-9a-z', '0-9A-Z', '0-9A-Za-z', String.raw`\w-`]
/** Those of base64 and quotes, too. */
const OTHER_SIGNS = String.raw`\w+/="-`

// What is before the last sign that is neither letter nor digit names the kind where all have it, such as `ord_`.
function patternOf(texts: readonly string[]): string {
  const [first = ''] = texts
  const named = /^[\w.:-]*[_.:-](?=[0-9A-Za-z]{8,}$)/.exec(first)?.[0] ?? ''
  const prefix = texts.every((text) => text.startsWith(named)) ? named : ''
  const rest = texts.map((text) => text.slice(prefix.length))
  const signs = SIGNS.find((each) => rest.every((text) => new RegExp(`^[${each}]+$`).test(text)))
  return `${prefix.replaceAll('.', String.raw`\.`)}[${signs ?? OTHER_SIGNS}]{${first.length - prefix.length}}`
}

/** A date and time, as they may stand within a text, percent-encoded or not. */
export const MOMENT = /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::|%3A)\d\d)/i

const PARTS = new RegExp(`(${MOMENT.source}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`, 'gi')

/**
 * The times and UUIDs within two texts that are the same but for those, in pairs; `undefined` where they are not, or are
 * nothing but one.
 */
export function madeParts(
  one: string,
  other: string,
): readonly (readonly [one: string, other: string])[] | undefined {
  const [parts, others] = [one.split(PARTS), other.split(PARTS)]
  if (parts.length < 3 || parts.length !== others.length || parts.length > MAX_PARTS) return undefined
  if (parts.some((part, at) => at % 2 === 0 && part !== others[at])) return undefined
  return parts.flatMap((part, at) => (at % 2 === 1 ? [[part, others[at] ?? ''] as const] : []))
}

const MAX_PARTS = 21

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Which kind of value a server makes up a text may be: a time, or an id or hash of some form; `undefined` for others. */
export function madeKind(text: string): string | undefined {
  if (text.length > LONGEST_MADE) return undefined
  if (HTTP_DATE.test(text)) return 'http-date'
  const [, tagged] = TAG.exec(text) ?? []
  if (tagged !== undefined) return MOMENT.test(tagged) ? 'tag of a time' : tokenKind(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && formatsOf(text).includes('date-time')) return 'date-time'
  if (LOCAL_TIME.test(text) || WRITTEN_TIME.test(text)) return 'local date and time'
  if (UUID.test(text)) return 'uuid'
  if (/^\d{10,}$/.test(text)) return 'long number'
  return tokenKind(text)
}

/** What is longer was not made up to name something. */
const LONGEST_MADE = 64 * 1024

/** What paths of APIs begin with, whose digit says nothing of the rest. */
const VERSION = /^\/?(?:api\/)?v\d{1,2}\//

function tokenKind(text: string): string | undefined {
  const own = TOKEN.exec(text)?.[3] ?? ''
  if (!isDrawn(own.replace(VERSION, ''))) return undefined
  // What is that long has something in it, which may be of any length.
  return own.length > 64 ? 'token' : `id of ${text.length}`
}
