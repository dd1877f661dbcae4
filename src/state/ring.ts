/** The latest of many things: so many and no more. */
export interface Ring<Entry> {
  readonly size: number
  /** How many were added and are no longer there, since it was cleared. */
  readonly dropped: number
  /** @param bytes about how much memory the entry holds */
  add(entry: Entry, bytes?: number): void
  /** The newest first. What is added meanwhile is not part of it. */
  newest(): readonly Entry[]
  clear(): void
}

/** A ring that keeps the latest `max` entries, or fewer where these hold more than `mostBytes`. */
export function createRing<Entry>(max: number, mostBytes = Infinity): Ring<Entry> {
  // As long as the most entries there were; from then on places are used again.
  const entries: (Entry | undefined)[] = []
  const sizes: number[] = []
  let first = 0
  let size = 0
  let held = 0
  let dropped = 0
  const isTooMuch = (): boolean => held > mostBytes && size > 1
  const dropOldest = (): void => {
    held -= sizes[first] ?? 0
    entries[first] = undefined
    first = (first + 1) % max
    size--
    dropped++
  }

  return {
    get size() {
      return size
    },
    get dropped() {
      return dropped
    },
    add(entry, bytes = 0) {
      if (max < 1) {
        dropped++
        return
      }
      if (size === max) dropOldest()
      const place = (first + size) % max
      entries[place] = entry
      sizes[place] = bytes
      size++
      held += bytes
      while (isTooMuch()) dropOldest()
    },
    newest: () =>
      Array.from({ length: size }, (_, index) => entries[(first + size - 1 - index) % max] as Entry),
    clear() {
      entries.length = 0
      sizes.length = 0
      ;[first, size, held, dropped] = [0, 0, 0, 0]
    },
  }
}
