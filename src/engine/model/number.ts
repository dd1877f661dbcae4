import type { Position } from './compiler.ts'
import type { Generate } from './generate.ts'
import { numberByName } from './realism.ts'
import { typesOf, type Schema } from './schema.ts'

const DEFAULT_SPAN = 1000

interface Range {
  readonly min: number
  readonly max: number
}

/** A number within its bounds and on its multiples; where they leave room, one its field's name suggests. */
export function compileNumber(schema: Schema, at: Position): Generate {
  const whole = typesOf(schema).includes('integer')
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : whole ? 1 : undefined
  const range = rangeOf(schema, at)
  if (step !== undefined) return multiples(whole && step % 1 !== 0 ? wholeStep(step) : step, range, schema)

  const decimals = Math.max(2, ...[range.min, range.max].map(decimalsOf))
  return (stream) => {
    const exact = range.min + stream.next() * (range.max - range.min)
    const rounded = Number(exact.toFixed(decimals))
    return isWithin(rounded, schema) ? rounded : isWithin(exact, schema) ? exact : (range.min + range.max) / 2
  }
}

// The bounds as declared; where a side is open, what the field's name suggests or a span of a thousand.
function rangeOf(schema: Schema, at: Position): Range {
  const lows = [schema['minimum'], schema['exclusiveMinimum']].filter((bound) => typeof bound === 'number')
  const highs = [schema['maximum'], schema['exclusiveMaximum']].filter((bound) => typeof bound === 'number')
  const usual = numberByName(at.field)
  const low = lows.length > 0 ? Math.max(...lows) : undefined
  const high = highs.length > 0 ? Math.min(...highs) : undefined
  if (usual !== undefined) {
    const min = Math.max(usual.min, low ?? usual.min)
    const max = Math.min(usual.max, high ?? usual.max)
    if (min < max) return { min, max }
  }
  if (low !== undefined && high !== undefined) return { min: low, max: high }
  if (low !== undefined) return { min: low, max: low + DEFAULT_SPAN }
  return high === undefined
    ? { min: 0, max: DEFAULT_SPAN }
    : { min: high > 0 ? Math.min(0, high) : high - DEFAULT_SPAN, max: high }
}

function multiples(step: number, { min, max }: Range, schema: Schema): Generate {
  const decimals = decimalsOf(step)
  const at = (index: number): number => Number((index * step).toFixed(decimals))
  let first = Math.ceil(min / step)
  let last = Math.floor(max / step)
  if (!isWithin(at(first), schema)) first++
  if (!isWithin(at(last), schema)) last--
  return (stream) => at(last < first ? first : stream.integer(first, last))
}

function isWithin(value: number, schema: Schema): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = schema
  return (
    value >= (minimum as number) &&
    value <= (maximum as number) &&
    (exclusiveMinimum === undefined || value > (exclusiveMinimum as number)) &&
    (exclusiveMaximum === undefined || value < (exclusiveMaximum as number))
  )
}

// The smallest whole multiple of a step such as 0.5, for integers.
function wholeStep(step: number): number {
  for (let times = 1; times <= 1000; times++) {
    const product = step * times
    if (Math.abs(product - Math.round(product)) < 1e-9) return Math.round(product)
  }
  return 1
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.min(20, Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)))
}
