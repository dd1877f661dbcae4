import { remembered } from '../../../engine/lazy.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { compareTexts } from '../../../grouping.ts'
import type { Filter, Operand, Source } from './statement.ts'

/** The type of a field's values. */
export type FieldType = 'float' | 'integer' | 'string' | 'boolean'

/** What was measured at a time. */
export interface Point {
  readonly database: string
  readonly name: string
  readonly tags: Readonly<Record<string, string>>
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly types: Readonly<Record<string, FieldType>>
}

/** What 64 bits hold. */
const MAX_TIME = 9_223_372_036_854_775_806n

/** A line that has no point. */
export class BadLine extends Error {
  constructor(line: string, why: string) {
    super(`unable to parse '${line}': ${why}`)
  }
}

/**
 * The points of lines such as `cpu,host=a value=1.5,n=3i 1700000000000000000`.
 * @param unit nanoseconds of a unit of their times
 * @param now the time of those without one, in nanoseconds
 * @throws BadLine
 */
export function pointsIn(text: string, database: string, unit: bigint, now: bigint): readonly Point[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => pointIn(line, database, unit, now))
}

function pointIn(line: string, database: string, unit: bigint, now: bigint): Point {
  const [key = '', fieldText, timeText] = dividedAt(line, ' ')
  if (fieldText === undefined || fieldText === '') throw new BadLine(line, 'missing fields')
  const [name = '', ...tagTexts] = dividedAt(key, ',')
  const pairs = (texts: readonly string[]): readonly (readonly [string, string])[] =>
    texts.map((each) => {
      const [left = '', right, ...rest] = dividedAt(each, '=')
      if (right === undefined || left === '') throw new BadLine(line, 'missing tag value')
      return [plain(left), [right, ...rest].join('=')]
    })
  const fields = pairs(dividedAt(fieldText, ',')).map(([field, value]) => {
    const read = fieldIn(value)
    if (read === undefined) throw new BadLine(line, 'invalid field format')
    return [field, ...read] as const
  })
  if (timeText !== undefined && !/^-?\d{1,19}$/.test(timeText)) throw new BadLine(line, 'bad timestamp')
  const time = timeText === undefined ? now : BigInt(timeText) * unit
  if (time > MAX_TIME || time < -MAX_TIME)
    throw new BadLine(line, `time outside range -${MAX_TIME} - ${MAX_TIME}`)
  return {
    ...{ database, name: plain(name), time },
    tags: Object.fromEntries(pairs(tagTexts).map(([tag, value]) => [tag, plain(value)])),
    fields: Object.fromEntries(fields.map(([field, value]) => [field, value])),
    types: Object.fromEntries(fields.map(([field, , type]) => [field, type])),
  }
}

// At a sign that stands neither in quotes nor after a backslash.
function dividedAt(text: string, sign: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"' && (isQuoted || text[at - 1] === '=')) isQuoted = !isQuoted
    else if (text[at] === sign && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

function plain(text: string): string {
  return text.replaceAll(/\\([ ,="\\])/g, '$1')
}

function fieldIn(text: string): readonly [value: string | number | boolean, type: FieldType] | undefined {
  if (text.startsWith('"')) return text.endsWith('"') ? [plain(text.slice(1, -1)), 'string'] : undefined
  if (/^-?\d+i$/.test(text)) return [Number(text.slice(0, -1)), 'integer']
  if (/^(t|true)$/i.test(text)) return [true, 'boolean']
  if (/^(f|false)$/i.test(text)) return [false, 'boolean']
  return /^-?[\d.]{1,400}(e[+-]?\d{1,3})?$/i.test(text) && !Number.isNaN(Number(text))
    ? [Number(text), 'float']
    : undefined
}

/** What names a series, as lines have it: equal for the same measurement and tags. */
export function seriesKey({ name, tags }: Pick<Point, 'name' | 'tags'>): string {
  const sorted = Object.entries(tags).toSorted(([a], [b]) => compareTexts(a, b))
  const escaped = (text: string): string => text.replaceAll(/[ ,=]/g, '\\$&')
  return [escaped(name), ...sorted.map((pair) => pair.map(escaped).join('='))].join(',')
}

/** What names a point. */
export function pointKey(point: Point): string {
  return JSON.stringify([point.database, seriesKey(point), String(point.time)])
}

/** A point as a stored item. */
export function itemOf(point: Point): Readonly<Record<string, unknown>> {
  return { ...point, id: pointKey(point), time: String(point.time) }
}

/** The point that a stored item is: the same for the same item, of which each query reads all. */
export const pointOf = remembered(
  (item: Readonly<Record<string, unknown>>): Point => ({
    ...(item as unknown as Point),
    time: BigInt(String(item['time'])),
  }),
  new WeakMap<Readonly<Record<string, unknown>>, Point>(),
)

/** The value of a field or a tag; `undefined` where a point has neither. */
export function valueOf({ fields, tags }: Point, name: string): string | number | boolean | undefined {
  return (memberAt(fields, [name]) ?? memberAt(tags, [name])) as ReturnType<typeof valueOf>
}

/** The points of a database that statements are about. */
export function pointsOf(
  all: readonly Point[],
  database: string,
  from: readonly Source[],
  where?: Filter,
): readonly Point[] {
  return all.filter(
    (point) =>
      (from.length === 0
        ? point.database === database
        : from.some(
            (source) =>
              (source.database ?? database) === point.database &&
              (source.accepts === undefined ? source.name === point.name : source.accepts(point.name)),
          )) &&
      (where === undefined || passes(point, where)),
  )
}

/** Whether a point is as a filter wants it. */
export function passes(point: Point, filter: Filter): boolean {
  if (filter.kind === 'and') return passes(point, filter.left) && passes(point, filter.right)
  if (filter.kind === 'or') return passes(point, filter.left) || passes(point, filter.right)
  const { name, operator, value } = filter
  if (name.toLowerCase() === 'time') return compared(point.time, operator, value)
  // A tag that is not there is an empty text.
  return compared(valueOf(point, name) ?? '', operator, value)
}

function compared(own: bigint | string | number | boolean, operator: string, value: Operand): boolean {
  if (typeof value === 'object') {
    const isLike = typeof own === 'string' && value.accepts(own)
    return operator === '=~' ? isLike : !isLike
  }
  if (typeof own !== typeof value) return false
  switch (operator) {
    case '=':
      return own === value
    case '!=':
      return own !== value
    case '<':
      return own < value
    case '>':
      return own > value
    case '<=':
      return own <= value
    default:
      return own >= value
  }
}
