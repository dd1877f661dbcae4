type Compare<Item> = (left: Item, right: Item) => number

const FEW = 4

/** Puts the last item of a heap where it belongs; the greatest is on top. */
const rise = <Item>(heap: Item[], compare: Compare<Item>): void => {
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    const [upper, lower] = [heap[parent] as Item, heap[at] as Item]
    if (compare(upper, lower) >= 0) return
    heap[parent] = lower
    heap[at] = upper
    at = parent
  }
}

const sink = <Item>(heap: Item[], compare: Compare<Item>): void => {
  let at = 0
  for (;;) {
    let greatest = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && compare(heap[child] as Item, heap[greatest] as Item) > 0) greatest = child
    }
    if (greatest === at) return
    const [upper, lower] = [heap[at] as Item, heap[greatest] as Item]
    heap[at] = lower
    heap[greatest] = upper
    at = greatest
  }
}

/** The first items in an order, sorted. A few of many are found without sorting the rest. */
export const firstOf = <Item>(items: readonly Item[], count: number, compare: Compare<Item>): Item[] => {
  if (count * FEW >= items.length) return items.toSorted(compare).slice(0, count)
  const heap: Item[] = []
  for (const item of items) {
    if (heap.length < count) {
      heap.push(item)
      rise(heap, compare)
    } else if (compare(item, heap[0] as Item) < 0) {
      heap[0] = item
      sink(heap, compare)
    }
  }
  return heap.toSorted(compare)
}
