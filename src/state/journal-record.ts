import type { ContractNotes } from '../engine/contract-violation.ts'
import { parseQuery } from '../engine/query.ts'
import { areSame, type Headers } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { chaosTexts, type ChaosDecision } from './chaos.ts'
import type { JournalEntry } from './journal.ts'
import type { JournalRecord } from './journal.ts'

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
  /** Writes these bytes again from the request's head, in place of keeping them. */
  readonly rewriteBody: ((head: RecordedHead) => string | undefined) | undefined
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
}

/** A client that sends the same head again, as most do, is kept once: it is what most of a record takes. */
export function createRecordedHeads(): RecordedHeads {
  let last: RecordedHead = { host: '', path: '', search: '', headers: {} }
  let lastRaw: readonly string[] = []
  return {
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
  readonly id: number
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

  /** @param status absent where the connection ended without a response */
  constructor(request: EndedRequest, head: RecordedHead, durationMs: number, status: number | undefined) {
    this.id = request.id
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
    let bytes = OVERHEAD + 3 * (head.path.length + head.search.length) + (request.responseBody?.length ?? 0)
    // Bodies of declared routes alone are read here.
    if (request.body !== undefined && request.routeId !== undefined) {
      // A body that came in chunks states no length, and may be long all the same.
      const length = Number(head.headers['content-length'] ?? JSON.stringify(request.body)?.length ?? 0)
      this.requestBody = length > MAX_JOURNAL_BODY ? undefined : request.body
      if (length <= MAX_JOURNAL_BODY) bytes += length
    }
    this.bytes = bytes
  }

  toEntry(): JournalEntry {
    const { chaos, status } = this
    const decided = chaos && chaosTexts(this.key, this.ordinal, chaos)
    const entry: JournalEntry = {
      id: this.id,
      time: new Date(this.moment).toISOString(),
      ...headOf(this),
      ...(this.route !== undefined && { route: this.route }),
      ...(decided !== undefined && { chaos: decided }),
      durationMs: this.durationMs,
      ...noted(this.notes),
      ...(status !== undefined && { status }),
    }
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
  const { host, path, search, headers } = head
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactor.parameter(name, value)),
  ])
  return {
    session: key,
    method,
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
    mode,
  }
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
