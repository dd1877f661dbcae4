import type { ErrorObject } from 'ajv/dist/2020.js'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { lazy } from '../lazy.ts'
import type { CalledDefinition, Choose } from './create-ajv.ts'
import { requiredOf, schemasOf } from './keywords.ts'
import { isObject, propertiesOf, typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

/** What a reference leads to; nothing where it leads nowhere. */
type Follow = (reference: string) => SchemaOrBoolean | undefined

/**
 * A choice between many schemas, of which as few as possible are looked at: of those that a discriminator names, the one
 * that it names.
 * @param members the schemas, and what validates them
 */
export function createChoice(
  keyword: 'anyOf' | 'oneOf',
  members: readonly { readonly schema: SchemaOrBoolean; readonly called: CalledDefinition }[],
  follow: Follow,
): Choose {
  const possibleFor = lazy(() =>
    createSelection(
      members.map(({ schema }) => schema),
      follow,
    ),
  )
  const most = keyword === 'anyOf' ? Infinity : 1
  const choose: Choose = (value: unknown, context?: DataValidationCxt) => {
    const errors: Partial<ErrorObject>[] = []
    let fitting = 0
    for (const index of possibleFor()(value)) {
      const { called } = members[index] as (typeof members)[number]
      if (called.validate(value, context)) fitting++
      else errors.push(...(called.validate.errors ?? []))
      if (fitting > 0 && (most === Infinity || fitting > most)) break
    }
    const isFitting = fitting > 0 && fitting <= most
    choose.errors = isFitting ? [] : [...errors, { keyword, params: {}, message: MESSAGES[keyword] }]
    return isFitting
  }
  return choose
}

const MESSAGES = {
  anyOf: 'must match a schema in anyOf',
  oneOf: 'must match exactly one schema in oneOf',
}

/** Finds the members of a choice that a value may fit, in their order, by a property whose values they name. */
function createSelection(
  members: readonly SchemaOrBoolean[],
  follow: Follow,
): (value: unknown) => Iterable<number> {
  const names = new Set([members[0], members.at(-1)].flatMap((each) => namedValues(each, follow)))
  const tables = [...names].map((name) => tableOf(name, members, follow))
  const best = tables.toSorted((a, b) => b.named - a.named)[0]
  if (best === undefined) return () => members.keys()
  return (value) => {
    if (!isObject(value)) return best.ofOtherKinds
    const own = value[best.name]
    return own === undefined ? best.absent : (best.byValue.get(own) ?? best.others)
  }
}

interface Table {
  readonly name: string
  /** How many members name values of the property. */
  readonly named: number
  /**
   * Members that a value may fit: an object by the property's value, with any other one, and without the property; and
   * what is not an object.
   */
  readonly byValue: ReadonlyMap<unknown, readonly number[]>
  readonly others: readonly number[]
  readonly absent: readonly number[]
  readonly ofOtherKinds: readonly number[]
}

function tableOf(name: string, members: readonly SchemaOrBoolean[], follow: Follow): Table {
  const known = new Map<Schema, Named>()
  const found = members.map((each) => namedBy(each, name, follow, known))
  const values = new Set(found.flatMap((each) => [...(each.values ?? [])]))
  const indexesOf = (test: (each: Named) => boolean): number[] =>
    found.flatMap((each, index) => (test(each) ? [index] : []))
  const others = indexesOf((each) => each.values === undefined)
  const byValue = new Map<unknown, number[]>([...values].map((value) => [value, []]))
  for (const [index, each] of found.entries())
    for (const value of each.values ?? values) byValue.get(value)?.push(index)
  return {
    ...{ name, byValue, others },
    named: found.length - others.length,
    absent: indexesOf((each) => !each.isRequired),
    ofOtherKinds: indexesOf((each) => !each.isOfObjects),
  }
}

/** What a schema says of a property of its values. */
interface Named {
  /** The values that it may have; `undefined` for any. */
  readonly values: Values
  readonly isRequired: boolean
  /** Whether nothing else than an object fits. */
  readonly isOfObjects: boolean
}

const ANY: Named = { values: undefined, isRequired: false, isOfObjects: false }

function namedBy(
  schema: SchemaOrBoolean | undefined,
  name: string,
  follow: Follow,
  known: Map<Schema, Named>,
): Named {
  if (!isObject(schema)) return ANY
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, ANY)
  const of = (part: SchemaOrBoolean | undefined): Named => namedBy(part, name, follow, known)
  const part = new Map(propertiesOf(schema)).get(name)
  const own: Named = {
    values: part === undefined ? undefined : valuesOf(part, follow),
    isRequired: requiredOf(schema).includes(name),
    isOfObjects: typesOf(schema).length === 1 && typesOf(schema)[0] === 'object',
  }
  const { $ref: reference } = schema
  const whole = [
    own,
    ...(typeof reference === 'string' ? [of(follow(reference))] : []),
    ...(schemasOf(schema, 'allOf') ?? []).map(of),
    ...[schemasOf(schema, 'anyOf'), schemasOf(schema, 'oneOf')].flatMap((each) =>
      each === undefined ? [] : [either(each.map(of))],
    ),
  ]
  const found: Named = {
    values: whole.map(({ values }) => values).reduce(common),
    isRequired: whole.some(({ isRequired }) => isRequired),
    isOfObjects: whole.some(({ isOfObjects }) => isOfObjects),
  }
  known.set(schema, found)
  return found
}

function either(members: readonly Named[]): Named {
  const values = members.map((each) => each.values)
  return {
    values: values.includes(undefined) ? undefined : new Set(values.flatMap((each) => [...(each ?? [])])),
    isRequired: members.every(({ isRequired }) => isRequired),
    isOfObjects: members.every(({ isOfObjects }) => isOfObjects),
  }
}

type Values = ReadonlySet<unknown> | undefined

function common(left: Values, right: Values): Values {
  if (left === undefined || right === undefined) return left ?? right
  return new Set([...left].filter((value) => right.has(value)))
}

// The values that a schema names of which each is equal to itself alone.
function valuesOf(schema: SchemaOrBoolean, follow: Follow, depth = 0): Values {
  if (!isObject(schema) || depth > MAX_DEPTH) return undefined
  const { $ref: reference, enum: listed } = schema
  const of = (part: SchemaOrBoolean | undefined): Values =>
    part === undefined ? undefined : valuesOf(part, follow, depth + 1)
  const named = Object.hasOwn(schema, 'const')
    ? [schema['const']]
    : Array.isArray(listed)
      ? listed
      : undefined
  const own = named?.some((value) => typeof value === 'object' && value !== null) ? undefined : named
  return [
    own && new Set<unknown>(own),
    typeof reference === 'string' ? of(follow(reference)) : undefined,
    ...(schemasOf(schema, 'allOf') ?? []).map(of),
  ].reduce(common)
}

const MAX_DEPTH = 8

/** The names of the properties whose values a schema names. */
function namedValues(schema: SchemaOrBoolean | undefined, follow: Follow, depth = 0): readonly string[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return []
  const { $ref: reference } = schema
  const parts = [
    ...(typeof reference === 'string' ? [follow(reference)] : []),
    ...(schemasOf(schema, 'allOf') ?? []),
    ...['anyOf', 'oneOf'].flatMap((keyword) => schemasOf(schema, keyword)?.slice(0, 1) ?? []),
  ]
  const own = propertiesOf(schema).flatMap(([name, part]) =>
    valuesOf(part, follow) === undefined ? [] : [name],
  )
  return [...own, ...parts.flatMap((part) => namedValues(part, follow, depth + 1))]
}
