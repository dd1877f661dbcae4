import { memberAt } from '../engine/schema/member.ts'
import { withItem } from '../state/found.ts'
import type { Item, StoredItem } from '../state/store.ts'
import { idText, type ItemRequest, type StoredOperation } from './item-operations.ts'

/**
 * An operation that needs all items, so that what it would store can be refused for what another item has.
 * @param idPath where an item has its id
 * @param refuse throws where that is so; `others` are all items but the one that the request names
 */
export function amongOthers(
  operation: StoredOperation,
  idPath: readonly string[],
  refuse: (about: ItemRequest, item: StoredItem, others: readonly StoredItem[]) => void,
): StoredOperation {
  const idOf = (item: Item): string => idText(memberAt(item, idPath) ?? '')
  return {
    maxItems: operation.maxItems,
    need: () => ({ kind: 'all' }),
    decide(about, found) {
      const own = about.id === '' ? undefined : found.items.find(({ value }) => idOf(value) === about.id)
      const outcome = operation.decide(about, withItem(found, own))
      const { change } = outcome
      if (change !== undefined && 'item' in change)
        refuse(
          about,
          change.item,
          found.items.filter((each) => each !== own),
        )
      return outcome
    },
  }
}
