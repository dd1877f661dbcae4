import { compareTexts, groupBy } from '../../../grouping.ts'
import { averageOf, greatestOf, leastOf, quantileOf, sumOf, varianceOf } from '../../../statistics.ts'
import { type Point, pointsOf, seriesKey, valueOf } from './points.ts'
import { type Column, type Filter, type Select, Unknown } from './statement.ts'

/** A series of an answer. */
export interface Series {
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly columns: readonly string[]
  readonly values?: readonly (readonly unknown[])[]
}

type Value = string | number | boolean | null
/** The time and the values of a row. */
type Row = readonly [time: bigint, ...values: Value[]]
interface Sample {
  readonly time: bigint
  readonly value: Value
}

/** Functions that give one of the values, and its time. */
const SELECTORS: ReadonlyMap<string, (samples: readonly Sample[], arg: number) => Sample | undefined> =
  new Map(
    Object.entries({
      first: ([first]: readonly Sample[]) => first,
      last: (samples: readonly Sample[]) => samples.at(-1),
      min: (samples: readonly Sample[]) => inOrderOfValues(samples)[0],
      max: (samples: readonly Sample[]) => samples.toSorted((a, b) => Number(b.value) - Number(a.value))[0],
      percentile: (samples: readonly Sample[], arg: number) =>
        inOrderOfValues(samples)[Math.floor((samples.length * arg) / 100 + 0.5) - 1],
    }),
  )
const AGGREGATES: ReadonlyMap<string, (values: readonly number[]) => Value> = new Map(
  Object.entries({
    count: ({ length }: readonly number[]) => length,
    sum: sumOf,
    mean: averageOf,
    spread: (values: readonly number[]) => greatestOf(values) - leastOf(values),
    median: (values: readonly number[]) => quantileOf(values, 0.5),
    stddev(values: readonly number[]) {
      const { length } = values
      return length < 2 ? null : Math.sqrt((varianceOf(values) * length) / (length - 1))
    },
  }),
)
const NUMERIC = /^(sum|mean|spread|median|stddev|percentile)$/

/**
 * The series that a query gives.
 * @param written gives a time as the answer has it
 * @throws Unknown for what is not known here
 */
export function selected(
  select: Select,
  all: readonly Point[],
  database: string,
  now: bigint,
  written: (time: bigint) => unknown,
): readonly Series[] {
  const { columns, from, where, by, isDescending, limit = 0, offset = 0 } = select
  const points = pointsOf(all, database, from)
  const chosen = where === undefined ? points : pointsOf(points, database, from, where)
  const names = [...new Set(points.map(({ name }) => name))].toSorted()
  // What `*` stands for is the same for all measurements.
  const tagKeys = [...new Set(points.flatMap(({ tags }) => Object.keys(tags)))].toSorted()
  const fields = [...new Set(points.flatMap(({ types }) => Object.keys(types)))].toSorted()
  return names.flatMap((name): readonly Series[] => {
    const own = points.filter((point) => point.name === name)
    const ownKeys = tagKeys.filter((key) => own.some(({ tags }) => tags[key] !== undefined))
    const tags = by.includes('*') ? ownKeys : by
    const shown = columnsOf(
      columns,
      fields,
      tagKeys.filter((tag) => !tags.includes(tag)),
      points,
    )
    const left = chosen.filter((point) => point.name === name)
    const tagsOf = (point: Point): readonly string[] => tags.map((tag) => point.tags[tag] ?? '')
    const groups = [...groupBy(left, (point) => JSON.stringify(tagsOf(point)))].toSorted(([a], [b]) =>
      compareTexts(a, b),
    )
    return groups.flatMap(([, group]): readonly Series[] => {
      const [first] = group
      const rows = rowsOf(select, shown, inOrder(group), now)
      const ordered = isDescending ? rows.toReversed() : rows
      const part = limit > 0 ? ordered.slice(offset, offset + limit) : ordered.slice(offset)
      if (first === undefined || part.length === 0) return []
      return [
        {
          name,
          ...(tags.length > 0 && {
            tags: Object.fromEntries(tags.map((tag) => [tag, first.tags[tag] ?? ''])),
          }),
          columns: ['time', ...namesOf(shown)],
          values: part.map(([time, ...values]) => [written(time), ...values]),
        },
      ]
    })
  })
}

function inOrderOfValues(samples: readonly Sample[]): readonly Sample[] {
  return samples.toSorted((a, b) => Number(a.value) - Number(b.value))
}

function inOrder(points: readonly Point[]): readonly Point[] {
  const keys = new Map(points.map((point) => [point, seriesKey(point)]))
  return points.toSorted((a, b) => {
    if (a.time !== b.time) return a.time < b.time ? -1 : 1
    return compareTexts(keys.get(a) ?? '', keys.get(b) ?? '')
  })
}

// What `*` stands for: all fields and tags by name, or all fields that a function can take.
function columnsOf(
  columns: readonly Column[],
  fields: readonly string[],
  tags: readonly string[],
  points: readonly Point[],
): readonly Column[] {
  const isNumber = (field: string): boolean =>
    points.some(({ fields: own }) => typeof own[field] === 'number')
  return columns.flatMap((column): readonly Column[] => {
    const { field, call } = column
    if (field !== '*') return [column]
    if (call === undefined) return [...fields, ...tags].toSorted().map((name) => ({ field: name }))
    return fields
      .filter((name) => !NUMERIC.test(call) || isNumber(name))
      .map((name) => ({ ...column, field: name, alias: `${call}_${name}` }))
  })
}

// Names that come again are numbered.
function namesOf(columns: readonly Column[]): readonly string[] {
  const taken = new Map<string, number>()
  return columns.map(({ alias, call, field }) => {
    const name = alias ?? call ?? field
    const count = taken.get(name) ?? 0
    taken.set(name, count + 1)
    return count === 0 ? name : `${name}_${count}`
  })
}

function rowsOf(
  select: Select,
  columns: readonly Column[],
  points: readonly Point[],
  now: bigint,
): readonly Row[] {
  const calls = columns.filter(({ call }) => call !== undefined)
  if (calls.length === 0) {
    const rows = points.map((point): Row => [
      point.time,
      ...columns.map(({ field }) => valueAt(point, field)),
    ])
    const areFields = columns.some(({ field }) => points.some(({ types }) => Object.hasOwn(types, field)))
    return areFields ? rows.filter((row) => row.slice(1).some((value) => value !== null)) : []
  }
  if (calls.length < columns.length) return withSelector(columns, points)
  const [first] = calls
  if (first?.call === 'distinct') {
    const values = [...new Set(samplesOf(points, first.field).map(({ value }) => value))]
    return values.map((value): Row => [0n, value])
  }
  const { every, where } = select
  const bounds = boundsOf(where)
  if (every === undefined) {
    const results = columns.map((column) => resultOf(column, points))
    if (results.every((result) => result === undefined)) return []
    const [only] = results
    const isSelector = columns.length === 1 && SELECTORS.has(first?.call ?? '')
    const time = isSelector ? (only?.time ?? 0n) : (bounds.start ?? 0n)
    return [[time, ...results.map((result) => result?.value ?? null)]]
  }
  const start = floorTo(bounds.start ?? points[0]?.time ?? 0n, every)
  const end = bounds.end ?? now
  if ((end - start) / every > MAX_ROWS) throw new Unknown()
  const groups = groupBy(points, ({ time }) => String(floorTo(time, every)))
  const rows: Row[] = []
  for (let time = start; time < end; time += every) {
    const own = groups.get(String(time)) ?? []
    if (own.length === 0 && select.fill === 'none') continue
    const results = columns.map((column) => resultOf(column, own)?.value)
    const before = rows.at(-1)
    rows.push([
      time,
      ...results.map(
        (value, at) => value ?? filled(select, columns[at]?.call, before?.[at + 1] as Value | undefined),
      ),
    ])
  }
  return points.length === 0 ? [] : rows
}

const MAX_ROWS = 10_000n

function filled({ fill }: Select, call: string | undefined, before: Value | undefined): Value {
  if (typeof fill === 'number') return fill
  if (fill === 'previous') return before ?? null
  return call === 'count' ? 0 : null
}

function floorTo(time: bigint, every: bigint): bigint {
  const rest = time % every
  return time - (rest < 0n ? rest + every : rest)
}

function valueAt(point: Point, name: string): Value {
  return valueOf(point, name) ?? null
}

function samplesOf(points: readonly Point[], field: string): readonly Sample[] {
  return points.flatMap(({ time, fields }) => {
    const value = fields[field]
    return value === undefined ? [] : [{ time, value }]
  })
}

function resultOf({ call = '', field, arg = 0 }: Column, points: readonly Point[]): Sample | undefined {
  const samples = samplesOf(points, field)
  if (samples.length === 0) return undefined
  const selector = SELECTORS.get(call)
  if (selector !== undefined) return selector(samples, arg)
  const aggregate = AGGREGATES.get(call)
  if (aggregate === undefined) throw new Unknown()
  if (NUMERIC.test(call) && samples.some(({ value }) => typeof value !== 'number')) throw new Unknown()
  return { time: 0n, value: aggregate(samples.map(({ value }) => Number(value))) }
}

// Fields beside the only function are those of the point that it gives.
function withSelector(columns: readonly Column[], points: readonly Point[]): readonly Row[] {
  const [call, ...others] = columns.filter((column) => column.call !== undefined)
  const selector = SELECTORS.get(call?.call ?? '')
  if (call === undefined || others.length > 0 || selector === undefined) throw new Unknown()
  const found = selector(samplesOf(points, call.field), call.arg ?? 0)
  const point = points.find(({ time, fields }) => time === found?.time && fields[call.field] === found.value)
  if (found === undefined || point === undefined) return []
  return [
    [found.time, ...columns.map((column) => (column === call ? found.value : valueAt(point, column.field)))],
  ]
}

/** The times that a filter leaves, where it says it of all points: from, and up to but without. */
function boundsOf(filter: Filter | undefined): { readonly start?: bigint; readonly end?: bigint } {
  if (filter === undefined || filter.kind === 'or') return {}
  if (filter.kind === 'and') return { ...boundsOf(filter.left), ...boundsOf(filter.right) }
  const { name, operator, value } = filter
  if (name.toLowerCase() !== 'time' || typeof value !== 'bigint') return {}
  if (operator === '=') return { start: value, end: value + 1n }
  if (operator === '>=') return { start: value }
  if (operator === '>') return { start: value + 1n }
  if (operator === '<') return { end: value }
  return operator === '<=' ? { end: value + 1n } : {}
}
