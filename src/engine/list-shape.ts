import { itemsOf, kindOf, schemasOf } from './schema/keywords.ts'
import { createFold } from './schema/merge.ts'
import { createResolver, isObject, propertiesOf, type Schema, type SchemaOrBoolean } from './schema/schema.ts'
import { fieldsOf } from './schema/fields.ts'

/** Where in an answer its list lies. */
export interface ListShape {
  /** The property that holds the list; `undefined` where the answer is the list. */
  readonly field: string | undefined
  /** The list's own schema, references folded in. */
  readonly list: Schema
  /** The model of one item, which stands by itself. */
  readonly item: Schema
}

const LIST_NAMES = ['items', 'data', 'results', 'values', 'records', 'entries', 'content', 'list']

/**
 * The list of an answer that is one, or an object about one. An object with several lists is about the one with a
 * usual name, or with the name of the collection, or else about the only one that has objects.
 */
export function listShapeOf(model: Schema, path: string): ListShape | undefined {
  const fold = createFold(createResolver(model))
  const folded = fold(model)
  if (typeof folded === 'boolean') return undefined
  const shape = (field: string | undefined, list: Schema): ListShape => ({
    field,
    list,
    item: partOf(model, itemsOf(list).rest),
  })
  if (isList(folded)) return shape(undefined, folded)
  if (kindOf(folded) !== 'object') return undefined

  const lists = propertiesOf(folded).flatMap(([name, part]): [string, Schema][] => {
    const list = fold(part)
    return typeof list === 'object' && isList(list) ? [[name, list]] : []
  })
  const names = [path.split('/').at(-1) ?? '', ...LIST_NAMES]
  const found =
    lists.length === 1
      ? lists[0]
      : (names.map((name) => lists.find(([each]) => each === name)).find(Boolean) ??
        onlyOf(lists.filter(([, list]) => hasObjects(list, fold))))
  return found === undefined ? undefined : shape(...found)
}

function onlyOf<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined
}

function hasObjects(list: Schema, fold: ReturnType<typeof createFold>): boolean {
  const item = fold(itemsOf(list).rest)
  return typeof item === 'object' && kindOf(item) === 'object'
}

function isList(schema: Schema): boolean {
  const { first } = itemsOf(schema)
  return kindOf(schema) === 'array' && first.length === 0 && schemasOf(schema, 'prefixItems') === undefined
}

const DEFINITIONS = ['$defs', 'definitions', 'components'] as const

/** A part of a model as a model of its own: what its references name comes along. */
export function partOf(model: Schema, part: SchemaOrBoolean): Schema {
  const shared = DEFINITIONS.filter((keyword) => Object.hasOwn(model, keyword))
  const own = typeof part === 'boolean' ? (part ? {} : { not: {} }) : part
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
