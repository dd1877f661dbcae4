import { isMediaType, mediaKindOf, type MediaKind } from '../../media-type.ts'
import type { Content, Encoding, Example, MediaType, Parameter } from '../../engine/operation.ts'
import { kindOf, schemasOf } from '../../engine/schema/keywords.ts'
import { foldOf } from '../../engine/schema/merge.ts'
import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { followed, type Description } from './models.ts'
import type { Direction } from './discriminator.ts'
import { withLazy } from '../../engine/lazy.ts'
import { referenceOf } from './library.ts'
import { childOf, entriesOf, flagAt, itemsOf, textAt, type Node } from './node.ts'

/** Bodies by media type, as a `content` has them, which some descriptions write once and refer to. */
export function contentOf(node: Node | undefined, direction: Direction, description: Description): Content {
  const types = entriesOf(followed(description, node)).filter(
    ({ key, value }) => isObject(value) && isMediaType(key),
  )
  return new Map(types.map((each) => [each.key, mediaTypeOf(each, direction, description)]))
}

function mediaTypeOf(given: Node, direction: Direction, description: Description): MediaType {
  const node = followed(description, given) ?? given
  const schema = childOf(node, 'schema')
  const itemSchema = schema === undefined ? childOf(node, 'itemSchema') : undefined
  const encoding = encodingOf(childOf(node, 'encoding'), description)
  return withLazy(encoding === undefined ? {} : { encoding }, {
    model: () => {
      if (itemSchema !== undefined) return listOf(description.models.model(itemSchema, direction))
      if (schema === undefined) return undefined
      const model = description.models.model(schema, direction)
      return SEQUENCES.has(mediaKindOf(given.key)) && isOfOne(model) ? listOf(model) : model
    },
    examples() {
      const examples = examplesOf(node, description)
      const kind = mediaKindOf(given.key)
      if (kind === 'json' && schema !== undefined)
        return examples.map((each) => asJson(each, description.models.model(schema, direction)))
      if (!SEQUENCES.has(kind)) return examples
      return examples.map(({ name, value }) => ({ name, value: isObject(value) ? [value] : value }))
    },
  })
}

/** What is sent item by item is a list (OpenAPI 3.2, Media Type Object). */
function listOf({ $defs, ...items }: Schema): Schema {
  return { type: 'array', items, ...($defs !== undefined && { $defs }) }
}

/** What is sent item by item. */
const SEQUENCES: ReadonlySet<MediaKind> = new Set(['json-lines', 'events'])

// Before OpenAPI 3.2 a schema of lines or events is often that of one of them.
function isOfOne(model: Schema): boolean {
  const fold = foldOf(model)
  const isObjects = (schema: SchemaOrBoolean): boolean => {
    const folded = fold(schema)
    if (typeof folded !== 'object') return false
    const members = schemasOf(folded, 'oneOf') ?? schemasOf(folded, 'anyOf')
    return members === undefined ? kindOf(folded) === 'object' : members.every(isObjects)
  }
  return isObjects(model)
}

// An example may be the text that is sent (OpenAPI 3.2: `serializedValue`), even where the schema has no text.
function asJson({ name, value }: Example, model: Schema): Example {
  if (typeof value !== 'string') return { name, value }
  const folded = foldOf(model)(model)
  const kind = typeof folded === 'object' ? kindOf(folded) : undefined
  if (kind !== 'object' && kind !== 'array') return { name, value }
  try {
    return { name, value: JSON.parse(value) as unknown }
  } catch {
    return { name, value }
  }
}

/** The examples beside a schema, or else those of the schema itself. */
export function examplesOf(node: Node, description: Description): readonly Example[] {
  const own = childOf(node, 'example')
  const named = entriesOf(childOf(node, 'examples')).flatMap((each): Example[] => {
    const value = followed(description, each)
    const given = value && HELD.map((key) => childOf(value, key)).find((each) => each !== undefined)
    const held = given ?? (value && externalOf(value, description))
    return held === undefined ? [] : [{ name: each.key, value: held.value }]
  })
  const beside = [...(own === undefined ? [] : [{ name: DEFAULT, value: own.value }]), ...named]
  return beside.length > 0
    ? beside
    : schemaExamples(followed(description, childOf(node, 'schema')), description)
}

/** The value of an example in a file of its own; `undefined` where there is none that can be read. */
function externalOf(example: Node, { library }: Description): { readonly value: unknown } | undefined {
  const address = textAt(example, 'externalValue')
  const read = address === undefined ? undefined : library.textOf(address, example.source)
  if (typeof read !== 'object') return undefined
  try {
    return { value: JSON.parse(read.text) as unknown }
  } catch {
    return { value: read.text }
  }
}

const DEFAULT = 'default'
// The last two are those of OpenAPI 3.2.
const HELD = ['value', 'dataValue', 'serializedValue']

// A name for each, since one of several is requested by its name.
function schemaExamples(schema: Node | undefined, description: Description): readonly Example[] {
  if (schema === undefined || !isObject(schema.value)) return []
  const several = childOf(schema, 'examples')
  const given = [
    childOf(schema, 'example'),
    ...itemsOf(several),
    ...entriesOf(several),
    childOf(schema, 'default'),
  ]
  const values = given.flatMap((node) => (node === undefined ? [] : valuesOf(node, description)))
  return values.map((value, index) => ({ name: index === 0 ? DEFAULT : `${DEFAULT}${index + 1}`, value }))
}

// Some descriptions name an example of their components where a value should stand.
function valuesOf(node: Node, description: Description): unknown[] {
  if (!referenceOf(node)?.startsWith('#/components/examples/')) return [node.value]
  const example = followed(description, node)
  const value = example && childOf(example, 'value')
  return value === undefined ? [] : [value.value]
}

function encodingOf(node: Node | undefined, description: Description): Record<string, Encoding> | undefined {
  const fields = entriesOf(node).map((each): [string, Encoding] => {
    const field = followed(description, each) ?? each
    const contentType = textAt(field, 'contentType')
    const [style, explode] = [styleAt(field), flagAt(field, 'explode')]
    return [each.key, { contentType, style, explode }]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const STYLES = new Set(['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'])

/** The `style` of a parameter, header or field; `undefined` where there is none that is known. */
export function styleAt(node: Node): Parameter['style'] | undefined {
  const style = textAt(node, 'style')
  return style !== undefined && STYLES.has(style) ? (style as Parameter['style']) : undefined
}
