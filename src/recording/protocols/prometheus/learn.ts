import { plainType } from '../../calls/objects.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { paramsIn } from '../endpoints.ts'
import { endpointOf, isLabelName, textIn } from './endpoints.ts'
import { importedBy } from './imports.ts'
import { parsePromql } from './parse-promql.ts'
import type { Expression, Labels, Select } from './promql-types.ts'
import { type Reason, Refusal, type RefusalForm } from './refusal.ts'
import { itemOf, type KnownNames, labelsIn, pointsIn, type Series } from './series.ts'
import { keyOf } from './values.ts'

/** The type of a model's objects. */
export const SERIES = 'series'

/** What a recording shows of a server, apart from its series. */
export interface Learned extends KnownNames {
  readonly root: string
  /** What else requests were for. */
  readonly endpoints: readonly string[]
  /** Labels that are there, and what values of them were listed. */
  readonly labels: Readonly<Record<string, readonly string[]>>
  /** Members of answers besides their status and data, by endpoint. */
  readonly beside: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly refusal?: RefusalForm
  /** What PromQL refuses, and the server does not. */
  readonly accepted: readonly Reason[]
  /** Whether names of labels that have other signs than letters, digits and `_` are refused. */
  readonly hasLabelNames: boolean
  /** Whether lists are no longer than the limit of a request. */
  readonly hasLimits: boolean
}

/** The series that there were in the beginning, and how the server answers. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const all = new Map<string, { readonly metric: Labels; readonly points: Map<number, number> }>()
  const sent = new Map<string, Labels>()
  const names = new Set<string>()
  const endpoints = new Set<string>()
  const absent = new Set<string>()
  const labels = new Map<string, readonly string[]>()
  const beside: Record<string, Readonly<Record<string, unknown>>> = {}
  const implied: Shown[] = []
  const accepted = new Set<Reason>()
  let hasLabelNames = false
  let hasLimits = true
  let areAll = false
  let refusal: RefusalForm | undefined
  let noQuery: string | undefined
  const add = (metric: Labels, points: Series['points'] = []): void => {
    const key = keyOf(metric)
    if (sent.has(key)) return
    const series = all.get(key) ?? { metric, points: new Map<number, number>() }
    all.set(key, series)
    for (const [time, value] of points) series.points.set(time, value)
  }
  for (const { call, outcome } of calls) {
    const endpoint = endpointOf(call, root)
    const params = paramsIn(call)
    for (const { metric } of importedBy(endpoint, call, 0) ?? []) sent.set(keyOf(metric), metric)
    const { value, error, status } = outcome
    if (endpoint !== undefined && status !== 404) endpoints.add(endpoint)
    const mistake = endpoint === 'query' ? mistakeIn(textIn(params['query'])) : undefined
    if (mistake !== undefined && isObject(error))
      refusal ??= { status: status ?? 400, errorType: String(error['errorType']) }
    if (mistake === 'none' && isObject(error)) noQuery = String(error['error'])
    if (mistake !== undefined && isObject(value)) accepted.add(mistake)
    if (
      endpoint?.startsWith('label/') === true &&
      isObject(error) &&
      !isLabelName(endpoint.slice('label/'.length))
    )
      hasLabelNames = true
    if (
      isObject(value) &&
      Array.isArray(value['data']) &&
      value['data'].length > Number(params['limit'] ?? Infinity)
    )
      hasLimits = false
    if (!isObject(value) || endpoint === undefined) continue
    const { status: _status, data, ...others } = value
    beside[endpoint] ??= others
    if (endpoint === 'labels' && Array.isArray(data) && params['match[]'] === undefined)
      for (const each of data) labels.set(String(each), labels.get(String(each)) ?? [])
    if (endpoint.startsWith('label/') && Array.isArray(data) && params['match[]'] === undefined) {
      const label = endpoint.slice('label/'.length)
      if (label === '__name__') {
        areAll = true
        for (const each of data) names.add(String(each))
      } else if (data.length > 0) labels.set(label, data.map(String))
    }
    if (endpoint === 'metadata' && isObject(data)) for (const name of Object.keys(data)) names.add(name)
    if (endpoint === 'series' && Array.isArray(data)) for (const each of data) add(labelsIn(each) ?? {})
    if (endpoint !== 'query' && endpoint !== 'query_range') continue
    const shown = shownBy(data, textIn(params['query']), absent)
    for (const { metric, points } of shown.series) add(metric, points)
    implied.push(...shown.implied)
  }
  const direct = [...all.values()].flatMap(({ metric, points }): Series[] =>
    metric['__name__'] === undefined
      ? []
      : [{ metric, points: [...points].toSorted(([a], [b]) => a - b), isSent: false }],
  )
  const common = commonOf(direct.map(({ metric }) => metric))
  const series = [
    ...direct,
    ...withCommon(implied, [...direct.map(({ metric }) => metric), ...sent.values()], common),
  ]
  for (const { metric } of series) names.add(metric['__name__'] ?? '')
  // What clients send was not there before.
  const [valuesSent, valuesThere] = [pairsOf([...sent.values()]), pairsOf(series.map(({ metric }) => metric))]
  const own = (label: string, value: string): boolean => {
    const pair = pairOf(label, value)
    return !valuesSent.has(pair) || valuesThere.has(pair)
  }
  const labelsSent = new Set([...sent.values()].flatMap(Object.keys))
  const known = [...names].filter((name) => own('__name__', name))
  const learned: Learned = {
    root,
    endpoints: [...endpoints].toSorted(),
    ...{ names: known.toSorted(), areAll, absent: [...absent].filter((name) => !names.has(name)) },
    ...{ common, beside, accepted: [...accepted], hasLabelNames, hasLimits },
    labels: Object.fromEntries(
      [...labels].flatMap(([label, values]) => {
        const left = values.filter((value) => own(label, value))
        return labelsSent.has(label) && left.length === 0 ? [] : [[label, left]]
      }),
    ),
    ...(refusal && { refusal: { ...refusal, ...(noQuery !== undefined && { noQuery }) } }),
  }
  return {
    types: { [SERIES]: plainType('id', series.map(itemOf)) },
    learned: { ...learned },
  }
}

function mistakeIn(query: string): Reason | undefined {
  try {
    parsePromql(query)
    return undefined
  } catch (error) {
    return error instanceof Refusal && error.reason !== 'unknown' ? error.reason : undefined
  }
}

function pairOf(label: string, value: string): string {
  return JSON.stringify([label, value])
}

function pairsOf(metrics: readonly Labels[]): ReadonlySet<string> {
  return new Set(metrics.flatMap((metric) => Object.entries(metric).map((pair) => pairOf(...pair))))
}

type Shown = Pick<Series, 'metric' | 'points'>

// What a query shows of series: themselves where it selects some, and otherwise what the labels of its results say of them.
function shownBy(
  data: unknown,
  query: string,
  absent: Set<string>,
): { readonly series: readonly Shown[]; readonly implied: readonly Shown[] } {
  const result = isObject(data) ? [data['result']].flat() : []
  const rows = result.flatMap((each): readonly Shown[] => {
    const metric = isObject(each) ? labelsIn(each['metric']) : undefined
    if (!isObject(each) || metric === undefined) return []
    return [{ metric, points: pointsIn(each['values'] ?? [each['value']]) }]
  })
  const expression = expressionIn(query)
  const [only, ...others] = expression === undefined ? [] : selectsIn(expression)
  if (only === undefined || others.length > 0) return { series: [], implied: [] }
  const equal = Object.fromEntries(
    only.matchers.flatMap(({ label, value }) => (value === undefined ? [] : [[label, value]])),
  )
  const name = equal['__name__']
  if (rows.length === 0 && expression === only && only.matchers.length === 1 && name !== undefined)
    absent.add(name)
  if (expression === only && only.range === undefined) return { series: rows, implied: [] }
  if (name === undefined) return { series: [], implied: [] }
  const implied = rows.map(({ metric, points }) => ({
    metric: { ...equal, ...metric, __name__: name },
    points,
  }))
  return { series: [], implied }
}

// Series of metrics that no answer shows themselves.
function withCommon(implied: readonly Shown[], known: readonly Labels[], common: Labels): readonly Series[] {
  const shown = new Set(known.map((metric) => metric['__name__']))
  const found = implied
    .filter(({ metric }) => !shown.has(metric['__name__']))
    .map(({ metric, points }) => ({ metric: { ...common, ...metric }, points, isSent: false }))
  return [...new Map(found.map((each) => [keyOf(each.metric), each])).values()]
}

function expressionIn(query: string): Expression | undefined {
  try {
    return parsePromql(query)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function selectsIn(expression: Expression): readonly Select[] {
  switch (expression.kind) {
    case 'select':
      return [expression]
    case 'negative':
    case 'subquery':
      return selectsIn(expression.of)
    case 'aggregate':
      return selectsIn(expression.of)
    case 'call':
      return expression.args.flatMap(selectsIn)
    case 'binary':
      return [...selectsIn(expression.left), ...selectsIn(expression.right)]
    default:
      return []
  }
}

function commonOf(all: readonly Labels[]): Labels {
  const [first = {}] = all
  const entries = Object.entries(first).filter(
    ([name, value]) => name !== '__name__' && all.every((each) => each[name] === value),
  )
  return Object.fromEntries(entries)
}
