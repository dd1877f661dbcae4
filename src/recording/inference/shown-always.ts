import type { ListQuery } from '../../collections/list-query.ts'
import type { Item } from './item-place.ts'

/** A list, and the fields that its request names. */
interface NamedFields {
  readonly said: Pick<ListQuery, 'fields'>
  readonly items: readonly Item[]
}

/** The fields that all items of some lists have, whichever their requests name, where others are left out. */
export function shownAlways(named: readonly NamedFields[], all: readonly Item[]): readonly string[] {
  const items = named.flatMap((read) => read.items.map((item) => ({ item, wanted: read.said.fields ?? [] })))
  const [first] = items
  const areNamed =
    items.length > 0 && items.every(({ item, wanted }) => wanted.some((name) => Object.hasOwn(item, name)))
  const isShort = all.some((whole) =>
    Object.keys(whole).some((name) => !items.some(({ item }) => Object.hasOwn(item, name))),
  )
  if (first === undefined || !areNamed || !isShort) return []
  return Object.keys(first.item).filter(
    (name) =>
      items.every(({ item }) => Object.hasOwn(item, name)) &&
      items.some(({ wanted }) => !wanted.includes(name)),
  )
}
