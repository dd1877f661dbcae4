import { isObject } from '../../engine/schema/schema.ts'
import { type Around, type Effect, lastDone } from './action-states.ts'
import type { NumbersSeen } from './action-values.ts'
import { idIn, type Item, itemView } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'
import type { OtherPath } from './sightings.ts'

/** What is known of items, whose numbers are those that other actions answered since. */
export function numbersSeen(effects: readonly Effect[], other: OtherPath, around: Around): NumbersSeen {
  const { done, sightings, place, idOf } = around
  const shownBy = (sample: Sample): Item => {
    const { response } = itemView(sample, place)
    const id = idIn(response, place)
    // What has an id of its own is another thing.
    const isOfItem = id === undefined || sample.segments.includes(id)
    return isObject(response) && isOfItem
      ? Object.fromEntries(Object.entries(response).filter(([, value]) => typeof value === 'number'))
      : {}
  }
  return {
    before(sample) {
      const segments = other.segments(sample)
      const path = pathOf({ segments: segments.slice(0, -1) })
      const id = segments.at(-1) ?? ''
      const seen = sightings.get(path)?.before(idOf(path, id, sample.index), sample.index)
      if (seen?.item === undefined) return undefined
      const last = lastDone(done, id, seen.index, sample.index)
      if (last === undefined) return seen.item
      const others = Object.entries(seen.item).filter(([, value]) => typeof value !== 'number')
      return { ...Object.fromEntries(others), ...shownBy(last) }
    },
    after: (sample) => ({ ...effects.find((each) => each.sample === sample)?.after, ...shownBy(sample) }),
  }
}
