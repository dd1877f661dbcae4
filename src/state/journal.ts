import { createRing, type Ring } from './ring.ts'
import type { JournalEntry } from './journal-entry.ts'

/** What is kept of a request to make its entry of. Most entries are never looked at, so that they are made when one is. */
export interface Noted {
  toEntry(): JournalEntry
}

/** What a session saw: the latest requests. */
export interface Journal extends Pick<Ring<JournalEntry>, 'size' | 'dropped' | 'newest' | 'clear'> {
  /** The number of the next entry; all journals of a gateway count together. */
  nextId(): number
  /** @param bytes about how much memory the entry holds */
  add(noted: Noted, bytes: number): void
}

/** What the journals of a gateway have in common. */
export interface Telling {
  /** The number of the next entry. */
  readonly nextId: () => number
  /** Hears of each entry. */
  readonly tell: (noted: Noted) => void
}

const MOST_BYTES = 8 * 1024 * 1024

/** A journal that keeps the latest `max` entries, or fewer where these are large. */
export function createJournal(max: number, { nextId, tell }: Telling): Journal {
  const ring = createRing<Noted>(max, MOST_BYTES)

  return {
    get size() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    newest: () => ring.newest().map((noted) => noted.toEntry()),
    clear: () => ring.clear(),
    nextId,
    add(noted, bytes) {
      ring.add(noted, bytes)
      tell(noted)
    },
  }
}
