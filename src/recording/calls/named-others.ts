import type { Fresh } from '../match/nearest-answer.ts'
import { type Item, freshId, noteChange, type Objects, put } from './objects.ts'

/**
 * Members with the ids of other objects that were given by another member of those, such as labels of tags. What no object
 * has is made.
 */
export function withNamed(
  members: Item,
  { type }: Objects,
  all: ReadonlyMap<string, Objects>,
  fresh: Fresh,
): Item {
  const entries = Object.entries(members).map(([name, value]) => {
    const { named, type: other = '' } = Object.hasOwn(type.links, name) ? (type.links[name] ?? {}) : {}
    const others = all.get(other)
    if (named === undefined || others === undefined || !Array.isArray(value)) return [name, value]
    return [name, value.map((each: unknown) => idNamed(others, named, each, fresh))]
  })
  return Object.fromEntries(entries) as Item
}

function idNamed(others: Objects, named: string, value: unknown, fresh: Fresh): unknown {
  const { id, defaults } = others.type
  const found = [...others.items.values()].find((item) => item[named] === value)
  if (found !== undefined) return found[id]
  const key = freshId(others, fresh)
  noteChange(others, String(key), undefined)
  put(others, { ...defaults, [named]: value, [id]: key })
  return key
}
