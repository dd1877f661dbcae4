import { isObject } from '../../engine/schema/schema.ts'
import type { MadeItem } from './drawn-values.ts'
import type { Item } from './item-place.ts'
import type { ListEvent } from './list-order.ts'
import type { Sample } from './sample.ts'

/** A collection at one concrete path, as far as the recording has gone. */
export interface Known {
  readonly items: Map<string, Item>
  readonly gone: Set<string>
  /** The ids of what was looked for and not there, until something makes it. */
  readonly missing: Set<string>
  /** In which exchange each of its items was seen last. */
  readonly seenAt: Map<string, number>
  /** Whether some answer showed all there is. */
  isListed: boolean
  /** What was there before anything in the recording changed it. */
  readonly seeds: Map<string, Item>
  /** The fields of those that requests have given since; absent once they were replaced or removed. */
  readonly given: Map<string, Set<string>>
  readonly events: ListEvent[]
  /** The ids that were made for what requests sent without one. */
  readonly assigned: string[]
  readonly made: MadeItem[]
}

/** An item that is there, and of which no answer says more. */
export const UNKNOWN: Item = {}

/** Notes an item that was there from the start. */
export function addSeed({ seeds, given }: Known, id: string, item: Item): void {
  seeds.set(id, item)
  given.set(id, new Set())
}

/** Notes what a request gave an item; what is put in its place may leave out anything. */
export function noteGiven({ given }: Known, id: string, { method, body }: Sample): void {
  if (method === 'PUT' || !isObject(body)) given.delete(id)
  else for (const name of Object.keys(body)) given.get(id)?.add(name)
}

/** Some answers show more of an item than others: what no request has given since was so from the start. */
export function enlargeSeed({ seeds, given }: Known, id: string, item: Item): void {
  const [seed, changed] = [seeds.get(id), given.get(id)]
  if (seed === undefined || changed === undefined) return
  const more = Object.entries(item).filter(([name]) => !Object.hasOwn(seed, name) && !changed.has(name))
  if (more.length > 0) seeds.set(id, { ...seed, ...Object.fromEntries(more) })
}

/** All that was shown whole, at first and in the end. */
export function wholeItems(collections: ReadonlyMap<string, Known>): readonly Item[] {
  const items = [...collections.values()].flatMap(({ seeds, items: last }) => [
    ...seeds.values(),
    ...last.values(),
  ])
  return items.filter((item) => item !== UNKNOWN)
}

/** Fields that some item has not, or has as null; items that are not known whole say nothing. */
export function emptyIn(collections: ReadonlyMap<string, Known>): ReadonlySet<string> {
  const known = wholeItems(collections)
  const names = new Set(known.flatMap((item) => Object.keys(item)))
  return new Set([...names].filter((name) => known.some((item) => item[name] == null)))
}

/** Before the recording begins. */
export function nothingKnown(): Known {
  return {
    ...{ items: new Map(), gone: new Set(), missing: new Set(), seenAt: new Map(), isListed: false },
    ...{ seeds: new Map(), given: new Map(), events: [], assigned: [], made: [] },
  }
}

/** The items but one. */
export function* othersThan(id: string, items: ReadonlyMap<string, Item>): Generator<Item> {
  for (const [each, item] of items) if (each !== id) yield item
}

/** Whether it is known that an item is not there. */
export function isAbsent({ items, gone, missing, isListed }: Known, id: string): boolean {
  return gone.has(id) || missing.has(id) || (isListed && !items.has(id))
}
