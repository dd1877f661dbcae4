/** Items by a key of theirs, in the order the keys first come. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) entryOf(groups, keyOf(item), () => []).push(item)
  return groups
}

/** The value of a key, which is made where there is none yet. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** How often each of some values comes, in the order they first come. */
export function countEach<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) addTo(counts, value)
  return counts
}

/** Counts a value once more, or several times. */
export function addTo<Value>(counts: Map<Value, number>, value: Value, times = 1): void {
  counts.set(value, (counts.get(value) ?? 0) + times)
}

/** Values by name; those of a name that comes several times as a list. */
export function byName<Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value | Value[]> {
  const groups = [...groupBy(pairs, ([name]) => name)]
  return Object.fromEntries(
    groups.map(([name, [first, ...others]]) => {
      const value = (first as readonly [string, Value])[1]
      return [name, others.length === 0 ? value : [value, ...others.map(([, other]) => other)]]
    }),
  )
}

/** The order of two texts, for sorting; the same in every language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The text that comes most often; of several the first in their order. */
export function mostFrequent(texts: readonly string[]): string | undefined {
  const [most] = [...countEach(texts)].toSorted(
    ([a, some], [b, others]) => others - some || compareTexts(a, b),
  )
  return most?.[0]
}

/** Of many values so many at most, as far from each other as can be. */
export function spreadOf<Value>(values: readonly Value[], most: number): readonly Value[] {
  const step = Math.ceil(values.length / most)
  return step < 2 ? values : values.filter((_, at) => at % step === 0)
}
