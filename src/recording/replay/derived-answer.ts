import { STATUS_CODES } from 'node:http'
import type { HeaderPair } from '../../http/headers.ts'
import { contentKindOf } from '../../media-type.ts'
import {
  type ByteRange,
  type Conditions,
  contentRangeOf,
  evaluate,
  rangeOf,
  type Validators,
} from '../../http/conditions.ts'
import { headerValue } from '../files/har.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

// What describes a body, which the answer has not (RFC 9110, sections 8 and 15.4.5).
const OF_BODY =
  /^(content-(type|encoding|language|length|range|md5|disposition|digest)|accept-ranges|(repr-)?digest|trailer)$/i

/**
 * What a server makes of a recorded whole for a request with other conditions (RFC 9110, sections 13.2 and 14.2): 304,
 * 412, 206, 416, or the whole, which is also what a request for several ranges gets.
 */
export function deriveAnswer(
  answer: ReplayAnswer,
  method: string,
  conditions: Conditions | undefined,
): ReplayAnswer {
  const whole = answer.status === 206 ? widened(answer) : answer
  return whole.status !== 200 || conditions === undefined ? whole : fitted(whole, method, conditions)
}

/** The refusal of a write whose preconditions fail, where none was recorded (RFC 9110, section 15.5.13). */
export function preconditionFailed({ etag }: Validators): ReplayAnswer {
  const headers: HeaderPair[] = etag === undefined ? [] : [['etag', etag]]
  const body = Buffer.alloc(0)
  const statusText = STATUS_CODES[412] ?? ''
  return { kind: 'answer', origin: '', status: 412, statusText, headers, body, trailers: [] }
}

/** The part of a recorded part that a request asks for; `undefined` where it asks for more than there is. */
export function partOf(answer: ReplayAnswer, conditions: Conditions): ReplayAnswer | undefined {
  const recorded = contentRangeOf(headerValue(answer.headers, 'content-range') || undefined)
  if (recorded === undefined) return undefined
  const range = rangeOf(conditions, validatorsOf(answer), recorded.length)
  if (range === undefined || range === 'unsatisfiable') return undefined
  if (range.first < recorded.first || range.last > recorded.last) return undefined
  return cut(answer, range, recorded.length, recorded.first)
}

function fitted(whole: ReplayAnswer, method: string, conditions: Conditions): ReplayAnswer {
  const validators = validatorsOf(whole)
  const outcome = evaluate(method, conditions, validators)
  if (outcome === 'failed') return preconditionFailed(validators)
  if (outcome === 'not modified') {
    const isOld = (name: string): boolean => validators.etag !== undefined && /^last-modified$/i.test(name)
    return empty(whole, 304, ([name]) => !OF_BODY.test(name) && !isOld(name))
  }
  // What has no end, or has not come to it, has no ranges.
  const isStream =
    contentKindOf(headerValue(whole.headers, 'content-type')) === 'events' || whole.pace?.isEndless === true
  const hasRanges =
    method === 'GET' && !isStream && headerValue(whole.headers, 'accept-ranges').toLowerCase() !== 'none'
  const length = sizeOf(whole)
  const range = hasRanges ? rangeOf(conditions, validators, length) : undefined
  if (range === undefined) return whole
  if (range !== 'unsatisfiable') return cut(whole, range, length, 0)
  const refused = empty(whole, 416, ([name]) => !OF_BODY.test(name))
  return { ...refused, headers: [...refused.headers, ['content-range', `bytes */${length}`]] }
}

// One that has all there is, though it was requested as a range.
function widened(part: ReplayAnswer): ReplayAnswer {
  const headers = part.headers.filter(([name]) => !/^content-range$/i.test(name))
  return { ...part, status: 200, statusText: STATUS_CODES[200] ?? '', headers }
}

/** @param offset where in the whole the answer's body begins */
function cut(answer: ReplayAnswer, { first, last }: ByteRange, length: number, offset: number): ReplayAnswer {
  const { body, headers, pace } = answer
  const [start, end] = [first - offset, last - offset]
  const kept = headers.filter(([name]) => !/^(content-(range|length|md5|digest)|digest)$/i.test(name))
  return {
    ...answer,
    status: 206,
    statusText: STATUS_CODES[206] ?? '',
    headers: [...kept, ['content-range', `bytes ${first}-${last}/${length}`]],
    body: Buffer.isBuffer(body)
      ? body.subarray(start, end + 1)
      : { bytes: end - start + 1, open: () => body.open({ start, end }) },
    trailers: [],
    pace: pace && { ...pace, chunks: [] },
  }
}

/** What a HEAD gets where a GET gets this answer (RFC 9110, section 9.3.2); with the body, which is not sent. */
export function headAnswer(answer: ReplayAnswer): ReplayAnswer {
  const kept = answer.headers.filter(([name]) => !/^content-length$/i.test(name))
  const hasLength = answer.status !== 304 && answer.status !== 204 && answer.pace?.isEndless !== true
  const headers = hasLength ? [...kept, ['content-length', String(sizeOf(answer))] as HeaderPair] : kept
  return { ...answer, headers, trailers: [], pace: undefined }
}

function empty(answer: ReplayAnswer, status: number, keeps: (pair: HeaderPair) => boolean): ReplayAnswer {
  const { pace } = answer
  return {
    ...answer,
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: answer.headers.filter(keeps),
    body: Buffer.alloc(0),
    trailers: [],
    pace: pace && { ...pace, chunks: [], isEndless: false },
  }
}

function validatorsOf({ headers }: ReplayAnswer): Validators {
  return {
    etag: headerValue(headers, 'etag') || undefined,
    lastModified: headerValue(headers, 'last-modified') || undefined,
  }
}

function sizeOf({ body }: ReplayAnswer): number {
  return Buffer.isBuffer(body) ? body.length : body.bytes
}
