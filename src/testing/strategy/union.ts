import fc from 'fast-check'
import { isObject, typesOf, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { ModelNotGenerable } from '../../errors.ts'
import { impossible, type StrategyPosition, type Strategies } from './strategies.ts'

/** Values of any member of `anyOf`, `oneOf`, `if` or several types, shrinking towards the simplest member. */
export function unionStrategy(
  schema: Schema,
  at: StrategyPosition,
  strategies: Strategies,
): fc.Arbitrary<unknown> {
  const { base, choices } = choicesOf(schema)
  const heightOf = (member: SchemaOrBoolean): number => strategies.heights.of(member)
  const members = choices
    .reduce((left, right) => left.flatMap((a) => right.map((b) => ({ allOf: [a, b] }))))
    .map((member) => ({ member, whole: Object.keys(base).length === 0 ? member : { allOf: [base, member] } }))
    .filter(({ whole }) => heightOf(whole) !== Infinity)
    .toSorted((a, b) => rank(a.member) - rank(b.member) || heightOf(a.whole) - heightOf(b.whole))

  const lowest = Math.min(...members.map(({ whole }) => heightOf(whole)))
  const kept = strategies.isDeep(at) ? members.filter(({ whole }) => heightOf(whole) === lowest) : members
  const [first, ...others] = kept.flatMap(({ whole }) => possible(() => strategies.strategyFor(whole, at)))
  if (first === undefined) throw impossible(at)
  return fc.oneof({ withCrossShrink: true }, first, ...others)
}

/** Whether a schema is a choice between several. */
export function isUnion(schema: Schema): boolean {
  return UNIONS.some((keyword) => keyword in schema) || typesOf(schema).length > 1
}

const UNIONS = ['anyOf', 'oneOf', 'if', 'dependentSchemas']

interface Choices {
  /** What all members have in common. */
  readonly base: Schema
  /** Lists of alternatives, of each of which one holds. */
  readonly choices: readonly (readonly SchemaOrBoolean[])[]
}

function choicesOf(schema: Schema): Choices {
  const { anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas, ...base } = schema
  const choices = [anyOf, oneOf].filter((each): each is SchemaOrBoolean[] => Array.isArray(each))
  if (condition !== undefined) {
    const met = { allOf: [condition, then ?? true] }
    choices.push([met, { allOf: [{ not: condition }, otherwise ?? true] }])
  }
  for (const [name, part] of Object.entries(isObject(dependentSchemas) ? dependentSchemas : {})) {
    choices.push([{ properties: { [name]: false } }, { allOf: [{ required: [name] }, part] }])
  }
  if (choices.length > 0) return { base, choices }
  const { type: _type, ...rest } = base
  return { base: rest, choices: [typesOf(schema).map((type) => ({ type }))] }
}

// Null is the simplest of all values, and true simpler than any schema.
function rank(member: SchemaOrBoolean): number {
  if (typeof member === 'boolean') return 1
  return member['const'] === null || typesOf(member)[0] === 'null' ? 0 : 2
}

// A member that nothing fits, such as a text within a number's bounds, leaves the others.
function possible(make: () => fc.Arbitrary<unknown>): fc.Arbitrary<unknown>[] {
  try {
    return [make()]
  } catch (error) {
    if (error instanceof ModelNotGenerable) return []
    throw error
  }
}
