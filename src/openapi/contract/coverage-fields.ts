import { lazy, remembered } from '../../engine/lazy.ts'
import { alternativesOf } from '../../engine/schema/coerce.ts'
import { fieldsOf } from '../../engine/schema/fields.ts'
import { itemsOf } from '../../engine/schema/keywords.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { createResolver, isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'

/** How often the declared fields of a body were seen. */
export interface FieldCounts {
  note(value: unknown): void
  /** JSON pointers of the declared fields, `-` standing for any item of a list, with how often each was there. */
  all(): readonly { readonly pointer: string; readonly count: number }[]
}

interface FieldNode {
  count: number
  readonly fields: ReadonlyMap<string, FieldNode>
  readonly items: FieldNode | undefined
}

/** Deeper fields are not counted, nor more items of a list. */
const MAX_DEPTH = 8
const MAX_FIELDS = 2000
const MAX_ITEMS = 50

/** Counts the fields that a model declares. The model is read, which takes time, when the first value comes. */
export function createFieldCounts(modelOf: () => Schema | undefined): FieldCounts {
  const root = lazy((): FieldNode | undefined => {
    const model = modelOf()
    return model && treeOf(model)
  })
  return {
    note(value) {
      const node = root()
      if (node !== undefined) note(node, value)
    },
    all: () => {
      const node = root()
      return node === undefined ? [] : [...listed(node, '')]
    },
  }
}

function treeOf(model: Schema): FieldNode {
  const resolve = createResolver(model)
  const parts = remembered((schema: Schema) => ({
    fields: fieldsOf(schema, resolve),
    list: alternativesOf(schema, resolve).find((form) => form['items'] !== undefined),
  }))
  let left = MAX_FIELDS
  const grow = (schema: SchemaOrBoolean, above: readonly SchemaOrBoolean[]): FieldNode => {
    // A model that holds itself has no end.
    if (!isObject(schema) || above.length >= MAX_DEPTH || above.includes(schema))
      return { count: 0, fields: new Map(), items: undefined }
    const path = [...above, schema]
    const { fields, list } = parts(schema)
    const own = [...fields].flatMap(([name, part]): [string, FieldNode][] =>
      left-- > 0 ? [[name, grow(part, path)]] : [],
    )
    const items = list === undefined ? undefined : grow(itemsOf(list).rest, path)
    return { count: 0, fields: new Map(own), items }
  }
  return grow(model, [])
}

function note(node: FieldNode, value: unknown): void {
  node.count++
  if (Array.isArray(value)) {
    const { items } = node
    if (items === undefined) return
    for (let index = 0; index < value.length && index < MAX_ITEMS; index++) note(items, value[index])
  } else if (isObject(value) && node.fields.size > 0) {
    for (const name in value) {
      const field = node.fields.get(name)
      if (field !== undefined) note(field, (value as Readonly<Record<string, unknown>>)[name])
    }
  }
}

function* listed(node: FieldNode, pointer: string): Generator<{ pointer: string; count: number }> {
  for (const [name, field] of node.fields) {
    const own = pointerBelow(pointer, name)
    yield { pointer: own, count: field.count }
    yield* listed(field, own)
  }
  if (node.items !== undefined) yield* listed(node.items, `${pointer}/-`)
}
