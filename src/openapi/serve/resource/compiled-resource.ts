import { createIdReader } from '../../../collections/ids.ts'
import { lazy } from '../../../engine/lazy.ts'
import type { Seed, Stream } from '../../../engine/random.ts'
import type { Scope } from '../../../engine/schema/generate.ts'
import type { Entries } from '../../../engine/schema/schema.ts'
import { createCountFields, type CountField } from './count-fields.ts'
import { createExampleItems, type ExampleItems } from './example-items.ts'
import { createItemModel, type ItemModel } from './item-model.ts'
import { createItemUrls, type NameUrls } from './item-urls.ts'
import { createOtherIds, type OtherIds } from './other-ids.ts'
import { createParentFields, type ParentField } from './parent-fields.ts'
import { findReferences, type Reference } from './references.ts'
import { createRequestedFields, type RequestedFields } from './requested-fields.ts'
import { createResourceIds } from './resource-ids.ts'
import type { ResourceMap } from './resource-map.ts'
import type { Resource } from './resource.ts'
import { saidInList } from './said-in-list.ts'
import { findUnshownParents } from './unshown-parents.ts'
import { usualCountOf } from './usual-count.ts'
import type { CollectionMaker } from './virtual-collection.ts'

/** What is known of one resource's items, compiled when one is first made. */
export interface Maker extends CollectionMaker {
  readonly model: ItemModel
  readonly references: readonly Reference[]
  readonly parents: readonly ParentField[]
  readonly nameUrls: NameUrls
  readonly requestedFields: RequestedFields
  /** What only the list says of them. */
  readonly said: Entries
  readonly counts: readonly CountField[]
  readonly otherIds: OtherIds | undefined
}

/** What decides on the items of a description. */
export interface VirtualOptions {
  readonly seed: Seed
  /** Whether they are generated where the description has examples. */
  readonly dynamic: boolean
}

/** Compiles what makes the items of a resource. @param draws those for samples, which show how long items are */
export function createMaker(
  resource: Resource,
  map: ResourceMap,
  options: VirtualOptions,
  draws: Stream,
): Maker {
  const references = [
    ...findReferences(resource.shape.item, resource, map),
    ...findUnshownParents(resource, map),
  ]
  const model = createItemModel(resource.shape)
  return {
    model,
    usualCount: lazy(() => usualCountOf((name) => model.sample(draws.childOf(name), scopeOf(resource)))),
    assignId: createResourceIds(resource, options.seed),
    readId: createIdReader(resource),
    references,
    parents: createParentFields(resource, references, map),
    nameUrls: resource.isWhole === true ? () => undefined : createItemUrls(resource),
    requestedFields: createRequestedFields(resource),
    said: options.dynamic ? {} : saidInList(resource),
    counts: createCountFields(resource, map),
    otherIds: createOtherIds(resource, map, options.seed),
    examples: options.dynamic ? NO_EXAMPLES : createExampleItems(resource),
  }
}

const NO_EXAMPLES: ExampleItems = { items: [], isWhole: false, usual: undefined, of: () => undefined }

/** What the values of a resource's items have in common. */
export function scopeOf({ template }: Resource): Scope {
  return { route: template, input: {}, headers: {}, depth: 0 }
}
