import { remembered } from './lazy.ts'
import { itemsOf, kindOf, numberOf, requiredOf, schemasOf, SUBSCHEMAS } from './schema/keywords.ts'
import { foldOf, type Fold } from './schema/merge.ts'
import { createResolver, isObject, propertiesOf, type Schema, type SchemaOrBoolean } from './schema/schema.ts'
import { fieldsOf } from './schema/fields.ts'

/** Where in an answer its list lies. */
export interface ListShape {
  /** The names that lead to the list; none where the answer is the list. */
  readonly path: readonly string[]
  /** The list's own schema, references folded in. */
  readonly list: Schema
  /** The model of one item, which stands by itself. */
  readonly item: Schema
  /** Whether it need not be there, and has an item at least where it is: it is left out where it would be empty. */
  readonly leavesOut?: boolean
}

const LIST_NAMES = ['items', 'data', 'results', 'values', 'records', 'entries', 'content', 'list']

/** Objects that hold what an answer is about. */
const WRAPPERS = ['data', 'result', 'results', 'response', 'payload', 'body', '_embedded', 'd']

/**
 * The list of an answer that is one, or an object about one. An object with several lists is about the one with a
 * usual name, or with the name of the collection, however its words are joined, or else about the only one that has objects. Where it has none, one
 * with objects may be in what it wraps: `{ data: { items: [...] } }`. Of lists that are all as good, it is the first.
 */
export function listShapeOf(model: Schema, path: string): ListShape | undefined {
  const known = shapesOf(model)
  const name = path.split('/').at(-1) ?? ''
  const found = known.get(name) ?? { shape: findList(model, path) }
  known.set(name, found)
  return found.shape
}

// Many operations answer with one model.
const shapesOf = remembered(
  (_model: Schema) => new Map<string, { readonly shape: ListShape | undefined }>(),
  new WeakMap(),
)

function findList(model: Schema, path: string): ListShape | undefined {
  const fold = foldOf(model)
  const folded = fold(model)
  if (typeof folded === 'boolean') return undefined
  const shape = (names: readonly string[], list: Schema): ListShape => ({
    path: names,
    list,
    item: partOf(model, itemsOf(list).rest),
  })
  if (isList(folded)) return shape([], folded)
  const choice = listAmong(
    [...(schemasOf(folded, 'anyOf') ?? schemasOf(folded, 'oneOf') ?? [])].map(fold),
    fold,
  )
  if (choice !== undefined) return shape([], choice)
  if (kindOf(folded) !== 'object') return undefined

  const lists = listsIn(folded, fold)
  const found = listAbout(lists, path, fold)
  if (found !== undefined) {
    const [name, list] = found
    const leavesOut = numberOf(list, 'minItems') === 1 && !requiredOf(folded).includes(name)
    return { ...shape([name], list), ...(leavesOut && { leavesOut }) }
  }
  // What has a path of its own is an item, whatever it holds.
  if (lists.length > 0 || path.endsWith('}')) return undefined
  const inner = wrappedIn(folded, path, fold)
  const within = inner && listAbout(listsIn(inner[1], fold), path, fold)
  if (inner === undefined || within === undefined || !hasObjects(within[1], fold)) return undefined
  return shape([inner[0], within[0]], within[1])
}

// Of lists of objects and of their names, it is that of the objects.
function listAmong(choices: readonly SchemaOrBoolean[], fold: Fold): Schema | undefined {
  const lists = choices.filter((each) => typeof each === 'object' && isList(each)) as readonly Schema[]
  if (lists.length < choices.length) return undefined
  return lists.find((each) => hasObjects(each, fold)) ?? lists[0]
}

type Named = readonly [name: string, schema: Schema]

function listsIn(schema: Schema, fold: Fold): readonly Named[] {
  return propertiesOf(schema).flatMap(([name, part]): Named[] => {
    const list = fold(part)
    return typeof list === 'object' && isList(list) ? [[name, list]] : []
  })
}

function listAbout(lists: readonly Named[], path: string, fold: Fold): Named | undefined {
  if (lists.length === 1) return lists[0]
  const own = path.split('/').at(-1) ?? ''
  const called = lists.find(([name]) => name === own)
  const alike = lists.find(([name]) => plain(name) === plain(own))
  if (called !== undefined || (alike !== undefined && hasObjects(alike[1], fold))) return called ?? alike
  const named = LIST_NAMES.map((name) => lists.find(([each]) => each === name)).find(Boolean)
  return named ?? onlyOf(lists.filter(([, list]) => hasObjects(list, fold))) ?? alike
}

// Names that differ in how their words are joined are one: `team-wages` and `team_wages`.
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '')
}

function wrappedIn(schema: Schema, path: string, fold: Fold): Named | undefined {
  const objects = propertiesOf(schema).flatMap(([name, part]): Named[] => {
    const inner = fold(part)
    return typeof inner === 'object' && kindOf(inner) === 'object' ? [[name, inner]] : []
  })
  const names = [path.split('/').at(-1) ?? '', ...WRAPPERS]
  return names.map((name) => objects.find(([each]) => each === name)).find(Boolean)
}

function onlyOf<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined
}

function hasObjects(list: Schema, fold: Fold): boolean {
  const item = fold(itemsOf(list).rest)
  return typeof item === 'object' && kindOf(item) === 'object'
}

function isList(schema: Schema): boolean {
  const { first } = itemsOf(schema)
  // The items of others are not all alike.
  const isOpen = schemasOf(schema, 'prefixItems') === undefined && schema['contains'] === undefined
  return kindOf(schema) === 'array' && first.length === 0 && isOpen
}

const DEFINITIONS = ['$defs', 'definitions', 'components'] as const

function refers(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refers)
  if (!isObject(schema)) return false
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === '$ref' || keyword === '$dynamicRef') return true
    const held = SUBSCHEMAS.get(keyword)
    if (held === undefined) return false
    return held === 'named' && isObject(value) ? Object.values(value).some(refers) : refers(value)
  })
}

/** A part of a model as a model of its own: what its references name comes along. */
export function partOf(model: Schema, part: SchemaOrBoolean): Schema {
  const own = typeof part === 'boolean' ? (part ? {} : { not: {} }) : part
  // Whoever compiles it would compile all that comes along, which may be thousands of models.
  if (!refers(own)) return { ...own }
  const shared = DEFINITIONS.filter((keyword) => Object.hasOwn(model, keyword))
  return { ...Object.fromEntries(shared.map((keyword) => [keyword, model[keyword]])), ...own }
}

/** The part of a model that some names lead to. It stands by itself: what its references name comes along. */
export function partAt(model: Schema, path: readonly string[]): SchemaOrBoolean {
  return path.reduce<SchemaOrBoolean>(
    (whole, name) =>
      isObject(whole) ? partOf(whole, fieldsOf(whole, createResolver(whole)).get(name) ?? true) : true,
    model,
  )
}
