import { quantileOf } from '../../../statistics.ts'
import { entriesOf, type Entry, keyOf, labelOf, type Value, withoutLabels, withoutName } from './values.ts'
import type { Expression, Labels } from './promql-types.ts'
import { changed, overTime, perRow, predicted } from './range-functions.ts'
import { Refusal } from './refusal.ts'
import { groupBy } from '../../../grouping.ts'
import { wholeReplacement, withinLimit } from './whole-pattern.ts'

/** What is around the call of a function. */
interface Around {
  readonly time: number
  readonly args: readonly Expression[]
}

const MATHS: Readonly<Record<string, (value: number) => number>> = {
  ...{ abs: Math.abs, ceil: Math.ceil, floor: Math.floor, exp: Math.exp, ln: Math.log, log2: Math.log2 },
  ...{ log10: Math.log10, sqrt: Math.sqrt, sgn: Math.sign, sin: Math.sin, cos: Math.cos, tan: Math.tan },
  ...{ asin: Math.asin, acos: Math.acos, atan: Math.atan, sinh: Math.sinh, cosh: Math.cosh },
  ...{ tanh: Math.tanh, asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh },
  deg: (value) => (value * 180) / Math.PI,
  rad: (value) => (value * Math.PI) / 180,
}

const DATES: Readonly<Record<string, (date: Date) => number>> = {
  minute: (date) => date.getUTCMinutes(),
  hour: (date) => date.getUTCHours(),
  day_of_week: (date) => date.getUTCDay(),
  day_of_month: (date) => date.getUTCDate(),
  day_of_year: (date) => (Date.UTC(...dayOf(date)) - Date.UTC(date.getUTCFullYear(), 0, 0)) / DAY_MS,
  days_in_month: (date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  month: (date) => date.getUTCMonth() + 1,
  year: (date) => date.getUTCFullYear(),
}
const DAY_MS = 86_400_000

function dayOf(date: Date): [number, number, number] {
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
}

const SIMPLE_OVER_TIME = /^(avg|min|max|sum|count|last|first|present|stddev|stdvar)_over_time$/

/** What a function gives. @throws Refusal for one that is not known */
export function called(name: string, args: readonly Value[], around: Around): Value {
  const [first, second, third] = args
  const numberAt = (at: number): number => {
    const value = args[at]
    return value?.type === 'scalar' ? value.value : NaN
  }
  const map = (change: (value: number) => number): Value => mapped(first, change)
  const maths = MATHS[name]
  if (maths !== undefined) return map(maths)
  const dated = DATES[name]
  if (dated !== undefined)
    return mapped(first ?? scalar(around.time), (value) => dated(new Date(value * 1000)))
  if (SIMPLE_OVER_TIME.test(name) && first?.type === 'matrix') return overTime(name, first)
  switch (name) {
    case 'time':
      return scalar(around.time)
    case 'pi':
      return scalar(Math.PI)
    case 'scalar': {
      const found = first === undefined ? [] : entriesOf(first)
      return scalar(found.length === 1 ? (found[0]?.value ?? NaN) : NaN)
    }
    case 'vector':
      return { type: 'vector', entries: [{ metric: {}, value: numberAt(0) }] }
    case 'round':
      return map((value) => {
        const to = second === undefined ? 1 : numberAt(1)
        return Math.floor(value / to + 0.5) * to
      })
    case 'clamp':
      return map((value) => Math.max(numberAt(1), Math.min(numberAt(2), value)))
    case 'clamp_min':
      return map((value) => Math.max(numberAt(1), value))
    case 'clamp_max':
      return map((value) => Math.min(numberAt(1), value))
    case 'timestamp':
      return map(() => around.time)
    case 'sort':
    case 'sort_desc': {
      const sorted = entriesIn(first).toSorted((a, b) => a.value - b.value)
      return { type: 'vector', entries: name === 'sort' ? sorted : sorted.toReversed() }
    }
    case 'absent':
    case 'absent_over_time': {
      const isThere = (first?.type === 'matrix' ? first.rows : entriesIn(first)).length > 0
      return {
        type: 'vector',
        entries: isThere ? [] : [{ metric: labelsOfSelect(around.args[0]), value: 1 }],
      }
    }
    case 'quantile_over_time':
      return perRow(second, (points) =>
        quantileOf(
          points.map(([, value]) => value),
          numberAt(0),
        ),
      )
    case 'predict_linear':
      return perRow(first, (points) => predicted(points, around.time + numberAt(1)))
    case 'histogram_quantile':
      return { type: 'vector', entries: histogramQuantiles(numberAt(0), entriesIn(second)) }
    case 'label_replace':
      return { type: 'vector', entries: relabelled(entriesIn(first), args.slice(1)) }
    case 'label_join': {
      const [to = '', separator = '', ...from] = args.slice(1).map(textOf)
      const join = (metric: Labels): string =>
        withinLimit(from.map((label) => labelOf(metric, label)).join(separator))
      return {
        type: 'vector',
        entries: entriesIn(first).map(({ metric, value }) => ({
          metric: { ...metric, [to]: join(metric) },
          value,
        })),
      }
    }
    default:
      if (first?.type !== 'matrix' || third !== undefined) throw new Refusal('unknown')
      return changed(name, first)
  }
}

function scalar(value: number): Value {
  return { type: 'scalar', value }
}

function textOf(value: Value): string {
  return value.type === 'string' ? value.value : ''
}

function entriesIn(value: Value | undefined): readonly Entry[] {
  return value === undefined ? [] : entriesOf(value)
}

function mapped(value: Value | undefined, change: (value: number) => number): Value {
  const entries = entriesIn(value).map((entry) => ({
    metric: withoutName(entry.metric),
    value: change(entry.value),
  }))
  return { type: 'vector', entries }
}

// What is absent has the labels that it would have to have.
function labelsOfSelect(expression: Expression | undefined): Labels {
  const matchers = expression?.kind === 'select' ? expression.matchers : []
  return Object.fromEntries(
    matchers.flatMap(({ label, value }) =>
      value === undefined || label === '__name__' ? [] : [[label, value]],
    ),
  )
}

function histogramQuantiles(share: number, entries: readonly Entry[]): readonly Entry[] {
  const groups = groupBy(
    entries.filter(({ metric }) => metric['le'] !== undefined),
    ({ metric }) => keyOf(withoutLabels(metric, ['le', '__name__'])),
  )
  return [...groups.values()].map((group) => {
    const buckets = group
      .map(({ metric, value }) => ({ le: boundOf(metric['le'] ?? ''), count: value }))
      .toSorted((a, b) => a.le - b.le)
    const rank = share * (buckets.at(-1)?.count ?? NaN)
    const at = buckets.findIndex(({ count }) => count >= rank)
    const [before, found] = [buckets[at - 1] ?? { le: 0, count: 0 }, buckets[at]]
    const value =
      found === undefined || !(rank > 0)
        ? NaN
        : found.le === Infinity
          ? before.le
          : before.le + ((found.le - before.le) * (rank - before.count)) / (found.count - before.count)
    return { metric: withoutLabels(group[0]?.metric ?? {}, ['le', '__name__']), value }
  })
}

function boundOf(text: string): number {
  return text === '+Inf' ? Infinity : Number(text)
}

function relabelled(entries: readonly Entry[], args: readonly Value[]): readonly Entry[] {
  const [to = '', replacement = '', from = '', source = ''] = args.map(textOf)
  const replace = wholeReplacement(source, replacement)
  return entries.map(({ metric, value }) => {
    const text = labelOf(metric, from)
    const made = replace(text)
    if (made === undefined) return { metric, value }
    return { metric: made === '' ? withoutLabels(metric, [to]) : { ...metric, [to]: made }, value }
  })
}
