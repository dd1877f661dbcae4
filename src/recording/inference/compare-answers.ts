import { compareTexts } from '../../grouping.ts'
import { jsonOf } from '../../data-files/limits.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { readSetCookie } from '../files/har.ts'
import { withoutPseudonyms } from '../redaction/secrets.ts'
import { isOwnHeader } from './answer-headers.ts'
import { comparableText, wordsOf } from './comparable-text.ts'
import type { Answered } from './recorded.ts'
import { isScalar } from './values.ts'
import { UUID } from '../../shape/formats.ts'
import { areBytesAlike, areMadeAlike, madeParts } from '../../shape/made-values.ts'

/** How an answer differs from the one that was recorded. */
export interface Comparison {
  /** What differs first, such as `status 404 instead of 200`; none where the answers say the same. */
  readonly differs: readonly string[]
  /** Values that a server makes up and that are of one kind in both, such as ids and times: recorded and given. */
  readonly made: ReadonlyMap<string, string>
}

/** What of answers is compared. */
export interface Comparing {
  /** The server’s own scheme and authority, which stands in no address that is compared. */
  readonly origin: string
  /** Whether a value stands for one that was given in place of it before, or is in this very answer. */
  readonly isCarried?: (wanted: string, found: string, made: ReadonlyMap<string, string>) => boolean
  /** Whether a value occurs in the request, so that the server did not make it up. */
  readonly isRequested: (value: string) => boolean
  /** Whether a value is an id that the server gave to what a request made. */
  readonly isAssigned?: (value: string) => boolean
  /** Whether the server keeps the list of that name in no order. */
  readonly isUnordered?: (name: string) => boolean
  /** Whether the request wrote something, whose state the answer's ETag names. */
  readonly isWrite?: boolean
  /** Whether a later request names a value, so that it matters even where it is a validator. */
  readonly isNamedLater: (value: string) => boolean
}

const MAX_SHOWN = 60
/** Answers that are unlike in more places would fill the memory with what nobody reads. */
const MAX_DIFFERENCES = 3
/** So many texts may have values in them that the same answer makes up elsewhere. */
const MAX_TEXTS = 1000

/** Compares status, media type, body by value, and the headers that matter. */
export function compareAnswers(
  recorded: Answered & { readonly status: number },
  given: Answered & { readonly status: number },
  {
    isRequested,
    isNamedLater,
    isWrite = false,
    isCarried = () => false,
    isAssigned = () => false,
    isUnordered = () => false,
    origin,
  }: Comparing,
): Comparison {
  const differs: string[] = []
  const made = new Map<string, string>()
  const texts: (readonly [place: string, wanted: string, found: string])[] = []
  const differ = (place: string, wanted: unknown, found: unknown): void => {
    if (differs.length < MAX_DIFFERENCES)
      differs.push(`${place}: ${shown(found)} instead of ${shown(wanted)}`)
  }
  const result = (): Comparison => {
    for (const [place, wanted, found] of texts) {
      const isAlike = made.size > 0 && isCarried(wanted, found, made)
      // Such as the id of a request and its time in a message.
      const parts = isAlike ? [] : madeParts(wanted, found)
      if (parts?.some(([part]) => isRequested(part)) !== false) differ(place, wanted, found)
    }
    return { differs, made }
  }
  const isId = (wanted: unknown, found: unknown): boolean =>
    typeof wanted === 'string' && isAssigned(wanted) && isOfForm(wanted, String(found))
  // Nobody knows what was hidden.
  const isSecret = (wanted: unknown, found: unknown): boolean =>
    typeof wanted === 'string' && typeof found === 'string' && withoutPseudonyms(wanted) === 'redacted'
  // Some names are ids.
  const carriedNames = (wanted: object, found: object, others: readonly string[]): typeof NOTHING =>
    new Map(
      Object.keys(wanted).flatMap((name) => {
        const own = others.find((each) => isCarried(name, each, NOTHING))
        return own === undefined || Object.hasOwn(found, name) ? [] : [[name, own]]
      }),
    )
  const compare = (place: string, wanted: unknown, found: unknown): void => {
    if (wanted === found) return
    if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
      const [own, others] = isUnordered(place.slice(place.lastIndexOf('/') + 1))
        ? [inOrder(wanted), inOrder(found)]
        : [wanted, found]
      for (let index = 0; index < wanted.length; index++)
        compare(`${place}/${index}`, own[index], others[index])
    } else if (isObject(wanted) && isObject(found)) {
      const others = Object.keys(found).filter((name) => !Object.hasOwn(wanted, name))
      const carried = others.length === 0 ? NOTHING : carriedNames(wanted, found, others)
      const taken = new Set(carried.values())
      for (const [name, part] of Object.entries(wanted))
        compare(`${place}/${name}`, part, memberAt(found, [carried.get(name) ?? name]))
      for (const name of others) if (!taken.has(name)) compare(`${place}/${name}`, undefined, found[name])
    } else if (isCarried(String(wanted), String(found), NOTHING)) return
    else if (
      (isMade(wanted, found) || isId(wanted, found) || isSecret(wanted, found)) &&
      !isRequested(String(wanted))
    )
      made.set(String(wanted), String(found))
    else if (typeof wanted === 'string' && typeof found === 'string' && texts.length < MAX_TEXTS)
      texts.push([place, wanted, found])
    else differ(place, wanted, found)
  }
  if (recorded.status !== given.status)
    return { differs: [`status ${given.status} instead of ${recorded.status}`], made }
  for (const [name, values] of Object.entries(recorded.headers)) {
    const isNamed = values.some((value) => isNamedLater(value))
    // What is made up for one answer alone, such as the id of a trace, says nothing of it.
    const isOfTrace = given.headers[name] === undefined && values.every((value) => UUID.test(value))
    const isOfState = name === 'etag' && isWrite && recorded.status < 300
    const matters = isNamed || isOfState || (isOwnHeader(name) && !isOfTrace)
    const [etag] = name === 'etag' ? (given.headers[name] ?? []) : []
    // Whatever a validator is made of, it says no more than that a body is the same (RFC 9110, section 8.8.3).
    if (matters && etag !== undefined && values.length === 1) {
      if (values[0] !== etag) made.set(values[0] as string, etag)
    } else if (matters) {
      const [text, other] = [values.join(', '), (given.headers[name] ?? []).join(', ')]
      if (text !== other)
        compare(`header ${name}`, wordsOf(withoutOrigin(text, origin)), wordsOf(withoutOrigin(other, origin)))
    }
  }
  const cookies = cookiesIn(given)
  for (const [name, value] of cookiesIn(recorded)) {
    const own = cookies.get(name)
    if (own !== undefined && own !== value) made.set(value, own)
  }
  if (recorded.bytes === undefined) return result()
  if (recorded.type === given.type && given.bytes?.equals(recorded.bytes) === true) return result()
  const [wanted, found] = [readValue(recorded), readValue(given)]
  if (recorded.type !== given.type && recorded.bytes.length > 0)
    differs.push(`${given.type || 'no type'} instead of ${recorded.type || 'no type'}`)
  else if (isQuoted(recorded, wanted) !== isQuoted(given, found)) differ('body', wanted, found)
  else if (typeof wanted === 'string' && typeof found === 'string')
    compare('body', comparableText(wanted), comparableText(found))
  else compare('body', wanted, found)
  return result()
}

function inOrder(list: readonly unknown[]): readonly unknown[] {
  return list.every(isScalar) ? list.toSorted((a, b) => compareTexts(String(a), String(b))) : list
}

/** Addresses of a server's own as paths. */
export function withoutOrigin(text: string, origin: string): string {
  return text.replaceAll(`${origin}/`, '/')
}

function cookiesIn({ headers }: Answered): ReadonlyMap<string, string> {
  const cookies = (headers['set-cookie'] ?? []).map(readSetCookie)
  return new Map(cookies.flatMap(({ name, value }) => (value === '' ? [] : [[name, value] as const])))
}

function readValue({ bytes = NO_BYTES }: Answered): unknown {
  // It may only begin like it.
  const value = mayBeJson(bytes) ? jsonOf(bytes.toString()) : undefined
  return value === undefined ? bytes.toString('latin1') : value
}

// A text in JSON is not that text.
function isQuoted({ bytes = NO_BYTES }: Answered, value: unknown): boolean {
  return typeof value === 'string' && bytes.toString('latin1') !== value && mayBeJson(bytes)
}

const NO_BYTES = Buffer.alloc(0)
const NOTHING: ReadonlyMap<string, string> = new Map()
/** What of a body shows how it begins, unless it begins with white space alone. */
const BEGINNING = 64

function mayBeJson(bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, BEGINNING)
  return /^\s*[[{"\d]/.test(/\S/.test(beginning) ? beginning : bytes.toString('latin1'))
}

/** Whether two values may be what a server makes up anew for each answer, and are of one kind. */
function isMade(wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'number' && typeof found === 'number') return wanted > EPOCH && found > EPOCH
  if (typeof wanted !== 'string' || typeof found !== 'string') return false
  return (
    areMadeAlike(wanted, found) ||
    areBytesAlike(wanted, found) ||
    (GO_SECONDS.test(wanted) && GO_SECONDS.test(found))
  )
}

/** Seconds since 1970 as Go writes them. */
const GO_SECONDS = /^1\.\d{6,}e\+09$/

function isOfForm(id: string, found: string): boolean {
  // Which of the drawn signs are digits is chance.
  const areDrawn = [id, found].every((each) => each.length === id.length && /^[0-9A-Za-z_-]+$/.test(each))
  return formOf(id) === formOf(found) || (areDrawn && /[A-Za-z]/.test(id) && /^[0-9A-Za-z]+$|[A-Z]/.test(id))
}

// Words and numbers, and what is between them.
function formOf(id: string): string {
  return id.replaceAll(/[A-Za-z]+/g, 'a').replaceAll(/\d+/g, '0')
}

/** Seconds since 1970 that are not just large numbers. */
const EPOCH = 1_000_000_000
function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
