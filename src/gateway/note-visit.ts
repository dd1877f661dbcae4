import type { FastifyReply } from 'fastify'
import { parseQuery } from '../engine/query.ts'
import { kindOf } from '../recording/media.ts'
import { redactBody } from '../recording/redact-body.ts'
import { redactHeader } from '../recording/redact.ts'
import { redactParameter, redactUrl } from '../recording/redact-url.ts'
import { entryOf } from './chaos/decision.ts'
import type { FaultEntry } from './chaos/fault-log.ts'
import type { Metrics } from './control/metrics.ts'
import type { JournalEntry } from './sessions/journal-entry.ts'
import type { Visit } from './visit.ts'

const MOST_BODY = 16 * 1024

/** Notes a visit in its session's journal and in the metrics, once its answer has ended or broken off. */
export function noteVisit(visit: Visit, { raw }: FastifyReply, metrics: Metrics): void {
  const { session, mode } = visit
  const id = session.journal.nextId()
  const time = new Date(session.clock.now()).toISOString()
  const started = performance.now()
  raw.once('close', () => {
    const durationMs = Math.round((performance.now() - started) * 1000) / 1000
    const status = raw.headersSent ? raw.statusCode : undefined
    metrics.note({ route: visit.match?.route.key, mode, status, durationMs })
    const entry = { id, time, ...headOf(visit), ...outcomeOf(visit), durationMs, ...given('status', status) }
    session.journal.add(...withBodies(entry, visit))
  })
}

/** Remembers a simulated answer of JSON, for the journal. Those of described routes are sent as bytes. */
export function noteAnswer(visit: Visit | undefined, reply: FastifyReply, payload: unknown): void {
  if (visit?.source !== 'engine') return
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
  if (!isText || payload.length > MOST_BODY) return
  if (kindOf(String(reply.getHeader('content-type'))) === 'json') visit.answer = payload.toString()
}

type Head = Pick<JournalEntry, 'session' | 'method' | 'url' | 'host' | 'path' | 'query' | 'headers' | 'mode'>

function headOf({ call, session, mode }: Visit): Head {
  const { method, host, search, headers } = call
  const path = redactUrl(call.path)
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactParameter(name, value)),
  ])
  return {
    session: session.key,
    method,
    url: redactUrl(search === '' ? call.path : `${call.path}?${search}`),
    host,
    path,
    query: Object.fromEntries(query) as JournalEntry['query'],
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => {
        const redacted = redactHeader({ name, value })
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

// Most entries are never looked at, so bodies are parsed and freed of secrets when one is.
function withBodies(entry: JournalEntry, { match, call, answer }: Visit): [JournalEntry, bytes: number] {
  const { body } = call
  const asked = match === undefined || body === undefined ? undefined : lengthOf(call)
  const texts: [keyof JournalEntry, () => string | undefined][] = []
  if (asked !== undefined && asked <= MOST_BODY) texts.push(['requestBody', () => JSON.stringify(body)])
  if (answer !== undefined) texts.push(['responseBody', () => answer])
  for (const [name, text] of texts)
    Object.defineProperty(entry, name, { enumerable: true, get: () => redacted(text()) })
  const head = entry.headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    3 * entry.url.length,
  )
  return [entry, head + Math.min(asked ?? 0, MOST_BODY) + (answer?.length ?? 0)]
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

/** A JSON body without its secrets; `undefined` where there is none, or one that is too long. */
function redacted(json: string | undefined): unknown {
  if (json === undefined || json.length > MOST_BODY) return undefined
  const result = redactBody(json, 'application/json')
  return 'text' in result ? (JSON.parse(result.text) as unknown) : undefined
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}
