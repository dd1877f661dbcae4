import type { ServerResponse } from 'node:http'
import { HANDLED } from '../message.ts'
import type { JournalRecord } from '../state/journal.ts'
import { snakeKeys, WholeResponse, type ControlRequest } from './operation.ts'
import { openEvents } from './events.ts'
import { openRecord } from './request-details.ts'
import { createRequestFilter, findRecords, type RequestFilter } from './request-filter.ts'

/** The most events that go out together. */
const MAX_BATCH = 200
/** How long events are gathered: at first, and after a batch that was too large. */
const GATHER_MS = 50
const BUSY_GATHER_MS = 500
const MAX_UNREAD = 1024 * 1024

/** What a stream shows, and whether whole exchanges are kept for it. */
interface StreamOptions extends RequestFilter {
  readonly details?: boolean
}

/** Sends requests as they end, in batches, as server-sent events. */
export async function streamRequests(
  { details = false, ...filter }: StreamOptions,
  request: ControlRequest,
): Promise<WholeResponse> {
  const { session, sessions, exchange } = request
  const last = exchange.headers['last-event-id']
  const since = filter.since ?? (last === undefined ? undefined : Number(last))
  const fits = createRequestFilter(filter, session.key)
  const known = since === undefined ? [] : findRecords({ ...filter, since }, request)
  const unwatch = details ? await request.watching.start() : undefined
  const response = openEvents(request, 'the requests as they end')
  for (const record of known.toReversed()) response.write(eventOf(record, !details))
  const batch = createBatch(response, !details)
  const unfollow = sessions.follow((record) => {
    if (fits(record)) batch.add(record)
  })
  // What goes on has a number only of its gateway.
  const endLook = details && !session.isShared ? lookForOpen(request, fits, response) : undefined
  response.once('close', () => {
    unwatch?.()
    endLook?.()
    unfollow()
    batch.end()
  })
  return new WholeResponse(HANDLED)
}

/** How often is looked for exchanges that go on. */
const LOOK_MS = 100

// What goes on for a while is shown before it ends.
function lookForOpen(
  { watching }: ControlRequest,
  fits: (record: JournalRecord) => boolean,
  response: ServerResponse,
): () => void {
  const shown = new Set<number>()
  const timer = setInterval(() => {
    const open = watching.open()
    for (const id of shown) if (!open.some((each) => each.id === id)) shown.delete(id)
    for (const watched of open) {
      const record = openRecord(watched)
      if (shown.has(watched.id) || record.durationMs < LOOK_MS || !fits(record)) continue
      shown.add(watched.id)
      if (response.writableLength < MAX_UNREAD)
        response.write(`event: open\ndata: ${JSON.stringify(snakeKeys(record.toEntry(false)))}\n\n`)
    }
  }, LOOK_MS)
  return () => clearInterval(timer)
}

function eventOf(record: JournalRecord, hasBodies: boolean): string {
  return `id: ${record.id}\nevent: request\ndata: ${JSON.stringify(snakeKeys(record.toEntry(hasBodies)))}\n\n`
}

interface Batch {
  add(record: JournalRecord): void
  end(): void
}

// Of many requests at once the newest are kept, in a ring, and the others are counted.
function createBatch(response: ServerResponse, hasBodies: boolean): Batch {
  let waiting: JournalRecord[] = []
  let count = 0
  /** Events that were not sent, since the reader was too slow. */
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let gatherMs = GATHER_MS
  const send = (): void => {
    timer = undefined
    const isFull = count > MAX_BATCH
    // Who reads too slowly can request it again: the id of what was read last says where to go on.
    if (response.writableLength >= MAX_UNREAD) lost += count
    else {
      const from = isFull ? count % MAX_BATCH : 0
      const ordered = [...waiting.slice(from), ...waiting.slice(0, from)]
      const skipped = lost + count - ordered.length
      const note = skipped === 0 ? '' : `event: skipped\ndata: {"count":${skipped}}\n\n`
      response.write(note + ordered.map((record) => eventOf(record, hasBodies && !isFull)).join(''))
      lost = 0
    }
    gatherMs = isFull ? BUSY_GATHER_MS : GATHER_MS
    waiting = []
    count = 0
  }
  return {
    add(record) {
      waiting[count++ % MAX_BATCH] = record
      timer ??= setTimeout(send, gatherMs)
    },
    end: () => clearTimeout(timer),
  }
}
