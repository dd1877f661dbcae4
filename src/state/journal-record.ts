import type { ContractNotes } from '../engine/contract-violation.ts'
import { areSame } from '../memo.ts'
import type { FlatHeaders } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { ChaosDecision } from './chaos.ts'
import { entryOf, MAX_JOURNAL_BODY, type EntrySource, type RecordedHead } from './journal-entry.ts'
import type { JournalEntry, JournalRecord } from './journal.ts'
import type { PastWindow } from './limiter.ts'
import type { SessionVersion } from './session.ts'

/** What a record takes from a request that has ended. */
export interface EndedRequest {
  readonly id: number
  readonly session: { readonly key: string; readonly redactor: Redactor }
  /** When it came, by the session's clock. */
  readonly moment: number
  readonly method: string
  readonly mode: string
  /** The declared route, if it was for one. */
  readonly routeId: string | undefined
  readonly key: string
  readonly ordinal: number
  readonly chaos: ChaosDecision | undefined
  /** A JSON value. */
  readonly body: unknown
  /** UTF-8 bytes of JSON, as a character each. */
  readonly responseBody: string | undefined
  /** What was found of its contract, where one is checked. */
  readonly check: { readonly notes: ContractNotes } | undefined
  /** When it came, as `performance.now()` has it. */
  readonly started: number
  /** Headers of its answer that may say when to come again. */
  readonly advice: FlatHeaders | undefined
  /** Writes these bytes again from the request's head, in place of keeping them. */
  readonly rewriteBody: ((head: RecordedHead) => string | undefined) | undefined
  /** Who answered, where it was not the gateway itself. */
  readonly source: 'engine' | 'adapter' | 'upstream' | 'recording' | 'fault' | undefined
  readonly errorCode: string | undefined
  /** What it was answered from: seed and rules, and what there was of the session's state before it. */
  readonly version: SessionVersion | undefined
  readonly storeVersion: number | undefined
  readonly step: number | undefined
  readonly admitted: readonly PastWindow[] | undefined
  readonly answeredAt: number | undefined
  readonly responseBytes: string | Uint8Array | undefined
  readonly responseLength: number | undefined
  readonly sentBytes: string | undefined
  /** Whether anything of its body was read. */
  readonly isBodyRead: boolean
}

/** Keeps heads for records. */
export interface RecordedHeads {
  /** @param rawHeaders names and values in turn */
  of(request: RecordedHead, rawHeaders: readonly string[]): RecordedHead
  /** The number of a connection, counted from 1. */
  connection(socket: object): number
}

/** A client that sends the same head again, as most do, is kept once: it is what most of a record takes. */
export function createRecordedHeads(): RecordedHeads {
  let last: RecordedHead | undefined
  let lastRaw: readonly string[] = []
  const connections = new WeakMap<object, number>()
  let count = 0
  return {
    connection(socket) {
      const known = connections.get(socket) ?? ++count
      connections.set(socket, known)
      return known
    },
    of({ scheme, host, path, search, headers, url, prefix }, rawHeaders) {
      const same = last !== undefined && areSame(lastRaw, rawHeaders) ? last : undefined
      if (same?.url === url && same.path === path && same.host === host && same.scheme === scheme) return same
      if (same === undefined) lastRaw = rawHeaders
      return (last = { scheme, host, path, search, headers: same?.headers ?? headers, url, prefix })
    },
  }
}

// About what the head of a request takes.
const OVERHEAD = 512

/**
 * One request in a journal. It holds on to no connection, and its secrets are hidden when it is looked at. Most are never
 * looked at: a full journal has the next request written into the record that it drops, so that nothing of it outlives
 * the collections of garbage in between.
 */
export class RecordedRequest implements JournalRecord, EntrySource {
  /** That of its journal: where gateways share one, it is known once it has been passed on. */
  id = 0
  /** Counts the requests of this gateway, from 1. */
  number = 0
  session!: EndedRequest['session']
  moment = 0.5
  method = ''
  mode = ''
  route: string | undefined = undefined
  key = ''
  ordinal = 0
  chaos: ChaosDecision | undefined = undefined
  head!: RecordedHead
  durationMs = 0.5
  status: number | undefined = undefined
  /** About how much memory it holds. */
  bytes = 0
  requestBody: unknown = undefined
  responseBody: EndedRequest['responseBody'] = undefined
  rewriteBody: EndedRequest['rewriteBody'] = undefined
  notes: ContractNotes | undefined = undefined
  source: EndedRequest['source'] = undefined
  errorCode: string | undefined = undefined
  version: SessionVersion | undefined = undefined
  storeVersion: number | undefined = undefined
  step: number | undefined = undefined
  admitted: EndedRequest['admitted'] = undefined
  answeredAt: number | undefined = undefined
  /** The bytes of the request's body, a character each, where they were few and read at once. */
  sent: string | undefined = undefined
  isBodyRead = false
  responseBytes: EndedRequest['responseBytes'] = undefined
  responseLength: number | undefined = undefined
  started = 0.5
  advice: readonly (readonly [string, string])[] | undefined = undefined
  connection: number | undefined = undefined
  /** What the clock that gateways have in common is ahead of the machine's, where they share a journal. */
  aheadMs = 0
  /** What its gateway is called, where several share a journal. */
  gateway: string | undefined = undefined
  /** Whether somebody may hold on to it. */
  isSeen = false

  /**
   * Takes what there is to know of a request, in place of what it had of another.
   * @param status absent where the connection ended without a response
   * @param connection its number, where that says more of the client
   */
  fill(
    request: EndedRequest,
    head: RecordedHead,
    durationMs: number,
    status: number | undefined,
    connection?: number,
  ): this {
    this.id = request.id
    this.number = request.id
    this.session = request.session
    this.moment = request.moment
    this.method = request.method
    this.mode = request.mode
    this.route = request.routeId
    this.key = request.key
    this.ordinal = request.ordinal
    this.chaos = request.chaos
    this.head = head
    this.durationMs = durationMs
    this.status = status
    this.responseBody = request.responseBody
    this.rewriteBody = request.rewriteBody
    this.notes = request.check?.notes
    this.source = request.source
    this.errorCode = request.errorCode
    this.version = request.version
    this.storeVersion = request.storeVersion
    this.step = request.step
    this.admitted = request.admitted
    this.answeredAt = request.answeredAt
    this.sent = request.sentBytes
    this.isBodyRead = request.isBodyRead
    this.responseBytes = request.responseBytes
    this.responseLength = request.responseLength
    this.started = request.started
    this.advice = request.advice && adviceIn(request.advice)
    this.connection = connection
    const answered = request.responseBody?.length ?? request.responseBytes?.length ?? 0
    let bytes = OVERHEAD + 3 * (head.path.length + head.search.length) + answered + (this.sent?.length ?? 0)
    this.requestBody = undefined
    // Bodies of declared routes alone are read here.
    if (request.body !== undefined && request.routeId !== undefined) {
      // A body that came in chunks states no length, and may be long all the same.
      const length = Number(head.headers['content-length'] ?? JSON.stringify(request.body)?.length ?? 0)
      this.requestBody = length > MAX_JOURNAL_BODY ? undefined : request.body
      if (length <= MAX_JOURNAL_BODY) bytes += length
    }
    this.bytes = bytes
    this.aheadMs = 0
    this.gateway = undefined
    return this
  }

  get arrivedMs(): number {
    return Math.round((performance.timeOrigin + this.started + this.aheadMs) * 1000) / 1000
  }

  toEntry(hasBodies = true): JournalEntry {
    return entryOf(this, hasBodies)
  }
}

const ADVICE = /^(retry-after|(x-ms-)?retry-after-ms|(x-)?rate-?limit(-[a-z-]+)?)$/i

function adviceIn(flat: FlatHeaders): readonly (readonly [string, string])[] | undefined {
  const found: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name = '', value = ''] = [flat[index], flat[index + 1]]
    if (ADVICE.test(name)) found.push([name.toLowerCase(), value])
  }
  return found.length === 0 ? undefined : found
}
