import fc from 'fast-check'
import { regExp } from '../../engine/schema/match-pattern.ts'
import { compilePattern } from '../../engine/schema/pattern.ts'
import { Stream } from '../../engine/random.ts'
import { numberOf, textOf } from '../../engine/schema/keywords.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { fitting, impossible, nameOf, type StrategyPosition, type Strategies } from './strategies.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Texts of their format or pattern, else any text, control characters and rare letters included. */
export function stringStrategy(
  schema: Schema,
  at: StrategyPosition,
  { checker }: Strategies,
): fc.Arbitrary<string> {
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

/** Makes texts of a format; the size says how long they may grow. */
export type FormatStrategy = (size: fc.Size) => fc.Arbitrary<string>

/** The texts of a format (JSON Schema 2020-12, section 7.3, and OpenAPI's); `undefined` for an unknown one. */
export function formatStrategy(format: string): FormatStrategy | undefined {
  return FORMATS.get(format)
}

const between = (first: string, last: string): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
    .map((date) => date.toISOString())
const dateTime: FormatStrategy = () =>
  fc.oneof(
    between('2000-01-01T00:00:00Z', '2029-12-31T23:59:59.999Z'),
    between('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
  )
const date: FormatStrategy = (size) => dateTime(size).map((text) => text.slice(0, 10))
const time: FormatStrategy = (size) => dateTime(size).map((text) => text.slice(11))
const url: FormatStrategy = (size) => fc.webUrl({ size, withQueryParameters: true, withFragments: true })
const email: FormatStrategy = (size) => fc.emailAddress({ size })
const hostname: FormatStrategy = (size) => fc.domain({ size })
const text: FormatStrategy = (size) => fc.string({ size })
const path: FormatStrategy = (size) => fc.webPath({ size }).map((value) => value || '/')

const amount = (letter: string): fc.Arbitrary<string> =>
  fc
    .option(fc.nat({ max: 99 }), { nil: undefined })
    .map((value) => (value === undefined ? '' : `${value}${letter}`))
const duration: FormatStrategy = () =>
  fc
    .tuple(...['Y', 'M', 'D', 'H', 'M', 'S'].map(amount))
    .map(([years = '', months = '', days = '', hours = '', minutes = '', seconds = '']) => {
      const clock = hours + minutes + seconds
      const calendar = years + months + days
      return calendar + clock === '' ? 'P0D' : `P${calendar}${clock === '' ? '' : `T${clock}`}`
    })

const pointer: FormatStrategy = (size) => fc.array(fc.string({ size }), { size }).map(pointerTo)
const pointerFragment: FormatStrategy = (size) =>
  pointer(size).map((value) => `#${value.replace(/[^/~\w]/g, (character) => encodeURIComponent(character))}`)
const relativePointer: FormatStrategy = (size) =>
  fc.tuple(fc.nat({ max: 9 }), pointer(size)).map(([up, value]) => `${up}${value}`)
const template: FormatStrategy = (size) => path(size).map((value) => `${value}/{id}`)
const regex: FormatStrategy = (size) =>
  fc.string({ size }).map((value) => `^${value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}$`)

const FORMATS: ReadonlyMap<string, FormatStrategy> = new Map<string, FormatStrategy>([
  ['date-time', dateTime],
  ['iso-date-time', dateTime],
  ['date', date],
  ['time', time],
  ['iso-time', time],
  ['duration', duration],
  ['email', email],
  ['idn-email', email],
  ['hostname', hostname],
  ['idn-hostname', hostname],
  ['ipv4', () => fc.ipV4()],
  ['ipv6', () => fc.ipV6()],
  ['uri', url],
  ['url', url],
  ['iri', url],
  ['uri-reference', (size) => fc.oneof(path(size), url(size))],
  ['iri-reference', (size) => fc.oneof(path(size), url(size))],
  ['uri-template', template],
  ['uuid', () => fc.uuid()],
  ['json-pointer', pointer],
  ['json-pointer-uri-fragment', pointerFragment],
  ['relative-json-pointer', relativePointer],
  ['regex', regex],
  ['byte', (size) => fc.base64String({ size })],
  ['binary', text],
  ['password', text],
])
