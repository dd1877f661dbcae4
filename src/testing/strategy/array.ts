import fc from 'fast-check'
import { canonicalText } from '../../engine/random.ts'
import { itemsOf, numberOf } from '../../engine/schema/keywords.ts'
import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { below, impossible, type StrategyPosition, type Strategies } from './strategies.ts'

const MAX_WITHIN_ITSELF = 3

interface Lengths {
  readonly minLength: number
  readonly maxLength: number
}

/** Arrays and tuples: their own items first, then the rest, as many as their bounds allow. */
export function arrayStrategy(
  schema: Schema,
  at: StrategyPosition,
  strategies: Strategies,
): fc.Arbitrary<unknown[]> {
  const least = Math.max(numberOf(schema, 'minItems') ?? 0, containedOf(schema))
  const most = numberOf(schema, 'maxItems') ?? Infinity
  if (least > most) throw impossible(at)
  const { first, rest } = itemsOf(schema)
  const isEndless = (part: SchemaOrBoolean): boolean => strategies.heights.of(part) === Infinity
  const endless = first.findIndex(isEndless)
  const possible = strategies.isDeep(at)
    ? least
    : Math.min(most, endless < 0 ? Infinity : Math.max(least, endless))
  const prefix = first
    .slice(0, possible)
    .map((part, index) => strategies.strategyFor(part, below(at, String(index))))

  // Of a tuple that says nothing of further items, none are wanted.
  const isOpen =
    (first.length === 0 || rest !== true || least > first.length) && prefix.length === first.length
  const minLength = Math.max(0, least - prefix.length)
  const spare = Math.max(0, most - prefix.length)
  const usual = at.depth > 0 ? Math.max(minLength, Math.min(spare, MAX_WITHIN_ITSELF)) : spare
  const maxLength = !isOpen || isEndless(rest) || strategies.isDeep(at) ? minLength : usual
  const others = restStrategy(schema, rest, { minLength, maxLength }, at, strategies)

  // A tuple may be cut short where its minimum allows, but only where nothing follows.
  const cut = fc.integer({ min: Math.min(least, prefix.length), max: prefix.length })
  return fc
    .tuple(fc.tuple(...prefix), others, cut)
    .map(([own, more, length]) => (more.length > 0 ? [...own, ...more] : own.slice(0, length)))
}

function restStrategy(
  schema: Schema,
  item: SchemaOrBoolean,
  lengths: Lengths,
  at: StrategyPosition,
  strategies: Strategies,
): fc.Arbitrary<unknown[]> {
  if (lengths.maxLength === 0) return fc.constant([])
  const place = below(at, 'items')
  const each = strategies.strategyFor(item, place)
  const count = containedOf(schema)
  if (count > 0) {
    const match = strategies.strategyFor({ allOf: [item, schema['contains']] }, place)
    return fc
      .tuple(arrayOf(match, { minLength: count, maxLength: count }), arrayOf(each, without(count, lengths)))
      .map(([matching, others]) => [...matching, ...others])
  }
  if (schema['uniqueItems'] !== true) return arrayOf(each, lengths)
  return fc.uniqueArray(each, { ...constraintsOf(lengths), selector: canonicalText })
}

/** How many items must fit `contains`. */
function containedOf(schema: Schema): number {
  return isObject(schema['contains']) ? (numberOf(schema, 'minContains') ?? 1) : 0
}

function without(count: number, { minLength, maxLength }: Lengths): Lengths {
  return { minLength: Math.max(0, minLength - count), maxLength: Math.max(0, maxLength - count) }
}

function arrayOf(each: fc.Arbitrary<unknown>, lengths: Lengths): fc.Arbitrary<unknown[]> {
  return fc.array(each, constraintsOf(lengths))
}

function constraintsOf({ minLength, maxLength }: Lengths): fc.ArrayConstraints {
  return { minLength, ...(maxLength < Infinity && { maxLength }) }
}
