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

/** A journal that keeps the latest `max` entries. */
export function createJournal(max: number, { nextId, tell }: Telling): Journal {
  const ring = createRing<JournalEntry>(max)

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
    add(entry) {
      ring.add(entry)
      tell(entry)
    },
  }
}
