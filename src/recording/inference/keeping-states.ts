import type { ItemOption } from '../../engine/route-options.ts'
import { isDeepStrictEqual } from 'node:util'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import { isState } from './action-states.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import type { Item } from './item-place.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'

/** In which state the items of a collection are not removed. */
export interface KeptByState {
  /** The values of a field with which they are. */
  readonly from: NonNullable<ItemOption['from']>
  /** The exchanges that were refused for others. */
  readonly refused: ReadonlySet<number>
}

/** The removal of an item that is known, done or refused. */
interface Removal {
  readonly sample: Sample
  readonly item: Item
}

const REFUSED = new Set([400, 403, 409, 412, 422, 423])
/** So many that were removed, and that were not, differ in a state by more than chance. */
const MIN_REMOVALS = 2

/**
 * Finds the field whose values items had that were removed, and none that was refused to be, such as `protected`: where
 * the refusals speak of it, an item was removed once nothing else of it had changed, or there are several on both sides.
 * @param isExplained whether a refusal has another reason
 */
export function findKeepingState(
  resource: Resource,
  folded: readonly Folded[],
  sightingsOf: SightingsOf,
  isExplained: (sample: Sample) => boolean,
): KeptByState | undefined {
  const all = samplesAt(folded, resource.host, resource.path).filter(
    (sample) => sample.method === 'DELETE' && !isExplained(sample),
  )
  const sightings = sightingsOf(resource)
  const known = (samples: readonly Sample[]): readonly Removal[] =>
    samples.flatMap((sample) => {
      const { segments, index } = sample
      const path = pathOf({ segments: segments.slice(0, -1) })
      const item = sightings.get(path)?.before(segments.at(-1) ?? '', index)?.item
      return item === undefined ? [] : [{ sample, item }]
    })
  const [kept, removed] = [
    known(all.filter(({ status }) => REFUSED.has(status))),
    known(all.filter(({ status }) => status < 300)),
  ]
  const [first] = kept
  if (first === undefined || removed.length === 0) return undefined
  const able = Object.keys(first.item).filter((name) => {
    const values = removed.map(({ item }) => item[name])
    const isOther = ({ item }: Removal): boolean => isState(item[name]) && !values.includes(item[name])
    return values.every(isState) && kept.every(isOther)
  })
  const isSaid = (name: string): boolean =>
    kept.every(({ sample }) => speaksOf(textOfAnswer(sample.response), name))
  const isOnlyChange = (name: string): boolean =>
    kept.some(({ sample, item }) =>
      removed.some(
        (other) =>
          isDeepStrictEqual(other.sample.segments, sample.segments) &&
          able.every((each) => each === name || other.item[each] === item[each]),
      ),
    )
  const areSeveral = kept.length >= MIN_REMOVALS && removed.length >= MIN_REMOVALS && able.length === 1
  const field = able.find(isSaid) ?? able.find(isOnlyChange) ?? (areSeveral ? able[0] : undefined)
  if (field === undefined) return undefined
  return {
    from: { [field]: [...new Set(removed.map(({ item }) => item[field]))] },
    refused: new Set(kept.map(({ sample }) => sample.index)),
  }
}
