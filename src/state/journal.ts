import type { ContractNotes, ContractViolation } from '../engine/contract-violation.ts'
import type { Awaitable } from '../message.ts'

/** One request as the journal keeps it: without secrets. Bodies are those of simulated routes, and answers of adapters. */
export interface JournalEntry {
  /** Counts the requests of the gateway, from 1. */
  readonly id: number
  /** When it arrived, by the session's clock, such as `2026-01-31T12:00:00.000Z`. */
  readonly time: string
  /** The key of its session. */
  readonly session: string
  readonly method: string
  readonly url: string
  readonly host: string
  readonly path: string
  readonly query: Readonly<Record<string, readonly string[]>>
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Absent where an adapter answered: only the adapter knows what in it is secret. */
  readonly requestBody?: unknown
  readonly responseBody?: unknown
  /** The declared route that it was for. */
  readonly route?: string
  readonly mode: string
  /** Absent when the connection ended without an answer. */
  readonly status?: number
  readonly durationMs: number
  /** When it arrived by the machine's clock, in milliseconds since 1970, whatever the session's says. */
  readonly arrivedMs: number
  /** Counts the connections of clients; absent where requests share one, and where neither chaos nor an error was. */
  readonly connection?: number
  /** What its answer said of when to come again: `Retry-After` and rate limits. */
  readonly retryHeaders?: readonly (readonly [name: string, value: string])[]
  /** What chaos did to it, such as `latency 120 ms` or `reset`. */
  readonly chaos?: readonly string[]
  /** How it, or its answer, is not as described, where that is checked. */
  readonly violations?: readonly ContractViolation[]
  /** What of it could not be checked, and why. */
  readonly unchecked?: readonly string[]
  /** The gateway that answered it, where several share a journal. */
  readonly gateway?: string
}

/** What is kept of a request. Most entries are never looked at, so each is made when one is. */
export interface JournalRecord extends Pick<JournalEntry, 'id' | 'method' | 'mode'> {
  readonly session: { readonly key: string }
  readonly status: number | undefined
  readonly notes: Pick<ContractNotes, 'violations' | 'unchecked'> | undefined
  /** When it arrived, in milliseconds since 1970. */
  readonly arrivedMs: number
  /** The gateway that has more of it, where that is another one. */
  readonly gateway?: string | undefined
  /** Whether somebody may hold on to it. */
  isSeen?: boolean
  /** @param hasBodies whether it has those that were kept, which take the most time. Default: it does */
  toEntry(hasBodies?: boolean): JournalEntry
}

/** What a session saw: the latest requests. */
export interface Journal extends Pick<Ring<JournalEntry>, 'size' | 'dropped' | 'newest'> {
  clear(): Awaitable<void>
  /** The number of the next entry; all journals of a gateway count together. */
  nextId(): number
  /** What its entries are made of, the newest first. */
  records(): readonly JournalRecord[]
  /** @param bytes about how much memory the entry holds */
  add(record: JournalRecord, bytes: number): void
  /** The record that the next one takes the place of, if nobody has seen it: that may be written into it. */
  unused?(): JournalRecord | undefined
  /** What is kept of the request of an id; `undefined` where nothing is. */
  find(id: number): JournalRecord | undefined
  /** How many gateways ended without a word since it was cleared: what they had not passed on is missing. */
  readonly lostGateways?: number
}

/** What the journals of a gateway have in common. */
export interface JournalListener {
  /** The number of the next entry. */
  readonly nextId: () => number
  /** Called with each entry, which they may hold on to. Default: nobody. */
  readonly followers?: Iterable<(record: JournalRecord) => void>
}

const MAX_BYTES = 8 * 1024 * 1024

/** A journal that keeps the latest `max` entries, or fewer where these are large. */
export function createJournal(max: number, { nextId, followers = [] }: JournalListener): Journal {
  const ring = createRing<JournalRecord>(max, MAX_BYTES)
  const records = (): readonly JournalRecord[] => {
    const newest = ring.newest()
    for (const record of newest) record.isSeen = true
    return newest
  }

  return {
    get size() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    newest: () => records().map((record) => record.toEntry()),
    records,
    clear: () => ring.clear(),
    find: (id) => records().find((record) => record.id === id),
    nextId,
    unused() {
      const oldest = ring.oldestOfFull()
      return oldest?.isSeen === true ? undefined : oldest
    },
    add(record, bytes) {
      ring.add(record, bytes)
      for (const follower of followers) {
        follower(record)
        record.isSeen = true
      }
    },
  }
}

/** The latest of many things: so many and no more. */
export interface Ring<Entry> {
  readonly size: number
  /** How many were added and are no longer there, since it was cleared. */
  readonly dropped: number
  /** @param bytes about how much memory the entry holds */
  add(entry: Entry, bytes?: number): void
  /** The newest first. What is added meanwhile is not part of it. */
  newest(): readonly Entry[]
  /** The entry that the next one takes the place of; absent where it is not full yet. */
  oldestOfFull(): Entry | undefined
  clear(): void
}

/** A ring that keeps the latest `max` entries, or fewer where these hold more than `maxBytes`. */
export function createRing<Entry>(max: number, maxBytes = Infinity): Ring<Entry> {
  // As long as the most entries there were; from then on places are used again.
  const entries: (Entry | undefined)[] = []
  const sizes: number[] = []
  let first = 0
  let size = 0
  let held = 0
  let dropped = 0
  const isTooMuch = (): boolean => held > maxBytes && size > 1
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
      if (held > maxBytes) while (isTooMuch()) dropOldest()
    },
    newest: () =>
      Array.from({ length: size }, (_, index) => entries[(first + size - 1 - index) % max] as Entry),
    oldestOfFull: () => (size === max ? entries[first] : undefined),
    clear() {
      entries.length = 0
      sizes.length = 0
      ;[first, size, held, dropped] = [0, 0, 0, 0]
    },
  }
}
