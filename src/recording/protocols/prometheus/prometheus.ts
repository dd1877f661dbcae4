import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { compareTexts } from '../../../grouping.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { NO_PAGE, paramsIn } from '../endpoints.ts'
import { bodyAndStatus, type Protocol } from '../protocol.ts'
import { durationIn, endpointOf, isLabelName, matchesIn, type Params, textIn, timeIn } from './endpoints.ts'
import { evaluate, rowsOf } from './evaluate.ts'
import { importedBy } from './imports.ts'
import { learn, type Learned, SERIES } from './learn.ts'
import { parsePromql, typeOf } from './parse-promql.ts'
import type { Labels, Point } from './promql-types.ts'
import { Refusal, refused } from './refusal.ts'
import { createSource, itemOf, type Series, seriesIn, withPoints } from './series.ts'
import { formatNumber, keyOf, type Value } from './values.ts'

/** As many points a series may have in an answer. */
const MAX_POINTS = 11_000
const PATH = /^(.*\/api\/v1)\/(?:query|query_range|series|labels|label\/[^/]+\/values)$/

const CHANGE = /\/(?:import(?:\/(?:prometheus|csv))?|delete_series)$/

const calls: CallForm = {
  ...bodyAndStatus,
  isOfPaths: true,
  hasPlainTags: true,
  roots: (samples) => [
    ...new Set(samples.flatMap((sample) => (speaks(sample) ? (PATH.exec(pathOf(sample))?.[1] ?? []) : []))),
  ],
  read({ method = 'GET', path, query, body }) {
    if (path === undefined) return undefined
    return [{ name: path, args: { path, query, body }, isChange: CHANGE.test(path) && method !== 'HEAD' }]
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
  const imported = importedBy(endpoint, call, fresh.now)
  for (const each of imported ?? []) {
    const key = keyOf(each.metric)
    const before = objects.items.get(key)
    objects.items.set(key, itemOf(withPoints(before && seriesIn(before), each)))
  }
  if (imported !== undefined) return DONE
  const series = [...objects.items.values()].map(seriesIn)
  try {
    const params = paramsIn(call)
    const around = { source: createSource(series, known, fresh), known, fresh }
    if (endpoint === 'admin/tsdb/delete_series') {
      for (const metric of matchingLabels(matchesIn(params), around)) objects.items.delete(keyOf(metric))
      return DONE
    }
    if (endpoint === 'export') return exported(matchesIn(params), around)
    const data = limited(dataFor(endpoint, params, around), params, known)
    const isThere = known.endpoints.includes(endpoint) || endpoint.startsWith('label/')
    if (data === undefined) return isThere ? undefined : NO_PAGE
    return { value: { status: 'success', data, ...known.beside[endpoint] } }
  } catch (error) {
    if (error instanceof Refusal) return refused(error, known.refusal, known.accepted)
    throw error
  }
}

const DONE: CallOutcome = { value: '', status: 204 }

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
    if (step <= 0) throw new Refusal('step')
    if ((end - start) / step > MAX_POINTS) throw new Refusal('points')
    const query = parsePromql(textIn(params['query']))
    if (typeOf(query) === 'matrix') throw new Refusal('rangeOfMatrix')
    return resultOf({ type: 'matrix', rows: rowsOf(query, { start, end, step }, source), seconds: 0 }, end)
  }
  if (endpoint === 'series') {
    const matches = matchesIn(params)
    if (matches.length === 0) throw new Refusal('noMatch')
    return matchingLabels(matches, around).toSorted((a, b) => compareTexts(keyOf(a), keyOf(b)))
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
  const { names, labels, hasLabelNames } = around.known
  if (hasLabelNames && !isLabelName(label)) throw new Refusal('label', { name: label })
  const isAll = matchesIn(params).length === 0
  const found = matchingLabels(matchesIn(params), around).flatMap((metric) =>
    Object.hasOwn(metric, label) ? (metric[label] ?? []) : [],
  )
  if (!isAll) return sorted(found)
  if (label === '__name__') return sorted([...found, ...names])
  const listed = Object.hasOwn(labels, label) ? labels[label] : undefined
  // It is there, and nothing shows its values.
  if (listed?.length === 0 && found.length === 0) return undefined
  return sorted([...found, ...(listed ?? [])])
}

function limited(data: unknown, params: Params, { hasLimits }: Learned): unknown {
  const limit = Number(textIn(params['limit']))
  return hasLimits && limit > 0 && Array.isArray(data) ? data.slice(0, limit) : data
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}

function matchingLabels(matches: readonly string[], around: Around): readonly Labels[] {
  return matching(matches, around).map(({ metric }) => metric)
}

// Lines of JSON, as they are imported.
function exported(matches: readonly string[], around: Around): CallOutcome {
  if (matches.length === 0) throw new Refusal('noMatch')
  const lines = matching(matches, around).map(({ metric, points }) =>
    JSON.stringify({
      metric,
      values: points.map(([, value]) => value),
      timestamps: points.map(([time]) => Math.round(time * 1000)),
    }),
  )
  const headers = { 'content-type': 'application/stream+json; charset=utf-8' }
  return { value: lines.map((line) => `${line}\n`).join(''), headers }
}

// All that there are where nothing is selected.
function matching(matches: readonly string[], { source }: Around): readonly Series[] {
  if (matches.length === 0) return source.find([])
  const found = matches.flatMap((match) => {
    const selector = parsePromql(match)
    if (selector.kind !== 'select' || selector.range !== undefined) throw new Refusal('syntax', { at: 1 })
    return source.find(selector.matchers)
  })
  return [...new Map(found.map((each) => [keyOf(each.metric), each])).values()]
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
