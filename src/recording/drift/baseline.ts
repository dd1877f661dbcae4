import type { Sample } from '../infer/sample.ts'
import type { CompareValue } from './compare-value.ts'

/** What answers are compared with: what is known of the route of a request. */
export type Baseline = (request: Pick<Sample, 'method' | 'segments'>) => ExpectedRoute | undefined

/** What is known of a route's answers. */
export interface ExpectedRoute {
  /** Method and path template. */
  readonly name: string
  readonly statuses: readonly (number | string)[]
  /** What is known of answers with a status; `undefined` where there should be none. */
  answer(status: number): ExpectedAnswer | undefined
}

/** What is known of a route's answers with one status. What is absent can be anything. */
export interface ExpectedAnswer {
  /** Media types and ranges, without parameters; none means any. */
  readonly types: readonly string[]
  /** Names of headers that always come, in lower case. */
  readonly headers: readonly string[]
  readonly compare?: CompareValue | undefined
}

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
