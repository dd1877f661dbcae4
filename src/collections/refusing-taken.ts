import { memberAt } from '../engine/schema/member.ts'
import { withItem } from '../state/found.ts'
import type { Item } from '../state/store.ts'
import { idText, type ItemContext, type StoredOperation } from './item-operations.ts'
import { refuseTaken } from './particular-fields.ts'

/** An operation on one item that stores nothing which has the value of another item where no two have the same. */
export function refusingTaken(operation: StoredOperation, { form, address }: ItemContext): StoredOperation {
  return {
    maxItems: operation.maxItems,
    need: () => ({ kind: 'all' }),
    decide(request, found) {
      const isOwn = (item: Item): boolean => idText(memberAt(item, address.idPath ?? []) ?? '') === request.id
      const own = found.items.find(({ value }) => isOwn(value))
      const outcome = operation.decide(request, withItem(found, own))
      const { change } = outcome
      if (change !== undefined && 'item' in change)
        refuseTaken(request.path, change.item, { items: found.items.filter((each) => each !== own) }, form)
      return outcome
    },
  }
}
