import { defineOperation, fields } from './operation.ts'

/** Whether the gateway is there, and what it is. */
export const health = defineOperation(
  'GET',
  '/health',
  {
    tag: 'gateway',
    summary: 'Whether the gateway answers, and what it is',
    output: fields({
      status: { const: 'ok' },
      mode: { type: 'string' },
      seed: { type: ['integer', 'string'] },
      routes: { type: 'integer' },
      sessions: { type: 'integer' },
      requests: { type: 'integer', description: 'Requests in the journal of the session' },
    }),
  },
  (_input, { engine, session, sessions, modes }) => ({
    status: 'ok',
    mode: modes.settings.mode,
    seed: session.seed,
    routes: engine.routes.length,
    sessions: sessions.all().length,
    requests: session.journal.size,
  }),
)
