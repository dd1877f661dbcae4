import { idText } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { slugOf } from '../../../engine/links/computed-from.ts'
import { hashText, type Seed } from '../../../engine/random.ts'
import type { Entries } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import { createResourceIds } from './resource-ids.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/**
 * What an item has in the fields that other paths name it by, as `/orgs/{org}/teams/{slug}` does beside `/teams/{id}`:
 * values of its own, so that each path names one item.
 * @param known what is known of the item
 */
export type OtherIds = (id: unknown, known: Item) => Entries

/** The maker of the other ids of a resource's items; `undefined` where no other path names them. */
export function createOtherIds(resource: Resource, map: ResourceMap, seed: Seed): OtherIds | undefined {
  const others = map.namingOtherwise(resource).flatMap((each) => {
    const { idField, template } = each
    return idField === undefined ? [] : [{ idField, template, assignId: createResourceIds(each, seed) }]
  })
  if (others.length === 0) return undefined
  return (id, known) => {
    const ordinal = 1 + ((hashText(idText(id)) >>> 0) % MOST)
    const made = others.map(({ idField, template, assignId }) => {
      const slug = plainName(idField).endsWith('slug') ? slugIn(known) : undefined
      return [idField, slug ?? assignId(template, ordinal, () => false).value]
    })
    return Object.fromEntries(made) as Entries
  }
}

const MOST = 1_000_000

// Servers make it of the name.
function slugIn({ name, title }: Item): string | undefined {
  const text = name ?? title
  return typeof text === 'string' ? slugOf(text) || undefined : undefined
}
