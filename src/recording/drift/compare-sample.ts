import { pointerBelow } from '../../engine/schema/pointer.ts'
import { essenceOf } from '../../media-type.ts'
import type { Sample } from '../inference/sample.ts'
import {
  type RouteQuery,
  type Baseline,
  COMPARED,
  type ExpectedAnswer,
  type ExpectedRoute,
  isPassing,
} from './baseline.ts'
import { createDriftLog, type DriftReport } from './drift-log.ts'
import { finding, type Finding, inRequest } from '../../shape/finding.ts'
import { templateOf } from './recorded-routes.ts'

/** How an exchange differs from what is known of its route; `undefined` for a route of which nothing is known. */
export function compareSample(sample: Sample, expected: ExpectedRoute | undefined): readonly Finding[] {
  const { method, status, headers } = sample
  if (expected === undefined) return [finding('path not declared', '', 'nothing', method, 'path')]
  // What the client's cache has, or which part of an answer it requested, is not a matter of the API.
  if (status === 304 || ('range' in headers && (status === 206 || status === 416))) return []
  const answer = expected.answer(status)
  if (answer === undefined)
    return [finding('status not declared', '', expected.statuses.join(', '), String(status), 'status')]
  return [
    ...compareHeaders(sample, answer),
    ...compareBody(sample, answer),
    ...compareInput(sample, expected),
  ]
}

function compareHeaders(
  { responseHeaders }: Sample,
  { headers, known, values }: ExpectedAnswer,
): readonly Finding[] {
  const place = (name: string): string => pointerBelow('', name)
  const removed = headers
    .filter((name) => !Object.hasOwn(responseHeaders, name))
    .map((name) => finding('header removed', place(name), 'a value', 'nothing', 'header'))
  const added = Object.keys(responseHeaders)
    .filter((name) => known?.has(name) === false && !isPassing(name))
    .map((name) => finding('header added', place(name), 'nothing', 'a value', 'header'))
  const changed = [...(values ?? [])].flatMap(([name, compare]) => {
    const value = responseHeaders[name]
    const [found] = value === undefined ? [] : compare(value)
    if (found === undefined) return []
    return [finding('header changed', place(name), found.expected, found.actual, 'header')]
  })
  return [...removed, ...added, ...changed]
}

function compareBody(
  { method, status, mimeType, response }: Sample,
  { types, compare }: ExpectedAnswer,
): readonly Finding[] {
  if (method === 'HEAD' || status === 204 || status === 205) return []
  const type = essenceOf(mimeType)
  if (types.length > 0 && !types.some((range) => includes(range, type)))
    return [
      finding('content type changed', '/content-type', types.map(named).join(' or '), named(type), 'header'),
    ]
  return (response !== undefined && compare?.(response)) || []
}

// Only what was accepted shows what may be sent.
function compareInput({ status, query, body }: Sample, { input }: ExpectedRoute): readonly Finding[] {
  if (input === undefined || status >= 400) return []
  const requested = (input.query?.(query) ?? []).map((found) => inRequest(found, 'query'))
  const sent = body === undefined ? [] : (input.body?.(body) ?? [])
  return [...requested, ...sent.map((found) => inRequest(found, 'request-body'))]
}

function includes(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  if (range === 'application/json') return type.endsWith('+json')
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

function named(type: string): string {
  return type || 'nothing'
}

/** What of the exchanges is left out. */
interface Leaving {
  /** Whether a difference at a pointer does not count. */
  readonly pointer?: ((pointer: string) => boolean) | undefined
  /** Whether exchanges with a path are not compared. */
  readonly path?: ((path: string) => boolean) | undefined
}

/** Compares exchanges one by one with what is known, by route. */
export async function compareExchanges(
  samples: AsyncIterable<Sample> | Iterable<Sample>,
  baseline: Baseline,
  { pointer, path }: Leaving = {},
): Promise<DriftReport> {
  const log = createDriftLog()
  const counts = (found: Finding): boolean => found.pointer === '' || pointer?.(found.pointer) !== true
  for await (const sample of samples) {
    if (!COMPARED.has(sample.method) || path?.(`/${sample.segments.join('/')}`) === true) continue
    const expected = baseline(sample)
    log.add(routeName(sample, expected), sample, compareSample(sample, expected).filter(counts))
  }
  return log.report()
}

/** The name of the route that an exchange is counted under. */
export function routeName(query: RouteQuery, expected: ExpectedRoute | undefined): string {
  return expected?.name ?? `${query.method} ${templateOf(query)}`
}
