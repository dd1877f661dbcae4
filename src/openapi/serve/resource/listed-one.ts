import { plainName } from '../../../collections/paging/page-parameters.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { idPathOf, type IdEvidence, type ItemShape } from './item-shape.ts'

/**
 * Whether the list that is read at the path of an item has that item alone: `{ account: [{ id: 7 }] }` for `/accounts/7`.
 * What names another field chooses from the list: `/players/{team}`.
 * @param one what is in the list at the path of an item
 * @param all what is in that of the collection
 * @param items the routes of an item's path
 */
export function isListedOne(
  one: ItemShape | undefined,
  all: ItemShape | undefined,
  items: readonly RouteDefinition[],
  evidence: IdEvidence,
): boolean {
  if (one === undefined || all === undefined || !areAlike(one, all)) return false
  return idPathOf(one, evidence) !== undefined && namesItem(items, evidence)
}

/** Whether two models are of the same items: one of them may say more of each. */
export function areAlike(one: ItemShape, other: ItemShape): boolean {
  if (one.component !== undefined && one.component === other.component) return true
  const [less, more] =
    one.fields.size < other.fields.size ? [one.fields, other.fields] : [other.fields, one.fields]
  return less.size >= MIN_FIELDS && [...less.keys()].every((name) => more.has(name))
}

/** So many fields are seldom those of other items as well. */
const MIN_FIELDS = 3

function namesItem(items: readonly RouteDefinition[], { parameter, singular }: IdEvidence): boolean {
  const name = plainName(parameter)
  const isWritten = items.some(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method))
  return isWritten || /^(id|uuid|guid)s?$/.test(name) || name.includes(plainName(singular))
}
