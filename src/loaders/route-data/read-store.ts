import type { SimAPI } from '../../api.ts'
import { shown } from '../../data-files/words.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { readSeed, type SeedFixture } from '../../collections/seed.ts'
import { placeBelow, type DataPlace } from './data-place.ts'
import { isOfForm, type Check, type Form } from './read-entries.ts'

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text')
const FIXTURE: Form = { required: { path: text }, optional: { pointer: text } }

/** Starts collections with the items that data gives: lists, or where in JSON files they lie. */
export function readStore(data: unknown, api: SimAPI, place: DataPlace): void {
  if (!isObject(data)) return place.tell([], `must be items by collection, not ${shown(data)}`)
  for (const [collection, value] of Object.entries(data)) {
    const at = placeBelow(place, collection)
    try {
      const items = Array.isArray(value) ? value : readFixtureItems(value, at)
      if (items !== undefined) api.seedStore(collection, items)
    } catch (error) {
      at.tell([], (error as Error).message.replace(`${collection}: `, ''))
    }
  }
}

function readFixtureItems(value: unknown, place: DataPlace): readonly unknown[] | undefined {
  return isOfForm(value, FIXTURE, place)
    ? readSeed(value as unknown as SeedFixture, place.directory)
    : undefined
}
