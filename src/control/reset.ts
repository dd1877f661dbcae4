import { defineOperation, fields } from './operation.ts'

const text = { type: 'string' }

/** Puts a session back to its beginning. */
export const reset = defineOperation(
  'POST',
  '/reset',
  {
    scope: { changes: ['session', 'journal'], begins: true },
    tag: 'state',
    summary: 'Put the session back to how it began',
    description:
      'Store, scenarios, counters, rate limits, journal, clock, chaos, overrides and seed are again as they were when the ' +
      'gateway started. A seed in the body is used from now on. Adapters, which belong to all sessions, are put back ' +
      'with the one without a key, and named in its answer.',
    input: fields({ seed: { type: 'integer' } }),
    output: fields({
      session: text,
      seed: { type: ['integer', 'string'] },
      adapters: { type: 'array', items: text },
    }),
  },
  async ({ seed }, { session, sessions, adapters: mounts }) => {
    await sessions.reset(session)
    if (seed !== undefined) session.seed = Number(seed)
    const { list } = mounts
    const own = new Set(session.key === '' ? list.map(({ adapter }) => adapter) : [])
    for (const adapter of own) await mounts.reset(adapter)
    const adapters = [...own].map(({ name }) => name)
    return { session: session.key, seed: session.seed, ...(list.length > 0 && { adapters }) }
  },
)
