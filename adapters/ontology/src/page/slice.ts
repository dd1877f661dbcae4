import type { OntologyObject } from '../ontology/model.ts'
import { firstOf } from './first-of.ts'
import { createComparison, createRanker, type Order } from './order.ts'

/** The objects of one page, and whether more follow. */
export interface Slice {
  readonly objects: readonly OntologyObject[]
  readonly hasMore: boolean
}

/** The first index whose object came after another. */
const indexAfter = (objects: readonly OntologyObject[], { ordinal }: OntologyObject): number => {
  let [low, high] = [0, objects.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((objects[middle]?.ordinal ?? 0) <= ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The page that follows an object in an order, or the first one. The place of a page is an object and no number,
 * so what is added meanwhile neither repeats nor skips any object.
 */
export const sliceAfter = (
  objects: readonly OntologyObject[],
  orders: readonly Order[],
  last: OntologyObject | undefined,
  size: number,
): Slice => {
  if (orders.length === 0) {
    const start = last === undefined ? 0 : indexAfter(objects, last)
    return { objects: objects.slice(start, start + size), hasMore: start + size < objects.length }
  }
  const rank = createRanker(orders)
  const compare = createComparison(orders)
  const ranked = objects.map(rank)
  const from = last === undefined ? undefined : rank(last)
  const rest = from === undefined ? ranked : ranked.filter((each) => compare(each, from) > 0)
  const first = firstOf(rest, size + 1, compare)
  return { objects: first.slice(0, size).map(({ object }) => object), hasMore: first.length > size }
}
