/** The latest of many things: so many and no more. */
export interface Ring<Entry> {
  readonly size: number
  /** How many were added and are no longer there, since it was cleared. */
  readonly dropped: number
  add(entry: Entry): void
  /** The newest first. What is added meanwhile is not part of it. */
  newest(): readonly Entry[]
  clear(): void
}

/** A ring that keeps the latest `max` entries. */
export function createRing<Entry>(max: number): Ring<Entry> {
  let entries: Entry[] = []
  let next = 0
  let dropped = 0

  return {
    get size() {
      return entries.length
    },
    get dropped() {
      return dropped
    },
    add(entry) {
      if (entries.length === max) dropped++
      entries[next] = entry
      next = (next + 1) % max
    },
    newest: () => [...entries.slice(next), ...entries.slice(0, next)].toReversed(),
    clear() {
      entries = []
      next = 0
      dropped = 0
    },
  }
}
