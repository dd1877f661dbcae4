import { isObject } from '../../engine/schema/schema.ts'
import { referenceOf, type Library } from './library.ts'
import { childOf, entriesOf, itemsOf, type Node } from './node.ts'

const LISTS = ['anyOf', 'oneOf']
const SINGLE = ['not', 'if', 'then', 'else']
const IN_PLACE = new Set(['$ref', 'allOf', 'dependentSchemas', ...LISTS, ...SINGLE])

/** Whether a schema chooses between others by a discriminator, and they may extend it by their `allOf`. */
export function isDiscriminatedUnion({ value }: Node): boolean {
  return (
    isObject(value) &&
    isObject(value['discriminator']) &&
    LISTS.some((keyword) => Array.isArray(value[keyword]))
  )
}

/**
 * Whether what stands in an `allOf` names a union with a discriminator as one that its own members extend. Those cannot
 * be the choice themselves; anything else that extends it is one.
 */
export function isBaseOfMembers(reference: Node, target: Node, library: Library): boolean {
  if (!isDiscriminatedUnion(target)) return false
  let extending = reference.parent?.parent
  while (isInAllOf(extending)) extending = extending?.parent?.parent
  const parts = new Map<unknown, Node>([[target.value, target]])
  for (const [value, part] of parts) {
    if (value === extending?.value) return true
    for (const member of ['allOf', ...LISTS].flatMap((keyword) => itemsOf(childOf(part, keyword)))) {
      const named = library.follow(member)
      if (typeof named !== 'string') parts.set(named.value, named)
    }
  }
  return false
}

function isInAllOf(node: Node | undefined): boolean {
  return node?.parent?.key === 'allOf' && Array.isArray(node.parent.value)
}

/**
 * What each schema is made of, for `findCircles`. A union with a discriminator is two: where its members extend it, it
 * is not the choice that it is where it is named.
 */
export function createCompositions(library: Library): (schema: Node) => readonly Composition[] {
  const bases = new Map<unknown, object>()
  const keyOf = (schema: Node, isBase: boolean): unknown => {
    if (!isBase) return schema.value
    const key = bases.get(schema.value) ?? {}
    bases.set(schema.value, key)
    return key
  }
  return (node) => {
    if (!isObject(node.value) || !Object.keys(node.value).some((keyword) => IN_PLACE.has(keyword))) return []
    const all = itemsOf(childOf(node, 'allOf'))
    const single = SINGLE.flatMap((keyword) => childOf(node, keyword) ?? [])
    const choices = [...LISTS.flatMap((keyword) => itemsOf(childOf(node, keyword))), ...single]
    const dependent = entriesOf(childOf(node, 'dependentSchemas'))
    const reference = referenceOf(node)
    const target = reference === undefined ? undefined : library.find(reference, node.source)
    const named =
      typeof target === 'object'
        ? [keyOf(target, isInAllOf(node) && isBaseOfMembers(node, target, library))]
        : []
    const own = [...[...all, ...dependent].map(({ value }) => value), ...named]
    const whole = { node, key: node.value, parts: [...own, ...choices.map(({ value }) => value)] }
    return isDiscriminatedUnion(node) ? [whole, { node, key: keyOf(node, true), parts: own }] : [whole]
  }
}

/** A part and what speaks of the same value as it does: what its `$ref` names, and the members of a schema's `allOf`. */
export interface Composition {
  readonly node: Node
  /** What others know the part by. */
  readonly key: unknown
  /** The keys of those it is made of. */
  readonly parts: readonly unknown[]
}

/** A part that closes a circle, and what to say of it. */
export interface Circle {
  readonly node: Node
  readonly text: string
}

/** Finds parts that are made of themselves, which no value can be; of each circle the one that closes it. */
export function findCircles(compositions: readonly Composition[]): Circle[] {
  const partsOf = new Map(compositions.map((each) => [each.key, each]))
  const done = new Set<unknown>()
  const circles: Circle[] = []

  for (const start of compositions) {
    if (done.has(start.key)) continue
    if (start.parts.length === 0 || done.has(start.node.value)) continue
    const path: { readonly key: unknown; next: number }[] = [{ key: start.key, next: 0 }]
    const open = new Set<unknown>([start.key])
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const known = done.has(top.key) ? undefined : partsOf.get(top.key)
      const part = known?.parts[top.next++]
      if (known === undefined || part === undefined) {
        done.add(top.key)
        open.delete(top.key)
        path.pop()
      } else if (open.has(part)) {
        circles.push({ node: known.node, text: 'is made of itself: its $ref or allOf leads back to it' })
      } else if (partsOf.has(part)) {
        open.add(part)
        path.push({ key: part, next: 0 })
      }
    }
  }
  return circles
}
