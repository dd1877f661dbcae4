const MAX_KEYS = 100_000

/** Counts requests by key. Bounded: a key not seen for a hundred thousand others starts again. */
export interface Counters {
  /** How many came before this one. */
  next(key: string): number
  /** How many came so far; this does not count. */
  count(key: string): number
  reset(): void
}

/** Counters that all start at 0. */
export function createCounters(): Counters {
  // In the order in which they were counted last. There may be many counters, so no room is taken beforehand.
  const counts = new Map<string, Counter>()
  let last: Counter | undefined
  return {
    next(key) {
      // The same one again keeps its place, and is the usual case.
      if (last?.key === key) return last.count++
      last = counts.get(key) ?? { key, count: 0 }
      counts.delete(key)
      counts.set(key, last)
      const [oldest] = counts.size > MAX_KEYS ? counts.keys() : []
      if (oldest !== undefined) counts.delete(oldest)
      return last.count++
    },
    count: (key) => counts.get(key)?.count ?? 0,
    reset() {
      counts.clear()
      last = undefined
    },
  }
}

interface Counter {
  readonly key: string
  count: number
}
