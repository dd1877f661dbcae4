import type { ObjectType } from '../../engine/call-model.ts'
import type { Item } from './objects.ts'
import { fieldName, nameKey } from './show.ts'

/** Says how many there are of what the name says: `postCount`, `count_of_posts`. */
const COUNTS = [/^(.+?)_?(?:count|total)$/i, /^(?:count|total|num|number)_?(?:of_?)?(.+)$/i]

/**
 * Members that say how many others there are, which are called as the list of those, wherever both were shown.
 * @param items objects of the type, as they were shown
 */
export function linkCounts(
  items: readonly Item[],
  links: ObjectType['links'],
): NonNullable<ObjectType['counts']> {
  const members = new Set(items.flatMap((item) => Object.keys(item).filter((name) => isCount(item[name]))))
  const lists = Object.keys(links).filter(
    (name) => links[name]?.from !== undefined || items.some((item) => Array.isArray(item[name])),
  )
  const entries = [...members].flatMap((member): [string, string][] => {
    const stems = COUNTS.flatMap((form) => form.exec(fieldName(member))?.[1] ?? [])
    const list = lists.find((name) => stems.some((stem) => keyOf(stem) === keyOf(name)))
    const isSo = items.every((item) => {
      const shown = item[list ?? '']
      return !Array.isArray(shown) || !isCount(item[member]) || shown.length === item[member]
    })
    return list !== undefined && isSo ? [[member, list]] : []
  })
  return Object.fromEntries(entries)
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function keyOf(name: string): string {
  return nameKey(name.toLowerCase())
}
