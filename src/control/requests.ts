import type { Schema } from '../engine/schema/schema.ts'
import { MODE_NAMES } from '../modes/choose-mode.ts'
import { defineOperation, fields, GLOB, snakeKeys } from './operation.ts'
import { harOf, recordOf, streamMessages } from './request-details.ts'
import { findRecords } from './request-filter.ts'
import { streamRequests } from './request-stream.ts'

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
  arrived_ms: {
    type: 'number',
    description: 'Its arrival by the machine’s clock, in milliseconds since 1970',
  },
  connection: {
    type: 'integer',
    description: 'Counts the connections of clients, with chaos and of failed requests',
  },
  retry_headers: {
    type: 'array',
    items: { type: 'array', items: text },
    description: 'What an answer said of when to come again: Retry-After and rate limits',
  },
  chaos: { type: 'array', items: text },
  violations: {
    type: 'array',
    description: 'How it, or its answer, is not as described, with --check',
    items: fields(VIOLATION),
  },
  unchecked: { type: 'array', items: text, description: 'What of it could not be checked, and why' },
  gateway: { ...text, description: 'The gateway that answered it, where several share a journal' },
})

const FILTERS: Readonly<Record<string, Schema>> = {
  method: text,
  path: { ...GLOB, description: 'A glob, such as /users/**' },
  status: { type: 'integer' },
  mode: { enum: [...MODE_NAMES] },
  violated: { type: 'boolean', description: 'Only requests that are not as described, or only others' },
  since: { type: 'integer', minimum: 0, description: 'Only requests with an id above this' },
  session: { ...text, description: 'The session of this key instead, or * for all of them' },
  filter: {
    ...text,
    minLength: 1,
    maxLength: 1000,
    description:
      "An expression over the fields of an entry, such as status ge 400 and contains(path,'users')",
  },
}

const ID = { type: 'integer', minimum: 1 }

/** The journal of a session. */
export const requests = [
  defineOperation(
    'GET',
    '/requests',
    {
      scope: { reads: ['journal'] },
      tag: 'requests',
      summary: 'The requests of the session, the newest first',
      input: fields({ ...FILTERS, limit: { type: 'integer', minimum: 0, default: LISTED } }),
      output: { type: 'array', items: ENTRY },
    },
    ({ limit, ...filters }, request) =>
      findRecords(filters, request, Number(limit)).map((record) => snakeKeys(record.toEntry())),
  ),
  defineOperation(
    'GET',
    '/requests/stream',
    {
      scope: { reads: ['journal'] },
      tag: 'requests',
      summary: 'Each request of the session as it ends, as server-sent events',
      description:
        'With `since`, or `Last-Event-ID`, those of the journal with a greater id come first. Events named `request` ' +
        'go out together, at most 20 times a second and at most the newest 200 at a time; an event named `skipped` ' +
        'says how many more there were. Where there were more, and with `details`, entries have no bodies.',
      input: fields({
        ...FILTERS,
        details: {
          type: 'boolean',
          description:
            'Whether to keep whole exchanges while this is read, for /requests/{id}/har and /messages; those that go ' +
            'on for a while then have an event named open before they end',
        },
      }),
    },
    (filters, request) => streamRequests(filters, request),
  ),
  defineOperation(
    'GET',
    '/requests/{id}',
    {
      scope: { reads: ['journal'] },
      tag: 'requests',
      summary: 'One request of the journal',
      input: fields({ id: ID }),
      output: ENTRY,
    },
    ({ id }, request) => snakeKeys(recordOf(Number(id), request).toEntry()),
  ),
  defineOperation(
    'GET',
    '/requests/{id}/har',
    {
      scope: { reads: ['journal'] },
      tag: 'requests',
      summary: 'One request and its response as an entry of HAR 1.2',
      description:
        'Without secrets. All of it is known of a request that came while a stream with `details` was read; of others, ' +
        'what the journal has, and `_partial` is set.',
      input: fields({ id: ID }),
      output: { type: 'object' },
    },
    ({ id }, request) => harOf(Number(id), request),
  ),
  defineOperation(
    'GET',
    '/requests/{id}/messages',
    {
      scope: 'gateway',
      tag: 'requests',
      summary: 'The messages of an event stream or WebSocket as they pass, as server-sent events',
      description: 'Of a request that came while a stream with `details` was read. It ends with the request.',
      input: fields({ id: ID }),
    },
    ({ id }, request) => streamMessages(Number(id), request),
  ),
  defineOperation(
    'DELETE',
    '/requests',
    {
      scope: { changes: ['journal'] },
      tag: 'requests',
      summary: 'Empty the journal',
      output: fields({ removed: { type: 'integer' } }),
    },
    async (_input, { session }) => {
      const removed = session.journal.size
      await session.journal.clear()
      return { removed }
    },
  ),
]
