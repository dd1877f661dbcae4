import type { Call } from '../../engine/call.ts'
import type { Metrics } from '../control/metrics.ts'
import { headOf, MOST_BODY, withJson } from '../note-visit.ts'
import type { JournalEntry } from '../sessions/journal-entry.ts'
import type { Noted } from '../sessions/journal.ts'
import type { Session } from '../sessions/session.ts'
import type { RouteLane } from './route-lanes.ts'

/** A plain question that was answered at once. */
export interface DirectVisit {
  readonly call: Call
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[]
  readonly lane: RouteLane
  readonly body: string
  readonly session: Session
  /** When it came, as `performance.now()` tells. */
  readonly started: number
}

/** Notes a plain question in the journal and the metrics, as any other request is. */
export function noteDirect(visit: DirectVisit, metrics: Metrics): void {
  const { lane, session, started } = visit
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  metrics.note({ route: lane.route.key, mode: 'simulate', status: lane.status, durationMs })
  const noted = new NotedDirect(visit, durationMs)
  session.journal.add(noted, noted.bytes)
}

// About what the few headers of a plain question take.
const OVERHEAD = 512

/** What is kept of a plain question: little, since the garbage collector moves all that is kept for a while. */
class NotedDirect implements Noted {
  readonly #id: number
  readonly #moment: number
  readonly #durationMs: number
  readonly #session: Session
  readonly #lane: RouteLane
  readonly #host: string
  readonly #path: string
  readonly #search: string
  readonly #rawHeaders: readonly string[]
  /** The body, or how it is written again. */
  readonly #body: string | ((call: Call) => string | undefined) | undefined

  constructor(visit: DirectVisit, durationMs: number) {
    const { call, session } = visit
    this.#id = session.journal.nextId()
    this.#moment = session.clock.now()
    this.#durationMs = durationMs
    this.#session = session
    this.#lane = visit.lane
    this.#host = call.host
    this.#path = call.path
    this.#search = call.search
    this.#rawHeaders = visit.rawHeaders
    this.#body = visit.body.length > MOST_BODY ? undefined : (visit.lane.rewrite ?? visit.body)
  }

  get bytes(): number {
    const body = typeof this.#body === 'string' ? this.#body.length : 0
    return OVERHEAD + 3 * (this.#path.length + this.#search.length) + body
  }

  toEntry(): JournalEntry {
    const [headers, session, body] = [headersOf(this.#rawHeaders), this.#session, this.#body]
    const place = { host: this.#host, path: this.#path, search: this.#search }
    const call: Call = { method: 'GET', scheme: 'http', ...place, headers }
    const entry: JournalEntry = {
      id: this.#id,
      time: new Date(this.#moment).toISOString(),
      ...headOf({ call, session, mode: 'simulate' }),
      route: this.#lane.route.key,
      durationMs: this.#durationMs,
      status: this.#lane.status,
    }
    if (body !== undefined)
      withJson(entry, 'responseBody', () => utf8(typeof body === 'string' ? body : body(call)))
    return entry
  }
}

function utf8(bytes: string | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString()
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    const known = headers[name]
    headers[name] = known === undefined ? value : `${known}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  return headers
}
