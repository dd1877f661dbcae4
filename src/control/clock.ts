import { InputInvalid } from '../errors.ts'
import type { Clock } from '../state/clock.ts'
import { defineOperation, fields } from './operation.ts'

const STATE = fields({
  now: { type: 'string', format: 'date-time' },
  frozen: { type: 'boolean' },
})

/** The clock of a session, which latency, rate limits, chaos and journal follow. */
export const clock = [
  defineOperation(
    'GET',
    '/clock',
    {
      scope: { reads: ['session'] },
      tag: 'clock',
      summary: 'The time by the clock of the session',
      output: STATE,
    },
    (_input, { session }) => stateOf(session.clock),
  ),
  defineOperation(
    'POST',
    '/clock/freeze',
    {
      scope: { changes: ['session'] },
      tag: 'clock',
      summary: 'Stop the clock',
      description: 'Requests that are held by latency wait until the clock is advanced or reset.',
      input: fields({ at: { type: 'string', format: 'date-time', description: 'Default: now' } }),
      output: STATE,
    },
    (input, { session }) => {
      const { at } = input as { readonly at?: string }
      session.clock.freeze(at === undefined ? undefined : readTime(at))
      return stateOf(session.clock)
    },
  ),
  defineOperation(
    'POST',
    '/clock/advance',
    {
      scope: { changes: ['session'] },
      tag: 'clock',
      summary: 'Move the clock on, frozen or not',
      input: fields({ ms: { type: 'number', minimum: 0 } }, ['ms']),
      output: STATE,
    },
    ({ ms }, { session }) => {
      if (session.clock.now() + Number(ms) > LATEST)
        throw new InputInvalid([
          {
            type: 'less_than_equal',
            loc: ['body', 'ms'],
            msg: 'The clock ends with the year 9999',
            input: ms,
          },
        ])
      session.clock.advance(Number(ms))
      return stateOf(session.clock)
    },
  ),
  defineOperation(
    'POST',
    '/clock/reset',
    {
      scope: { changes: ['session'] },
      tag: 'clock',
      summary: 'Let the clock run with the time of the machine again',
      output: STATE,
    },
    (_input, { session }) => {
      session.clock.reset()
      return stateOf(session.clock)
    },
  ),
]

/** What can be written as a date and time (RFC 3339, section 1). */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function stateOf({ now, isFrozen }: Clock): unknown {
  return { now: new Date(now()).toISOString(), frozen: isFrozen }
}

function readTime(text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new InputInvalid([{ type: 'date_time', loc: ['body', 'at'], msg: 'Not a time', input: text }])
}
