import { defineOperation, fields } from './operation.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
/** The JSON Schema of a report of drift. */
export const REPORT = fields({
  drifts: { ...count, description: 'How many differences' },
  severities: fields({ breaking: count, warning: count, additive: count }),
  exchanges: { ...count, description: 'How many were compared' },
  skipped: { ...count, description: 'Exchanges that were not compared, because others waited to be' },
  dropped: { ...count, description: 'Further routes and differences that were found and not kept' },
  routes: {
    type: 'array',
    items: fields({
      route: text,
      exchanges: count,
      drifts: {
        type: 'array',
        items: fields({
          change: text,
          severity: { enum: ['breaking', 'warning', 'additive'] },
          part: { enum: ['path', 'status', 'header', 'body', 'query', 'request-body'] },
          pointer: { ...text, description: 'JSON pointer; - is any item of a list, * any entry of a map' },
          expected: text,
          actual: text,
          exchanges: { ...count, description: 'How many show it' },
          example: fields({ number: count, request: text, status: count }),
        }),
      },
    }),
  },
})

/** What drifted in mode `diff`, for all sessions. */
export const drift = [
  defineOperation(
    'GET',
    '/drift',
    {
      scope: 'gateway',
      tag: 'gateway',
      summary: 'How upstreams differ from what is expected, in mode diff',
      output: REPORT,
    },
    (_input, request) => request.drift.report(),
  ),
  defineOperation(
    'DELETE',
    '/drift',
    { scope: 'gateway', tag: 'gateway', summary: 'Forget what drifted, for all sessions', output: REPORT },
    async (_input, request) => {
      await request.drift.report()
      request.drift.clear()
      return request.drift.report()
    },
  ),
]
