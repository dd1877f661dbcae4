import { createRing, type Ring } from './ring.ts'
import type { JournalEntry } from './journal-entry.ts'

/** What is kept of a request. Most entries are never looked at, so each is made when one is. */
export interface JournalRecord {
  toEntry(): JournalEntry
}

/** What a session saw: the latest requests. */
export interface Journal extends Pick<Ring<JournalEntry>, 'size' | 'dropped' | 'newest' | 'clear'> {
  /** The number of the next entry; all journals of a gateway count together. */
  nextId(): number
  /** @param bytes about how much memory the entry holds */
  add(record: JournalRecord, bytes: number): void
}

/** What the journals of a gateway have in common. */
export interface JournalListener {
  /** The number of the next entry. */
  readonly nextId: () => number
  /** Called with each entry. */
  readonly notify: (record: JournalRecord) => void
}

const MAX_BYTES = 8 * 1024 * 1024

/** A journal that keeps the latest `max` entries, or fewer where these are large. */
export function createJournal(max: number, { nextId, notify }: JournalListener): Journal {
  const ring = createRing<JournalRecord>(max, MAX_BYTES)

  return {
    get size() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    newest: () => ring.newest().map((record) => record.toEntry()),
    clear: () => ring.clear(),
    nextId,
    add(record, bytes) {
      ring.add(record, bytes)
      notify(record)
    },
  }
}
