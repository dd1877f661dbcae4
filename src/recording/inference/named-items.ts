import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { idIn, type Item, type ItemPlace, itemView, listIn } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'

/** The id of the item that a path names at some time. */
export type IdOf = (collection: string, name: string, index: number) => string

/** What an exchange shows of an item that has another name. */
interface Shown {
  readonly index: number
  readonly id: string
  readonly name: string
}

/**
 * The ids of items that paths name by another field, by what exchanges show of them: as far as they go where that has
 * changed, else whatever comes later.
 * @param items of the paths of items
 * @param own of their collection's path
 */
export function createIdOf(place: ItemPlace, items: readonly Sample[], own: readonly Sample[]): IdOf {
  const { also } = place
  if (also === undefined) return (_, name) => name
  const shown = new Map<string, Shown[]>()
  const ofItems = new Set(items)
  const note = (path: string, index: number, item: Item): void => {
    const [id, name] = [idIn(item, place), idIn(item, { id: [also] })]
    if (id !== undefined && name !== undefined) entryOf(shown, path, () => []).push({ index, id, name })
  }
  for (const sample of [...items, ...own].toSorted((a, b) => a.index - b.index)) {
    if (sample.status >= 300) continue
    const isItem = ofItems.has(sample)
    const path = pathOf({ ...sample, segments: isItem ? sample.segments.slice(0, -1) : sample.segments })
    const { response } = itemView(sample, place)
    const listed = isItem ? undefined : listIn(sample.response)?.items
    for (const item of listed ?? [response]) if (isObject(item)) note(path, sample.index, item)
  }
  return (path, name, at) => {
    const all = shown.get(path) ?? []
    const before = all.findLast((each) => each.name === name && each.index <= at)
    const found = before ?? all.find((each) => each.name === name)
    if (found === undefined) return name
    // It may have another name by now.
    const last = all.findLast((each) => each.id === found.id && each.index <= at)
    return before === undefined || last === undefined || last.name === name ? found.id : name
  }
}

/** Exchanges of items as if their paths had their ids. */
export function withIds(samples: readonly Sample[], idOf: IdOf): readonly Sample[] {
  return samples.map((sample) => {
    const { segments, index } = sample
    const [above, name = ''] = [segments.slice(0, -1), segments.at(-1)]
    const id = idOf(pathOf({ ...sample, segments: above }), name, index)
    return id === name ? sample : { ...sample, segments: [...above, id] }
  })
}
