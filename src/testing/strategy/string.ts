import fc from 'fast-check'
import { regExp } from '../../engine/schema/checker.ts'
import { compilePattern } from '../../engine/schema/pattern.ts'
import { Stream } from '../../engine/random.ts'
import { numberOf, textOf } from '../../engine/schema/keywords.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { fitting } from './fitting.ts'
import { formatStrategy } from './formats.ts'
import { impossible, nameOf, type Place, type Strategies } from './strategies.ts'

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Texts of their format or pattern, else any text, control characters and rare letters included. */
export function stringStrategy(schema: Schema, at: Place, { checker }: Strategies): fc.Arbitrary<string> {
  const [least, most] = [numberOf(schema, 'minLength') ?? 0, numberOf(schema, 'maxLength') ?? Infinity]
  if (least > most) throw impossible(at)
  const bounds = { least, most }
  const format = formatStrategy(textOf(schema, 'format') ?? '')
  const pattern = textOf(schema, 'pattern')
  if (format === undefined && pattern === undefined) return anyText(bounds)

  const sizes: readonly fc.Size[] = least > 0 || most < Infinity ? ['small', 'xsmall', 'medium'] : ['small']
  const [first, ...others] = [
    ...(pattern === undefined ? [] : patternStrategies(pattern, bounds, sizes)),
    ...(format === undefined ? [] : sizes.map(format)),
  ]
  const drawn = first === undefined ? anyText(bounds) : fc.oneof(first, ...others)
  return fitting(drawn, (text) => checker.fits(text, schema), nameOf(at))
}

// Lengths count code points, as one unit of each kind does.
function anyText({ least, most }: Bounds): fc.Arbitrary<string> {
  const lengths = { minLength: least, ...(most < Infinity && { maxLength: most }) }
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.string({ ...lengths, unit: 'grapheme-ascii' }), weight: 3 },
    { arbitrary: fc.string({ ...lengths, unit: 'binary' }), weight: 1 },
  )
}

function patternStrategies(
  pattern: string,
  bounds: Bounds,
  sizes: readonly fc.Size[],
): fc.Arbitrary<string>[] {
  const bounded = regExp(boundRepeats(pattern, bounds))
  try {
    return sizes.map((size) => fc.stringMatching(bounded, { size }))
  } catch {
    // It does not know assertions and back-references; drawn from without them, some texts fit all the same.
    const draw = compilePattern(pattern, bounds)
    return [fc.integer().map((seed) => draw(new Stream(seed, bounds.least)))]
  }
}

/** A pattern of one repeated class, such as `^[a-z]+$`, with the length's bounds as its number of repeats. */
function boundRepeats(pattern: string, { least, most }: Bounds): string {
  const [, unit, sign, low, comma, high] = REPEATED.exec(pattern) ?? []
  if (unit === undefined) return pattern
  const fewest = sign === '+' ? 1 : sign === '*' ? 0 : Number(low)
  const greatest =
    sign !== undefined || (comma === ',' && high === '') ? Infinity : Number(high === '' ? low : high)
  const [from, to] = [Math.max(least, fewest), Math.min(most, greatest)]
  return from > to ? pattern : `^${unit}{${from},${to === Infinity ? '' : to}}$`
}

const REPEATED = /^\^(\[(?:[^\]\\]|\\.)+\]|\\[dwsDWS]|\\p\{\w+\}|\.)(?:([+*])|\{(\d+)(,?)(\d*)\})\$$/
