import { isObject } from '../../engine/schema/schema.ts'
import { compareItems } from '../../collections/list-query.ts'
import { idIn, type Item, type ItemPlace, listIn } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import { isScalar, segmentKind } from './values.ts'
import type { Sample } from './sample.ts'

/** An item that was changed may have a later time than those that were made after it. */
const MIN_NEWER = 2

/** Looks in which order the lists of a collection are. */
export function createOrderNotes(place: ItemPlace): {
  /**
   * @param before the ids of those that were there from the start
   * @param known those of all that are known, in the order in which they were made
   */
  note(this: void, view: Sample, before: readonly string[], known: readonly string[]): void
  /** The field by which all lists are sorted, with a minus before it where the greatest comes first; `undefined` where
   * they are in the order in which items were made, the other way round, or in none. */
  found(this: void): string | undefined
} {
  const lists: (readonly Item[])[] = []
  let [isAsMade, isReversed] = [true, true]
  let [newer, older] = [0, 0]
  const sent = new Set<string>()
  return {
    note({ method, status, query, body, response }, before, known) {
      if (method !== 'GET' && isObject(body)) for (const name of Object.keys(body)) sent.add(name)
      if (method !== 'GET' || status >= 300 || Object.keys(query).length > 0) return
      const { items = [] } = listIn(response) ?? {}
      if (items.length < 2) return
      lists.push(items)
      // What nothing made was there from the start.
      const made = [...before, ...known]
      const places = items.map((item) => made.indexOf(idIn(item, place) ?? ''))
      isAsMade &&= places.every((at, index) => index === 0 || at >= (places[index - 1] ?? 0))
      const later = places.filter((at) => at >= before.length)
      for (const [index, at] of later.entries())
        if (index > 0 && at < (later[index - 1] ?? 0)) newer++
        else if (index > 0) older++
      isReversed &&=
        later.length > 1 &&
        places.slice(0, later.length).every((at, index) => index === 0 || at < (places[index - 1] ?? 0)) &&
        places.slice(later.length).every((at) => at < before.length)
    },
    found() {
      const all = lists.flat()
      if (isAsMade || all.length === 0) return undefined
      const [first = {}] = all
      // So may be drawn ids, where a list is short.
      const ids = all.map((item) => idIn(item, place) ?? '')
      const isDrawn =
        ids.some((id) => /^(hash|uuid)$/.test(segmentKind(id))) &&
        ids.every((id) => id.length === ids[0]?.length)
      const rank = (name: string): number => (name === place.id[0] ? 0 : name === 'name' ? 1 : 2)
      // The newest first are in the order of some time by chance, which may be the same for several of them.
      const able = Object.keys(first).filter(
        (name) =>
          all.every((item) => isScalar(item[name])) &&
          (!isReversed || rank(name) === 1 || (rank(name) === 0 && !isDrawn)),
      )
      const orders = able.toSorted((a, b) => rank(a) - rank(b)).flatMap((name) => [name, `-${name}`])
      const found = orders.find((order) => lists.every((items) => areSorted(items, order)))
      // Times that no request sends are drawn: what is newest by them is what was made last.
      const field = found?.startsWith('-') === true ? found.slice(1) : ''
      const isMadeTime = field !== '' && !sent.has(field) && all.every((item) => holdsTime(item[field]))
      return isMadeTime && newer > older * MIN_NEWER ? '-' : found
    },
  }
}

// Equal values say nothing of an order.
function areSorted(items: readonly Item[], order: string): boolean {
  const field = order.replace(/^-/, '')
  return items.every((item, at) => {
    const before = items[at - 1]
    const isDescending = order.startsWith('-')
    return before === undefined || compareItems(before, item, [{ field, isDescending }]) < 0
  })
}
