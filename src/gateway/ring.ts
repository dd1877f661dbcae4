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

interface Kept<Entry> {
  readonly entry: Entry
  readonly bytes: number
}

/** A ring that keeps the latest `max` entries, or fewer where these hold more than `mostBytes`. */
export function createRing<Entry>(max: number, mostBytes = Infinity): Ring<Entry> {
  let kept: (Kept<Entry> | undefined)[] = []
  // Where the oldest lies. What was before it leaves gaps, which are closed now and then.
  let first = 0
  let held = 0
  let dropped = 0
  const size = (): number => kept.length - first
  const isTooMuch = (): boolean => size() > max || (held > mostBytes && size() > 1)
  const dropOldest = (): void => {
    held -= kept[first]?.bytes ?? 0
    kept[first++] = undefined
    dropped++
    if (first > max) [kept, first] = [kept.slice(first), 0]
  }

  return {
    get size() {
      return size()
    },
    get dropped() {
      return dropped
    },
    add(entry, bytes = 0) {
      kept.push({ entry, bytes })
      held += bytes
      while (isTooMuch()) dropOldest()
    },
    newest: () => kept.flatMap((each) => (each === undefined ? [] : [each.entry])).toReversed(),
    clear() {
      ;[kept, first, held] = [[], 0, 0]
      dropped = 0
    },
  }
}
