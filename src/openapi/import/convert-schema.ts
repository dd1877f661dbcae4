import { ignoringCase } from '../../engine/patterns/ignoring-case.ts'
import { dirname } from 'node:path'
import { fakerLink } from '../../engine/links/from-faker.ts'
import { linkFromData } from '../../engine/links/link.ts'
import type { SaidValues } from '../../engine/schema/said.ts'
import { isObject, LINK, SAID, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { referenceOf } from './library.ts'
import { childOf, entriesOf, itemsOf, type Node } from './node.ts'
import { FAKER, KEYWORDS } from './schema-keywords.ts'

/** What the conversion of a schema asks of those around it. */
export interface Conversion {
  /** Whether siblings of a `$ref` count, as they do since OpenAPI 3.1. */
  hasSiblings(): boolean
  /** Whether `nullable` counts at all, and where no type stands beside it. */
  readonly nullable: { readonly counts: boolean; readonly alone: boolean }
  /** Whether its values are made, and so what is said of them is needed. */
  readonly says: boolean
  /** What stands for a schema that is a `$ref`; `within` is whether it stands in an `allOf`. */
  reference(node: Node, within: boolean): SchemaOrBoolean
  /** Names of properties that are not part of a message in this direction, or need not be. */
  hidden(node: Node): { readonly left: ReadonlySet<string>; readonly optional: ReadonlySet<string> }
  /** What a member of a union must meet besides, so that it is the member which the discriminator names. */
  discriminate(union: Node, member: Node): Schema | undefined
}

/** A schema of OpenAPI as JSON Schema 2020-12. Keywords whose value cannot be are left out. */
export function convertSchema(node: Node, conversion: Conversion, within = false): SchemaOrBoolean {
  const { value } = node
  if (typeof value === 'boolean') return value
  if (!isObject(value)) return true
  if (referenceOf(node) !== undefined) return convertReference(node, conversion, within)
  return convertOwn(node, conversion)
}

function convertReference(node: Node, conversion: Conversion, within: boolean): SchemaOrBoolean {
  const target = conversion.reference(node, within)
  const own = conversion.hasSiblings() ? convertOwn(node, conversion) : placedOf(node)
  if (Object.keys(own).length === 0) return target
  if (!isObject(target)) return { allOf: [target], ...own }
  return '$ref' in own ? { allOf: [target], ...own } : { ...target, ...own }
}

/** What stands beside a `$ref` and speaks of its place, whatever the version says of siblings. */
export function placedOf(node: Node): Schema {
  const entries = PLACED.flatMap((key) => {
    const value = childOf(node, key)?.value
    return value === undefined || KEYWORDS.get(key)?.check(value) !== undefined
      ? []
      : [[key, plainOf(node, key, value)] as const]
  })
  return Object.fromEntries(entries)
}

const PLACED = [LINK, 'readOnly', 'writeOnly']

function convertOwn(node: Node, conversion: Conversion): Schema {
  const converted: Record<string, unknown> = {}
  const { left, optional } = conversion.hidden(node)
  for (const [key, value] of Object.entries(node.value as object) as [string, unknown][]) {
    const keyword = KEYWORDS.get(key)
    if (keyword === undefined || LEFT_OUT.has(key) || keyword.check(value) !== undefined) continue
    const part = childOf(node, key)
    if (part === undefined) continue
    if (key === FAKER) converted[LINK] ??= fakerLink(value)[LINK]
    else if (key === 'pattern') converted[key] = withoutSlashes(value as string)
    else if (keyword.holds === 'plain') converted[key] = plainOf(node, key, value)
    else if (key === 'properties') converted[key] = named(part, conversion, left)
    else if (keyword.holds === 'named') converted[key] = named(part, conversion)
    else if (Array.isArray(value))
      converted[key] = itemsOf(part).map((each) => member(node, key, each, conversion))
    else converted[key] = convertSchema(part, conversion)
  }
  const said = conversion.says ? saidIn(node) : undefined
  if (said !== undefined) converted[SAID] = said
  if (!conversion.nullable.counts) delete converted['nullable']
  return modern(withRequired(converted, optional), conversion.nullable.alone)
}

/** The values that a schema gives of itself, its examples before its default; `undefined` where it has none. */
function saidIn({ value }: Node): SaidValues | undefined {
  const schema = value as Schema
  const several = schema['examples']
  const named = isObject(several)
    ? Object.values(several)
    : Array.isArray(several)
      ? (several as unknown[])
      : []
  const examples = [...(schema['example'] === undefined ? [] : [schema['example']]), ...named]
  const defaults = schema['default'] === undefined ? [] : [schema['default']]
  return examples.length + defaults.length === 0 ? undefined : { examples, defaults }
}

// Paths in a link are relative to the file that it stands in. What is wrong with one is reported elsewhere.
function plainOf({ source }: Node, key: string, value: unknown): unknown {
  if (key !== LINK || !isObject(value)) return value
  try {
    return linkFromData(value, dirname(source.file))[LINK]
  } catch {
    return value
  }
}

// `/^[a-z]+$/` is how JavaScript writes a pattern. As it stands no text fits it: nothing lies before the beginning.
function withoutSlashes(pattern: string): string {
  const [, own, flags = ''] = /^(?:\.\*)?\/(\^.*\$)\/(?:\.\*|([gimu]*))$/s.exec(pattern) ?? []
  if (own === undefined) return pattern
  return flags.includes('i') ? ignoringCase(own) : own
}

function named(part: Node, conversion: Conversion, left?: ReadonlySet<string>): Schema {
  const kept = entriesOf(part).filter(({ key }) => left?.has(key) !== true)
  return Object.fromEntries(kept.map((each) => [each.key, convertSchema(each, conversion)]))
}

function member(node: Node, key: string, each: Node, conversion: Conversion): SchemaOrBoolean {
  const converted = convertSchema(each, conversion, key === 'allOf')
  const restriction = key === 'anyOf' || key === 'oneOf' ? conversion.discriminate(node, each) : undefined
  return restriction === undefined ? converted : { allOf: [converted, restriction] }
}

// What is documentation, or said in another way. Definitions are reached by references.
const LEFT_OUT = new Set([
  ...['discriminator', 'description', 'deprecated', 'example', 'examples'],
  ...['$comment', '$defs', 'definitions'],
])

function withRequired(
  converted: Record<string, unknown>,
  optional: ReadonlySet<string>,
): Record<string, unknown> {
  const { required, ...others } = converted
  if (!Array.isArray(required)) return converted
  // Some name a field twice, which says no more than once.
  const names = [...new Set(required as string[])].filter((name) => !optional.has(name))
  return names.length === 0 ? others : { ...others, required: names }
}

/**
 * Says in keywords of 2020-12 what OpenAPI 3.0 says in its own.
 * @param takesNull whether `nullable` counts where no type stands beside it
 */
export function modern(schema: Record<string, unknown>, takesNull = true): Schema {
  const { nullable, example, examples, exclusiveMinimum, exclusiveMaximum, items, additionalItems, ...rest } =
    schema
  const shown = Array.isArray(examples)
    ? (examples as unknown[])
    : isObject(examples)
      ? Object.values(examples)
      : []
  const all = [...(example === undefined ? [] : [example]), ...shown]
  const others: Record<string, unknown> = {
    ...rest,
    ...(Array.isArray(items)
      ? { prefixItems: items as unknown, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
    ...(all.length > 0 && { examples: all }),
  }
  bound(others, 'minimum', 'exclusiveMinimum', exclusiveMinimum)
  bound(others, 'maximum', 'exclusiveMaximum', exclusiveMaximum)
  return nullable === true ? withNull(others, takesNull) : others
}

function bound(schema: Record<string, unknown>, plain: string, exclusive: string, value: unknown): void {
  if (typeof value === 'number') schema[exclusive] = value
  if (value !== true || schema[plain] === undefined) return
  schema[exclusive] = schema[plain]
  delete schema[plain]
}

function withNull(schema: Record<string, unknown>, takesNull: boolean): Schema {
  const { type } = schema
  if (type !== undefined) return { ...schema, type: [...new Set([...[type].flat(), 'null'])] }
  const composed = ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema)
  if (!composed || !takesNull) return schema
  const { [LINK]: link, ...own } = schema
  return { anyOf: [own, { type: 'null' }], ...(link !== undefined && { [LINK]: link }) }
}
