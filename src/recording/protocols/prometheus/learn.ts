import { isObject } from '../../../engine/schema/schema.ts'
import type { CallSemantics, SeenCall } from '../../calls/call.ts'
import { endpointOf, paramsIn, textIn } from './endpoints.ts'
import { parsePromql } from './parse-promql.ts'
import type { Expression, Labels, Select } from './promql-types.ts'
import { Refusal, type RefusalForm } from './refusal.ts'
import { itemOf, type KnownNames, labelsIn, pointsIn, type Series, withPoints } from './series.ts'
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
}

/** The series that there were in the beginning, and how the server answers. */
export function learn(
  calls: readonly SeenCall[],
  root = '',
): Pick<ReturnType<CallSemantics['learn']>, 'types' | 'learned'> {
  const all = new Map<string, Series>()
  const sent = new Map<string, Labels>()
  const names = new Set<string>()
  const endpoints = new Set<string>()
  const absent = new Set<string>()
  const labels: Record<string, readonly string[]> = {}
  const beside: Record<string, Readonly<Record<string, unknown>>> = {}
  const implied: Shown[] = []
  let areAll = false
  let refusal: RefusalForm | undefined
  const add = (metric: Labels, points: Series['points'] = []): void => {
    const key = keyOf(metric)
    if (!sent.has(key)) all.set(key, withPoints(all.get(key), { metric, points, isSent: false }))
  }
  for (const { call, outcome } of calls) {
    const endpoint = endpointOf(call, root)
    const params = paramsIn(call)
    if (endpoint === 'import')
      for (const { metric } of importedIn(call.args['body'])) sent.set(keyOf(metric), metric)
    const { value, error, status } = outcome
    if (endpoint !== undefined && status !== 404) endpoints.add(endpoint)
    if (endpoint === 'query' && isObject(error) && isMistaken(textIn(params['query'])))
      refusal ??= { status: status ?? 400, errorType: String(error['errorType']) }
    if (!isObject(value) || endpoint === undefined) continue
    const { status: _status, data, ...others } = value
    beside[endpoint] ??= others
    if (endpoint === 'labels' && Array.isArray(data) && params['match[]'] === undefined)
      for (const each of data) labels[String(each)] ??= []
    if (endpoint.startsWith('label/') && Array.isArray(data) && params['match[]'] === undefined) {
      const label = endpoint.slice('label/'.length)
      if (label === '__name__') {
        areAll = true
        for (const each of data) names.add(String(each))
      } else if (data.length > 0) labels[label] = data.map(String)
    }
    if (endpoint === 'metadata' && isObject(data)) for (const name of Object.keys(data)) names.add(name)
    if (endpoint === 'series' && Array.isArray(data)) for (const each of data) add(labelsIn(each) ?? {})
    if (endpoint !== 'query' && endpoint !== 'query_range') continue
    const shown = shownBy(data, textIn(params['query']), absent)
    for (const { metric, points } of shown.series) add(metric, points)
    implied.push(...shown.implied)
  }
  const direct = [...all.values()].filter(({ metric }) => metric['__name__'] !== undefined)
  const common = commonOf(direct.map(({ metric }) => metric))
  const series = [...direct, ...withCommon(implied, direct, common)]
  for (const { metric } of series) names.add(metric['__name__'] ?? '')
  // What clients send was not there before.
  const own = (label: string, value: string): boolean =>
    [...sent.values()].every((metric) => metric[label] !== value) ||
    series.some(({ metric }) => metric[label] === value)
  const known = [...names].filter((name) => own('__name__', name))
  const learned: Learned = {
    root,
    endpoints: [...endpoints].toSorted(),
    ...{ names: known.toSorted(), areAll, absent: [...absent].filter((name) => !names.has(name)) },
    ...{ common, beside },
    labels: Object.fromEntries(
      Object.entries(labels).flatMap(([label, values]) => {
        const left = values.filter((value) => own(label, value))
        const isSent = [...sent.values()].some((metric) => metric[label] !== undefined)
        return isSent && left.length === 0 ? [] : [[label, left]]
      }),
    ),
    ...(refusal && { refusal }),
  }
  return {
    types: { [SERIES]: { id: 'id', items: series.map(itemOf), links: {}, defaults: {} } },
    learned: { ...learned },
  }
}

function isMistaken(query: string): boolean {
  try {
    parsePromql(query)
    return false
  } catch (error) {
    return error instanceof Refusal && error.reason !== 'unknown'
  }
}

/** The series of lines of JSON, each with `metric`, `values` and `timestamps` in milliseconds. */
export function importedIn(body: unknown): readonly Series[] {
  return linesIn(body).flatMap((line) => {
    if (!isObject(line)) return []
    const metric = labelsIn(line['metric'])
    const [values, times] = [[line['values']].flat(), [line['timestamps']].flat()]
    const points = pointsIn(times.map((time, at) => [Number(time) / 1000, values[at]]))
    return metric === undefined ? [] : [{ metric, points, isSent: true }]
  })
}

function linesIn(body: unknown): readonly unknown[] {
  if (typeof body !== 'string') return [body].flat()
  return body.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
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
function withCommon(implied: readonly Shown[], direct: readonly Series[], common: Labels): readonly Series[] {
  const shown = new Set(direct.map(({ metric }) => metric['__name__']))
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
