import { snakeCase } from '../data-files/words.ts'
import { flagsOf } from '../recording/replay/misses.ts'
import { defineOperation, fields, type ControlRequest } from './operation.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
const REPORT = fields({
  missed: { ...count, description: 'How many requests were not in the recording' },
  changed: {
    type: 'array',
    description: 'What looks as if it changed from run to run',
    items: fields({ where: text, recorded: text, requested: text, requests: count, example: text }),
  },
  options: { type: 'object', description: 'Keys of `gateway.replay` with which `found` of them are found' },
  flags: { ...text, description: 'The same for a command' },
  found: { ...count, description: 'How many, as was checked' },
  others: { type: 'array', items: text, description: 'Requests that are not like any that was recorded' },
})

/** Why requests were not found in mode `replay`, for all sessions. */
export const misses = [
  defineOperation(
    'GET',
    '/misses',
    {
      scope: 'gateway',
      tag: 'gateway',
      summary: 'Why requests were not in the recording, and what options mend it',
      output: REPORT,
    },
    (_input, request) => reportOf(request),
  ),
  defineOperation(
    'DELETE',
    '/misses',
    {
      scope: 'gateway',
      tag: 'gateway',
      summary: 'Forget what was not in the recording, for all sessions',
      output: REPORT,
    },
    (_input, request) => {
      request.misses()?.clear()
      return reportOf(request)
    },
  ),
]

async function reportOf({ misses: log }: ControlRequest): Promise<unknown> {
  const report = await log()?.report()
  if (report === undefined) return { missed: 0, changed: [], options: {}, flags: '', found: 0, others: [] }
  const options = Object.entries(report.options).map(([name, value]) => [snakeCase(name), value])
  return { ...report, options: Object.fromEntries(options) as unknown, flags: flagsOf(report.options) }
}
