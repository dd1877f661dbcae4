import { isObject } from '../../engine/schema/schema.ts'
import type { Composition } from './circles.ts'
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
 * What each schema is made of, for `findCircles`. A union with a discriminator is two: where it is extended, it is not
 * the choice that it is where it is named.
 */
export function createCompositions(library: Library): (schema: Node) => readonly Composition[] {
  const bases = new Map<unknown, object>()
  const keyOf = (schema: Node, isExtended: boolean): unknown => {
    if (!isExtended || !isDiscriminatedUnion(schema)) return schema.value
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
    const isWithin = node.parent?.key === 'allOf' && Array.isArray(node.parent.value)
    const named = typeof target === 'object' ? [keyOf(target, isWithin)] : []
    const own = [...[...all, ...dependent].map(({ value }) => value), ...named]
    const whole = { node, key: node.value, parts: [...own, ...choices.map(({ value }) => value)] }
    return isDiscriminatedUnion(node) ? [whole, { node, key: keyOf(node, true), parts: own }] : [whole]
  }
}
