import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, type ItemPlace, itemView } from './item-place.ts'

/** An item with what other answers showed of it before an exchange; what the list shows stays. */
export type Enlarge = (item: Item, index: number) => Item

/**
 * Lists may show less of items than filters go by.
 * @param routes of the collection
 */
export function createEnlarge(routes: readonly InferredRoute[], place: ItemPlace): Enlarge {
  const shown = new Map<string, { readonly index: number; readonly item: Item }[]>()
  const samples = routes.flatMap((route) => route.samples).toSorted((a, b) => a.index - b.index)
  for (const sample of samples) {
    const { response } = itemView(sample, place)
    const id = sample.status < 300 && isObject(response) ? idIn(response, place) : undefined
    if (id !== undefined && isObject(response))
      entryOf(shown, id, () => []).push({ index: sample.index, item: response })
  }
  return (item, index) => {
    const known = shown.get(idIn(item, place) ?? '')?.findLast((each) => each.index < index)
    return { ...known?.item, ...item }
  }
}
