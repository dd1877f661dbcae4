import { SessionNotFound } from '../errors.ts'
import { defineOperation, fields } from './operation.ts'

/** The sessions that are there. */
export const sessions = [
  defineOperation(
    'GET',
    '/sessions',
    {
      scope: { reads: ['sessions'] },
      tag: 'state',
      summary: 'The sessions that are there; the first is the one of requests that name none',
      output: {
        type: 'array',
        items: fields({
          key: { type: 'string' },
          seed: { type: ['integer', 'string'] },
          requests: { type: 'integer', description: 'Requests in its journal' },
        }),
      },
    },
    (_input, request) =>
      request.sessions.all().map(({ key, seed, journal }) => ({ key, seed, requests: journal.size })),
  ),
  defineOperation(
    'DELETE',
    '/sessions/{key}',
    {
      scope: { changes: ['sessions'] },
      tag: 'state',
      summary: 'End a session; the next request that names it begins another',
      input: fields({ key: { type: 'string' } }),
      output: fields({ ended: { type: 'string' } }),
    },
    async ({ key }, request) => {
      if (!(await request.sessions.end(String(key)))) throw new SessionNotFound(String(key))
      return { ended: key }
    },
  ),
]
