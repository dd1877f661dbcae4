import { createGlob } from '../routing/glob.ts'
import { HANDLED } from '../message.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { MODE_NAMES } from '../modes/choose-mode.ts'
import type { JournalEntry } from '../state/journal.ts'
import { defineOperation, fields, GLOB, WholeResponse, type ControlRequest, snakeKeys } from './operation.ts'

const text = { type: 'string' }
const LISTED = 100

/** One way in which an exchange is not as described. */
export const VIOLATION: Readonly<Record<string, Schema>> = {
  side: { enum: ['request', 'response'] },
  part: text,
  pointer: { ...text, description: 'JSON pointer into the part' },
  rule: { ...text, description: 'The keyword of JSON Schema, or the part itself' },
  message: text,
}

/** One request of the journal. */
export const ENTRY: Schema = fields({
  id: { type: 'integer', description: 'Counts the requests of the gateway, from 1' },
  time: { type: 'string', format: 'date-time' },
  session: text,
  method: text,
  url: text,
  host: text,
  path: text,
  query: { type: 'object', additionalProperties: { type: 'array', items: text } },
  headers: { type: 'array', items: { type: 'array', items: text } },
  request_body: { description: 'Of a declared route, up to 16 KiB' },
  response_body: { description: 'Of a simulated answer, up to 16 KiB' },
  route: text,
  mode: text,
  status: { type: 'integer' },
  duration_ms: { type: 'number' },
  chaos: { type: 'array', items: text },
  violations: {
    type: 'array',
    description: 'How it, or its answer, is not as described, with --check',
    items: fields(VIOLATION),
  },
  unchecked: { type: 'array', items: text, description: 'What of it could not be checked, and why' },
})

const FILTERS: Readonly<Record<string, Schema>> = {
  method: text,
  path: { ...GLOB, description: 'A glob, such as /users/**' },
  status: { type: 'integer' },
  mode: { enum: [...MODE_NAMES] },
  violated: { type: 'boolean', description: 'Only requests that are not as described, or only others' },
  since: { type: 'integer', minimum: 0, description: 'Only requests with an id above this' },
  session: { ...text, description: 'The session of this key instead, or * for all of them' },
}

/** The journal of a session. */
export const requests = [
  defineOperation(
    'GET',
    '/requests',
    {
      tag: 'requests',
      summary: 'The requests of the session, the newest first',
      input: fields({ ...FILTERS, limit: { type: 'integer', minimum: 0, default: LISTED } }),
      output: { type: 'array', items: ENTRY },
    },
    ({ limit, ...filters }, request) => entriesOf(filters, request).slice(0, Number(limit)).map(snakeKeys),
  ),
  defineOperation(
    'GET',
    '/requests/stream',
    {
      tag: 'requests',
      summary: 'Each request of the session as it ends, as server-sent events',
      description: 'With `since`, or `Last-Event-ID`, those of the journal with a greater id come first.',
      input: fields(FILTERS),
    },
    (filters, request) => stream(filters, request),
  ),
  defineOperation(
    'DELETE',
    '/requests',
    { tag: 'requests', summary: 'Empty the journal', output: fields({ removed: { type: 'integer' } }) },
    (_input, { session }) => {
      const removed = session.journal.size
      session.journal.clear()
      return { removed }
    },
  ),
]

interface Filters {
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly mode?: string
  readonly violated?: boolean
  readonly since?: number
  readonly session?: string
}

function filterOf(filters: Filters, own: string): (entry: JournalEntry) => boolean {
  const { method, path, status, mode, violated, since = 0, session = own } = filters
  const isPath = path === undefined ? () => true : createGlob(path)
  return (entry) =>
    entry.id > since &&
    (session === '*' || entry.session === session) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (mode === undefined || entry.mode === mode) &&
    (violated === undefined || (entry.violations !== undefined) === violated) &&
    isPath(entry.path)
}

function entriesOf(filters: Filters, { session, sessions }: ControlRequest): readonly JournalEntry[] {
  const chosen = filters.session === undefined ? [session] : sessions.all()
  const found = chosen.flatMap(({ journal }) => journal.newest().filter(filterOf(filters, session.key)))
  return found.toSorted((a, b) => b.id - a.id)
}

function stream(filters: Filters, request: ControlRequest): WholeResponse {
  const { session, sessions, exchange, closing } = request
  const { response, takeOver } = exchange.node
  const fits = filterOf(filters, session.key)
  const notify = (entry: JournalEntry): void => {
    // Who reads too slowly can request it again: the id of what was read last says where to go on.
    if (fits(entry) && response.writableLength < MAX_UNREAD)
      response.write(`id: ${entry.id}\nevent: request\ndata: ${JSON.stringify(snakeKeys(entry))}\n\n`)
  }
  const last = exchange.headers['last-event-id']
  const since = filters.since ?? (last === undefined ? undefined : Number(last))
  takeOver.call(exchange.node)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': the requests as they end\n\n')
  if (since !== undefined)
    entriesOf({ ...filters, since }, request)
      .toReversed()
      .forEach(notify)
  const unfollow = sessions.follow(notify)
  const end = (): void => void response.end()
  closing.addEventListener('abort', end)
  response.once('close', () => {
    unfollow()
    closing.removeEventListener('abort', end)
  })
  return new WholeResponse(HANDLED)
}

const MAX_UNREAD = 1024 * 1024
