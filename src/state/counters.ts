import type { Awaitable } from '../message.ts'

const MAX_KEYS = 100_000

/** Values by key, of which those used latest are kept. */
export interface Recent<Value> {
  /** Counts as a use. */
  get(key: string): Value | undefined
  /** As `get`, but does not count as a use. */
  peek(key: string): Value | undefined
  /** Adds a value, and drops the one that was not used for longest where there are too many. */
  add(key: string, value: Value): Value
  delete(key: string): boolean
  size(): number
  /** The one that was not used for longest first. */
  entries(): Iterable<[key: string, value: Value]>
  clear(): void
}

/**
 * Nothing yet.
 * @param max how many values are kept
 * @param onDrop called with each value that is deleted or dropped
 */
export function createRecent<Value>(max = MAX_KEYS, onDrop?: (value: Value) => void): Recent<Value> {
  const values = new Map<string, Value>()
  let lastKey: string | undefined
  let last: Value | undefined
  const drop = (key: string): boolean => {
    const value = values.get(key)
    if (value !== undefined) onDrop?.(value)
    return values.delete(key)
  }
  return {
    get(key) {
      // The same one again keeps its place, and is the usual case.
      if (key === lastKey) return last
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      lastKey = key
      last = value
      return value
    },
    peek: (key) => values.get(key),
    add(key, value) {
      values.delete(key)
      values.set(key, value)
      lastKey = key
      last = value
      const [oldest] = values.size > max ? values.keys() : []
      if (oldest !== undefined) drop(oldest)
      return value
    },
    size: () => values.size,
    delete(key) {
      if (key === lastKey) lastKey = undefined
      return drop(key)
    },
    entries: () => values.entries(),
    clear() {
      values.clear()
      lastKey = undefined
    },
  }
}

/** Counts requests by key. Bounded: a key not seen for a hundred thousand others starts again. */
export interface Counters {
  /** How many came before this one. */
  next(key: string): Awaitable<number>
  /** Counts one of which nothing depends on how many came before; returns how many of those there were in this process. */
  note(key: string): number
  /** How many came so far; this does not count. */
  count(key: string): Awaitable<number>
  reset(): Awaitable<void>
}

/** Counters of this process alone. */
export interface MemoryCounters extends Counters {
  next(key: string): number
  count(key: string): number
  /** Goes on from a count of elsewhere. */
  restore(key: string, count: number): void
  reset(): void
}

/** Counters that all start at 0. */
export function createCounters(): MemoryCounters {
  const counts = createRecent<{ count: number }>()
  const next = (key: string): number => (counts.get(key) ?? counts.add(key, { count: 0 })).count++
  return {
    next,
    note: next,
    count: (key) => counts.peek(key)?.count ?? 0,
    restore: (key, count) => void counts.add(key, { count }),
    reset: () => counts.clear(),
  }
}
