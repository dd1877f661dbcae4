import { groupBy } from '../../grouping.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import type { Checked } from './check.ts'
import { isBaseOfMembers, isDiscriminatedUnion } from './compositions.ts'
import { componentName, childOf, entriesOf, itemsOf, type Node } from './node.ts'
import { referenceOf, type Library } from './library.ts'

/** Which way a message goes. */
export type Direction = 'request' | 'response'

/** How the discriminators of a description bind the schemas they choose between. */
export interface Discriminators {
  /** What a member of a union must meet, so that its property says which member it is. */
  forMember(union: Node, member: Node, direction: Direction): Schema | undefined
  /** What a schema that has or extends a discriminator must meet, so that the property says that it is itself. */
  forItself(schema: Node, direction: Direction): Schema | undefined
  /** The schemas that may stand where a schema with a discriminator is named; none where only itself may. */
  childrenOf(schema: Node, direction: Direction): readonly Node[]
  /** Whether a schema is another one where it is named than where it is extended. */
  isBound(schema: Node): boolean
}

/** A discriminator of a description. */
interface Discriminator {
  readonly node: Node
  readonly property: string
  /** The schema of objects without the property (OpenAPI 3.2). */
  readonly usual: Node | undefined
  /** The schemas by the values that are mapped to them. */
  readonly mapping: readonly (readonly [value: string, schema: Node])[]
  /** The values by the schemas that they are mapped to. */
  readonly names: ReadonlyMap<unknown, readonly string[]>
}

/** Reads the discriminators of a description when they are needed. */
export function createDiscriminators(
  library: Library,
  { children }: Pick<Checked, 'children'>,
): Discriminators {
  const known = new Map<unknown, Discriminator | undefined>()
  const followed = (node: Node): Node | undefined => {
    const target = library.follow(node)
    return typeof target === 'string' ? undefined : target
  }
  const discriminatorOf = (schema: Node): Discriminator | undefined => {
    if (!known.has(schema.value)) known.set(schema.value, find(schema))
    return known.get(schema.value)
  }
  // What extends another schema may have its discriminator in the part that it adds.
  const find = (schema: Node): Discriminator | undefined => {
    const parts = itemsOf(childOf(schema, 'allOf')).filter((part) => referenceOf(part) === undefined)
    return read(schema, library) ?? parts.map(find).find((each) => each !== undefined)
  }
  const basesOf = (schema: Node, seen = new Set<unknown>()): Node[] => {
    if (seen.has(schema.value)) return []
    seen.add(schema.value)
    const members = itemsOf(childOf(schema, 'allOf')).filter((member) => referenceOf(member) !== undefined)
    return members.flatMap((member) => {
      const base = followed(member)
      if (base === undefined) return []
      // What extends a union without being a member of it is named by none of its values.
      if (isDiscriminatedUnion(base) && !isBaseOfMembers(member, base, library)) return []
      return [base, ...basesOf(base, seen)]
    })
  }
  const descendantsOf = (schema: Node, seen = new Set<unknown>([schema.value])): Node[] =>
    (children.get(schema.value) ?? []).flatMap((child) => {
      if (seen.has(child.value) || componentName(child) === undefined) return []
      seen.add(child.value)
      return [child, ...descendantsOf(child, seen)]
    })

  const constraint = (
    discriminator: Discriminator,
    schema: Node,
    direction: Direction,
  ): Schema | undefined => {
    const { property, names: mappedNames } = discriminator
    const mapped = mappedNames.get(schema.value) ?? []
    const own = valuesOf(schema, property, followed)
    const names = (mapped.length > 0 ? mapped : impliedBy(schema, direction)).filter(
      (value) => own?.includes(value) ?? true,
    )
    if (names.length === 0) return undefined
    const value: Schema = names.length === 1 ? { const: names[0] } : { enum: names }
    const isUsual = direction === 'request' && discriminator.usual?.value === schema.value
    const isRequired = !isUsual && requires(schema, property, followed)
    return { type: 'object', properties: { [property]: value }, ...(isRequired && { required: [property] }) }
  }
  // What has the name of another member is that one, however much it may look like this.
  const unlikeOthers = (discriminator: Discriminator, union: Node, schema: Node): Schema | undefined => {
    const { property, names } = discriminator
    const members = ['oneOf', 'anyOf'].flatMap((keyword) => itemsOf(childOf(union, keyword)))
    const others = members.flatMap((member) => {
      const other = referenceOf(member) === undefined ? undefined : followed(member)
      return other === undefined || other.value === schema.value
        ? []
        : (names.get(other.value) ?? impliedBy(other, 'response'))
    })
    const own = valuesOf(schema, property, followed)
    const taken = others.filter((name) => own?.includes(name) !== true)
    return taken.length === 0 ? undefined : { properties: { [property]: { not: { enum: taken } } } }
  }
  const isUnion = (schema: Node): boolean =>
    ['anyOf', 'oneOf'].some((keyword) => childOf(schema, keyword) !== undefined)

  return {
    forMember(union, member, direction) {
      const discriminator = discriminatorOf(union)
      const schema = referenceOf(member) === undefined ? undefined : followed(member)
      if (discriminator === undefined || schema === undefined) return undefined
      const own = constraint(discriminator, schema, direction)
      return own ?? (direction === 'request' ? unlikeOthers(discriminator, union, schema) : undefined)
    },
    forItself(schema, direction) {
      const holders = isUnion(schema) ? basesOf(schema) : [schema, ...basesOf(schema)]
      const all = holders.flatMap((each) => discriminatorOf(each) ?? [])
      const discriminator = all.find(({ names }) => names.has(schema.value)) ?? all[0]
      return discriminator && constraint(discriminator, schema, direction)
    },
    childrenOf(schema, direction) {
      const discriminator = isUnion(schema) ? undefined : discriminatorOf(schema)
      if (discriminator === undefined) return []
      const own = [...descendantsOf(schema), schema]
      const extending = new Set(own.map(({ value }) => value))
      // A schema that chooses in its turn might choose this one again, without end.
      const chooses = (target: Node): boolean => discriminatorOf(target) !== undefined || isUnion(target)
      const mapped = discriminator.mapping
        .map(([, target]) => target)
        .filter((target) => extending.has(target.value) || !chooses(target))
      // Its own name may be mapped by what it extends.
      const isNamed = basesOf(schema).some((base) => discriminatorOf(base)?.names.has(schema.value) === true)
      const named = isNamed && mapped.length > 0 ? [...mapped, schema] : mapped
      const all = mapped.length === 0 && direction === 'response' ? own : named
      return [...new Map(all.map((node) => [node.value, node])).values()]
    },
    isBound(schema) {
      if (!isObject(schema.value)) return false
      if (discriminatorOf(schema) !== undefined) return true
      return basesOf(schema).some((base) => discriminatorOf(base) !== undefined)
    },
  }
}

function read(schema: Node, library: Library): Discriminator | undefined {
  const node = childOf(schema, 'discriminator')
  if (node === undefined || !isObject(node.value)) return undefined
  const property = node.value['propertyName']
  if (typeof property !== 'string') return undefined
  const mapping = entriesOf(childOf(node, 'mapping')).flatMap((entry): [string, Node][] => {
    const target = typeof entry.value === 'string' ? targetOf(entry.value, node, library) : undefined
    return target === undefined ? [] : [[entry.key, target]]
  })
  const { defaultMapping } = node.value
  const usual = typeof defaultMapping === 'string' ? targetOf(defaultMapping, node, library) : undefined
  const byTarget = groupBy(mapping, ([, target]) => target.value)
  const names = new Map([...byTarget].map(([target, pairs]) => [target, pairs.map(([value]) => value)]))
  return { node, property, mapping, names, usual }
}

// A plain name is that of a component; anything else is a reference.
function targetOf(text: string, { source }: Node, library: Library): Node | undefined {
  const named = /^[\w.-]+$/.test(text) ? library.find(`#/components/schemas/${text}`, source) : undefined
  const found = typeof named === 'object' ? named : library.find(text, source)
  const target = typeof found === 'string' ? found : library.follow(found)
  return typeof target === 'string' ? undefined : target
}

// AutoRest has the value beside the schema. Who writes requests by hand spells a name in more ways than one.
function impliedBy(schema: Node, direction: Direction): readonly string[] {
  if (direction === 'request' || !isObject(schema.value)) return []
  const value = schema.value['x-ms-discriminator-value']
  const name = typeof value === 'string' ? value : componentName(schema)
  return name === undefined ? [] : [name]
}

/** The values that a schema itself allows for a property; `undefined` where it says nothing of them. */
function valuesOf(
  schema: Node,
  property: string,
  followed: (node: Node) => Node | undefined,
  seen = new Set<unknown>(),
): readonly unknown[] | undefined {
  const target = followed(schema)
  if (target === undefined || seen.has(target.value)) return undefined
  seen.add(target.value)
  const properties = childOf(target, 'properties')
  const part = properties && childOf(properties, property)
  const own = part && followed(part)
  if (own !== undefined && isObject(own.value)) {
    if (Object.hasOwn(own.value, 'const')) return [own.value['const']]
    if (Array.isArray(own.value['enum'])) return own.value['enum'] as unknown[]
  }
  for (const member of itemsOf(childOf(target, 'allOf'))) {
    const values = valuesOf(member, property, followed, seen)
    if (values !== undefined) return values
  }
  return undefined
}

/** Whether objects of a schema must have a property. */
function requires(
  schema: Node,
  property: string,
  followed: (node: Node) => Node | undefined,
  seen = new Set<unknown>(),
): boolean {
  const target = followed(schema)
  if (target === undefined || !isObject(target.value) || seen.has(target.value)) return false
  seen.add(target.value)
  const { required } = target.value
  if (Array.isArray(required) && required.includes(property)) return true
  return itemsOf(childOf(target, 'allOf')).some((member) => requires(member, property, followed, seen))
}
