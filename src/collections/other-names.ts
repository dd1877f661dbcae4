import { memberAt } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import type { Collection, Decision, Found, ItemOperation, StoredItem } from '../state/store.ts'
import { plainText } from './order-values.ts'
import { idText } from './item-operations.ts'

/** Finds the id of the item that a path names: by its id, or else by another field. */
export type NameItem = (collection: Collection, name: string) => string

/**
 * @param also a pointer to the other field
 * @param idPath the names that lead to the id within an item
 */
export function createNameItem(
  also: string,
  idPath: readonly string[] | undefined,
  maxItems: number,
): NameItem {
  const path = readPointer(also)
  interface Named extends Decision {
    readonly id?: string | undefined
  }
  const isThere: ItemOperation<string, Named> = {
    maxItems,
    need: (id) => ({ kind: 'item', id }),
    decide: (id, { item }) => ({ id: item && id }),
  }
  const isNamed = ({ value }: StoredItem, name: string): boolean => {
    const own = memberAt(value, path)
    return own !== undefined && own !== null && plainText(own) === name
  }
  const byOther: ItemOperation<string, Named> = {
    maxItems,
    need: () => ({ kind: 'all' }),
    decide(name, { items }: Found) {
      const found = items.find((item) => isNamed(item, name))
      return { id: found && idText(memberAt(found.value, idPath ?? [])) }
    },
  }
  return (collection, name) => collection.run(isThere, name).id ?? collection.run(byOther, name).id ?? name
}
