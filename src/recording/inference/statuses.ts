import { isObject } from '../../engine/schema/schema.ts'
import { addTo, countEach } from '../../grouping.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import { isHidden } from '../redaction/secrets.ts'
import type { Folded } from './fold-paths.ts'
import { correlationFields } from './correlation.ts'
import { isJson, type Sample } from './sample.ts'
import { locatedPath } from './segment-evidence.ts'
import { isScalar, readScalar } from './values.ts'

/** What a route usually answers. */
export interface UsualAnswers {
  readonly status: number
  /** The exchanges that were answered so. */
  readonly answered: readonly Sample[]
  /** All that succeeded, with whatever status. */
  readonly fine: readonly Sample[]
  /** Whether nothing ever succeeded, so that a failure is what the route answers. */
  readonly isFailure: boolean
  /** Whether only items were requested that a store does not have: it answers that by itself. */
  readonly isMissed: boolean
}

/** The status that most of what succeeded had; where nothing did, that of most failures. */
export function usualAnswers(method: string, { path, samples }: Folded, isStored: boolean): UsualAnswers {
  const fine = successesOf(samples)
  const isMissed =
    isStored && splitItemPath(path) !== undefined && samples.every(({ status }) => status === 404)
  const isFailure = fine.length === 0 && !isMissed
  const failed = samples.filter(({ status }) => status >= 400)
  const usual = !isFailure ? fine : failed.length > 0 ? failed : samples
  const [status = method === 'DELETE' ? 204 : 200] = statusesOf(usual)
  return { status, answered: usual.filter((each) => each.status === status), fine, isFailure, isMissed }
}

/** Those that succeeded. A path that only ever redirected succeeds by that, unless it was to the path itself, where it then failed. */
export function successesOf(samples: readonly Sample[]): readonly Sample[] {
  const fine = samples.filter(
    ({ status, refusedAs }) => status >= 200 && status < 300 && refusedAs === undefined,
  )
  if (fine.length > 0) return fine
  const redirected = samples.filter(({ status }) => status >= 300 && status < 400 && status !== 304)
  const hasFailed = samples.some(({ status }) => status >= 400)
  return hasFailed ? redirected.filter((each) => !isToItself(each)) : redirected
}

// Paths with and without a slash at the end are one.
function isToItself(sample: Sample): boolean {
  return locatedPath(sample) === sample.segments.join('/')
}

/** The statuses of exchanges, the most frequent first. */
export function statusesOf(samples: readonly Sample[]): readonly number[] {
  return [...countEach(samples.map(({ status }) => status))]
    .toSorted(([a, times], [b, others]) => others - times || a - b)
    .map(([status]) => status)
}

/** A failure that one value of the request explains. */
export interface ErrorCaseFound {
  readonly field: string
  readonly equals: unknown
  readonly status: number
  /** What the answers said under `detail`, where they said nothing else. */
  readonly detail?: unknown
  /** The answers, where they had another form. */
  readonly body?: unknown
  readonly text?: string
  readonly type?: string
  readonly exchanges: number
}

/** Failures by what explains them; those that nothing explains are counted by status. */
export interface Failures {
  readonly cases: readonly ErrorCaseFound[]
  readonly unexplained: ReadonlyMap<number, number>
}

/** Failures of the request itself or of who asks are answered by other means than its values. */
const OTHERS = new Set([401, 405, 406, 411, 412, 413, 415, 422, 428, 429])

/**
 * Explains failed exchanges by a field of the input that has one value in all of them and in no exchange that succeeded.
 * @param covered whether a failure is answered by the store, such as the 404 of an item that is not there
 */
export function findErrorCases(folded: Folded, covered: (sample: Sample) => boolean): Failures {
  const failed = folded.samples.filter(({ status }) => status >= 400 && !OTHERS.has(status))
  const fine = folded.samples.filter(({ status }) => status < 400).map((sample) => inputOf(folded, sample))
  const unexplained = new Map<number, number>()
  const cases = new Map<string, ErrorCaseFound>()
  const correlations = correlationFields(folded.samples)
  for (const sample of failed) {
    if (covered(sample)) continue
    // Nobody sends a pseudonym. A value proves little where every request has one of its own, unless requests that succeeded have that field too.
    const [field, equals] =
      Object.entries(inputOf(folded, sample)).find(
        ([name, value]) =>
          isScalar(value) &&
          !isHidden(String(value)) &&
          !correlations.has(name) &&
          fine.some((other) => Object.hasOwn(other, name)) &&
          fine.every((other) => other[name] !== value),
      ) ?? []
    if (field === undefined) {
      addTo(unexplained, sample.status)
      continue
    }
    const key = JSON.stringify([field, equals, sample.status])
    const exchanges = (cases.get(key)?.exchanges ?? 0) + 1
    cases.set(key, { field, equals, status: sample.status, ...saidIn(sample), exchanges })
  }
  return { cases: [...cases.values()], unexplained }
}

function inputOf(folded: Folded, sample: Sample): Record<string, unknown> {
  const query = Object.entries(sample.query).map(([name, value]) => [
    name,
    typeof value === 'string' ? readScalar(value) : value,
  ])
  const path = Object.entries(folded.values(sample)).map(([name, value]) => [name, readScalar(value)])
  const own = sample.method === 'GET' ? query : isObject(sample.body) ? Object.entries(sample.body) : []
  return Object.fromEntries([...own, ...path]) as Record<string, unknown>
}

function saidIn(sample: Sample): Pick<ErrorCaseFound, 'detail' | 'body' | 'text' | 'type'> {
  const { response, responseHeaders } = sample
  if (response === undefined) return {}
  if (isObject(response) && Object.keys(response).join() === 'detail') return { detail: response['detail'] }
  if (typeof response !== 'string' || isJson(sample)) return { body: response }
  const type = responseHeaders['content-type']
  return { text: response, ...(type !== undefined && type !== 'text/plain; charset=utf-8' && { type }) }
}
