import { emptyCoverage } from '../openapi/contract/coverage-report.ts'
import { defineOperation, fields } from './operation.ts'
import { VIOLATION } from './requests.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
const share = fields({ seen: count, total: count })
const mediaTypes = {
  type: 'array',
  items: fields({
    media_type: text,
    count,
    fields: {
      type: 'array',
      description: 'Declared fields of the media types that were seen',
      items: fields({ pointer: { ...text, description: 'JSON pointer; - is any item of a list' }, count }),
    },
  }),
}
const REPORT = fields({
  check: { enum: ['off', 'report', 'enforce'] },
  totals: fields({
    operations: share,
    parameters: share,
    statuses: share,
    media_types: share,
    fields: share,
  }),
  violations: count,
  operations: {
    type: 'array',
    items: fields({
      operation: text,
      place: { ...text, description: 'File, line and JSON pointer' },
      requests: count,
      violations: count,
      broken: {
        type: 'array',
        description: 'Each different violation once',
        items: fields({ ...VIOLATION, count }),
      },
      parameters: { type: 'array', items: fields({ in: text, name: text, count }) },
      request: mediaTypes,
      responses: { type: 'array', items: fields({ status: text, count, media_types: mediaTypes }) },
    }),
  },
})

/** What of the description was seen, for all sessions. */
export const coverage = [
  defineOperation(
    'GET',
    '/coverage',
    {
      scope: 'gateway',
      tag: 'gateway',
      summary: 'What of the description requests and answers have shown, with --check',
      output: REPORT,
    },
    (_input, { contract }) => contract?.coverage() ?? emptyCoverage(),
  ),
  defineOperation(
    'DELETE',
    '/coverage',
    {
      scope: 'gateway',
      tag: 'gateway',
      summary: 'Forget what was seen and what was not as described',
      output: REPORT,
    },
    (_input, { contract }) => {
      contract?.clear()
      return contract?.coverage() ?? emptyCoverage()
    },
  ),
]
