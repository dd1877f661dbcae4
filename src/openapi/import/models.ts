import { entryOf } from '../../grouping.ts'
import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Checked } from './check.ts'
import { isBaseOfMembers, isDiscriminatedUnion } from './compositions.ts'
import { convertSchema, placedOf, type Conversion } from './convert-schema.ts'
import { createDiscriminators, type Direction } from './discriminator.ts'
import { referenceOf, siblingsCount, type Library } from './library.ts'
import { componentName, freeName, nameOf, type Node, childOf, entriesOf, itemsOf } from './node.ts'

/** A description that was gone through, as its parts are read from it. */
export interface Description {
  readonly library: Library
  readonly checked: Checked
  readonly models: Models
}

/** What a node stands for; `undefined` where its reference leads nowhere. */
export function followed({ library }: Description, node: Node | undefined): Node | undefined {
  const target = node === undefined ? undefined : library.follow(node)
  return typeof target === 'string' ? undefined : target
}

/** The models of a description. Each is made when it is first needed, of what it reaches only. */
export interface Models {
  /** The model of a schema, in one object with all it refers to. */
  model(schema: Node, direction: Direction): Schema
}

/** A schema that models refer to by name. */
interface Definition {
  readonly name: string
  /** In the order in which they are first named. */
  readonly number: number
  body: SchemaOrBoolean
  readonly uses: Set<Definition>
}

/** Makes the models of a description. */
export function createModels(library: Library, checked: Checked): Models {
  const makers = {
    request: createMaker(library, checked, 'request'),
    response: createMaker(library, checked, 'response'),
  }
  return { model: (schema, direction) => makers[direction](schema) }
}

function createMaker(library: Library, checked: Checked, direction: Direction): (schema: Node) => Schema {
  const discriminators = createDiscriminators(library, checked)
  const hidden = createHidden(library, direction)
  const named = new Map<unknown, Definition>()
  const bases = new Map<unknown, Definition>()
  const taken = new Set<string>()
  const models = new Map<unknown, Schema>()
  const tasks: (() => void)[] = []

  const define = (target: Node, isBase: boolean): Definition => {
    const isOther = isBase && discriminators.isBound(target)
    const definitions = isOther ? bases : named
    const known = definitions.get(target.value)
    if (known !== undefined) return known
    const name = freeName(`${nameOf(target)}${isOther ? '.base' : ''}`, taken)
    taken.add(name)
    const definition: Definition = { name, number: taken.size, body: true, uses: new Set() }
    definitions.set(target.value, definition)
    // Bodies are made one after the other, since a chain of references may be longer than the stack.
    tasks.push(() => {
      definition.body = bodyOf(target, isOther, definition.uses)
    })
    return definition
  }
  const bodyOf = (target: Node, isBase: boolean, uses: Set<Definition>): SchemaOrBoolean => {
    const conversion = conversionOf(uses)
    const own = convertSchema(isBase ? withoutChoice(target) : target, conversion)
    if (isBase || typeof own === 'boolean' || !discriminators.isBound(target)) return own
    const restriction = discriminators.forItself(target, direction)
    const itself = restriction === undefined ? own : { allOf: [own, restriction] }
    const children = discriminators.childrenOf(target, direction)
    if (children.length === 0) return itself
    return {
      anyOf: children.map((child) => (child.value === target.value ? itself : use(child, false, uses))),
    }
  }
  const use = (target: Node, isBase: boolean, uses: Set<Definition>): SchemaOrBoolean => {
    if (typeof target.value === 'boolean') return target.value
    const definition = define(target, isBase)
    uses.add(definition)
    return { $ref: `#/$defs/${definition.name}` }
  }
  const conversionOf = (uses: Set<Definition>): Conversion => ({
    hasSiblings: () => siblingsCount(library),
    // By the letter of OpenAPI 3.0.3 it does not count alone, and by that of 3.1 not at all, so answers have no null
    // there; authors mean it, so requests may.
    nullable: {
      counts: direction === 'request' || !siblingsCount(library),
      alone: direction === 'request',
    },
    says: direction === 'response',
    hidden,
    reference(node, within) {
      const target = checked.broken.has(node.value)
        ? 'broken'
        : library.find(referenceOf(node) ?? '', node.source)
      if (typeof target === 'string') return {}
      const isBase = within && (!isDiscriminatedUnion(target) || isBaseOfMembers(node, target, library))
      return use(target, isBase, uses)
    },
    discriminate: (union, member) => discriminators.forMember(union, member, direction),
  })
  const listOf = createLists()
  const make = (target: Node | undefined): Schema => {
    const uses = new Set<Definition>()
    const body = target === undefined ? true : bodyOf(target, false, uses)
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task()
    const definitions = listOf(uses)
    const own: Schema = typeof body === 'object' ? body : body ? {} : { not: {} }
    const title = target === undefined ? undefined : componentName(target)
    return {
      ...(title !== undefined && own['title'] === undefined && { title }),
      ...own,
      ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    }
  }
  // A schema is one model, whoever names it.
  return (schema) => {
    const target = targetOf(schema, library, checked)
    const known = models.get(target?.value) ?? make(target)
    if (isObject(target?.value)) models.set(target.value, known)
    return known
  }
}

/** The schema that a model is made of: what a `$ref` names, where nothing stands beside it that counts. */
function targetOf(schema: Node, library: Library, { broken }: Checked): Node | undefined {
  let at = schema
  for (const seen = new Set<unknown>(); referenceOf(at) !== undefined;) {
    if (seen.has(at.value) || broken.has(at.value)) return undefined
    seen.add(at.value)
    const beside = Object.keys(at.value as object).filter((key) => !NOTES.has(key))
    if (Object.keys(placedOf(at)).length > 0 || (beside.length > 0 && siblingsCount(library))) return at
    const next = library.find(referenceOf(at) ?? '', at.source)
    if (typeof next === 'string') return undefined
    at = next
  }
  return at
}

const NOTES = new Set(['$ref', 'summary', 'description'])

// A member of a union with a discriminator that extends it cannot be the choice itself.
function withoutChoice(schema: Node): Node {
  if (!isDiscriminatedUnion(schema)) return schema
  const { anyOf: _anyOf, oneOf: _oneOf, ...value } = schema.value as Schema
  return { ...schema, value }
}

/**
 * Lists what some definitions reach, themselves included. Models that reach the same have one list of it, since much is
 * found out about it but once. What a definition uses no longer changes when its list is made.
 */
function createLists(): (uses: ReadonlySet<Definition>) => Schema {
  const reached = new Map<Definition, ReadonlySet<Definition>>()
  const numbers = new Map<ReadonlySet<Definition>, number>()
  const ofReaches = new Map<string, Schema>()
  const lists = new Map<string, List[]>()

  const reachOf = (start: Definition): ReadonlySet<Definition> => {
    const known = reached.get(start)
    if (known !== undefined) return known
    const found = new Set([start])
    for (const each of found) {
      const further = reached.get(each)
      // Those that reach each other reach the same.
      if (further?.has(start) === true) {
        reached.set(start, further)
        return further
      }
      for (const next of further ?? each.uses) found.add(next)
    }
    reached.set(start, found)
    return found
  }
  const make = (found: ReadonlySet<Definition>): Schema => {
    // Names of thousands would be compared for each of thousands of models, and kept.
    let sum = 0
    for (const { number } of found) sum += number
    const alike = entryOf(lists, `${found.size} ${sum}`, () => [])
    const known = alike.find((each) => isWithin(each.found, found))
    if (known !== undefined) return known.schema
    const all = [...found].toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const schema = Object.fromEntries(all.map((each) => [each.name, each.body]))
    alike.push({ found, schema })
    return schema
  }
  // Thousands of models reach what a few others do, and the same besides.
  return (uses) => {
    const reaches = new Set([...uses].map(reachOf))
    const key = [...reaches]
      .map((reach) => entryOf(numbers, reach, () => numbers.size))
      .toSorted((a, b) => a - b)
      .join()
    return entryOf(ofReaches, key, () => make(unionOf(reaches)))
  }
}

/** A list of definitions that some models have in common. */
interface List {
  readonly found: ReadonlySet<Definition>
  readonly schema: Schema
}

function isWithin<Value>(some: ReadonlySet<Value>, all: ReadonlySet<Value>): boolean {
  if (some.size > all.size) return false
  for (const each of some) if (!all.has(each)) return false
  return true
}

function unionOf<Value>(sets: ReadonlySet<ReadonlySet<Value>>): ReadonlySet<Value> {
  let largest: ReadonlySet<Value> = new Set()
  for (const each of sets) if (each.size > largest.size) largest = each
  const others = [...sets].filter((each) => !isWithin(each, largest))
  if (others.length === 0) return largest
  const union = new Set(largest)
  for (const other of others) for (const each of other) union.add(each)
  return union
}

/** Names of properties that a message does not have, and of those it need not have though they are required. */
export interface Hidden {
  readonly left: ReadonlySet<string>
  readonly optional: ReadonlySet<string>
}

const NONE: Hidden = { left: new Set(), optional: new Set() }

/**
 * What `readOnly` and `writeOnly` take from a schema in one direction: a request need not have what only answers have,
 * and an answer does not have what only requests have.
 */
export function createHidden(library: Library, direction: Direction): (schema: Node) => Hidden {
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly'
  const known = new Map<unknown, ReadonlySet<string>>()

  const isHidden = (property: Node): boolean => {
    const target = library.follow(property)
    return [property, target].some(
      (each) => typeof each === 'object' && childOf(each, keyword)?.value === true,
    )
  }
  /** The names that a schema and all it is made of hide. */
  const namesOf = (schema: Node, seen: Set<unknown>): ReadonlySet<string> => {
    const target = library.follow(schema)
    if (typeof target === 'string' || !isObject(target.value) || seen.has(target.value)) return new Set()
    const before = known.get(target.value)
    if (before !== undefined) return before
    seen.add(target.value)
    const own = entriesOf(childOf(target, 'properties'))
      .filter(isHidden)
      .map(({ key }) => key)
    const parts = itemsOf(childOf(target, 'allOf')).flatMap((member) => [...namesOf(member, seen)])
    const names = new Set([...own, ...parts])
    known.set(target.value, names)
    return names
  }
  // What an `allOf` requires may be described by another of its members.
  const namesAround = (schema: Node): ReadonlySet<string> => {
    const { parent } = schema
    const isMember = parent?.key === 'allOf' && Array.isArray(parent.value) && parent.parent !== undefined
    return isMember ? namesAround(parent.parent) : namesOf(schema, new Set())
  }
  return (schema) => {
    const optional = namesAround(schema)
    if (optional.size === 0) return NONE
    return { optional, left: direction === 'response' ? optional : NONE.left }
  }
}
