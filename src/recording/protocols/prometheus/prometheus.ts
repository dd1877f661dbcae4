import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { bodyAndStatus, type Protocol } from '../protocol.ts'
import { durationIn, endpointOf, matchesIn, paramsIn, type Params, textIn, timeIn } from './endpoints.ts'
import { evaluate, rowsOf } from './evaluate.ts'
import { importedIn, learn, type Learned, SERIES } from './learn.ts'
import { parsePromql, typeOf } from './parse-promql.ts'
import type { Labels, Point } from './promql-types.ts'
import { Refusal, refused } from './refusal.ts'
import { createSource, itemOf, seriesIn, withPoints } from './series.ts'
import { formatNumber, keyOf, type Value } from './values.ts'

const PATH = /^(.*\/api\/v1)\/(?:query|query_range|series|labels|label\/[^/]+\/values)$/

const calls: CallForm = {
  ...bodyAndStatus,
  isOfPaths: true,
  hasPlainTags: true,
  roots: (samples) => [
    ...new Set(samples.flatMap((sample) => (speaks(sample) ? (PATH.exec(pathOf(sample))?.[1] ?? []) : []))),
  ],
  read({ method = 'GET', path, query, body }) {
    if (path === undefined) return undefined
    return [
      { name: path, args: { path, query, body }, isChange: method !== 'GET' && path.includes('/import') },
    ]
  },
  write: ([{ error, value, status = 200 } = {}]) => ({ status, body: error ?? value }),
  semantics: { learn, perform },
}

/** Prometheus and what answers its queries, such as VictoriaMetrics, Thanos and Mimir: PromQL on series of points. */
export const prometheus: Protocol = {
  name: 'Prometheus',
  speaks,
  operations: () => () => undefined,
  calls,
}

function speaks(sample: Sample): boolean {
  const { response } = sample
  return (
    PATH.test(pathOf(sample)) && isObject(response) && /^(success|error)$/.test(String(response['status']))
  )
}

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const endpoint = endpointOf(call, known.root)
  const objects = all.get(SERIES)
  if (endpoint === undefined || objects === undefined) return undefined
  if (endpoint === 'import') {
    for (const each of importedIn(call.args['body'])) {
      const key = keyOf(each.metric)
      const before = objects.items.get(key)
      objects.items.set(key, itemOf(withPoints(before && seriesIn(before), each)))
    }
    return { value: '', status: 204 }
  }
  const series = [...objects.items.values()].map(seriesIn)
  try {
    const data = dataFor(endpoint, paramsIn(call), {
      source: createSource(series, known, fresh),
      known,
      fresh,
    })
    const isThere = known.endpoints.includes(endpoint) || endpoint.startsWith('label/')
    if (data === undefined) return isThere ? undefined : NO_PAGE
    return { value: { status: 'success', data, ...known.beside[endpoint] } }
  } catch (error) {
    if (error instanceof Refusal) return refused(error, known.refusal)
    throw error
  }
}

const NO_PAGE: CallOutcome = {
  ...{ status: 404, error: '404 page not found\n' },
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}

/** What a request is answered from. */
interface Around {
  readonly source: ReturnType<typeof createSource>
  readonly known: Learned
  readonly fresh: Fresh
}

function dataFor(endpoint: string, params: Params, around: Around): unknown {
  const { source, known, fresh } = around
  const now = Math.round(fresh.now) / 1000
  if (endpoint === 'query') {
    const time = timeIn(params, 'time', now)
    const query = parsePromql(textIn(params['query']))
    return resultOf(evaluate(query, time, source), time)
  }
  if (endpoint === 'query_range') {
    const [start, end] = [timeIn(params, 'start'), timeIn(params, 'end')]
    if (end < start) throw new Refusal('order')
    const step = durationIn(params, 'step')
    const query = parsePromql(textIn(params['query']))
    if (typeOf(query) === 'matrix') throw new Refusal('rangeOfMatrix')
    return resultOf({ type: 'matrix', rows: rowsOf(query, { start, end, step }, source), seconds: 0 }, end)
  }
  if (endpoint === 'series') {
    const matches = matchesIn(params)
    if (matches.length === 0) throw new Refusal('noMatch')
    return matchingLabels(matches, around)
  }
  if (endpoint === 'labels') {
    const found = matchingLabels(matchesIn(params), around).flatMap(Object.keys)
    const others = matchesIn(params).length > 0 ? [] : Object.keys(known.labels)
    return sorted([...found, ...others])
  }
  const [, label] = /^label\/(.+)$/s.exec(endpoint) ?? []
  return label === undefined ? undefined : valuesOf(label, params, around)
}

function valuesOf(label: string, params: Params, around: Around): readonly string[] | undefined {
  const { names, labels } = around.known
  const isAll = matchesIn(params).length === 0
  const found = matchingLabels(matchesIn(params), around).flatMap((metric) => metric[label] ?? [])
  if (!isAll) return sorted(found)
  if (label === '__name__') return sorted([...found, ...names])
  const listed = labels[label] ?? []
  // It is there, and nothing shows its values.
  if (labels[label] !== undefined && listed.length + found.length === 0) return undefined
  return sorted([...found, ...listed])
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

// All that there are where nothing is selected.
function matchingLabels(matches: readonly string[], { source }: Around): readonly Labels[] {
  if (matches.length === 0) return source.find([]).map(({ metric }) => metric)
  const found = matches.flatMap((match) => {
    const selector = parsePromql(match)
    if (selector.kind !== 'select' || selector.range !== undefined) throw new Refusal('syntax', { at: 1 })
    return source.find(selector.matchers).map(({ metric }) => metric)
  })
  return [...new Map(found.map((metric) => [keyOf(metric), metric])).values()]
}

function resultOf(value: Value, time: number): unknown {
  const at = (point: Point): readonly [number, string] => [point[0], formatNumber(point[1])]
  if (value.type === 'scalar') return { resultType: 'scalar', result: at([time, value.value]) }
  if (value.type === 'string') return { resultType: 'string', result: [time, value.value] }
  const result =
    value.type === 'vector'
      ? value.entries.map((entry) => ({ metric: entry.metric, value: at([time, entry.value]) }))
      : value.rows.map(({ metric, points }) => ({ metric, values: points.map(at) }))
  return { resultType: value.type, result }
}
