import { METHODS } from 'node:http'
import type { Sample } from '../inference/sample.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { type CompareValue, createComparison } from '../../shape/compare-value.ts'
import { isHidden } from '../redaction/secrets.ts'
import type { DriftReport } from './drift-log.ts'

/** What exchanges are compared with: what is known of the route of a request. */
export type Baseline = (request: RouteQuery) => ExpectedRoute | undefined

/** What of a request decides which route it is. Where only its path is known, that alone decides. */
export type RouteQuery = Pick<Sample, 'method' | 'origin' | 'segments'> &
  Partial<Pick<Sample, 'query' | 'headers' | 'body'>>

/** What is known of a route. */
export interface ExpectedRoute {
  /** Method and path template. */
  readonly name: string
  readonly statuses: readonly (number | string)[]
  /** What is known of answers with a status; `undefined` where there should be none. */
  answer(status: number): ExpectedAnswer | undefined
  /** What is known of requests that are accepted. */
  readonly input?: ExpectedInput
  /** What requests were seen; absent where the route is declared. */
  readonly requests?: SeenRequests
  /** Whether clients' mistakes may be answered in ways that nobody declared. */
  readonly isOpenToFailures?: boolean
}

/** Which requests of a route were seen. */
export interface SeenRequests {
  /** Whether this very request was. */
  has(sample: Sample): boolean
  /** Whether what was seen says how this request is answered: it was made alike, or in several ways already. */
  covers(sample: Sample): boolean
}

/** What is known of a route's answers with one status. What is absent can be anything. */
export interface ExpectedAnswer {
  /** Media types and ranges, without parameters; none means any. */
  readonly types: readonly string[]
  /** Names of headers that always come, in lower case. */
  readonly headers: readonly string[]
  /** All headers that there are, in lower case, where they are known well enough to notice a new one. */
  readonly known?: ReadonlySet<string> | undefined
  /** What the values of headers must be, by name in lower case. */
  readonly values?: ReadonlyMap<string, CompareValue> | undefined
  readonly compare?: CompareValue | undefined
}

/** What is known of a route's requests. What is absent can be anything. */
export interface ExpectedInput {
  /** Compares the query by its names, each with a text or a list of them. */
  readonly query?: CompareValue | undefined
  /** Compares the JSON body. */
  readonly body?: CompareValue | undefined
  /** Names in the query and the body that are known. */
  readonly names?: ReadonlySet<string>
}

/** Makes the comparison with a model, in which texts that were hidden differ from nothing. */
export function compareWith(model: Schema): CompareValue {
  return createComparison(model, isHidden)
}

/** The methods whose answers are compared: all but CONNECT, which no API has. */
export const COMPARED: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'CONNECT'))

/** An answer of which nothing but its status is known. */
export const ANY_ANSWER: ExpectedAnswer = { types: [], headers: [] }

const MAX_SEGMENTS = 4

/** The same for requests whose paths have segments before those that are known; others are not known. */
export function below(basePath: string, baseline: Baseline): Baseline {
  const before = basePath.split('/').filter((segment) => segment !== '')
  if (before.length === 0) return baseline
  return (request) => {
    const { segments } = request
    const isBelow = before.every((segment, index) => segments[index] === segment)
    return isBelow ? baseline({ ...request, segments: segments.slice(before.length) }) : undefined
  }
}

/** The path that requests would have to be without to be known, where that is the same for most that are not. */
export function missingBasePath({ routes }: DriftReport, baseline: Baseline): string | undefined {
  const drifts = routes.flatMap((route) => route.drifts)
  const unknown = drifts
    .filter(({ change }) => change === 'path not declared')
    .map(({ example }) => queryIn(example.request))
  const found = unknown.flatMap((query) => basePathOf(query, baseline) ?? [])
  const [first] = found
  return found.length * 2 > unknown.length && found.every((each) => each === first) ? first : undefined
}

function queryIn(request: string): RouteQuery {
  const [method = '', ...path] = request.split(' ')
  return { method, origin: 'http://any', segments: path.join(' ').split('/').slice(1) }
}

function basePathOf(query: RouteQuery, baseline: Baseline): string | undefined {
  const { segments } = query
  for (let length = 1; length <= Math.min(MAX_SEGMENTS, segments.length - 1); length++)
    if (baseline({ ...query, segments: segments.slice(length) }) !== undefined)
      return `/${segments.slice(0, length).join('/')}`
  return undefined
}

// Of the connection, of the moment, of caches on the way, and of whoever traces requests.
const PASSING = [
  /^(date|age|connection|keep-alive|transfer-encoding|vary|etag|last-modified|expires|pragma|cache-control)$/,
  /^(server|server-timing|via|alt-svc|set-cookie|link|location|warning|retry-after|traceparent|x-runtime)$/,
  /^content-(length|encoding|type|language|disposition)$/,
  /^(cf-|ratelimit|x-rate-?limit|x-cache|x-amz|x-powered-by|x-served-by|x-response-time)/,
  /^(x-)?(.*-)?(request|trace|correlation)-?id$/,
]

/** Whether a header, in lower case, is one of those whose coming and going says nothing of an API. */
export function isPassing(name: string): boolean {
  return PASSING.some((pattern) => pattern.test(name))
}
