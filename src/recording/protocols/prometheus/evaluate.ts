import { aggregated } from './aggregations.ts'
import { combined } from './binary-operators.ts'
import { called } from './functions.ts'
import type { Binary, Expression, Labels, Point } from './promql-types.ts'
import { Refusal } from './refusal.ts'
import { entriesOf, keyOf, type Row, type Source, type Value } from './values.ts'

/** How far apart the points of a subquery are that does not say it, in seconds. */
const DEFAULT_STEP = 60

/** What an expression comes to at a time, in seconds since 1970. @throws Refusal for one that is not known here */
export function evaluate(expression: Expression, time: number, source: Source): Value {
  const inner = (part: Expression): Value => evaluate(part, time, source)
  switch (expression.kind) {
    case 'number':
      return { type: 'scalar', value: expression.value }
    case 'string':
      return { type: 'string', value: expression.value }
    case 'negative':
      return combined(
        { ...NEGATIVE, right: expression.of },
        { type: 'scalar', value: -1 },
        inner(expression.of),
      )
    case 'select': {
      const { range, offset, at = time } = expression
      if (range === undefined) return { type: 'vector', entries: source.at(expression, at - offset) }
      return { type: 'matrix', rows: source.within(expression, at - offset, range), seconds: range }
    }
    case 'subquery': {
      const { of, range, step = DEFAULT_STEP, offset, at = time } = expression
      const end = at - offset
      // Its steps are multiples of how far apart they are.
      const start = Math.ceil((end - range) / step) * step
      return { type: 'matrix', rows: rowsOf(of, { start, end, step }, source), seconds: range }
    }
    case 'aggregate': {
      const { parameter } = expression
      return aggregated(expression, entriesOf(inner(expression.of)), parameter && inner(parameter))
    }
    case 'binary':
      return combined(expression, inner(expression.left), inner(expression.right))
    default:
      return called(expression.name, expression.args.map(inner), { time, args: expression.args })
  }
}

const NEGATIVE: Omit<Binary, 'right'> = {
  ...{ kind: 'binary', operator: '*', left: { kind: 'number', value: -1 } },
  ...{ isBool: false, on: undefined, ignoring: [], many: undefined, includes: [] },
}

/** From when to when, and how far apart, in seconds. */
interface Span {
  readonly start: number
  readonly end: number
  readonly step: number
}

/** An expression at each step of a time. @throws Refusal */
export function rowsOf(expression: Expression, { start, end, step }: Span, source: Source): readonly Row[] {
  if (!(step > 0)) throw new Refusal('step')
  source.spend((end - start) / step)
  const rows = new Map<string, { readonly metric: Labels; readonly points: Point[] }>()
  for (let at = 0; start + at * step <= end; at++) {
    const time = start + at * step
    for (const { metric, value } of entriesOf(evaluate(expression, time, source))) {
      const key = keyOf(metric)
      const row = rows.get(key) ?? { metric, points: [] }
      rows.set(key, row)
      row.points.push([time, value])
    }
  }
  return [...rows.values()]
}
