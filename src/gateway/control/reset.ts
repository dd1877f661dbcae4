import { defineOperation, fields } from './operation.ts'

/** Puts a session back to its beginning. */
export const reset = defineOperation(
  'POST',
  '/reset',
  {
    tag: 'state',
    summary: 'Put the session back to how it began',
    description:
      'Store, scenarios, counters, rate limits, journal, clock, chaos and seed are again as they were when the ' +
      'gateway started. A seed in the body is used from now on.',
    input: fields({ seed: { type: 'integer' } }),
    output: fields({ session: { type: 'string' }, seed: { type: ['integer', 'string'] } }),
  },
  ({ seed }, { session, sessions }) => {
    sessions.reset(session)
    if (seed !== undefined) session.seed = Number(seed)
    return { session: session.key, seed: session.seed }
  },
)
