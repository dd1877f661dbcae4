import { LRUCache } from 'lru-cache'

const MOST_KEYS = 100_000

/** Counts requests by key. Bounded: a key not seen for a hundred thousand others starts again. */
export interface Counters {
  /** How many came before this one. */
  next(key: string): number
  reset(): void
}

/** Counters that all start at 0. */
export function createCounters(): Counters {
  const counts = new LRUCache<string, number>({ max: MOST_KEYS })
  return {
    next(key) {
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      return count
    },
    reset: () => counts.clear(),
  }
}
