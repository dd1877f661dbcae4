import { ModelInvalid } from '../../errors.ts'
import { readFragment } from './pointer.ts'

/** A JSON Schema object (2020-12). Booleans stand for "anything" and "nothing", as the specification has it. */
export interface Schema {
  readonly [keyword: string]: unknown
}
export type SchemaOrBoolean = Schema | boolean

/** What a user may give as a schema: any object, since the types of schema libraries have no index signature. */
export type Model = object

/** The keyword that carries a link. */
export const LINK = 'x-sim-link'

/** Holds the values that an API description gives of a schema: its examples, in their order, and its default. */
export const SAID = 'x-sim-said'

/** Whether a value is a plain object, and so can be a schema. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The model's name for messages: its title, its `$id`, or the fallback. */
export function modelName(schema: Schema, fallback = 'the model'): string {
  const name = schema['title'] ?? schema['$id']
  return typeof name === 'string' ? name : fallback
}

/** The types a schema allows by its `type` keyword; empty when it has none. */
export function typesOf(schema: Schema): readonly string[] {
  const type = schema['type']
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === 'string') : []
}

/** Whether a value is of a type that the `type` keyword names. */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

/** The schemas of an object's properties, in the order they are declared. */
export function propertiesOf(schema: Schema): [string, SchemaOrBoolean][] {
  const properties = schema['properties']
  return isObject(properties) ? (Object.entries(properties) as [string, SchemaOrBoolean][]) : []
}

/** Finds the schema that a `$ref` names. @throws ModelInvalid when it is not there */
export type Resolve = (reference: string) => Schema

/** Resolves references inside a document: a JSON pointer, an `$anchor`, or the `$id` of a part and either of them. */
export function createResolver(root: Schema): Resolve {
  let named: ReadonlyMap<string, Schema> | undefined
  const resolved = new Map<string, Schema>()

  const find = (reference: string): unknown => {
    const [name = '', fragment = ''] = reference.split('#', 2)
    if (name === '' && fragment === '') return root
    if (name === '' && fragment.startsWith('/')) return atPointer(root, fragment)
    named ??= namedSchemas(root)
    const isPointer = fragment === '' || fragment.startsWith('/')
    if (!isPointer) return named.get(`#${fragment}`)
    return atPointer(named.get(name) ?? named.get(addressOf(name, root['$id'])), fragment)
  }
  return (reference) => {
    const known = resolved.get(reference)
    if (known !== undefined) return known
    const schema = asSchema(find(reference))
    if (schema === undefined) {
      throw new ModelInvalid(`${modelName(root)} refers to ${reference}, which is not there`)
    }
    resolved.set(reference, schema)
    return schema
  }
}

function asSchema(value: unknown): Schema | undefined {
  if (typeof value === 'boolean') return value ? {} : { not: {} }
  return isObject(value) ? value : undefined
}

/** The value at a JSON pointer (RFC 6901), percent-encoded as in a reference; `undefined` where there is none. */
export function atPointer(document: unknown, pointer: string): unknown {
  let value = document
  for (const key of readFragment(pointer)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function namedSchemas(root: Schema): ReadonlyMap<string, Schema> {
  const named = new Map<string, Schema>()
  const seen = new Set<unknown>()
  const walk = (value: unknown, base: unknown): void => {
    if (value === null || typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    if (!isObject(value)) return Object.values(value).forEach((part) => walk(part, base))
    const { $id: id, $anchor: anchor } = value
    if (typeof id === 'string') {
      named.set(addressOf(id, base), value)
      named.set(id, value)
    }
    if (typeof anchor === 'string') named.set(`#${anchor}`, value)
    for (const [keyword, part] of Object.entries(value)) {
      // What only looks like a schema has no name.
      if (keyword !== 'const' && keyword !== 'enum' && keyword !== SAID)
        walk(part, typeof id === 'string' ? addressOf(id, base) : base)
    }
  }
  walk(root, '')
  return named
}

function addressOf(name: string, base: unknown): string {
  return typeof base === 'string' && URL.canParse(name, base) ? new URL(name, base).href : name
}

/** The entries of an object being made. */
export type Entries = Record<string, unknown>

/** Gives an object an entry of its own; one called `__proto__` is no more than that, either. */
export function setEntry(value: Entries, name: string, entry: unknown): void {
  if (name !== '__proto__') value[name] = entry
  else
    Object.defineProperty(value, name, { value: entry, enumerable: true, configurable: true, writable: true })
}
