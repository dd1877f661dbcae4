import { idText, type CompileOperation } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { memberAt } from '../../../engine/schema/member.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { ItemExists } from '../../../errors.ts'
import { withItem } from '../../../state/found.ts'
import type { Item, StoredItem } from '../../../state/store.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/** What two people or pages of one service hardly share. */
const UNIQUE = /^(email|emailaddress|username|login|slug|handle)$/

/**
 * The fields besides the id by which a route refuses an item as one that is there: those that paths look items up by,
 * and those with a name of that kind. None where the description speaks of no conflict (409).
 */
export function uniqueFieldsOf(
  { operation, method }: OpenApiRoute,
  home: Resource,
  map: ResourceMap,
): readonly string[] {
  const isWrite = ['POST', 'PUT', 'PATCH'].includes(method)
  if (!isWrite || !operation.responses.some(({ status }) => status === 409)) return []
  const lookedUp = new Set(map.lookupFieldsOf(home))
  return [...home.shape.fields.keys()].filter(
    (name) => name !== home.idField && (lookedUp.has(name) || UNIQUE.test(plainName(name))),
  )
}

/** An operation that stores no item with a value of another's that no two items have. */
export function withUnique(
  fields: readonly string[],
  { idPath = [] }: Resource,
  compile: CompileOperation,
): CompileOperation {
  if (fields.length === 0) return compile
  const idOf = ({ value }: StoredItem): string => idText(memberAt(value, idPath) ?? '')
  return (context) => {
    const operation = compile(context)
    return {
      maxItems: operation.maxItems,
      need: () => ({ kind: 'all' }),
      decide(request, found) {
        const { body } = request.request
        const { items } = found
        const own = request.id === '' ? undefined : items.find((each) => idOf(each) === request.id)
        const outcome = operation.decide(request, withItem(found, own))
        const { change } = outcome
        if (change === undefined || !('item' in change) || !isObject(body)) return outcome
        for (const field of fields) {
          const value = textIn(change.item.value, field)
          if (value === undefined || !Object.hasOwn(body, field)) continue
          const others = items.filter((each) => each !== own && textIn(each.value, field) === value)
          // What several have already, as an example that each of them shows, is not unique.
          if (others.length === 1) throw new ItemExists(request.path, value, field)
        }
        return outcome
      },
    }
  }
}

function textIn(item: Item, field: string): string | undefined {
  const value = item[field]
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined
}
