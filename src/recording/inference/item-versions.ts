import type { ItemVersion } from '../../engine/route-options.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { mostFrequent } from '../../grouping.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import { type Item, itemView } from './item-place.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'

/** How the items of a collection count their changes. */
export interface VersionedItems {
  readonly version: ItemVersion
  /** The exchanges that were refused since they name another version. */
  readonly refused: ReadonlySet<number>
}

/** A change of an item: what was sent, and the item before and after. */
interface Change {
  readonly sample: Sample
  readonly body: unknown
  readonly before: Item
  readonly after: Item | undefined
}

const MIN_CHANGES = 2
const REFUSED = new Set([400, 409, 412, 422])

/**
 * Finds the number that each change of an item increases by one, where clients do not set it; and whether a request that
 * names another than the item has is refused.
 */
export function findVersions(
  folded: readonly Folded[],
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): ReadonlyMap<Resource, VersionedItems> {
  return new Map(
    resources.flatMap((resource) => {
      const { host, path, collection, place } = resource
      if (path === collection) return []
      const changes = samplesAt(folded, host, path).flatMap((sample) =>
        changeIn(sample, resource, sightingsOf),
      )
      const fine = changes.flatMap(({ after, ...change }) =>
        after === undefined ? [] : [{ ...change, after }],
      )
      const [first] = fine
      const made = samplesAt(folded, host, collection)
        .filter(({ method, status }) => method === 'POST' && status < 300)
        .map((sample) => itemView(sample, place).response)
      const found = numbersIn(first?.after).flatMap((names): readonly VersionedItems[] => {
        const valueIn = (item: unknown): string | undefined => textOf(memberAt(item, names))
        const isNext = ({ body, before, after }: (typeof fine)[number]): boolean => {
          const [now, sent] = [Number(valueIn(after)), valueIn(body)]
          const isKnown = Number(valueIn(before)) === now - 1
          return sent === undefined ? isKnown : Number(sent) === now - 1
        }
        const refused = changes.filter(({ sample, body, before }) => {
          const sent = valueIn(body)
          return REFUSED.has(sample.status) && sent !== undefined && sent !== valueIn(before)
        })
        const starts = made.map(valueIn)
        const start = mostFrequent(starts.filter((each) => each !== undefined))
        const isSame = starts.every((each) => each === start)
        if (!isSame || !fine.every(isNext) || fine.length + refused.length < MIN_CHANGES) return []
        const isText = typeof memberAt(first?.after, names) === 'string'
        const from = start ?? '1'
        const version = {
          ...{ at: pointerTo(names), first: isText ? from : Number(from) },
          ...(refused.length > 0 && { refuses: true }),
        }
        return [{ version, refused: new Set(refused.map(({ sample }) => sample.index)) }]
      })
      const [best] = found.toSorted((a, b) => b.refused.size - a.refused.size)
      return best === undefined ? [] : [[resource, best] as const]
    }),
  )
}

function changeIn(sample: Sample, resource: Resource, sightingsOf: SightingsOf): readonly Change[] {
  const { method, segments, index, status } = sample
  if (!/^(PUT|PATCH|POST)$/.test(method)) return []
  const seen = sightingsOf(resource).get(pathOf({ ...sample, segments: segments.slice(0, -1) }))
  const before = seen?.before(segments.at(-1) ?? '', index)?.item
  const { body, response } = itemView(sample, resource.place)
  if (before === undefined) return []
  return [{ sample, body, before, after: status < 300 && isObject(response) ? response : undefined }]
}

function numbersIn(item: Item | undefined, above: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(item ?? {}).flatMap(([name, value]) => {
    const names = [...above, name]
    if (isObject(value) && above.length === 0) return numbersIn(value, names)
    return /^\d{1,15}$/.test(textOf(value) ?? '') ? [names] : []
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
