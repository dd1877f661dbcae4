import { holderOf, type ListQuery } from '../../collections/list-query.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Item } from './item-place.ts'

/** A list, and the fields that its request names. */
interface NamedFields {
  readonly said: Pick<ListQuery, 'fields'>
  readonly items: readonly Item[]
}

/**
 * Whether items show no fields but those that are named, or that are always shown; within the member that holds fields,
 * where others show more there.
 */
export function showNamed(
  { said, items }: NamedFields,
  always: readonly string[],
  all: readonly Item[],
): boolean {
  const { fields = [] } = said
  const named = firstNames(fields)
  // Alone it names whatever there is, as do texts that are searched for.
  const isAny = fields.length > 1 && named.has('*')
  return items.every((item) => {
    const holder = holderOf(item, fields)
    if (holder === undefined)
      return Object.keys(item).every((name) => isAny || named.has(name) || always.includes(name))
    const isNamed = (name: string): boolean => fields.includes(name)
    return heldIn(item, holder).every(isNamed) && !all.every((each) => heldIn(each, holder).every(isNamed))
  })
}

// Names with dots name what is within a field, too.
function firstNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name, name.split('.')[0] ?? '']))
}

function heldIn(item: Item, holder: string): readonly string[] {
  const held = item[holder]
  return isObject(held) ? Object.keys(held) : []
}

/** The fields that all items of some lists have, whichever their requests name, where others are left out. */
export function shownAlways(named: readonly NamedFields[], all: readonly Item[]): readonly string[] {
  const items = named.flatMap((read) =>
    read.items.map((item) => ({ item, wanted: firstNames(read.said.fields ?? []) })),
  )
  const [first] = items
  const areNamed =
    items.length > 0 &&
    items.every(({ item, wanted }) => [...wanted].some((name) => Object.hasOwn(item, name)))
  const isShort = all.some((whole) =>
    Object.keys(whole).some((name) => !items.some(({ item }) => Object.hasOwn(item, name))),
  )
  if (first === undefined || !areNamed || !isShort) return []
  return Object.keys(first.item).filter(
    (name) =>
      items.every(({ item }) => Object.hasOwn(item, name)) && items.some(({ wanted }) => !wanted.has(name)),
  )
}
