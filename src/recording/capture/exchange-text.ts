import { LRUCache } from 'lru-cache'
import { type Exchange, INLINE_BYTES, isLong, type Redacted } from '../exchange.ts'
import {
  buildExchange,
  roundTimings,
  type BodyCapture,
  type Capture,
  type HeaderPairs,
} from '../files/har.ts'
import type { Redactor } from '../redaction/redactor.ts'

/** An exchange as a recording has it, or the JSON text of it. */
export type Recordable = Redacted<Exchange> | Redacted<string>

interface Known {
  readonly capture: Capture
  /** The text between the times that it begins with and those that it ends with. */
  readonly middle: string
}

/** How much the exchanges that are known may take in memory, in bytes, and what one takes besides its body and text. */
const MAX_BYTES = 4 * 1024 * 1024
const OVERHEAD = 2 * 1024

/**
 * Makes what turns captures into what is recorded of them, without secrets. Of what is requested over and over, the text
 * is known: where all but the times is as it was the time before, nothing is looked into.
 */
export function createExchangeTexts(redactor: Redactor): (capture: Capture) => Recordable {
  const known = new LRUCache<string, Known>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ capture, middle }) => middle.length + lengthOf(capture.responseBody) + OVERHEAD,
  })
  return (capture) => {
    const exchange = (): Redacted<Exchange> => redactor.exchange(buildExchange(capture))
    if (!isPlain(capture)) return exchange()
    const { method, url } = capture.request
    const key = `${method} ${url}`
    const last = known.get(key)
    if (last !== undefined && isSame(last.capture, capture)) return textOf(capture, last.middle)
    const made = exchange()
    // Pseudonyms may be longer than what they stand for, and a long body goes to a file.
    if (isLong(made.response.content)) return made
    const middle = middleOf(made)
    known.set(key, { capture, middle })
    return textOf(capture, middle)
  }
}

// What has no more to it than its heads and a short answer.
function isPlain({ requestBody, responseBody, trailers, isAborted, webSocket }: Capture): boolean {
  if (isAborted === true || webSocket !== undefined || (trailers !== undefined && trailers.length > 0))
    return false
  if (requestBody !== undefined && requestBody.wireSize > 0) return false
  if (responseBody === undefined) return true
  return (
    'bytes' in responseBody && responseBody.chunks === undefined && responseBody.bytes.length <= INLINE_BYTES
  )
}

function isSame(one: Capture, other: Capture): boolean {
  return (
    one.request.httpVersion === other.request.httpVersion &&
    one.response.status === other.response.status &&
    one.response.statusText === other.response.statusText &&
    one.response.httpVersion === other.response.httpVersion &&
    areSamePairs(one.request.headers, other.request.headers) &&
    areSamePairs(one.response.headers, other.response.headers) &&
    areSameBodies(one.responseBody, other.responseBody)
  )
}

function areSamePairs(some: HeaderPairs, others: HeaderPairs): boolean {
  if (some === others) return true
  if (some.length !== others.length) return false
  return some.every(([name, value], index) => name === others[index]?.[0] && value === others[index]?.[1])
}

function areSameBodies(one: BodyCapture | undefined, other: BodyCapture | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  if (!('bytes' in one) || !('bytes' in other)) return false
  return one.codings === other.codings && one.wireSize === other.wireSize && one.bytes.equals(other.bytes)
}

function lengthOf(body: BodyCapture | undefined): number {
  return body !== undefined && 'bytes' in body ? body.bytes.length : 0
}

// The members of an exchange are written in the order that `buildExchange` has them.
function middleOf({ startedDateTime: _at, time: _time, timings: _timings, ...rest }: Exchange): string {
  return JSON.stringify(rest).slice(1, -1)
}

function textOf({ startedAt, timings }: Capture, middle: string): Redacted<string> {
  const { send, wait, receive, time } = roundTimings(timings)
  const begin = `{"startedDateTime":"${startedAt.toISOString()}","time":${time},`
  return `${begin}${middle},"timings":{"send":${send},"wait":${wait},"receive":${receive}}}` as Redacted<string>
}
