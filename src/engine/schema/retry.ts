import { ModelNotGenerable } from '../../errors.ts'
import { hashText } from '../random.ts'
import { budgetOf, mayRetry, mayTest, tested } from './budget.ts'
import type { Compiler, Generate } from './generate.ts'
import { kindOf, numberOf, requiredOf, schemasOf } from './keywords.ts'
import { VERIFY } from './merge.ts'
import { isUnion } from './members.ts'
import type { Position } from './position.ts'
import { isObject, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

// Keywords that no kind builds into its values, or not in all combinations.
const TESTED = new Set([
  ...['not', 'if', 'oneOf', 'contains', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
  ...['dependencies', 'unevaluatedProperties', 'unevaluatedItems'],
])
const MAX_ATTEMPTS = 50
const RETRY = hashText('another attempt')

/** Meets hard keywords by trying: values are generated without them until one fits; the first when none does. */
export function retryUntilFits(
  folded: Schema,
  generate: Generate,
  at: Position,
  compiler: Compiler,
): Generate {
  const { fold, checker } = compiler
  const goal = (folded[VERIFY] ?? folded) as Schema
  const isHard = (keyword: string): boolean =>
    TESTED.has(keyword) && !(keyword === 'oneOf' && areApart(schemasOf(folded, 'oneOf'), fold))
  if (goal === folded && !Object.keys(folded).some(isHard)) return generate
  let members: readonly Generate[] | undefined

  return (stream, scope) => {
    const { bytes } = budgetOf(scope)
    const fits = (value: unknown): boolean => {
      const does = checker.fits(value, goal)
      tested(scope, checker.steps())
      return does
    }
    const first = generate(stream, scope)
    if (!mayTest(scope, at) || fits(first)) return first
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      if (!mayRetry(scope, bytes)) return first
      const value = generate(stream.child(RETRY + attempt), scope)
      if (fits(value)) return value
    }
    members ??= membersOf(folded, at, compiler)
    for (const member of members) {
      if (!mayRetry(scope, bytes)) return first
      const value = tryMember(() => member(stream.child(RETRY), scope))
      if (value !== NONE && fits(value)) return value
    }
    return first
  }
}

const NONE = Symbol('no value')

// What is left of a member with all that stands beside it may allow nothing, where another still does.
function tryMember(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    if (error instanceof ModelNotGenerable) return NONE
    throw error
  }
}

// Chance may take long to find a member of `oneOf` that others do not cover, and never leaves out a field whose
// presence makes a value fit two of them, or one that may not be there: so each member in turn, first whole, then with
// what it requires alone; then values that its keywords do not speak of, and at last those that no name suggests: a
// number called `id` is whole by its name alone.
function membersOf(folded: Schema, at: Position, compiler: Compiler): readonly Generate[] {
  const { oneOf: _, ...rest } = folded
  const whole: Schema[] = (schemasOf(folded, 'oneOf') ?? []).map((member) => ({ allOf: [rest, member] }))
  const bare = [...whole, folded].flatMap((member) => bareOf(member, compiler))
  const others = [...whole, ...outsideOf(folded), ...bare, ...otherKindsOf(folded)]
  const named = others.map((member) => [member, at] as const)
  const above: Position = { model: at.model, field: '' }
  const nameless = at.field === '' ? [] : [...whole, folded].map((member) => [member, above] as const)
  return [...named, ...nameless]
    .filter(([member]) => compiler.heights.of(member) !== Infinity)
    .map(([member, position]) => compiler.compileUnlinked(member, position))
}

// Values on either side of those that `not` leaves out.
function outsideOf(folded: Schema): readonly Schema[] {
  const { not } = folded
  if (!isObject(not)) return []
  return Object.keys(not).flatMap((keyword): Schema[] => {
    const [opposite, step] = OPPOSITES.get(keyword) ?? []
    const bound = numberOf(not, keyword)
    if (opposite === undefined || step === undefined || bound === undefined || (step < 0 && bound < 1))
      return []
    return [{ allOf: [folded, { [opposite]: bound + step }] }]
  })
}

const OPPOSITES: ReadonlyMap<string, readonly [keyword: string, step: number]> = new Map([
  ['minimum', ['exclusiveMaximum', 0]],
  ['maximum', ['exclusiveMinimum', 0]],
  ['exclusiveMinimum', ['maximum', 0]],
  ['exclusiveMaximum', ['minimum', 0]],
  ['minLength', ['maxLength', -1]],
  ['maxLength', ['minLength', 1]],
  ['minItems', ['maxItems', -1]],
  ['maxItems', ['minItems', 1]],
  ['minProperties', ['maxProperties', -1]],
  ['maxProperties', ['minProperties', 1]],
])

// A schema without a type, as one of each type that its keywords do not mean.
function otherKindsOf(folded: Schema): readonly Schema[] {
  if (typesOf(folded).length > 0 || folded[VERIFY] !== undefined || isUnion(folded)) return []
  return KINDS.filter((type) => type !== kindOf(folded)).map((type) => ({ allOf: [folded, { type }] }))
}

const KINDS = ['string', 'integer', 'object', 'array', 'boolean', 'null']

// A schema of objects with no more than their required fields; none for one of those.
function bareOf(schema: Schema, { fold }: Compiler): readonly Schema[] {
  const folded = fold(schema)
  if (typeof folded === 'boolean' || kindOf(folded) !== 'object') return []
  const { length } = requiredOf(folded)
  const most = numberOf(folded, 'maxProperties') ?? Infinity
  return most <= length ? [] : [{ allOf: [schema, { maxProperties: length }] }]
}

// Members of different types never fit together.
function areApart(members: readonly SchemaOrBoolean[] | undefined, fold: Compiler['fold']): boolean {
  const types = (members ?? []).flatMap((member) => {
    const folded = fold(member)
    const own = typeof folded === 'boolean' ? [] : typesOf(folded)
    return own.length === 0 ? ['any'] : own.map((type) => (type === 'integer' ? 'number' : type))
  })
  return !types.includes('any') && new Set(types).size === types.length
}
