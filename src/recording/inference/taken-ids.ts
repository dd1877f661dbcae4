import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { idIn } from './item-place.ts'
import type { Resource } from './resources.ts'
import type { Sample } from './sample.ts'
import { isTaken } from './taken.ts'

/** Whether a request was refused for an id that it has, and that another item of the collection has already. */
export function isIdTaken(sample: Sample, { writes, place }: Pick<Resource, 'writes' | 'place'>): boolean {
  return writes.hasSentIds && isTaken(sample) && idIn(memberAt(sample.body, place.body), place) !== undefined
}

/** Whether a request was refused since another item has what only one may have. */
export function isNameTaken(sample: Sample, { unique, place }: Pick<Resource, 'unique' | 'place'>): boolean {
  const body = memberAt(sample.body, place.body)
  return (
    unique.length > 0 && isTaken(sample) && isObject(body) && unique.some((name) => Object.hasOwn(body, name))
  )
}
