import fc from 'fast-check'
import { numberOf } from '../../engine/schema/keywords.ts'
import { typesOf, type Schema } from '../../engine/schema/schema.ts'
import { fitting, impossible, nameOf, type StrategyPosition, type Strategies } from './strategies.ts'

const USUAL = 2 ** 31

interface Bound {
  readonly at: number
  readonly excluded: boolean
}

interface Range {
  readonly min: number
  readonly max: number
  readonly minExcluded: boolean
  readonly maxExcluded: boolean
}

/** Numbers within their bounds and on their multiples; they shrink towards zero, and fractions towards whole numbers. */
export function numberStrategy(
  schema: Schema,
  at: StrategyPosition,
  { checker }: Strategies,
): fc.Arbitrary<number> {
  const whole = typesOf(schema).includes('integer') || WHOLE.has(String(schema['format']))
  const step = numberOf(schema, 'multipleOf')
  const divides = (value: number): boolean => step === undefined || Number.isInteger(value / step)
  const fits = (value: number): boolean => divides(value) && checker.fits(value, schema)
  const range = rangeOf(schema, step ?? 0)
  const drawn =
    step === undefined ? (whole ? integers(range) : numbers(range)) : multiples(step, whole, range, divides)
  if (drawn === undefined) throw impossible(at)
  return fitting(drawn, fits, nameOf(at))
}

const WHOLE = new Set(['int32', 'int64'])

function rangeOf(schema: Schema, step: number): Range {
  const lows = boundsOf(schema, 'minimum', 'exclusiveMinimum')
  const highs = boundsOf(schema, 'maximum', 'exclusiveMaximum')
  if (schema['format'] === 'int32') {
    lows.push({ at: -USUAL, excluded: false })
    highs.push({ at: USUAL - 1, excluded: false })
  }
  const tighter = (a: Bound, b: Bound): number => Number(b.excluded) - Number(a.excluded)
  const low = lows.toSorted((a, b) => b.at - a.at || tighter(a, b))[0]
  const high = highs.toSorted((a, b) => a.at - b.at || tighter(a, b))[0]

  const span = Math.max(USUAL, step * 1000)
  return {
    min: low?.at ?? Math.min(-span, (high?.at ?? 0) - span),
    max: high?.at ?? Math.max(span - 1, (low?.at ?? 0) + span),
    minExcluded: low?.excluded ?? false,
    maxExcluded: high?.excluded ?? false,
  }
}

function boundsOf(schema: Schema, included: string, excluded: string): Bound[] {
  const [inner, outer] = [numberOf(schema, included), numberOf(schema, excluded)]
  return [
    ...(inner === undefined ? [] : [{ at: inner, excluded: false }]),
    ...(outer === undefined ? [] : [{ at: outer, excluded: true }]),
  ]
}

function integers({ min, max, minExcluded, maxExcluded }: Range): fc.Arbitrary<number> | undefined {
  const least = (minExcluded ? Math.floor(min) + 1 : Math.ceil(min)) + 0
  const most = (maxExcluded ? Math.ceil(max) - 1 : Math.floor(max)) + 0
  if (least > most) return undefined
  const [safeLeast, safeMost] = [
    Math.max(least, Number.MIN_SAFE_INTEGER),
    Math.min(most, Number.MAX_SAFE_INTEGER),
  ]
  return safeLeast > safeMost ? fc.constantFrom(least, most) : fc.integer({ min: safeLeast, max: safeMost })
}

// Most are whole or have two digits, as people write them; the others are any that a double can hold.
function numbers(range: Range): fc.Arbitrary<number> | undefined {
  const { min, max, minExcluded, maxExcluded } = range
  if (min > max || (min === max && (minExcluded || maxExcluded))) return undefined
  const hundredths = integers({ ...range, min: min * 100, max: max * 100 })?.map((value) => value / 100)
  const doubles = fc.double({ ...range, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const [first = doubles, ...others] = [integers(range), hundredths, doubles].filter(
    (each) => each !== undefined,
  )
  return fc.oneof({ withCrossShrink: true }, first, ...others)
}

function multiples(
  step: number,
  whole: boolean,
  range: Range,
  divides: (value: number) => boolean,
): fc.Arbitrary<number> | undefined {
  const unit = whole && step % 1 !== 0 ? wholeMultiple(step) : step
  const inUnits = { ...range, min: range.min / unit, max: range.max / unit }
  const decimals = decimalsOf(unit)
  // Validators divide, and of the written product and the computed one often only one then comes out even.
  return integers(inUnits)?.map((times) => {
    const written = Number((times * unit).toFixed(decimals))
    return divides(written) ? written : times * unit
  })
}

function wholeMultiple(step: number): number {
  const times = Array.from({ length: 1000 }, (_, index) => index + 1)
  const found = times.find((each) => Math.abs(step * each - Math.round(step * each)) < 1e-9)
  return found === undefined ? 1 : Math.round(step * found)
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.min(100, Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)))
}
