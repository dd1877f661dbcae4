import type { MemoryCounters, Recent } from '../counters.ts'

type Entries<Value> = readonly (readonly [key: string, value: Value])[]

/** What work has changed of what a session was given of a recording. */
export interface ReplayDelta {
  readonly turns: Entries<number>
  /** `null` for what was taken away. */
  readonly writes: Entries<number | null>
  readonly given: Entries<number | null>
  readonly exchanged: Entries<number | null>
}

/** Counters that leave those below as they are. */
export function layTurns(below: MemoryCounters): {
  readonly counters: MemoryCounters
  entries(): Entries<number>
} {
  const counted = new Map<string, number>()
  const count = (key: string): number => counted.get(key) ?? below.count(key)
  const next = (key: string): number => {
    const before = count(key)
    counted.set(key, before + 1)
    return before
  }
  return {
    counters: {
      ...{ next, note: next, count },
      restore: (key, value) => void counted.set(key, value),
      reset: () => counted.clear(),
    },
    entries: () => [...counted],
  }
}

/** Recent values that leave those below as they are. */
export function layRecent(below: Recent<number>): {
  readonly recent: Recent<number>
  entries(): Entries<number | null>
} {
  // Those used last are at the end, as they are below once this is laid down there.
  const own = new Map<string, number | null>()
  const put = (key: string, value: number | null): void => {
    own.delete(key)
    own.set(key, value)
  }
  const peek = (key: string): number | undefined =>
    own.has(key) ? (own.get(key) ?? undefined) : below.peek(key)
  const entries = function* (): Iterable<[string, number]> {
    for (const [key, value] of below.entries()) if (!own.has(key)) yield [key, value]
    for (const [key, value] of own) if (value !== null) yield [key, value]
  }
  return {
    recent: {
      peek,
      get(key) {
        const value = peek(key)
        if (value !== undefined) put(key, value)
        return value
      },
      add(key, value) {
        put(key, value)
        return value
      },
      delete(key) {
        const isThere = peek(key) !== undefined
        if (isThere) put(key, null)
        return isThere
      },
      size: () => [...entries()].length,
      entries,
      clear() {
        for (const [key] of [...entries()]) put(key, null)
      },
    },
    entries: () => [...own],
  }
}
