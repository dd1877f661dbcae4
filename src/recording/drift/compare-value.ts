import { createChecker } from '../../engine/model/checker.ts'
import { itemsOf, requiredOf, schemaOf } from '../../engine/model/keywords.ts'
import { flatten } from '../../engine/model/merge.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/model/schema.ts'
import { finding, type Finding } from './finding.ts'

/** Compares values with a model, field by field. */
export type CompareValue = (value: unknown) => readonly Finding[]

/** How deep a value is looked into. */
const MOST_DEPTH = 64

/** Makes the comparison with a JSON Schema (2020-12): what a validator would refuse, and what the model does not name. */
export function createComparison(model: Schema): CompareValue {
  const resolve = createResolver(model)
  const checker = createChecker(model)
  // Each schema is folded once, however many values come.
  const fold = remember((schema: Schema) => flatten(schema, resolve))
  const bare = remember(withoutParts)
  const formsOf = remember(({ anyOf, oneOf, ...own }: Schema): readonly Schema[] | undefined => {
    const branches: unknown = anyOf ?? oneOf
    if (!Array.isArray(branches)) return undefined
    return branches.map((branch) => (isObject(branch) ? { allOf: [own, branch] } : own))
  })

  const compare = (
    schema: SchemaOrBoolean,
    value: unknown,
    pointer: string,
    depth: number,
  ): readonly Finding[] => {
    if (typeof schema === 'boolean' || depth > MOST_DEPTH) return []
    const flat = fold(schema)
    const forms = formsOf(flat)
    return forms === undefined
      ? compareFlat(flat, value, pointer, depth)
      : nearest(
          forms.map((form) => compare(form, value, pointer, depth + 1)),
          value,
          pointer,
        )
  }

  const compareFlat = (
    schema: Schema,
    value: unknown,
    pointer: string,
    depth: number,
  ): readonly Finding[] => {
    const types = typesOf(schema)
    const actual = typeOf(value)
    if (
      types.length > 0 &&
      !types.some((type) => type === actual || (type === 'number' && actual === 'integer'))
    ) {
      const expected = types.join(' or ')
      return [finding(value === null ? 'newly null' : 'type changed', pointer, expected, actual)]
    }
    if (isObject(value)) return compareObject(schema, value, pointer, depth)
    if (Array.isArray(value)) return compareList(schema, value, pointer, depth)
    return compareScalar(schema, value, pointer)
  }

  const compareObject = (
    schema: Schema,
    value: Readonly<Record<string, unknown>>,
    pointer: string,
    depth: number,
  ): readonly Finding[] => {
    const declared = new Map(propertiesOf(schema))
    const rest = schemaOf(schema, 'additionalProperties')
    const removed = requiredOf(schema)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => finding('field removed', below(pointer, name), describe(declared.get(name)), 'nothing'))
    const others = Object.entries(value).flatMap(([name, part]) => {
      const own = declared.get(name) ?? (isObject(rest) ? rest : undefined)
      if (own !== undefined) return compare(own, part, below(pointer, name), depth + 1)
      return [finding('field added', below(pointer, name), 'nothing', typeOf(part))]
    })
    // A model that names no field says nothing of any.
    return declared.size === 0 && rest === undefined ? removed : [...removed, ...others]
  }

  const compareList = (
    schema: Schema,
    items: readonly unknown[],
    pointer: string,
    depth: number,
  ): readonly Finding[] => {
    const { first, rest } = itemsOf(schema)
    const found = items.flatMap((item, index) =>
      compare(first[index] ?? rest, item, below(pointer, '-'), depth + 1),
    )
    const seen = new Map(found.map((each) => [`${each.change} ${each.pointer} ${each.actual}`, each]))
    return [...seen.values()]
  }

  const compareScalar = (schema: Schema, value: unknown, pointer: string): readonly Finding[] => {
    const allowed: unknown = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)
    if (Array.isArray(allowed)) {
      return allowed.includes(value)
        ? []
        : [finding('new enum value', pointer, list(allowed), JSON.stringify(value))]
    }
    const [violation] = checker.check(value, bare(schema))
    return violation === undefined
      ? []
      : [
          finding(
            'constraint broken',
            pointer,
            violation.message.replace(/^Value /, ''),
            JSON.stringify(value),
          ),
        ]
  }

  return (value) => compare(model, value, '', 0)
}

// Of several forms, the one that differs least is the one that was meant; one of another type never was.
function nearest(all: readonly (readonly Finding[])[], value: unknown, pointer: string): readonly Finding[] {
  const isOther = (found: readonly Finding[]): boolean => found.some((each) => each.pointer === pointer)
  if (value === null && all.every(isOther)) return [finding('newly null', pointer, 'a value', 'null')]
  const alike = all.filter((found) => !isOther(found))
  return (alike.length > 0 ? alike : all).toSorted((a, b) => weight(a) - weight(b))[0] ?? []
}

function remember<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}

/** Only what a scalar is checked by: its parts were folded in already, and links are no constraint. */
function withoutParts(schema: Schema): Schema {
  const { $defs: _defs, properties: _properties, allOf: _all, $id: _id, ...own } = schema
  return own
}

function weight(findings: readonly Finding[]): number {
  return findings.reduce(
    (sum, { severity }) => sum + (severity === 'breaking' ? 100 : severity === 'warning' ? 10 : 1),
    0,
  )
}

function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

function describe(schema: SchemaOrBoolean | undefined): string {
  return (isObject(schema) && typesOf(schema).join(' or ')) || 'a value'
}

function list(values: readonly unknown[]): string {
  const texts = values.slice(0, 8).map((value) => JSON.stringify(value))
  return texts.join(', ') + (values.length > 8 ? ', …' : '')
}
