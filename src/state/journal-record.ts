import type { ContractNotes } from '../engine/contract-violation.ts'
import { parseQuery } from '../engine/query.ts'
import { areSame, type FlatHeaders, type Headers } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { chaosTexts, type ChaosDecision } from './chaos.ts'
import type { JournalEntry } from './journal.ts'
import type { JournalRecord } from './journal.ts'
import type { PastWindow } from './limiter.ts'
import type { SessionVersion } from './session.ts'

/** The most bytes of a body that a journal keeps. */
export const MAX_JOURNAL_BODY = 16 * 1024

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
  readonly scheme: 'http' | 'https'
  /** Path and query as the client wrote them, and what of it is above the gateway. */
  readonly url: string
  readonly prefix: string
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
  readonly sentBytes: Buffer | undefined
}

/** What requests of one client often have in common. */
export interface RecordedHead {
  readonly host: string
  readonly path: string
  readonly search: string
  readonly headers: Headers
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
  let last: RecordedHead = { host: '', path: '', search: '', headers: {} }
  let lastRaw: readonly string[] = []
  const connections = new WeakMap<object, number>()
  let count = 0
  return {
    connection(socket) {
      const known = connections.get(socket) ?? ++count
      connections.set(socket, known)
      return known
    },
    of({ host, path, search, headers }, rawHeaders) {
      const isSame = areSame(lastRaw, rawHeaders)
      if (isSame && last.host === host && last.path === path && last.search === search) return last
      last = { host, path, search, headers: isSame ? last.headers : headers }
      if (!isSame) lastRaw = rawHeaders
      return last
    },
  }
}

// About what the head of a request takes.
const OVERHEAD = 512

/** One request in a journal. It holds on to no connection, and its secrets are hidden when it is looked at. */
export class RecordedRequest implements JournalRecord {
  /** That of its journal: where gateways share one, it is known once it has been passed on. */
  id: number
  /** Counts the requests of this gateway, from 1. */
  readonly number: number
  readonly session: EndedRequest['session']
  readonly moment: number
  readonly method: string
  readonly mode: string
  readonly route: string | undefined
  readonly key: string
  readonly ordinal: number
  readonly chaos: ChaosDecision | undefined
  readonly head: RecordedHead
  readonly durationMs: number
  readonly status: number | undefined
  /** About how much memory it holds. */
  readonly bytes: number
  readonly requestBody: unknown
  readonly responseBody: EndedRequest['responseBody']
  readonly rewriteBody: EndedRequest['rewriteBody']
  readonly notes: ContractNotes | undefined
  readonly scheme: EndedRequest['scheme']
  readonly url: string
  readonly prefix: string
  readonly source: EndedRequest['source']
  readonly errorCode: string | undefined
  readonly version: SessionVersion | undefined
  readonly storeVersion: number | undefined
  readonly step: number | undefined
  readonly admitted: EndedRequest['admitted']
  readonly answeredAt: number | undefined
  /** The bytes of the request's body, where they were few and read at once. */
  readonly sent: Buffer | undefined
  readonly responseBytes: EndedRequest['responseBytes']
  readonly responseLength: number | undefined
  readonly started: number
  readonly advice: readonly (readonly [string, string])[] | undefined
  readonly connection: number | undefined
  /** What the clock that gateways have in common is ahead of the machine's, where they share a journal. */
  aheadMs = 0
  /** What its gateway is called, where several share a journal. */
  gateway: string | undefined

  /**
   * @param status absent where the connection ended without a response
   * @param connection its number, where that says more of the client
   */
  constructor(
    request: EndedRequest,
    head: RecordedHead,
    durationMs: number,
    status: number | undefined,
    connection?: number,
  ) {
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
    this.scheme = request.scheme
    this.url = request.url
    this.prefix = request.prefix
    this.source = request.source
    this.errorCode = request.errorCode
    this.version = request.version
    this.storeVersion = request.storeVersion
    this.step = request.step
    this.admitted = request.admitted
    this.answeredAt = request.answeredAt
    this.sent = request.sentBytes
    this.responseBytes = request.responseBytes
    this.responseLength = request.responseLength
    this.started = request.started
    this.advice = request.advice && adviceIn(request.advice)
    this.connection = connection
    const answered = request.responseBody?.length ?? request.responseBytes?.length ?? 0
    let bytes = OVERHEAD + 3 * (head.path.length + head.search.length) + answered + (this.sent?.length ?? 0)
    // Bodies of declared routes alone are read here.
    if (request.body !== undefined && request.routeId !== undefined) {
      // A body that came in chunks states no length, and may be long all the same.
      const length = Number(head.headers['content-length'] ?? JSON.stringify(request.body)?.length ?? 0)
      this.requestBody = length > MAX_JOURNAL_BODY ? undefined : request.body
      if (length <= MAX_JOURNAL_BODY) bytes += length
    }
    this.bytes = bytes
  }

  get arrivedMs(): number {
    return Math.round((performance.timeOrigin + this.started + this.aheadMs) * 1000) / 1000
  }

  toEntry(hasBodies = true): JournalEntry {
    const { chaos, status } = this
    const decided = chaos && chaosTexts(this.key, this.ordinal, chaos)
    const entry: JournalEntry = {
      id: this.id,
      time: new Date(this.moment).toISOString(),
      ...headOf(this),
      ...(this.route !== undefined && { route: this.route }),
      ...(decided !== undefined && { chaos: decided }),
      durationMs: this.durationMs,
      arrivedMs: this.arrivedMs,
      ...(this.connection !== undefined && { connection: this.connection }),
      ...(this.advice !== undefined && { retryHeaders: this.advice }),
      ...noted(this.notes),
      ...(status !== undefined && { status }),
      ...(this.gateway !== undefined && { gateway: this.gateway }),
    }
    if (!hasBodies) return entry
    const add = (name: 'requestBody' | 'responseBody', text: () => string | undefined): void => {
      // Parsed, and freed of secrets, only when it is looked at.
      const get = (): unknown => redactedJson(text(), this.session.redactor)
      Object.defineProperty(entry, name, { enumerable: true, get })
    }
    if (this.requestBody !== undefined) add('requestBody', () => JSON.stringify(this.requestBody))
    if (this.rewriteBody !== undefined || this.responseBody !== undefined)
      add('responseBody', () => {
        const bytes = this.rewriteBody === undefined ? this.responseBody : this.rewriteBody(this.head)
        return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString()
      })
    return entry
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

// They may still grow after the request has ended.
function noted(notes: ContractNotes | undefined): Pick<JournalEntry, 'violations' | 'unchecked'> {
  if (notes === undefined) return {}
  const { violations, unchecked } = notes
  return {
    ...(violations.length > 0 && { violations: [...violations] }),
    ...(unchecked.length > 0 && { unchecked: [...unchecked] }),
  }
}

type Head = Pick<JournalEntry, 'session' | 'method' | 'url' | 'host' | 'path' | 'query' | 'headers' | 'mode'>

function headOf({ session: { key, redactor }, method, mode, head }: RecordedRequest): Head {
  return { session: key, method, ...shownHead(head, redactor), mode }
}

type ShownHead = Pick<JournalEntry, 'url' | 'host' | 'path' | 'query' | 'headers'>

// A head that many records share is looked into once.
const shown = new WeakMap<RecordedHead, ShownHead>()

function shownHead(head: RecordedHead, redactor: Redactor): ShownHead {
  const known = shown.get(head)
  if (known !== undefined) return known
  const { host, path, search, headers } = head
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactor.parameter(name, value)),
  ])
  const made: ShownHead = {
    url: redactor.url(search === '' ? path : `${path}?${search}`),
    host,
    path: redactor.url(path),
    query: Object.fromEntries(query) as JournalEntry['query'],
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => {
        const redacted = redactor.header({ name, value })
        return [redacted.name, redacted.value]
      }),
    ),
  }
  shown.set(head, made)
  return made
}

function redactedJson(json: string | undefined, redactor: Redactor): unknown {
  if (json === undefined || json.length > MAX_JOURNAL_BODY) return undefined
  const result = redactor.body(json, 'application/json')
  if (!('text' in result)) return undefined
  try {
    return JSON.parse(result.text) as unknown
  } catch {
    // A policy of a user may answer with what is not JSON, though its type says so.
    return undefined
  }
}
