import { isObject } from '../../engine/schema/schema.ts'
import type { Direction } from './discriminator.ts'
import type { Library } from './library.ts'
import { childOf, entriesOf, itemsOf, type Node } from './node.ts'

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
