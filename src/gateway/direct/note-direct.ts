import type { HttpRequest } from '../../message.ts'
import type { Metrics } from '../../control/metrics.ts'
import { areSame } from '../../http/headers.ts'
import { headOf, MOST_BODY, withJson } from '../note-visit.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import type { Noted } from '../../state/journal.ts'
import type { Session } from '../../state/session.ts'
import type { RouteLane } from './route-lanes.ts'

/** A plain question that was answered at once. */
export interface DirectVisit {
  readonly call: HttpRequest
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[]
  readonly lane: RouteLane
  readonly body: string
  readonly session: Session
  /** When it came, as `performance.now()` tells. */
  readonly started: number
}

/** Makes what notes plain questions in the journal and the metrics, as any other request is. */
export function createDirectNotes(metrics: Metrics): (visit: DirectVisit) => void {
  let asked: Asked = { host: '', path: '', search: '', rawHeaders: [] }
  return (visit) => {
    const { lane, session, started } = visit
    const durationMs = Math.round((performance.now() - started) * 1000) / 1000
    metrics.note({ route: lane.route.key, mode: 'simulate', status: lane.status, durationMs })
    asked = sharedWith(asked, visit)
    const noted = new NotedDirect(visit, asked, durationMs)
    session.journal.add(noted, noted.bytes)
  }
}

/** The head of a plain question. */
interface Asked extends Pick<HttpRequest, 'host' | 'path' | 'search'> {
  readonly rawHeaders: readonly string[]
}

// A client that asks again, as most do, is kept once.
function sharedWith(last: Asked, { call: { host, path, search }, rawHeaders }: DirectVisit): Asked {
  const isSame = areSame(last.rawHeaders, rawHeaders)
  if (isSame && last.host === host && last.path === path && last.search === search) return last
  return { host, path, search, rawHeaders: isSame ? last.rawHeaders : rawHeaders }
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
  readonly #asked: Asked
  /** The body, or how it is written again. */
  readonly #body: string | ((call: HttpRequest) => string | undefined) | undefined

  constructor({ session, lane, body }: DirectVisit, asked: Asked, durationMs: number) {
    this.#id = session.journal.nextId()
    this.#moment = session.clock.now()
    this.#durationMs = durationMs
    this.#session = session
    this.#lane = lane
    this.#asked = asked
    this.#body = body.length > MOST_BODY ? undefined : (lane.rewrite ?? body)
  }

  get bytes(): number {
    const body = typeof this.#body === 'string' ? this.#body.length : 0
    return OVERHEAD + 3 * (this.#asked.path.length + this.#asked.search.length) + body
  }

  toEntry(): JournalEntry {
    const [{ host, path, search, rawHeaders }, session, body] = [this.#asked, this.#session, this.#body]
    const call: HttpRequest = {
      method: 'GET',
      scheme: 'http',
      host,
      path,
      search,
      headers: headersOf(rawHeaders),
    }
    const entry: JournalEntry = {
      id: this.#id,
      time: new Date(this.#moment).toISOString(),
      ...headOf({ call, session, mode: 'simulate' }),
      route: this.#lane.route.key,
      durationMs: this.#durationMs,
      status: this.#lane.status,
    }
    if (body !== undefined)
      withJson(entry, 'responseBody', session.redactor, () =>
        utf8(typeof body === 'string' ? body : body(call)),
      )
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
