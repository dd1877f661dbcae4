import { memberAt } from '../../engine/schema/member.ts'
import { idIn } from './item-place.ts'
import type { Resource } from './resources.ts'
import type { Sample } from './sample.ts'
import { isTaken } from './taken.ts'

/** Whether a request was refused for an id that it has, and that another item of the collection has already. */
export function isIdTaken(sample: Sample, { writes, place }: Pick<Resource, 'writes' | 'place'>): boolean {
  return writes.hasSentIds && isTaken(sample) && idIn(memberAt(sample.body, place.body), place) !== undefined
}
