import { hash } from 'node:crypto'
import { hasMixedCase } from '../../shape/made-values.ts'
import { PSEUDONYM_TEXT } from '../redaction/secrets.ts'
import type { BodyValue } from '../match/body-value.ts'
import type { RequestHead } from '../match/match.ts'

/** What a request has of what clients draw. */
export interface Drawn {
  /** A hash of the request without it. */
  readonly around: string
  /** In the order in which they come. */
  readonly tokens: readonly string[]
  /** Those that are values of parameters which are drawn for each request. */
  readonly named: readonly string[]
  /** The pseudonyms of secrets in its URL. */
  readonly secrets: string
}

/** A request, as far as it matters for what its client drew. */
export interface DrawingRequest {
  readonly head: RequestHead
  /** Its URL without secrets, and what else names it. */
  readonly request: string
  readonly isUpgrade: boolean
  /** When it came, in milliseconds since 1970. */
  readonly startedAt: number
  readonly drawnInBody: DrawnInBody
}

/** Text with its drawn tokens left out, and these in the order in which they come. */
export interface AroundTokens {
  readonly text: string
  readonly tokens: readonly string[]
}

const UUID = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'
const MOMENT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`
/** 16, 20 or 32 bytes in base64, whose `=` may be percent-encoded; with a slash only where it cannot be that of a path. */
const BASE64 = [
  ['{22}', '(?:=|%3D){2}'],
  ['{27}', '(?:=|%3D)'],
  ['{43}', '(?:=|%3D)'],
]
  .map(([n, end]) => String.raw`(?:(?<=["'\s=])[\w+/.-]${n}|(?<![\w+.%-])[\w+.-]${n})(?=${end})`)
  .join('|')
const WORD = '[0-9A-Za-z]{6,}'
/** Words, numbers and what is made of them. */
const RUN = new RegExp(String.raw`${UUID}|${MOMENT}|(${BASE64})|(?<![\w-])[\w-]{20,}|${WORD}`, 'g')
const PART = new RegExp(`${UUID}|${WORD}`, 'g')
/** Drawn from letters of both cases, digits, and signs that may be between words (nanoid, base64url). */
const MIXED = /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)/
const HAS_UUID = new RegExp(UUID)
const NUMBER = /^\d+$/
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, of this century. */
const EPOCH = /^[A-Za-z]*1\d{9}(?:\d{3}){0,3}[A-Za-z]*$/
/** A date with its time, to the second or millisecond, in digits alone. */
const DIGITS_OF_MOMENT =
  /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?$/
const LONG = 16
const LONG_RUN = 20
const MIN_CHANGES = 2

/**
 * A text with other tokens in place of drawn ones.
 * @param by gives the other, or nothing for a token that stays
 * @param note called with each that was replaced
 */
export function replaceDrawn(
  text: string,
  by: (token: string) => string | undefined,
  note?: (at: number, was: string, is: string) => void,
): string {
  const replace = (run: string, at: number): string => {
    const is = isDrawn(run) ? by(run) : undefined
    if (is !== undefined) note?.(at, run, is)
    return is ?? run
  }
  return text.replaceAll(RUN, (run, base64: string | undefined, at: number) =>
    run.length >= LONG_RUN && base64 === undefined && !isOne(run)
      ? run.replaceAll(PART, (part, inside: number) => replace(part, at + inside))
      : replace(run, at),
  )
}

function isOne(run: string): boolean {
  return !/[-_]/.test(run) || run.includes(':') || (MIXED.test(run) && !HAS_UUID.test(run.slice(0, -1)))
}

/** The texts within a text that clients and test suites draw for each run, or make of the time. */
export function aroundDrawn(text: string): AroundTokens {
  const tokens: string[] = []
  const around = replaceDrawn(text, (token) => {
    tokens.push(token)
    return '\0'
  })
  return { text: around, tokens }
}

/** Parameters by which a client knows its own request again (RFC 6749, section 4.1.1; RFC 7636; OpenID Connect). */
const FRESH = /^(?:state|nonce|code_challenge)$/
/** Seconds, with a fraction or without, or milliseconds since 1970. */
const MOMENTS = /^1\d{9}(?:\.\d{1,9}|\d{3})?$/
/** In ISO 8601, with separators or without. */
const WRITTEN_MOMENT = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d{1,9})?Z$/
/** What `Math.random()` of JavaScript gives, as a rule. */
const RANDOM = /^0\.\d{14,18}$/
/** Milliseconds in base 36. */
const SHORT_MOMENTS = /^[0-9a-z]{8}$/
const MAX_AGE_MS = 60_000
/** Keeps caches away from the polls of Engine.IO, which name its version beside it (Engine.IO protocol, `t`). */
const isOfEngineIo = (name: string, query: RequestHead['query']): boolean =>
  name === 't' && query.some(([other]) => other === 'EIO')

// As `_` of jQuery, which keeps caches away, or the end of what a dashboard shows.
function isMoment(value: string, startedAt: number): boolean {
  const ms = SHORT_MOMENTS.test(value) ? parseInt(value, 36) : momentOf(value)
  return ms !== undefined && Math.abs(startedAt - ms) <= MAX_AGE_MS
}

function momentOf(value: string): number | undefined {
  if (MOMENTS.test(value)) return Number(value) * (/^\d{13}$/.test(value) ? 1 : 1000)
  return WRITTEN_MOMENT.test(value)
    ? Date.parse(value.replace(WRITTEN_MOMENT, '$1-$2-$3T$4:$5:$6Z'))
    : undefined
}

/** The server and the session that a client of SockJS draws, before the transport. */
const OF_SOCKJS =
  /\/(\d{3})\/([\w-]{8})(?=\/(?:websocket|xhr|xhr_send|xhr_streaming|eventsource|htmlfile|jsonp|jsonp_send)$)/
/** Longer bodies hold more than a few drawn values. */
const MAX_DRAWN_IN = 64 * 1024

/** What a body has of what clients draw. */
export interface DrawnInBody {
  /** The body without it, or a hash of that; `undefined` where the body is too long. */
  readonly around: string | undefined
  readonly tokens: readonly string[]
}

/**
 * What a body has of what clients draw.
 * @param kind what it is
 * @param form what it says
 */
export function drawnInBody(kind: BodyValue['kind'], form: string): DrawnInBody {
  if (form === '') return NOTHING
  if (form.length > MAX_DRAWN_IN) return { around: undefined, tokens: [] }
  // Of bytes the form is a hash: all of them count as drawn, for one other value in them changes the most.
  const { text, tokens } = kind === 'omitted' ? { text: form, tokens: [] } : aroundDrawn(form)
  const around = text.length > MAX_KEPT ? hash('sha256', text, 'base64') : text
  return { around, tokens: tokens.map(copyOf) }
}

/**
 * What a request has of what clients draw; `undefined` where it has none, or is too long. The host does not count.
 * @param isFresh whether a parameter is drawn for each request, and a value may be such a one
 */
export function drawnIn(
  {
    head: { method, path, query, headers },
    request,
    isUpgrade,
    startedAt,
    drawnInBody: body,
  }: DrawingRequest,
  isFresh: (parameter: string, value: string) => boolean,
): Drawn | undefined {
  if (body.around === undefined) return undefined
  const isNew = (text: string): boolean => RANDOM.test(text) || isMoment(text, startedAt)
  // Some keep caches away by a name without a value.
  const isBare = ([name, value]: readonly [string, string]): boolean => value === '' && isNew(name)
  const isNamed = ([name, value]: readonly [string, string]): boolean =>
    FRESH.test(name) ||
    isOfEngineIo(name, query) ||
    isNew(value) ||
    isFresh(name, value) ||
    isBare([name, value])
  const named = [
    ...(OF_SOCKJS.exec(path)?.slice(1) ?? []),
    ...query.filter(isNamed).map((each) => each[isBare(each) ? 0 : 1]),
  ]
  const others = query.filter((each) => !isNamed(each))
  const texts = [path.replace(OF_SOCKJS, ''), ...others.flat(), ...headers.flat()]
  const { text, tokens } = aroundDrawn(texts.join('\n'))
  const all = [...named, ...tokens, ...body.tokens]
  if (all.length === 0) return undefined
  const names = query.map((each) => (isBare(each) ? '' : each[0]))
  const rest = [isUpgrade, method, text, body.around, names]
  return {
    around: hash('sha256', JSON.stringify(rest), 'base64'),
    tokens: all.map(copyOf),
    named: named.map(copyOf),
    secrets: request.match(PSEUDONYM_TEXT)?.join(' ') ?? '',
  }
}

const NOTHING: DrawnInBody = { around: '', tokens: [] }
/** A longer text takes more memory than its hash. */
const MAX_KEPT = 44

// It would keep the longer text that it is of.
function copyOf(token: string): string {
  return Buffer.from(token).toString()
}

function isDrawn(run: string): boolean {
  if (NUMBER.test(run) || EPOCH.test(run)) return EPOCH.test(run) || DIGITS_OF_MOMENT.test(run)
  if (run.length >= LONG && /\d/.test(run)) return true
  return changesIn(run) >= MIN_CHANGES || (run.length >= LONG && hasMixedCase(run))
}

/** How often letters and digits follow one another. */
function changesIn(run: string): number {
  return run.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0
}
