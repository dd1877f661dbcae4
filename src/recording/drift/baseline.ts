import type { Sample } from '../inference/sample.ts'
import type { CompareValue } from './compare-value.ts'

/** What exchanges are compared with: what is known of the route of a request. */
export type Baseline = (request: Asked) => ExpectedRoute | undefined

/** What of a request decides which route it is. */
export type Asked = Pick<Sample, 'method' | 'origin' | 'segments'>

/** What is known of a route. */
export interface ExpectedRoute {
  /** Method and path template. */
  readonly name: string
  readonly statuses: readonly (number | string)[]
  /** What is known of answers with a status; `undefined` where there should be none. */
  answer(status: number): ExpectedAnswer | undefined
  /** What is known of requests that are accepted. */
  readonly input?: ExpectedInput
}

/** What is known of a route's answers with one status. What is absent can be anything. */
export interface ExpectedAnswer {
  /** Media types and ranges, without parameters; none means any. */
  readonly types: readonly string[]
  /** Names of headers that always come, in lower case. */
  readonly headers: readonly string[]
  /** All headers that there are, in lower case, where they are known well enough to tell a new one. */
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
}

/** The methods whose answers are compared. */
export const COMPARED: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])

/** An answer of which nothing but its status is known. */
export const ANY_ANSWER: ExpectedAnswer = { types: [], headers: [] }

/** A media type without its parameters, in lower case. */
export function essenceOf(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase()
}

/** A path as a route table reads it. */
export function pathOf({ segments }: Pick<Sample, 'segments'>): string {
  return `/${segments.map(encodeURIComponent).join('/')}`
}
