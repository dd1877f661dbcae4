import type { Stream } from '../random.ts'
import { withWriter, type Generate, nothing } from './generate.ts'
import { numberOf } from './keywords.ts'
import { type Position, lastName, plainName, spread } from './position.ts'
import { typesOf, type Schema } from './schema.ts'

const DEFAULT_SPAN = 1000
const MAX_SEARCHED = 1000

interface Range {
  readonly min: number
  readonly max: number
}

type DrawNumber = (stream: Stream) => number

/** A number within its bounds and on its multiples; where they leave a choice, one its field's name suggests. */
export function compileNumber(schema: Schema, at: Position): Generate {
  const isWhole = typesOf(schema).includes('integer') || /^int(32|64)$/.test(String(schema['format']))
  const isWholeByName = numberByName(at.field)?.isWhole === true
  const multipleOf = numberOf(schema, 'multipleOf')
  const step =
    multipleOf === undefined ? (isWhole ? 1 : undefined) : isWhole ? wholeStep(multipleOf) : multipleOf
  const ranges = rangesOf(schema, at)
  const generate =
    step !== undefined
      ? compileMultiples(step, ranges, schema)
      : ((isWholeByName ? compileMultiples(1, ranges, schema) : undefined) ?? compileDecimals(ranges, schema))
  if (generate === undefined) return nothing(at)
  return withWriter(generate, (sink, stream) => sink.number(generate(stream)))
}

// The bounds as declared, and before them those that the field's name suggests; an open side is a thousand away.
function rangesOf(schema: Schema, at: Position): readonly [Range, ...Range[]] {
  const low = Math.max(
    numberOf(schema, 'minimum') ?? -Infinity,
    numberOf(schema, 'exclusiveMinimum') ?? -Infinity,
  )
  const high = Math.min(
    numberOf(schema, 'maximum') ?? Infinity,
    numberOf(schema, 'exclusiveMaximum') ?? Infinity,
  )
  const min = low > -Infinity ? low : high > 0 ? 0 : high - spanAt(high)
  const declared = { min, max: high === Infinity ? min + spanAt(min) : high }
  const usual = numberByName(at.field)
  const named = usual && { min: Math.max(usual.min, low), max: Math.min(usual.max, high) }
  return named !== undefined && named.min < named.max ? [named, declared] : [declared]
}

// A thousand is nothing beside the greatest numbers.
function spanAt(bound: number): number {
  return Math.max(DEFAULT_SPAN, Math.abs(bound) * RELATIVE_SPAN)
}

const RELATIVE_SPAN = 2 ** -40

function compileDecimals(
  [{ min, max }]: readonly [Range, ...Range[]],
  schema: Schema,
): DrawNumber | undefined {
  const decimals = Math.max(2, decimalsOf(min), decimalsOf(max))
  const middle = min / 2 + max / 2
  if (!isWithin(middle, schema)) return undefined
  return (stream) => {
    const share = stream.next()
    // In halves, since the span itself may be more than the greatest number.
    const exact = min * (1 - share) + max * share
    const rounded = Number(exact.toFixed(decimals))
    return isWithin(rounded, schema) ? rounded : isWithin(exact, schema) ? exact : middle
  }
}

/** Multiples of a step from the first of the ranges that has any; `undefined` where none has. */
function compileMultiples(step: number, ranges: readonly Range[], schema: Schema): DrawNumber | undefined {
  const decimals = decimalsOf(step)
  const multiple = (index: number): number => {
    const rounded = Number((index * step).toFixed(decimals))
    return rounded === 0 ? 0 : rounded
  }
  const spans = ranges.map((range) => spanOf(range, step, (index) => isWithin(multiple(index), schema)))
  const { first, last } = spans.find((span) => span.first <= span.last) ?? spans[0] ?? { first: 0, last: 0 }
  if (last < first) {
    // Beyond an open side's thousand, or lost to a rounded division.
    const only = [first, last].map(multiple).find((value) => isWithin(value, schema))
    return only === undefined ? undefined : () => only
  }

  // Validators divide, and 0.07 / 0.01 is not whole; the nearer to zero, the more quotients are.
  const divisor = numberOf(schema, 'multipleOf') ?? 1
  if (decimals === 0 && divisor === step) return (stream) => stream.integer(first, last) * step || 0
  const divides = (index: number): boolean => (multiple(index) / divisor) % 1 === 0
  const least = Math.min(Math.max(0, first), last - MAX_SEARCHED)
  const sure = Number.isInteger(divisor) ? [] : wholesFrom(Math.max(first, least), last).filter(divides)
  return (stream) => {
    const index = stream.integer(first, last)
    return multiple(divides(index) ? index : (stream.pick(sure) ?? index))
  }
}

function wholesFrom(first: number, last: number): number[] {
  return Array.from({ length: Math.min(last - first, MAX_SEARCHED) + 1 }, (_, offset) => first + offset)
}

interface Span {
  readonly first: number
  readonly last: number
}

function spanOf({ min, max }: Range, step: number, fits: (index: number) => boolean): Span {
  const first = Math.ceil(min / step)
  const last = Math.floor(max / step)
  return { first: fits(first) ? first : first + 1, last: fits(last) ? last : last - 1 }
}

function isWithin(value: number, schema: Schema): boolean {
  return (
    value >= (numberOf(schema, 'minimum') ?? -Infinity) &&
    value <= (numberOf(schema, 'maximum') ?? Infinity) &&
    value > (numberOf(schema, 'exclusiveMinimum') ?? -Infinity) &&
    value < (numberOf(schema, 'exclusiveMaximum') ?? Infinity)
  )
}

// The smallest whole multiple of a step such as 0.5, for integers.
function wholeStep(step: number): number {
  const scale = 10 ** decimalsOf(step)
  return Math.round(step * scale) / greatestDivisor(Math.round(step * scale), scale)
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.min(20, Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)))
}

/** The least and the greatest that numbers of one name usually are. */
export interface TypicalRange {
  readonly min: number
  readonly max: number
  /** Whether they have no decimals, whatever the description says: of members there are 7, and not 7.2. */
  readonly isWhole?: boolean
}

/** The range that a number of this name would lie in; undefined for other names. */
export function numberByName(field: string): TypicalRange | undefined {
  return NUMBERS.get(plainName(field)) ?? ENDINGS.find(([ending]) => ending.test(lastName(field)))?.[1]
}

const ID: TypicalRange = { min: 1, max: 999_999_999, isWhole: true }
const MONEY: TypicalRange = { min: 1, max: 999 }
const SIZE: TypicalRange = { min: 1, max: 200 }
// Seconds since 1970, from 2020 to the end of 2025: content must not depend on today.
const MOMENT: TypicalRange = { min: 1_577_836_800, max: 1_767_225_599, isWhole: true }

const NUMBERS: ReadonlyMap<string, TypicalRange> = new Map([
  ['id', ID],
  ['age', { min: 18, max: 90 }],
  ...spread(['price', 'amount', 'cost', 'total', 'subtotal', 'balance', 'fee'], MONEY),
  ...spread(['quantity', 'qty', 'stock'], { min: 1, max: 100 }),
  ...spread(['rating', 'stars', 'score'], { min: 1, max: 5 }),
  ...spread(['percent', 'percentage', 'progress', 'discount'], { min: 0, max: 100 }),
  ...spread(['lat', 'latitude'], { min: -90, max: 90 }),
  ...spread(['lng', 'lon', 'long', 'longitude'], { min: -180, max: 180 }),
  ['year', { min: 1990, max: 2025, isWhole: true }],
  ['month', { min: 1, max: 12 }],
  ['day', { min: 1, max: 28 }],
  ['hour', { min: 0, max: 23 }],
  ...spread(['minute', 'second'], { min: 0, max: 59 }),
  ['port', { min: 1024, max: 65_535 }],
  ...spread(['weight', 'height', 'width', 'length', 'depth'], SIZE),
  ...spread(['timestamp', 'epoch'], MOMENT),
])

const ENDINGS: readonly [RegExp, TypicalRange][] = [
  [/(_id|[a-z]Id|ID)$/, ID],
  [/(_count|Count|^count)$/, { min: 0, max: 500, isWhole: true }],
  [/(_at|[a-z]At|_unix|[a-z]Unix)$/, MOMENT],
]
