import { createRing, type Ring } from '../ring.ts'
import type { JournalEntry } from './journal-entry.ts'

/** What a session saw: the latest requests. */
export interface Journal extends Ring<JournalEntry> {
  /** The number of the next entry; all journals of a gateway count together. */
  nextId(): number
}

/** What the journals of a gateway have in common. */
export interface Telling {
  /** The number of the next entry. */
  readonly nextId: () => number
  /** Hears of each entry. */
  readonly tell: (entry: JournalEntry) => void
}

const MOST_BYTES = 8 * 1024 * 1024

/** A journal that keeps the latest `max` entries, or fewer where these are large. */
export function createJournal(max: number, { nextId, tell }: Telling): Journal {
  const ring = createRing<JournalEntry>(max, MOST_BYTES)

  return {
    get size() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    newest: () => ring.newest(),
    clear: () => ring.clear(),
    nextId,
    add(entry, bytes) {
      ring.add(entry, bytes)
      tell(entry)
    },
  }
}
