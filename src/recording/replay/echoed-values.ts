import { codingsOf } from '../../http/headers.ts'
import type { Awaitable } from '../../message.ts'
import { type Exchange, headerValues, type NameValue } from '../exchange.ts'
import { CHECKED_BYTES } from '../files/decode.ts'
import { openBody } from '../files/read-body.ts'
import { namingServer } from '../match/own-urls.ts'
import { jsonBodyOf } from '../match/body-value.ts'
import { valueDifferences } from '../match/differences.ts'
import { isHidden } from '../redaction/secrets.ts'
import { literalPattern } from '../../routing/path-template.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

/** A request, as far as its answer may say it again. */
interface ComparedRequest {
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly contentType: string
  /** Without its content coding; absent where it has none. */
  readonly body: Buffer | undefined
}

/** A value that a request has in place of the one it was recorded with. */
interface Echo {
  readonly name: string
  readonly recorded: string | number
  readonly given: string | number
}

/**
 * Shorter values are met by chance, and data that was requested by a range of time has its ends among its own: both count
 * where the answer has them by the same name.
 */
const MIN_LENGTH = 8
/** Seconds since 1970, or parts of them. */
const MOMENT = /^1\d{9}(?:\d{3}){0,3}(?:\.\d+)?$/
/** Each is looked for all over the answer; a request that differs in more is hardly one to have its values said again. */
const MAX_ECHOES = 100

/**
 * A recorded answer that says again what the request says otherwise than it was recorded, such as the `id` of a call of
 * JSON-RPC: all in which a request differs from the recorded one that it was found as counts for nothing there, and is
 * the client's own.
 * @param directory that of the recording
 */
export function withEchoed(
  answer: ReplayAnswer,
  { request }: Exchange,
  given: ComparedRequest,
  directory: string,
): Awaitable<ReplayAnswer> {
  const isSame =
    request.url.endsWith(given.url) &&
    (given.body === undefined || request.postData?.text === given.body.toString())
  return isSame ? answer : echoing(answer, request, given, directory)
}

async function echoing(
  answer: ReplayAnswer,
  request: Exchange['request'],
  given: ComparedRequest,
  directory: string,
): Promise<ReplayAnswer> {
  if (!isWholeText(answer)) return answer
  const { origin, pathname, search } = new URL(request.url)
  const echoes = queryEchoes(`${pathname}${search}`, given.url)
  const { postData } = request
  const stored =
    given.body === undefined || postData === undefined || postData._omitted !== undefined
      ? undefined
      : await openBody(directory, postData, CHECKED_BYTES)
  if (given.body !== undefined && Buffer.isBuffer(stored) && !stored.equals(given.body)) {
    const naming = (bytes: Buffer, from: readonly NameValue[], type: string): unknown =>
      jsonBodyOf(namingServer(bytes, headerValues(from, 'host')[0], origin), type)
    const was = naming(stored, request.headers, postData?.mimeType ?? '')
    const is = naming(given.body, given.headers, given.contentType)
    if (was !== undefined && is !== undefined) echoes.push(...bodyEchoes(was, is))
  }
  if (echoes.length === 0) return answer
  const replacements = echoes.slice(0, MAX_ECHOES).flatMap(replacementsOf)
  return withTexts(answer, (text, note) => replaceTexts(text, replacements, note))
}

/** Notes what comes in place of a text. */
type NoteText = (at: number, was: string, is: string) => void

/**
 * An answer whose body has other texts in some places.
 * @param change gives the body with these, of which it notes each; a sign of a text stands for a byte
 */
export function withTexts(
  answer: ReplayAnswer,
  change: (text: string, note: NoteText) => string,
): ReplayAnswer {
  if (!isWholeText(answer)) return answer
  const { body, pace } = answer
  const moves: { readonly at: number; readonly by: number }[] = []
  const text = change(
    body.toString('latin1'),
    (at, was, is) => void moves.push({ at, by: is.length - was.length }),
  )
  if (moves.length === 0) return answer
  const moved = (at: number): number => moves.reduce((to, move) => (move.at < at ? to + move.by : to), at)
  let end = 0
  const chunks = pace?.chunks.map((chunk) => {
    const [from, to] = [moved(end), moved((end += chunk.bytes))]
    return { ...chunk, bytes: to - from }
  })
  return {
    ...answer,
    body: Buffer.from(text, 'latin1'),
    ...(pace !== undefined && chunks !== undefined && { pace: { ...pace, chunks } }),
  }
}

// Of a part nobody knows where a value may have begun.
function isWholeText(answer: ReplayAnswer): answer is ReplayAnswer & { readonly body: Buffer } {
  return Buffer.isBuffer(answer.body) && codingsOf(answer.headers).length === 0 && answer.status !== 206
}

function queryEchoes(recorded: string, given: string): Echo[] {
  if (recorded === given) return []
  const [was, is] = [recorded, given].map((url) => new URLSearchParams(url.split(/\?(.*)/s)[1] ?? ''))
  return [...(was ?? [])].flatMap(([name, value]) => echoOf(name, value, is?.get(name)))
}

function bodyEchoes(recorded: unknown, given: unknown): readonly Echo[] {
  return [...valueDifferences(given, recorded)].flatMap(({ pointer, recorded: was, requested: is }) =>
    echoOf(pointer.slice(pointer.lastIndexOf('/') + 1), was, is),
  )
}

function echoOf(name: string, recorded: unknown, given: unknown): readonly Echo[] {
  const isOther = isScalar(recorded) && isScalar(given) && recorded !== given && !isHidden(String(recorded))
  return isOther ? [{ name, recorded, given }] : []
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** A text that stands in place of another. */
interface Replacement {
  /** A regular expression that ends with the text that was there, and captures nothing. */
  readonly pattern: string
  readonly was: string
  readonly is: string
}

// All at once, since one may have got what another had.
function replaceTexts(text: string, replacements: readonly Replacement[], note: NoteText): string {
  // Of equal patterns the last counts.
  const parts = [...new Map(replacements.map((each) => [each.pattern, each])).values()]
  if (parts.length === 0) return text
  const any = new RegExp(parts.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
  return text.replaceAll(any, (found, ...rest: unknown[]) => {
    const part = parts[rest.slice(0, parts.length).findIndex((group) => group !== undefined)]
    if (part === undefined) return found
    note(rest[parts.length] as number, part.was, part.is)
    return found.slice(0, found.length - part.was.length) + part.is
  })
}

function replacementsOf({ name, recorded, given }: Echo): readonly Replacement[] {
  const [key, was, is] = [name, recorded, given].map((value) => bytesOf(JSON.stringify(value))) as Texts
  const written = literalPattern(was)
  const text = String(recorded)
  if (text.length < MIN_LENGTH || MOMENT.test(text))
    return [{ pattern: `${literalPattern(key)}\\s*:\\s*${written}(?![\\w.])`, was, is }]
  if (typeof recorded === 'number') return [{ pattern: bounded(written), was, is }]
  const [bare, own] = [text, String(given)].map(bytesOf) as [string, string]
  return [
    { pattern: written, was, is },
    { pattern: bounded(literalPattern(bare)), was: bare, is: own },
  ]
}

type Texts = [key: string, was: string, is: string]

function bounded(pattern: string): string {
  return `(?<![\\w-])${pattern}(?![\\w-])`
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
