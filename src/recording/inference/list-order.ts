/** What is seen of a list, or done to it, by the ids of its items. */
export type ListEvent =
  | {
      readonly kind: 'page'
      readonly offset: number
      readonly ids: readonly string[]
      readonly total: number | undefined
    }
  /** Items that were chosen from it, in its order. */
  | { readonly kind: 'chosen'; readonly ids: readonly string[] }
  | { readonly kind: 'made' | 'gone'; readonly id: string }

/** How a list was before anything was done to it, and how it grows. */
export interface ListOrder {
  /** The ids in their order; `undefined` for items that no answer shows. */
  readonly ids: readonly (string | undefined)[]
  /** Whether what is made comes first. */
  readonly isNewestFirst: boolean
  /** How many items pages had where these events put them, and how many they had elsewhere. */
  readonly agreed: number
  readonly broken: number
}

/**
 * Finds the order of a list from its pages, each of which shows a part of what it was at its time. New items are at the
 * end or at the beginning, whichever the pages agree with.
 * @param seeds the ids of all that is known to have been there
 */
export function orderOf(events: readonly ListEvent[], seeds: Iterable<string>): ListOrder {
  const size = firstSize(events)
  const ways = [size, undefined].flatMap((each) =>
    [false, true].map((isNewestFirst) => followed(events, isNewestFirst, each)),
  )
  const { ids, loose, ...order } = ways.toSorted((a, b) => a.broken - b.broken)[0] as Followed
  const chosen = events.flatMap((event) => (event.kind === 'chosen' ? [event.ids] : []))
  return { ...order, ids: withLoose(ids, loose, seeds, chosen) }
}

interface Followed extends ListOrder {
  /** The ids whose places no page shows. */
  readonly loose: readonly string[]
}

/** A place of the list, and which item has it as far as that is known. */
interface Slot {
  id: string | undefined
}

// What is said of its length may be something else.
function followed(events: readonly ListEvent[], isNewestFirst: boolean, size: number | undefined): Followed {
  const initial = Array.from({ length: size ?? 0 }, (): Slot => ({ id: undefined }))
  const list = [...initial]
  const slots = new Map<string, Slot>()
  const made = new Set<Slot>()
  const loose: string[] = []
  let [agreed, broken] = [0, 0]
  // How long the list is may not be known: what was there from the beginning is before all that is made at the end.
  const grow = (): Slot => {
    const slot: Slot = { id: undefined }
    initial.push(slot)
    const end = isNewestFirst ? list.length : list.findLastIndex((each) => !made.has(each)) + 1
    list.splice(end, 0, slot)
    return slot
  }
  const show = (id: string, place: number): void => {
    if (size === undefined && !slots.has(id)) while (list.length <= place) grow()
    const slot = list[place]
    const isFree = slot?.id === undefined && !slots.has(id)
    if (slot !== undefined && isFree) {
      slot.id = id
      slots.set(id, slot)
    }
    if (slot !== undefined && slot.id === id) agreed++
    else broken++
  }
  for (const event of events) {
    if (event.kind === 'page') {
      event.ids.forEach((id, at) => show(id, event.offset + at))
      if (size !== undefined && event.total !== undefined && event.total !== list.length) broken++
    } else if (event.kind === 'made') {
      const slot: Slot = { id: event.id }
      slots.set(event.id, slot)
      made.add(slot)
      if (isNewestFirst) list.unshift(slot)
      else list.push(slot)
    } else if (event.kind === 'gone') {
      const { id } = event
      const known = slots.get(id)
      const free = known ?? list.find((each) => each.id === undefined)
      const slot = free ?? (size === undefined ? grow() : undefined)
      if (slot === undefined) continue
      if (known === undefined) loose.push(id)
      slot.id = id
      list.splice(list.indexOf(slot), 1)
      slots.delete(id)
    }
  }
  return { ids: initial.map(({ id }) => id), loose, isNewestFirst, agreed, broken }
}

// What a page says of the list at its time, but for what was made and removed until then.
function firstSize(events: readonly ListEvent[]): number | undefined {
  let changed = 0
  for (const event of events) {
    if (event.kind === 'made') changed++
    else if (event.kind === 'gone') changed--
    else if (event.kind === 'page' && event.total !== undefined) return Math.max(0, event.total - changed)
  }
  return undefined
}

type Ids = readonly (string | undefined)[]

// What no page showed stands where its neighbours in other lists say, or where its id belongs among those in order.
function withLoose(
  ids: Ids,
  loose: readonly string[],
  seeds: Iterable<string>,
  chosen: readonly (readonly string[])[],
): Ids {
  const isLoose = new Set(loose)
  const ordered = ids.filter((id) => id === undefined || !isLoose.has(id))
  const placed = new Set(ordered)
  const isCounted = areAscending(ordered)
  for (const id of loose) ordered.splice(positionOf(id, ordered, chosen, isCounted), 0, id)
  for (const id of seeds) {
    if (placed.has(id) || isLoose.has(id)) continue
    const place = positionOf(id, ordered, chosen, isCounted)
    const next = ordered.indexOf(undefined, place)
    const free = next < 0 ? ordered.lastIndexOf(undefined) : next
    // It takes the place of something that was not seen, where there is any.
    if (free >= 0) ordered.splice(free, 1)
    ordered.splice(free >= 0 && free < place ? place - 1 : place, 0, id)
  }
  return ordered
}

function positionOf(
  id: string,
  ordered: Ids,
  chosen: readonly (readonly string[])[],
  isCounted: boolean,
): number {
  if (isCounted && /^\d{1,15}$/.test(id)) {
    const next = ordered.findIndex((each) => each !== undefined && Number(each) > Number(id))
    const end = next < 0 ? ordered.length : next
    const before = ordered.findLastIndex((each, at) => at < end && each !== undefined)
    const first = before < 0 ? 0 : Number(ordered[before])
    return Math.min(end, Math.max(before + 1, before + Number(id) - first))
  }
  for (const list of chosen) {
    const at = list.indexOf(id)
    const before = at <= 0 ? undefined : list.slice(0, at).findLast((each) => ordered.includes(each))
    if (before !== undefined) return ordered.indexOf(before) + 1
    const after = at < 0 ? undefined : list.slice(at + 1).find((each) => ordered.includes(each))
    if (after !== undefined) return ordered.indexOf(after)
  }
  return ordered.length
}

function areAscending(ids: Ids): boolean {
  const known = ids.filter((id) => id !== undefined)
  return known.every((id, at) => /^\d{1,15}$/.test(id) && (at === 0 || Number(id) > Number(known[at - 1])))
}
