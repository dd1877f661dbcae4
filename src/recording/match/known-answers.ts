import { isUtf8 } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import { bytesOf, type KnownAnswer } from '../../engine/known-answer.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import { canonicalText } from '../../engine/random.ts'
import { CHECKSUM } from '../../http/rewrite-body.ts'
import type { Awaitable, Headers, HttpResponse } from '../../message.ts'
import type { MemoryCounters } from '../../state/counters.ts'
import { createMemo } from '../../memo.ts'
import { compareTexts, groupBy } from '../../grouping.ts'
import { type Entity, UNTOUCHED } from '../../state/entities.ts'
import type { LoginOption } from '../../engine/login-option.ts'
import type { Caller } from '../../engine/route-options.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { createForbidden } from './forbidden-callers.ts'
import { keyOfLogin, type NamedRequest } from './login-key.ts'
import { isFailure } from './subject.ts'
import { formOf, jsonBodyOf, readBodyValue } from './body-value.ts'
import { compileMatch, headOf } from './match.ts'
import { type Facts, factsOf } from './facts.ts'
import { adapt, type Example, type Fresh, nearestOf } from './nearest-answer.ts'

const RULES = compileMatch({ ignoreHost: true })

/**
 * What names a request: equal for those whose method, path, query and body say the same, secrets aside, as replay
 * compares them.
 */
export function requestKey(
  { method, url, contentType }: NamedRequest,
  bytes: Buffer,
  redactor: Redactor,
): Awaitable<string> {
  const head = headText(method, url, redactor)
  if (bytes.length === 0) return head
  return readBodyValue(bytes, contentType, RULES, redactor.at(url)).then((body) => `${head} ${formOf(body)}`)
}

/** Recordings and clients request a few thousand addresses over and over. */
const MAX_HEADS = 10_000
const headsBy = remembered(
  (_redactor: Redactor) => createMemo<string>(MAX_HEADS),
  new WeakMap<Redactor, ReturnType<typeof createMemo<string>>>(),
)

function headText(method: string, url: string, redactor: Redactor): string {
  const heads = headsBy(redactor)
  const given = `${method} ${url}`
  const known = heads.get(given)
  if (known !== undefined) return known
  const { path, query } = headOf({ method, host: undefined, url, headers: [] }, redactor, RULES)
  const text = JSON.stringify([method, path, query])
  heads.set(given, text)
  return text
}

/** Names the same request where its route refuses who sends it. */
export function refusedKey(key: string): string {
  return `${key} refused`
}

/** Names the same request of a user who is logged in. @param fields those that name the user */
export function keyOfUser(
  key: string,
  user: Readonly<Record<string, unknown>>,
  fields = Object.keys(user),
): string {
  return `${key} of ${canonicalText(fields.toSorted(compareTexts).map((name) => [name, user[name]]))}`
}

/** A request for the nearest answer. */
export interface NearRequest {
  readonly url: string
  /** As a JSON value, if it is one. */
  readonly body: unknown
  readonly entity: Entity
  /** The status it was refused with; absent where any answer will do. */
  readonly refused?: number | undefined
  /** Names requests whose own answers are not given, and what had changed before them. */
  readonly except?: { readonly key: string; readonly after: string } | undefined
  /** What made-up values are made from; absent for requests that only read. */
  readonly fresh?: Fresh | undefined
}

/** The answers that a route knows for single requests. */
export interface KnownAnswers {
  /**
   * The answer to a request; of several in turn, and then the last again.
   * @param after what clients have changed so far
   * @param turns counts how often each request came
   */
  find(key: string, headers: Headers, after: string, turns: MemoryCounters): HttpResponse | undefined
  /** The answer to the request that is most like another, with the other's values; `undefined` where there is none. */
  near(request: NearRequest): HttpResponse | undefined
}

interface Known {
  readonly key: string
  /** Where among all. */
  readonly at: number
  readonly answer: KnownAnswer
}

/** More would show little more, and each is compared with every request. */
const MAX_EXAMPLES = 500
/** The bytes of answers that are kept ready, from the second time that they are given. */
const MAX_READY_BYTES = 1024 * 1024

interface KnownOptions {
  /** That of requests which do not say it. */
  readonly method: string
  readonly redactor: Redactor
  /** Where requests say which answer is theirs, as `Facts` name it. */
  readonly by?: readonly string[] | undefined
  /** Callers whose answers are refusals. */
  readonly forbids?: readonly Caller[] | undefined
  /** What they have to do with logins. */
  readonly login?: LoginOption | undefined
}

export async function createKnownAnswers(
  answers: readonly KnownAnswer[],
  { method, redactor, by = [], forbids = [], login }: KnownOptions,
): Promise<KnownAnswers> {
  const known: Known[] = []
  const isForbidden = createForbidden(forbids, redactor)
  for (const [at, answer] of answers.entries()) {
    const { when } = answer
    const named = { method: when.method ?? method, url: when.url, contentType: typeOfBody(when) }
    const bytes = bytesOf(when)
    const key = keyOfLogin(await requestKey(named, bytes, redactor), login, named, bytes, redactor)
    const { headers = {} } = when
    const isRefused = Object.values(headers).includes('') || isForbidden({ headers })
    const own = when.user === undefined ? key : keyOfUser(key, when.user)
    known.push({ answer, at, key: isRefused ? refusedKey(key) : own })
  }
  // The same request may come very often, after other changes each time.
  const byKey = new Map(
    [...groupBy(known, ({ key }) => key)].map(([key, own]) => [
      key,
      groupBy(own, ({ answer }) => answer.after),
    ]),
  )
  const examples = lazy(() =>
    known
      .filter(({ answer: { when } }) => when.method === undefined && when.headers === undefined)
      .slice(0, MAX_EXAMPLES)
      .map(exampleOf),
  )
  const failures = lazy(() => examples().filter(({ status }) => status >= 400))
  // Most are given once where a recording is proven: to keep them until others take their place fills the memory.
  const given = new WeakSet<KnownAnswer>()
  const respond = remembered<KnownAnswer, HttpResponse>(
    responseOf,
    new LRUCache({
      maxSize: MAX_READY_BYTES,
      sizeCalculation: ({ body = '' }) => body.length + 1,
    }),
  )
  return {
    find(key, headers, after, turns) {
      const own = byKey.get(key)
      if (own === undefined) return undefined
      const [always, then] = [own.get(undefined), own.get(after)]
      const all =
        always === undefined ? (then ?? []) : [...always, ...(then ?? [])].toSorted((a, b) => a.at - b.at)
      const fitting = all.filter(({ answer: { when } }) => hasHeaders(headers, when.headers, redactor))
      const [first] = fitting
      if (first === undefined) return undefined
      const turn = fitting.length === 1 ? 0 : turns.next(`${key} ${after} ${fitting.length}`)
      const { answer } = fitting[Math.min(turn, fitting.length - 1)] ?? first
      if (given.has(answer)) return respond(answer)
      given.add(answer)
      return responseOf(answer)
    },
    near({ url, body, entity, refused, except, fresh }) {
      const facts = factsOf(url, body, entity)
      const able = refused === undefined ? examples() : failures()
      const some = except === undefined ? able : able.filter(({ given }) => !isExcepted(given, except))
      const same = refused === undefined ? [] : some.filter(({ status }) => status === refused)
      const nearest = nearestOf(facts, same.length > 0 ? same : some, by)
      return nearest && adapted(nearest, facts, entity, fresh)
    },
  }
}

function isExcepted({ key, answer }: Known, except: NonNullable<NearRequest['except']>): boolean {
  return key === except.key && (answer.after ?? except.after) === except.after
}

function hasHeaders(given: Headers, wanted: KnownAnswer['when']['headers'], redactor: Redactor): boolean {
  if (wanted === undefined) return true
  return Object.entries(wanted).every(([name, value]) => {
    const own = textOf(given[name])
    return own === value || redactor.header({ name, value: own }).value === value
  })
}

function typeOfBody({ type, body }: KnownAnswer['when']): string {
  return type ?? (body === undefined ? '' : 'application/json')
}

function exampleOf(known: Known): Example<Known> {
  const { when, status } = known.answer
  const entity = when.stored ?? UNTOUCHED
  const body = when.body ?? bodyValueOf(bytesOf(when), typeOfBody(when))
  const hasFailed = isFailure({ status, body: known.answer.body })
  return { given: known, status, hasFailed, entity, facts: factsOf(when.url, body, entity) }
}

const MAX_TEXT = 64 * 1024

/** What a body says: a JSON value or the fields of a form, or else a text that is not long. */
export function bodyValueOf(bytes: Buffer, contentType: string): unknown {
  const value = jsonBodyOf(bytes, contentType)
  if (value !== undefined || bytes.length === 0 || bytes.length > MAX_TEXT || !isUtf8(bytes)) return value
  return bytes.toString()
}

/** Headers that name what the answer is about. */
const NAMING =
  /^(location|content-location|link|etag|last-modified|docker-content-digest|.*-(id|digest|uuid))$/

function adapted(
  { given, facts, entity }: Example<Known>,
  to: Facts,
  now: Entity,
  fresh: Fresh | undefined,
): HttpResponse {
  const { answer } = given
  const change = (value: unknown): unknown => adapt(value, facts, to, [entity, now], fresh)
  const headers = Object.entries(answer.headers ?? {})
    .filter(([name]) => !CHECKSUM.test(name))
    .map(([name, values]) => (NAMING.test(name) ? [name, change(values) as string] : [name, values]))
  const { body: json, text, ...rest } = answer
  // JSON whose spelling is not the usual one is kept as a text.
  const body = json ?? (text === undefined ? undefined : jsonBodyOf(Buffer.from(text), ''))
  return responseOf({
    ...rest,
    headers: Object.fromEntries(headers) as NonNullable<KnownAnswer['headers']>,
    ...(body !== undefined && { body: change(body) }),
    ...(body === undefined && text !== undefined && { text: change(text) as string }),
  })
}

function textOf(value: string | readonly string[] | undefined): string {
  return [value ?? ''].flat().join(', ')
}

function responseOf(answer: KnownAnswer): HttpResponse {
  const flat = Object.entries(answer.headers ?? {}).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name.toLowerCase(), value]),
  )
  return { status: answer.status, headers: flat, body: bytesOf(answer) }
}
