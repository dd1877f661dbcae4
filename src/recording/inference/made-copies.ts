import type { ItemReference } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { copiedFields, type NamedItems } from './copied-fields.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, itemView } from './item-place.ts'
import type { SightingsOf } from './parents.ts'
import { elsewhereOf, type Resource } from './resources.ts'
import type { Sample } from './sample.ts'

/** Finds the items of which those that requests of a method and path make copy fields, by the fields that name them. */
type FindCopies = (
  resource: Resource,
  folded: Folded,
  method: string,
  samples: readonly Sample[],
) => Readonly<Record<string, ItemReference>> | undefined

/**
 * Makes what finds what is copied from items that bodies or paths name, such as the price of a product at the time of an
 * order, or all that a cart has.
 */
export function createCopies(resources: readonly Resource[], sightingsOf: SightingsOf): FindCopies {
  const ofHost = (host: string | undefined, but: Resource): readonly NamedItems[] =>
    resources.flatMap((resource): NamedItems[] => {
      const { path, collection } = resource
      if (resource === but || resource.host !== host || path === collection || collection.includes('{'))
        return []
      const seen = sightingsOf(resource).get(collection)
      return seen === undefined ? [] : [{ path, before: (id, index) => seen.before(id, index)?.item }]
    })
  return (resource, folded, method, samples) => {
    const { place, collection, host, computes = {} } = resource
    const other = elsewhereOf(resource, { ...folded, method })
    const makes =
      other === undefined ? method === 'POST' && folded.path === collection : other.does === 'create'
    if (!makes) return undefined
    const made = samples.flatMap((sample) => {
      const { body, response } = itemView(sample, place)
      const isMade = sample.status < 300 && isObject(response) && idIn(response, place) !== undefined
      const names = { ...folded.values(sample), ...(isObject(body) && body) }
      return isMade ? [{ sample, body: names, item: response }] : []
    })
    const isSent = (name: string): boolean => made.some(({ body }) => Object.hasOwn(body, name))
    const fields = [...new Set(made.flatMap(({ item }) => Object.keys(item)))].filter(
      (name) => name !== place.id[0] && !isSent(name) && !Object.hasOwn(computes, pointerTo([name])),
    )
    const { refers, copied } = copiedFields(made, fields, ofHost(host, resource))
    return copied.size === 0 ? undefined : refers
  }
}
