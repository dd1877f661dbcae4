import { itemsByIndex } from '../../engine/bracket-names.ts'
import { remembered } from '../../engine/lazy.ts'
import { alternativesOf, createTextReader } from '../../engine/schema/coerce.ts'
import { fieldSchemasOf, type FieldSchemas } from '../../engine/schema/fields.ts'
import { itemsOf, kindOf } from '../../engine/schema/keywords.ts'
import { typesOf, type Resolve, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'

/** A value as it was written: texts, lists of them and named ones; and what needs no reading any more. */
export type TextTree = string | readonly TextTree[] | ReadonlyMap<string, TextTree> | Known

/** A value inside a text tree that is not a text, such as one read from JSON. */
export interface Known {
  readonly value: unknown
}

/** What a value is written as. */
export type Shape = 'text' | 'list' | 'object'

/** Reads what was written for a schema. */
export interface TreeReader {
  /** The shapes that the schema's values may have, texts first. */
  readonly shapes: readonly Shape[]
  /** The fields of an object, for a schema that takes one. */
  readonly fields: FieldSchemas | undefined
  /** Reads texts as the types the schema asks for; what cannot be read so is left to validation to refuse. */
  readonly read: (tree: TextTree) => unknown
}

/** Makes the readers of one document's schemas, each when it is first needed. */
export function createTreeReaders(resolve: Resolve): (schema: SchemaOrBoolean) => TreeReader {
  const readerOf: (schema: SchemaOrBoolean) => TreeReader = remembered((schema) =>
    createTreeReader(schema, resolve, readerOf),
  )
  return readerOf
}

function createTreeReader(
  schema: SchemaOrBoolean,
  resolve: Resolve,
  readerOf: (part: SchemaOrBoolean) => TreeReader,
): TreeReader {
  const forms = alternativesOf(schema, resolve)
  const list = forms.find((form) => admits(form, 'array'))
  const object = forms.find((form) => admits(form, 'object'))
  const fields = object && fieldSchemasOf(object, resolve)
  const takesText = forms.length === 0 || forms.some((form) => SCALARS.some((kind) => admits(form, kind)))
  const readText = createTextReader(schema, resolve)

  const readList = (form: Schema, trees: readonly TextTree[]): unknown => {
    const { first, rest } = itemsOf(form)
    return trees.map((tree, index) => readerOf(first[index] ?? rest).read(tree))
  }
  return {
    shapes: [
      ...(takesText ? ['text' as const] : []),
      ...(list === undefined ? [] : ['list' as const]),
      ...(object === undefined ? [] : ['object' as const]),
    ],
    fields,
    read(tree) {
      if (typeof tree === 'string') return readText(tree)
      if (isList(tree)) {
        if (list !== undefined) return readList(list, tree)
        return tree.every((each) => typeof each === 'string') ? readText(tree) : plain(tree)
      }
      if (!isNamed(tree)) return tree.value
      if (fields !== undefined) {
        return objectOf(tree, (name, part) =>
          readerOf(fields.declared.get(name) ?? fields.other(name)).read(part),
        )
      }
      const items = list && itemsByIndex(tree)
      return list === undefined || items === undefined ? plain(tree) : readList(list, items)
    },
  }
}

const SCALARS = ['string', 'integer', 'number', 'boolean']

function admits(form: Schema, kind: string): boolean {
  const types = typesOf(form)
  return types.length === 0 ? kindOf(form) === kind : types.includes(kind)
}

function isList(tree: TextTree): tree is readonly TextTree[] {
  return Array.isArray(tree)
}

function isNamed(tree: TextTree): tree is ReadonlyMap<string, TextTree> {
  return tree instanceof Map
}

function plain(tree: TextTree): unknown {
  if (typeof tree === 'string') return tree
  if (isList(tree)) return tree.map(plain)
  return isNamed(tree) ? objectOf(tree, (_name, part) => plain(part)) : tree.value
}

// A field of this name would be the prototype of whoever copies the object carelessly.
const UNSAFE = '__proto__'

function objectOf(
  tree: ReadonlyMap<string, TextTree>,
  read: (name: string, part: TextTree) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = [...tree].filter(([name]) => name !== UNSAFE)
  return Object.fromEntries(entries.map(([name, part]) => [name, read(name, part)]))
}
