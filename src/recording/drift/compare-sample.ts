import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { essenceOf } from '../../media-type.ts'
import { isSafe } from '../../message.ts'
import { hasBody, type Sample } from '../inference/sample.ts'
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
import { readValue } from '../../shape/read-value.ts'
import { templateOf } from './recorded-routes.ts'

/** How an exchange differs from what is known of its route; `undefined` for a route of which nothing is known. */
export function compareSample(sample: Sample, expected: ExpectedRoute | undefined): readonly Finding[] {
  const { method, status, headers } = sample
  // Any server answers OPTIONS, such as those of browsers before they ask for something else.
  if (expected === undefined && method === 'OPTIONS') return []
  if (expected === undefined) return [finding('path not declared', '', 'nothing', method, 'path')]
  // What the client's cache has, or which part of an answer it requested, is not a matter of the API.
  const isPart = 'range' in headers || 'x-ms-range' in headers
  if (status === 304 || (isPart && (status === 206 || status === 416))) return []
  const answer = expected.answer(status)
  if (answer === undefined) {
    const found = finding('status not declared', '', expected.statuses.join(', '), String(status), 'status')
    return [isProven(sample, expected) ? found : { ...found, severity: 'warning' }]
  }
  const body = compareBody(sample, answer).map((found) => explained(found, sample, expected))
  return [...compareHeaders(sample, answer), ...body, ...compareInput(sample, expected)]
}

// Whether a status that nobody knows is the server's doing. That another request fails, since it requests what is not
// there or is wrong, says nothing of those that went well.
function isProven(sample: Sample, { requests, statuses, isOpenToFailures = false }: ExpectedRoute): boolean {
  const isFailure = sample.status >= 400 && sample.status < 500
  if (requests === undefined && sample.status >= 400) return !isOpenToFailures
  // What was only ever seen to fail says nothing of requests that succeed.
  if (requests === undefined) return statuses.some((status) => Number(status) < 400 && status !== 304)
  return isFailure ? requests.has(sample) : requests.covers(sample)
}

// What of an answer differs because the request does.
function explained(found: Finding, sample: Sample, { input, requests }: ExpectedRoute): Finding {
  if (found.severity !== 'breaking') return found
  const { query, body } = sample
  const names = input?.names
  const field = found.pointer.split('/').at(-1) ?? ''
  const isLeftOut = isObject(body) && names?.has(field) === true && !Object.hasOwn(body, field)
  if ((found.change === 'field removed' || found.change === 'newly null') && isLeftOut)
    return { ...found, severity: 'additive' }
  if (found.change === 'field removed' && isUnselected(field, query))
    return { ...found, severity: 'additive' }
  const isOther = names !== undefined && Object.keys(query).some((name) => !names.has(name))
  return isOther || requests?.covers(sample) === false ? { ...found, severity: 'warning' } : found
}

const SELECTING =
  /^[$_]?(select|(include_?)?fields?|only|attributes|properties|projection|columns)(\[.*\])?$/i

// Who says which fields are wanted gets no others.
function isUnselected(field: string, query: Sample['query']): boolean {
  return Object.entries(query).some(([name, value]) => {
    const text = [value].flat().join(',')
    const isSelecting = SELECTING.test(name) || text.includes('$select=')
    return isSelecting && !text.split(/[^\w.@-]+/).includes(field)
  })
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

function compareBody(sample: Sample, { types, compare }: ExpectedAnswer): readonly Finding[] {
  const { method, status, mimeType, response } = sample
  if (method === 'HEAD' || status === 204 || status === 205) return []
  const type = essenceOf(mimeType)
  if (hasBody(sample) && types.length > 0 && !types.some((range) => includes(range, type)))
    return [
      finding('content type changed', '/content-type', types.map(named).join(' or '), named(type), 'header'),
    ]
  const value = readValue(response, mimeType)
  return (value !== undefined && compare?.(value)) || []
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
  const deleted = new Set<string>()
  const sentTypes = new Map<string, string>()
  for await (const sample of samples) {
    if (!COMPARED.has(sample.method) || path?.(`/${sample.segments.join('/')}`) === true) continue
    const expected = baseline(sample)
    const place = sample.segments.join('/')
    const isBelow = sample.segments.some((_, end) => deleted.has(sample.segments.slice(0, end + 1).join('/')))
    const isGone = isBelow && (sample.status === 404 || sample.status === 410)
    const isAsSent = sentTypes.get(place) === essenceOf(sample.mimeType)
    const found = compareSample(sample, expected)
      .filter(counts)
      // Which type a file has is up to who stored it.
      .filter(({ change }) => change !== 'content type changed' || !isAsSent)
    log.add(routeName(sample, expected), sample, isGone ? found.map(asWarning) : found)
    if (GIVES_UP.has(sample.method) && sample.status < 400) deleted.add(place)
    else if (!isSafe(sample.method) && sample.status < 400) {
      deleted.delete(place)
      sentTypes.set(place, essenceOf(sample.headers['content-type'] ?? ''))
    }
  }
  return log.report()
}

/** What these methods are used on is not there afterwards. */
const GIVES_UP: ReadonlySet<string> = new Set(['DELETE', 'MOVE'])

// What was deleted before is not there any more, whatever the server is like.
function asWarning(found: Finding): Finding {
  return found.severity === 'breaking' ? { ...found, severity: 'warning' } : found
}

/** The name of the route that an exchange is counted under. */
export function routeName(query: RouteQuery, expected: ExpectedRoute | undefined): string {
  return expected?.name ?? `${query.method} ${templateOf(query)}`
}
