import { names } from '../../collections/held-items.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { pointerTo, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { namesOf, pathShape } from '../../routing/path-template.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import type { Item } from './item-place.ts'
import { singular } from './names.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'
import { itemsOf } from './sent-items.ts'

/** What the items of a collection are not removed for. */
export interface HeldItems {
  /** The paths of other items, with pointers to the member that has the id: empty for those below the item. */
  readonly by: Readonly<Record<string, string>>
  /** The exchanges that were refused for that. */
  readonly refused: ReadonlySet<number>
}

/** Other items that may hold those of a collection, at some time. */
interface Holder {
  readonly at: string
  readonly pointer: string
  /** Whether one of them is there that holds the item which a request is about. */
  holds(sample: Sample): boolean
}

const REFUSED = new Set([400, 403, 409, 412, 422, 423])

/**
 * Finds what items are not removed for: other items name each that was refused to be removed, or are below it, and none of
 * those that were removed.
 */
export function findHolders(
  folded: readonly Folded[],
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): ReadonlyMap<Resource, HeldItems> {
  return new Map(
    resources.flatMap((resource) => {
      const { host, path } = resource
      const all = samplesAt(folded, host, path).filter(({ method }) => method === 'DELETE')
      const refused = all.filter(({ status }) => REFUSED.has(status))
      const fine = all.filter(({ status }) => status < 300)
      if (refused.length === 0) return []
      const found = resources
        .filter((other) => other.host === host && other !== resource)
        .flatMap((other) => holdersOf(resource, other, folded, sightingsOf))
        .filter(({ holds }) => refused.some(holds) && !fine.some(holds))
      if (found.length === 0) return []
      const held = refused.filter((sample) => found.some(({ holds }) => holds(sample)))
      const by = Object.fromEntries(found.map(({ at, pointer }) => [at, pointer]))
      return [[resource, { by, refused: new Set(held.map(({ index }) => index)) }] as const]
    }),
  )
}

function holdersOf(
  resource: Resource,
  other: Resource,
  folded: readonly Folded[],
  sightingsOf: SightingsOf,
): readonly Holder[] {
  const itemsAt = (path: string, index: number): readonly Item[] => {
    const seen = sightingsOf(other).get(path)
    const items = [...(seen?.ids ?? [])].map((id) => {
      const last = seen?.before(id, index)
      const next = last === undefined ? seen?.after(id, index) : undefined
      // What is read first later was there before.
      return last === undefined && next?.isRead === true ? next.item : last?.item
    })
    return items.filter((item) => item !== undefined)
  }
  const above = `${pathShape(resource.path)}/`
  const below = pathShape(other.collection).startsWith(above)
    ? pathShape(other.collection).slice(above.length)
    : undefined
  if (below !== undefined) {
    const at = [resource.path, below, `{${parameterBelow(resource, other)}}`].join('/')
    const holds = (sample: Sample): boolean => itemsAt(`${pathOf(sample)}/${below}`, sample.index).length > 0
    return below.includes('{') || other.path === other.collection ? [] : [{ at, pointer: '', holds }]
  }
  if (other.collection.includes('{')) return []
  const all = itemsOf(other, folded)
  const pointers = new Set(all.flatMap((item) => referencesIn(item, nounOf(resource))))
  return [...pointers].map((pointer) => ({
    ...{ at: other.path, pointer },
    holds: (sample) => {
      const id = sample.segments.at(-1) ?? ''
      const items = itemsAt(other.collection, sample.index)
      return items.some((item) => names(memberAt(item, readPointer(pointer)), id))
    },
  }))
}

// The parameter of what is below an item is called otherwise than that of the item.
function parameterBelow({ path }: Resource, other: Resource): string {
  const name = namesOf(other.path).at(-1) ?? 'id'
  return namesOf(path).includes(name) ? `${name}_below` : name
}

function nounOf({ collection }: Resource): string {
  return plain(singular(collection.split('/').at(-1) ?? ''))
}

// Members that are called like what they refer to: `author_id`, `author`, `authors`.
function referencesIn(item: Item, noun: string): readonly string[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const isCalledSo =
      noun !== '' && plain(name.replace(/_?(ids?|uu?ids?|key|name|ref)$/i, '')).includes(noun)
    return isCalledSo && (isObject(value) || value !== null) ? [pointerTo([name])] : []
  })
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, '')
}
