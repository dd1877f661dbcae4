import type { ChaosEntry, ChaosLog } from '../chaos.ts'
import { machineNow } from '../clock.ts'
import type { Journal, JournalEntry, JournalRecord } from '../journal.ts'
import { entryText } from '../journal-entry.ts'
import { RecordedRequest } from '../journal-record.ts'
import type { Notes, StoredNote } from './notes.ts'
import type { StateClock } from './state-clock.ts'

/**
 * A journal that passes on what it keeps. It holds on to the latest of this gateway's own requests, of which it knows
 * more than it passes on.
 */
export function passOn(own: Journal, notes: Notes, clock: StateClock, gateway: string): Journal {
  return {
    ...own,
    // Its text is made when it is sent.
    unused: () => undefined,
    get size() {
      return own.size
    },
    get dropped() {
      return own.dropped
    },
    add(record, bytes) {
      if (record instanceof RecordedRequest) record.gateway = gateway
      own.add(record, bytes)
      notes.add({
        bytes,
        arrivedMs() {
          if (record instanceof RecordedRequest) record.aheadMs = clock.offsetMs
          return record.arrivedMs
        },
        text: () =>
          record instanceof RecordedRequest ? entryText(record) : JSON.stringify(record.toEntry()),
        onNumber(number) {
          if (record instanceof RecordedRequest) record.id = number
        },
      })
    },
    clear() {
      void own.clear()
      return notes.clear()
    },
  }
}

/** A log of chaos that passes on what it keeps. */
export function passOnFaults(own: ChaosLog, notes: Notes, clock: StateClock): ChaosLog {
  return {
    ...own,
    get size() {
      return own.size
    },
    get dropped() {
      return own.dropped
    },
    add(entry) {
      own.add(entry)
      const arrived = machineNow()
      notes.add({
        bytes: FAULT_BYTES,
        arrivedMs: () => arrived + clock.offsetMs,
        text: () => JSON.stringify(entry),
      })
    },
    clear() {
      void own.clear()
      return notes.clear()
    },
  }
}

const FAULT_BYTES = 128

/** What all gateways have noted of a session, as a journal that is read. */
export function readJournal(
  own: Journal,
  read: {
    readonly notes: readonly StoredNote[]
    readonly size: number
    readonly dropped: number
    readonly lost: number
    readonly gateway: string
  },
): Journal {
  const mine = new Map<number, JournalRecord>()
  for (const record of own.records()) mine.set(record.id, record)
  let records: readonly JournalRecord[] = read.notes
    .map((each): JournalRecord => {
      const record = each.gateway === read.gateway ? mine.get(each.number) : undefined
      return record ?? new StoredRecord(each)
    })
    .toReversed()
  let { size } = read
  return {
    get size() {
      return size
    },
    dropped: read.dropped,
    lostGateways: read.lost,
    newest: () => records.map((record) => record.toEntry()),
    records: () => records,
    find: (id) => records.find((record) => record.id === id),
    clear() {
      records = []
      size = 0
      return own.clear()
    },
    nextId: () => own.nextId(),
    add: (record, bytes) => own.add(record, bytes),
  }
}

/** What chaos did on all gateways, as a log that is read. */
export function readFaults(own: ChaosLog, notes: readonly StoredNote[], dropped: number): ChaosLog {
  let newest: readonly ChaosEntry[] = notes
    .toSorted((a, b) => a.arrivedMs - b.arrivedMs)
    .map(({ text }) => JSON.parse(text) as ChaosEntry)
    .toReversed()
  return {
    get size() {
      return newest.length
    },
    dropped,
    newest: () => newest,
    add: (entry) => own.add(entry),
    clear() {
      newest = []
      return own.clear()
    },
  }
}

/** A request that another gateway has noted, or this one before it forgot the rest. */
class StoredRecord implements JournalRecord {
  readonly id: number
  readonly arrivedMs: number
  readonly gateway: string
  readonly #text: string
  #entry: JournalEntry | undefined

  constructor({ number, arrivedMs, gateway, text }: StoredNote) {
    this.id = number
    this.arrivedMs = arrivedMs
    this.gateway = gateway
    this.#text = text
  }

  get #parsed(): JournalEntry {
    return (this.#entry ??= {
      ...(JSON.parse(this.#text) as JournalEntry),
      id: this.id,
      arrivedMs: this.arrivedMs,
    })
  }

  get method(): string {
    return this.#parsed.method
  }

  get mode(): string {
    return this.#parsed.mode
  }

  get status(): number | undefined {
    return this.#parsed.status
  }

  get session(): { readonly key: string } {
    return { key: this.#parsed.session }
  }

  get notes(): JournalRecord['notes'] {
    const { violations = [], unchecked = [] } = this.#parsed
    return { violations, unchecked } as JournalRecord['notes']
  }

  toEntry(hasBodies = true): JournalEntry {
    if (hasBodies) return this.#parsed
    const { requestBody: _request, responseBody: _response, ...entry } = this.#parsed
    return entry
  }
}

/** A note of a request as a record. */
export function storedRecord(stored: StoredNote): JournalRecord {
  return new StoredRecord(stored)
}
