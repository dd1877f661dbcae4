import { createChecker } from '../engine/schema/checker.ts'
import { matches } from '../engine/schema/match-pattern.ts'
import { itemsOf, requiredOf, schemaEntriesOf, schemaOf } from '../engine/schema/keywords.ts'
import { flatten } from '../engine/schema/merge.ts'
import { pointerBelow } from '../engine/schema/pointer.ts'
import {
  createResolver,
  isObject,
  isOfType,
  propertiesOf,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../engine/schema/schema.ts'
import { FORMS, type Forms, SEEN, trustIn, USUAL } from './observed-schema.ts'
import { finding, type Finding, nameOfSchema, nearestForm, shown, shownAll, typeOf } from './finding.ts'

/** Compares values with a model, field by field. */
export type CompareValue = (value: unknown) => readonly Finding[]

/** How deep a value is looked into. */
const MAX_DEPTH = 64
/** How many findings of one value are kept. */
const MAX_FINDINGS = 1000

/**
 * Makes the comparison with a JSON Schema (2020-12): what a validator would refuse, and what the model does not name.
 * @param isHidden whether a text stands for a value of which neither type nor form is known
 */
export function createComparison(
  model: Schema,
  isHidden: (text: string) => boolean = () => false,
): CompareValue {
  const resolve = createResolver(model)
  const checker = createChecker(model)
  // Each schema is folded once, however many values come.
  const fold = remember((schema: Schema) => flatten(schema, resolve))
  const ownOf = remember(ownConstraints)
  const partsOf = remember(fieldsOf)
  const formsOf = remember(({ anyOf, oneOf, ...own }: Schema): readonly Schema[] | undefined => {
    const branches: unknown = anyOf ?? oneOf
    if (!Array.isArray(branches)) return undefined
    return branches.map((branch) => (isObject(branch) ? { allOf: [own, branch] } : own))
  })

  const nameOf = (schema: SchemaOrBoolean | undefined): string =>
    nameOfSchema(isObject(schema) ? fold(schema) : schema)

  const compare: Compare<unknown, SchemaOrBoolean> = (schema, value, pointer, place) => {
    if (typeof schema === 'boolean' || place.depth > MAX_DEPTH) return []
    if (typeof value === 'string' && isHidden(value)) return []
    const flat = fold(schema)
    const { [SEEN]: seen = place.seen } = flat
    const own = { depth: place.depth + 1, seen: Number(seen) }
    const forms = formsOf(flat)
    if (forms === undefined) return compareFlat(flat, value, pointer, own)
    const all = forms.map((form) => compare(form, value, pointer, own))
    return nearestForm(all, value, pointer).map((found) =>
      found.pointer === pointer ? trusted(found, own.seen) : found,
    )
  }

  const compareFlat: Compare<unknown> = (schema, value, pointer, place) => {
    const types = typesOf(schema)
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      const change = value === null ? 'newly null' : 'type changed'
      return [trusted(finding(change, pointer, types.join(' or '), typeOf(value)), place.seen)]
    }
    const own = compareOwn(schema, value, pointer)
    if (isObject(value))
      return distinct([...compareFields(formIn(schema, value), value, pointer, place), ...own])
    if (Array.isArray(value)) return distinct([...compareItems(schema, value, pointer, place), ...own])
    return own
  }

  const compareFields: Compare<object> = (schema, value, pointer, place) => {
    const { declared, other } = partsOf(schema)
    const goneOf = (name: string): Finding =>
      finding('field removed', pointerBelow(pointer, name), nameOf(declared.get(name)), 'nothing')
    const isOther = isOtherOutcome(schema, value)
    const removed = requiredOf(schema)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => (isOther ? additive(goneOf(name)) : goneOf(name)))
    const found = Object.entries(value).flatMap(([name, part]) => {
      // Every object seems to have it.
      if (name === '__proto__') return []
      const own = declared.get(name)
      if (own !== undefined) return compare(own, part, pointerBelow(pointer, name), place)
      const rest = other(name)
      if (rest !== undefined) return compare(rest, part, pointerBelow(pointer, '*'), place)
      return [finding('field added', pointerBelow(pointer, name), 'nothing', typeOf(part))]
    })
    const missed = usualIn(schema)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => additive(goneOf(name)))
    return [...removed, ...missed, ...found]
  }

  const compareItems: Compare<readonly unknown[]> = (schema, items, pointer, place) => {
    const { first, rest } = itemsOf(schema)
    return items.flatMap((item, index) =>
      compare(first[index] ?? rest, item, pointerBelow(pointer, '-'), place),
    )
  }

  // What is required of the value itself, and not of its parts.
  const compareOwn = (schema: Schema, value: unknown, pointer: string): readonly Finding[] => {
    const allowed: unknown = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)
    const isScalar = value === null || typeof value !== 'object'
    if (Array.isArray(allowed) && isScalar)
      return allowed.includes(value)
        ? []
        : [finding('new enum value', pointer, shownAll(allowed), shown(value))]
    const own = ownOf(schema)
    const [violation] = own === undefined ? [] : checker.check(value, own)
    if (violation === undefined) return []
    const expected = violation.message.replace(/^Value /, '')
    return [finding('constraint broken', pointer, expected, shown(value))]
  }

  return (value) => compare(model, value, '', { depth: 0, seen: Infinity }).slice(0, MAX_FINDINGS)
}

// The form that the value's own member names; what has a name that nobody knows is compared with all forms as one.
function formIn(schema: Schema, value: unknown): Schema {
  if (!isObject(schema[FORMS]) || !isObject(value)) return schema
  const { member, byText } = schema[FORMS] as unknown as Forms
  const text = value[member]
  return typeof text === 'string' && Object.hasOwn(byText, text) ? (byText[text] ?? schema) : schema
}

// That nothing was null yet proves little where little was seen, and what was only ever null has a type that nobody knows.
function trusted(found: Finding, seen: number): Finding {
  const wasNull = found.change === 'type changed' && found.expected === 'null'
  if ((found.change !== 'newly null' && !wasNull) || found.severity === 'additive') return found
  const trust = trustIn(seen)
  if (trust === 2) return wasNull ? { ...found, severity: 'warning' } : found
  return { ...found, severity: trust === 1 ? 'warning' : 'additive' }
}

function additive(found: Finding): Finding {
  return { ...found, severity: 'additive' }
}

const ERROR = /^(error|errors|fault|exception)$/i

// Whether a value has an error where none was known, or none where there always was one: of such no model speaks.
function isOtherOutcome(schema: Schema, value: object): boolean {
  const isError = (name: string): boolean => ERROR.test(name)
  const known = new Set(propertiesOf(schema).map(([name]) => name))
  return (
    Object.keys(value).some((name) => isError(name) && !known.has(name)) ||
    requiredOf(schema).some((name) => isError(name) && !Object.hasOwn(value, name))
  )
}

function usualIn(schema: Schema): readonly string[] {
  const usual = schema[USUAL]
  return Array.isArray(usual) ? (usual as string[]) : []
}

/** Where in a value something stands. */
interface Place {
  readonly depth: number
  /** In how many values it was seen, where the model says it. */
  readonly seen: number
}

type Compare<Value, Model = Schema> = (
  schema: Model,
  value: Value,
  pointer: string,
  place: Place,
) => readonly Finding[]

interface Fields {
  readonly declared: ReadonlyMap<string, SchemaOrBoolean>
  /** The schema of a field without a name of its own; `undefined` where there should be none. */
  readonly other: (name: string) => SchemaOrBoolean | undefined
}

function fieldsOf(schema: Schema): Fields {
  const declared = new Map(propertiesOf(schema))
  const rest = schemaOf(schema, 'additionalProperties')
  const patterns = schemaEntriesOf(schema, 'patternProperties')
  // A model that names no field says nothing of any. One that lets others come does not say that there are any.
  const isSilent = declared.size === 0 && patterns.length === 0 && rest === undefined
  const others = isSilent || (declared.size === 0 && rest === true) ? true : isObject(rest) ? rest : undefined
  return {
    declared,
    other: (name) => patterns.find(([pattern]) => matches(pattern, name))?.[1] ?? others,
  }
}

function remember<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}

/** What is required of a value besides its type, and not of its parts one by one. */
const OWN = new Set([
  ...['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['minContains', 'maxContains', 'minProperties', 'maxProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'not', 'if', 'then', 'else'],
])

function ownConstraints(schema: Schema): Schema | undefined {
  const own = Object.entries(schema).filter(([keyword]) => OWN.has(keyword))
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** Each finding once: items of a list and entries of a map mostly differ alike. */
export function distinct(found: readonly Finding[]): readonly Finding[] {
  const seen = new Map(found.map((each) => [`${each.change} ${each.pointer} ${each.actual}`, each]))
  return [...seen.values()]
}
