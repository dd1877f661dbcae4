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
  if (type === 'integer') return Number.isInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

/** The schemas of an object's properties, in the order they are declared. */
export function propertiesOf(schema: Schema): [string, SchemaOrBoolean][] {
  const properties = schema['properties']
  return isObject(properties) ? (Object.entries(properties) as [string, SchemaOrBoolean][]) : []
}

/** Finds the schema that a `$ref` or `$dynamicRef` names. @throws ModelInvalid when it is not there */
export type Resolve = (reference: string, isDynamic?: boolean) => Schema

/** Resolves references inside a document: a JSON pointer, an anchor, or the `$id` of a part and either of them. */
export function createResolver(root: Schema): Resolve {
  let names: Names | undefined
  const resolved = new Map<string, Schema>()

  const find = (reference: string): unknown => {
    const [name = '', fragment = ''] = reference.split('#', 2)
    if (name === '' && fragment === '') return root
    if (name === '' && fragment.startsWith('/')) return atPointer(root, fragment)
    names ??= namesIn(root)
    const { named } = names
    const isPointer = fragment === '' || fragment.startsWith('/')
    if (!isPointer) return named.get(`${name}#${fragment}`) ?? named.get(`#${fragment}`)
    return atPointer(named.get(name) ?? named.get(addressOf(name, root['$id'])), fragment)
  }
  return (given, isDynamic = false) => {
    if (isDynamic) names ??= namesIn(root)
    const reference = isDynamic ? ((names as Names).staticReference(given) ?? given) : given
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

/** What the parts of a document are called. */
export interface Names {
  readonly named: ReadonlyMap<string, Schema>
  /**
   * What a `$dynamicRef` always refers to; `undefined` where that is not the same each time. Which of several dynamic anchors with one name is meant depends on the way there
   * (JSON Schema 2020-12, core, section 8.2.3.2): the document's own comes first on each; of several within parts that
   * have names of their own it stays open.
   */
  staticReference(reference: string): string | undefined
}

/** Finds what the parts of a document are called. */
export function namesIn(root: Schema): Names {
  const named = new Map<string, Schema>()
  const dynamic = new Map<string, Set<string>>()
  const seen = new Set<unknown>()
  const walk = (value: unknown, base: unknown, within: string): void => {
    if (value === null || typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    if (!isObject(value)) return Object.values(value).forEach((part) => walk(part, base, within))
    const { $id: id, $anchor: anchor, $dynamicAnchor: dynamicAnchor } = value
    if (typeof id === 'string') {
      named.set(addressOf(id, base), value)
      named.set(id, value)
    }
    const own = typeof id === 'string' && value !== root ? id : within
    if (typeof dynamicAnchor === 'string')
      dynamic.set(dynamicAnchor, (dynamic.get(dynamicAnchor) ?? new Set()).add(own))
    for (const each of [anchor, dynamicAnchor])
      if (typeof each === 'string') named.set(`${own}#${each}`, value)
    if (typeof anchor === 'string') named.set(`#${anchor}`, value)
    else if (typeof dynamicAnchor === 'string' && !named.has(`#${dynamicAnchor}`))
      named.set(`#${dynamicAnchor}`, value)
    for (const [keyword, part] of Object.entries(value)) {
      // What only looks like a schema has no name.
      if (keyword !== 'const' && keyword !== 'enum' && keyword !== SAID)
        walk(part, typeof id === 'string' ? addressOf(id, base) : base, own)
    }
  }
  walk(root, '', '')
  return {
    named,
    staticReference(reference) {
      const [, name = ''] = reference.split('#', 2)
      const places = dynamic.get(name) ?? new Set()
      if (places.size === 0) return named.has(`#${name}`) || /^$|^\//.test(name) ? reference : undefined
      if (places.has('')) return `#${name}`
      const [only = '', ...others] = places
      return others.length === 0 ? `${only}#${name}` : undefined
    },
  }
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
