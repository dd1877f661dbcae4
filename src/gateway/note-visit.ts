import type { FastifyReply } from 'fastify'
import { parseQuery } from '../engine/query.ts'
import { kindOf } from '../recording/files/media.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { entryOf } from '../../plugins/chaos/decision.ts'
import type { FaultEntry } from '../../plugins/chaos/fault-log.ts'
import type { Metrics } from '../control/metrics.ts'
import type { JournalEntry } from '../state/journal-entry.ts'
import type { Noted } from '../state/journal.ts'
import type { Visit } from './visit.ts'

/** The most bytes of a body that a journal keeps. */
export const MOST_BODY = 16 * 1024

/** Notes a visit in its session's journal and in the metrics, once its answer has ended or broken off. */
export function noteVisit(visit: Visit, { raw }: Pick<FastifyReply, 'raw'>, metrics: Metrics): void {
  const { session, mode } = visit
  const id = session.journal.nextId()
  const moment = session.clock.now()
  const started = performance.now()
  raw.once('close', () => {
    const durationMs = Math.round((performance.now() - started) * 1000) / 1000
    const status = raw.headersSent ? raw.statusCode : undefined
    metrics.note({ route: visit.match?.route.key, mode, status, durationMs })
    const length = bodyLengthOf(visit)
    // What is not told is not held on to either.
    if (length > MOST_BODY) visit.call = { ...visit.call, body: undefined }
    const bytes = headLengthOf(visit.call) + Math.min(length, MOST_BODY) + (visit.answer?.length ?? 0)
    session.journal.add(new NotedVisit(visit, { id, moment, durationMs, status }), bytes)
  })
}

/** How a visit went. */
interface Passage {
  readonly id: number
  readonly moment: number
  readonly durationMs: number
  readonly status: number | undefined
}

/** What is kept of a visit: not the connection's objects, which a function written above would hold on to. */
class NotedVisit implements Noted {
  readonly #visit: Visit
  readonly #passage: Passage

  constructor(visit: Visit, passage: Passage) {
    this.#visit = visit
    this.#passage = passage
  }

  toEntry(): JournalEntry {
    const { id, moment, durationMs, status } = this.#passage
    const time = new Date(moment).toISOString()
    const visit = this.#visit
    return withBodies(
      { id, time, ...headOf(visit), ...outcomeOf(visit), durationMs, ...given('status', status) },
      visit,
    )
  }
}

/** Remembers a simulated answer of JSON, for the journal. Those of described routes are sent as bytes. */
export function noteAnswer(visit: Visit | undefined, reply: FastifyReply, payload: unknown): void {
  if (visit?.source !== 'engine' && visit?.source !== 'adapter') return
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isText || payload.length > MOST_BODY) return
  if (kindOf(String(reply.getHeader('content-type'))) === 'json') visit.answer = payload.toString()
}

type Head = Pick<JournalEntry, 'session' | 'method' | 'url' | 'host' | 'path' | 'query' | 'headers' | 'mode'>

/** What a journal tells of a request's head. */
export function headOf({ call, session, mode }: Pick<Visit, 'call' | 'session' | 'mode'>): Head {
  const { method, host, search, headers } = call
  const { redactor } = session
  const path = redactor.url(call.path)
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactor.parameter(name, value)),
  ])
  return {
    session: session.key,
    method,
    url: redactor.url(search === '' ? call.path : `${call.path}?${search}`),
    host,
    path,
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

function outcomeOf({ match, chaos, key, ordinal }: Visit): Pick<JournalEntry, 'route' | 'chaos'> {
  const entry = chaos && entryOf(key, ordinal, chaos)
  return { ...given('route', match?.route.key), ...given('chaos', entry && described(entry)) }
}

// Bodies are parsed and freed of secrets when they are looked at.
function withBodies(entry: JournalEntry, { match, call, answer, session }: Visit): JournalEntry {
  const { body } = call
  const isKept = match !== undefined && body !== undefined
  if (isKept) withJson(entry, 'requestBody', session.redactor, () => JSON.stringify(body))
  if (answer !== undefined) withJson(entry, 'responseBody', session.redactor, () => answer)
  return entry
}

function bodyLengthOf({ match, call }: Visit): number {
  return match === undefined || call.body === undefined ? 0 : lengthOf(call)
}

function headLengthOf({ path, search, headers }: Visit['call']): number {
  let length = 3 * (path.length + search.length)
  for (const name in headers) length += name.length + String(headers[name]).length
  return length
}

// A body that came in chunks says no length, and may be long all the same.
function lengthOf({ headers, body }: Visit['call']): number {
  return Number(headers['content-length'] ?? JSON.stringify(body)?.length ?? 0)
}

function described({ latencyMs, status, fault }: FaultEntry): readonly string[] {
  return [
    ...(latencyMs === undefined ? [] : [`latency ${Math.round(latencyMs)} ms`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(fault === undefined ? [] : [fault]),
  ]
}

/** Gives an entry a JSON body, which is freed of its secrets when it is looked at. */
export function withJson(
  entry: JournalEntry,
  name: 'requestBody' | 'responseBody',
  redactor: Redactor,
  text: () => string | undefined,
): void {
  Object.defineProperty(entry, name, { enumerable: true, get: () => redacted(text(), redactor) })
}

/** A JSON body without its secrets; `undefined` where there is none, or one that is too long. */
function redacted(json: string | undefined, redactor: Redactor): unknown {
  if (json === undefined || json.length > MOST_BODY) return undefined
  const result = redactor.body(json, 'application/json')
  return 'text' in result ? (JSON.parse(result.text) as unknown) : undefined
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}
