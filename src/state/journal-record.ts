import { parseQuery } from '../engine/query.ts'
import { areSame, type Headers } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { entryOf, type ChaosDecision } from './chaos-log.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { JournalRecord } from './journal.ts'

/** The most bytes of a body that a journal keeps. */
export const MAX_JOURNAL_BODY = 16 * 1024

/** What a journal keeps of a request and its response. Nothing of it holds on to a connection. */
export interface RequestRecord {
  readonly id: number
  readonly sessionKey: string
  readonly redactor: Redactor
  /** By the session's clock. */
  readonly moment: number
  readonly durationMs: number
  /** Absent where the connection ended without a response. */
  readonly status: number | undefined
  readonly method: string
  readonly head: RecordedHead
  readonly mode: string
  readonly routeId: string | undefined
  readonly key: string
  readonly ordinal: number
  readonly chaos: ChaosDecision | undefined
  /** A JSON value. */
  readonly requestBody: unknown
  /** UTF-8 bytes of JSON, as a character each. */
  readonly responseBody: string | ((head: RecordedHead) => string | undefined) | undefined
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

/** One request in a journal. Its secrets are hidden when it is looked at. */
export class RecordedRequest implements JournalRecord {
  readonly #record: RequestRecord

  constructor(record: RequestRecord) {
    this.#record = record
  }

  /** About how much memory it holds. */
  get bytes(): number {
    const { head, requestBody, responseBody } = this.#record
    const sent = requestBody === undefined ? 0 : Number(head.headers['content-length'] ?? 0)
    return (
      OVERHEAD +
      3 * (head.path.length + head.search.length) +
      sent +
      (typeof responseBody === 'string' ? responseBody.length : 0)
    )
  }

  toEntry(): JournalEntry {
    const { id, moment, durationMs, status, routeId, chaos, key, ordinal } = this.#record
    const decided = chaos && entryOf(key, ordinal, chaos)
    const entry: JournalEntry = {
      id,
      time: new Date(moment).toISOString(),
      ...headOf(this.#record),
      ...(routeId !== undefined && { route: routeId }),
      ...(decided !== undefined && {
        chaos: [
          ...(decided.latencyMs === undefined ? [] : [`latency ${Math.round(decided.latencyMs)} ms`]),
          ...(decided.status === undefined ? [] : [`status ${decided.status}`]),
          ...(decided.fault === undefined ? [] : [decided.fault]),
        ],
      }),
      durationMs,
      ...(status !== undefined && { status }),
    }
    const { requestBody, responseBody, redactor } = this.#record
    const add = (name: 'requestBody' | 'responseBody', text: () => string | undefined): void => {
      // Parsed, and freed of secrets, only when it is looked at.
      Object.defineProperty(entry, name, { enumerable: true, get: () => redactedJson(text(), redactor) })
    }
    if (requestBody !== undefined) add('requestBody', () => JSON.stringify(requestBody))
    if (responseBody !== undefined)
      add('responseBody', () => {
        const bytes = typeof responseBody === 'string' ? responseBody : responseBody(this.#record.head)
        return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString()
      })
    return entry
  }
}

type Head = Pick<JournalEntry, 'session' | 'method' | 'url' | 'host' | 'path' | 'query' | 'headers' | 'mode'>

function headOf({ sessionKey, redactor, method, mode, head }: RequestRecord): Head {
  const { host, path, search, headers } = head
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactor.parameter(name, value)),
  ])
  return {
    session: sessionKey,
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
  return 'text' in result ? (JSON.parse(result.text) as unknown) : undefined
}
