import type { Awaitable } from '../../message.ts'
import { type Exchange, headerValues, type NameValue } from '../exchange.ts'
import { CHECKED_BYTES } from '../files/decode.ts'
import { openBody } from '../files/read-body.ts'
import { namingServer } from '../match/own-urls.ts'
import { jsonBodyOf } from '../match/known-answers.ts'
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

/** Shorter values are met by chance: they count where the answer has them by the same name. */
const MIN_LENGTH = 8

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
  const { body, headers, status, pace } = answer
  const isCoded = headers.some(([name]) => /^content-encoding$/i.test(name))
  // Of a part nobody knows where a value may have begun.
  if (!Buffer.isBuffer(body) || isCoded || status === 206) return answer
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
  const { text, moves } = echoed(body.toString('latin1'), echoes)
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

// All at once, since one may have got the value that another had.
function echoed(
  text: string,
  echoes: readonly Echo[],
): { readonly text: string; readonly moves: readonly { readonly at: number; readonly by: number }[] } {
  const moves: { at: number; by: number }[] = []
  const byText = new Map<string, string>()
  const patterns = echoes.flatMap(({ name, recorded, given }) => {
    const [key, was, is] = [name, recorded, given].map((value) => bytesOf(JSON.stringify(value))) as Texts
    const isLong = String(recorded).length >= MIN_LENGTH
    byText.set(isLong ? was : `${key} ${was}`, is)
    if (!isLong) return [`${literalPattern(key)}\\s*:\\s*${literalPattern(was)}(?![\\w.])`]
    if (typeof recorded === 'number') return [bounded(was)]
    const [bare, own] = [recorded, given].map((value) => bytesOf(String(value))) as [string, string]
    byText.set(bare, own)
    return [literalPattern(was), bounded(bare)]
  })
  const own = (found: string): string => {
    const whole = byText.get(found)
    if (whole !== undefined) return whole
    const [, before = '', key = '', json = ''] = /^(("(?:[^"\\]|\\.)*")\s*:\s*)(.*)$/s.exec(found) ?? []
    return before + (byText.get(`${key} ${json}`) ?? json)
  }
  const changed = text.replaceAll(new RegExp(patterns.join('|'), 'g'), (found, at: number) => {
    const value = own(found)
    moves.push({ at, by: value.length - found.length })
    return value
  })
  return { text: changed, moves }
}

type Texts = [key: string, was: string, is: string]

function bounded(text: string): string {
  return `(?<![\\w-])${literalPattern(text)}(?![\\w-])`
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
