import { idText } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { slugOf } from '../../../engine/links/computed-from.ts'
import { hashText, type Seed } from '../../../engine/random.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import { createResolver, type Entries } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import { createResourceIds, eitherFieldsOf } from './resource-ids.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'

/**
 * What an item has in the fields that other paths name it by, as `/orgs/{org}/teams/{slug}` does beside `/teams/{id}`, and
 * in its `id` where its own path names it by another field: values of its own, so that each names one item.
 * @param known what is known of the item
 */
export type OtherIds = (id: unknown, known: Item) => Entries

/** The maker of the other ids of a resource's items; `undefined` where they have none. */
export function createOtherIds(resource: Resource, map: ResourceMap, seed: Seed): OtherIds | undefined {
  const naming = map.namingOtherwise(resource)
  const unnamed = unnamedIds(resource).filter(({ idField }) =>
    naming.every((each) => each.idField !== idField),
  )
  const others = [...naming, ...unnamed].flatMap((each) => {
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

// An `id` that no path names, and what a path may name instead of its own. What the description says of one would be that of all items.
function unnamedIds(resource: Resource): readonly Resource[] {
  const { idField, shape, evidence } = resource
  if (idField === undefined) return []
  const either = eitherFieldsOf(resource)
  return [...shape.fields.keys()].flatMap((name): Resource[] => {
    if (name === idField || !(/^(id|uuid|guid)$/.test(plainName(name)) || either.includes(name))) return []
    const idSchema = shape.modelOf(name)
    const isFree = ['string', 'integer'].includes(kindOf(idSchema)) && idSchema['enum'] === undefined
    if (!isFree || saidOf(idSchema, createResolver(idSchema)).length === 0) return []
    const named = { parameter: name, singular: evidence.singular, model: true }
    return [{ ...resource, idField: name, idPath: [name], idSchema, evidence: named }]
  })
}

// Servers make it of the name.
function slugIn({ name, title }: Item): string | undefined {
  const text = name ?? title
  return typeof text === 'string' ? slugOf(text) || undefined : undefined
}
