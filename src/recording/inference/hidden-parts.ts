import { memberAt } from '../../engine/schema/member.ts'
import { pointerTo, readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts } from '../../grouping.ts'
import type { Query } from '../../message.ts'
import type { InferredRoute } from './infer-route.ts'
import { isAnsweredEmpty } from './item-option.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { isBlank } from './later-shown.ts'
import { type HiddenParts, itemsIn } from './resource-models.ts'

/** An item as an answer shows it. */
interface ReadItem {
  readonly query: Query
  readonly item: Item
  /** Pointers to what it has, in which `-` stands for all entries of a list. */
  readonly parts: ReadonlySet<string>
}

/** What fewer answers have need not be what all have. */
const MIN_WRITTEN = 2

/**
 * What answers to all that writes the items of a collection show, within their members too, and answers to what reads them
 * never do, or only where a parameter of the query says so; and what all answers of one route that reads them show, and
 * those of another never do.
 * @param views the routes of a collection, as if items were all that is answered
 */
export function findHiddenParts(
  views: readonly InferredRoute[],
  place: Pick<ItemPlace, 'id'>,
): ReadonlyMap<InferredRoute, HiddenParts> {
  const items = new Map(views.map((view) => [view, readsOf(view)]))
  const found = hiddenInReads(items, ({ item }) => idIn(item, place))
  const shown = [...items].filter(([{ method }]) => method === 'GET')
  for (const [view, own] of items) {
    const { hides = [], reveals } = found.get(view) ?? {}
    const isMaking = view.method === 'POST' || isAnsweredEmpty(view)
    if (reveals !== undefined || isMaking) continue
    // What is removed was just as it was read.
    const least = view.method === 'DELETE' ? 1 : MIN_WRITTEN
    const others = shown.flatMap(([other, reads]) => (other === view ? [] : alwaysIn(reads, least)))
    const more = hiddenIn(own, [...new Set(others)]).filter((part) => !hides.includes(part))
    if (more.length > 0) found.set(view, { hides: [...hides, ...more].toSorted(compareTexts) })
  }
  return found
}

// Parts that all items have which a route shows.
function alwaysIn(reads: readonly ReadItem[], least: number): readonly string[] {
  const [first] = reads
  return [...(first?.parts ?? [])].filter(
    (part) =>
      reads.every(({ parts }) => parts.has(part)) &&
      (reads.length >= least || isBlank(memberAt(first?.item, readPointer(part)))),
  )
}

function hiddenInReads(
  items: ReadonlyMap<InferredRoute, readonly ReadItem[]>,
  idOf: (read: ReadItem) => unknown,
): Map<InferredRoute, HiddenParts> {
  const written = [...items]
    .filter(([view]) => view.method !== 'GET' && view.method !== 'DELETE' && !isAnsweredEmpty(view))
    .flatMap(([, own]) => own)
  const reads = new Map([...items].filter(([{ method }]) => method === 'GET'))
  const [first, ...more] = written
  if (first === undefined) return new Map()
  const read = [...reads.values()].flat()
  // One alone says nothing of other items.
  const isOfSame = (other: ReadItem): boolean => idOf(first) !== undefined && idOf(other) === idOf(first)
  if (more.length === 0 && !read.some(isOfSame)) return new Map()
  const always = [...first.parts].filter((part) => written.every(({ parts }) => parts.has(part)))
  const reveals = revealing(read, always)
  return new Map(
    [...reads].flatMap(([view, own]): (readonly [InferredRoute, HiddenParts])[] => {
      const plain = own.filter(({ query }) => !isRevealed(query, reveals))
      const hides = hiddenIn(plain, always)
      if (hides.length === 0) return []
      return [[view, { hides, ...(reveals !== undefined && { reveals }) }]]
    }),
  )
}

function readsOf({ samples, output, status }: InferredRoute): readonly ReadItem[] {
  return samples
    .filter((sample) => sample.status === status)
    .flatMap(({ query, response }) =>
      itemsIn(response, output).map((item) => ({ query, item, parts: new Set(partsOf(item)) })),
    )
}

// Pointers to all members, and to those of objects within, as far as the entries of lists agree on them.
function partsOf(item: Item, above: readonly string[] = []): readonly string[] {
  return Object.entries(item).flatMap(([name, value]) => {
    const path = [...above, name]
    const within = path.length < MAX_DEPTH ? partsWithin(value, path) : []
    return [pointerTo(path), ...within]
  })
}

function partsWithin(value: unknown, path: readonly string[]): readonly string[] {
  if (isObject(value)) return partsOf(value, path)
  if (!Array.isArray(value)) return []
  const entries = value.filter((each): each is Item => isObject(each))
  const [first] = entries
  if (first === undefined || entries.length < value.length) return []
  const names = JSON.stringify(Object.keys(first).toSorted())
  const areAlike = entries.every((each) => JSON.stringify(Object.keys(each).toSorted()) === names)
  const own = [...path, '-']
  return areAlike ? [pointerTo(own), ...Object.keys(first).map((name) => pointerTo([...own, name]))] : []
}

const MAX_DEPTH = 4

// What is within something hidden is hidden, too, and what is around something hidden was shown.
function hiddenIn(reads: readonly ReadItem[], always: readonly string[]): readonly string[] {
  if (reads.length === 0) return []
  const hidden = always.filter((part) => reads.every(({ parts }) => !parts.has(part)))
  return hidden.filter((part) => {
    const above = part.slice(0, part.lastIndexOf('/'))
    return above === '' || reads.some(({ parts }) => parts.has(above))
  })
}

/** The parameter that all requests have to which the hidden parts were shown. */
function revealing(
  reads: readonly ReadItem[],
  always: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const pairs = new Map(
    reads.flatMap(({ query }) =>
      Object.entries(query).flatMap(([name, value]) =>
        typeof value === 'string' ? [[JSON.stringify([name, value]), { [name]: value }] as const] : [],
      ),
    ),
  )
  return [...pairs.values()].find((pair) => {
    const shown = reads.filter(({ query }) => isRevealed(query, pair))
    const hidden = hiddenIn(
      reads.filter(({ query }) => !isRevealed(query, pair)),
      always,
    )
    return hidden.length > 0 && shown.every(({ parts }) => hidden.every((part) => parts.has(part)))
  })
}

function isRevealed(query: Query, reveals: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(reveals ?? {}).some(([name, value]) => query[name] === value)
}
