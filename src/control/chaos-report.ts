import type { Schema } from '../engine/schema/schema.ts'
import { chaosReportApart } from '../resilience/report-apart.ts'
import type { Session } from '../state/session.ts'
import type { ChaosReport } from '../resilience/report-form.ts'
import { defineOperation, fields } from './operation.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
const ms = { type: 'number' }
const list = (items: Schema): Schema => ({ type: 'array', items })
const counts = { type: 'object', additionalProperties: count }
const heeded = fields({ requested: count, heeded: count, ignored: count })

const REPORT = fields({
  requests: count,
  dropped: { ...count, description: 'Earlier requests that the journal no longer has' },
  injected: {
    ...list(
      fields({
        rule: text,
        route: text,
        requests: count,
        statuses: counts,
        faults: counts,
        delayed: count,
        most_latency_ms: ms,
      }),
    ),
    description: 'What each rule did to the requests of each route',
  },
  clients: list(
    fields({
      client: { ...text, description: 'Its User-Agent' },
      behaviour: {
        enum: [
          'none',
          'fixed',
          'linear',
          'exponential',
          'jittered',
          'as-requested',
          'storm',
          'header-ignoring',
          'unknown',
          'unclear',
        ],
      },
      requests: count,
      calls: { ...count, description: 'Requests that are not retries of others' },
      retries: count,
      recovered: { ...count, description: 'Calls that failed at first and then did not' },
      given_up: count,
      most_attempts: count,
      backoff: fields({
        growth: { enum: ['none', 'immediate', 'fixed', 'linear', 'exponential', 'unknown'] },
        jitter: { type: 'boolean' },
        factor: ms,
        waits_ms: list(fields({ median: ms, least: ms, most: ms, count })),
      }),
      retry_after: { ...heeded, description: 'Retries after an answer that requested to wait' },
      rate_limits: { ...heeded, description: 'Requests after an answer that said that a limit was spent' },
      storms: list(fields({ at: { type: 'string', format: 'date-time' }, retries: count, within_ms: ms })),
      idempotency: {
        ...fields({ retries: count, same_key: count, other_key: count, no_key: count }),
        description: 'Retries of POST and PATCH by their Idempotency-Key',
      },
      statuses: list(fields({ status: text, failed: count, retried: count })),
      findings: list(fields({ check: text, result: { enum: ['passed', 'failed', 'not seen'] }, says: text })),
    }),
  ),
})

/** What chaos did to a session, and how its clients took it. */
export const chaosReports = defineOperation(
  'GET',
  '/chaos/report',
  {
    scope: { reads: ['journal', 'faults'] },
    tag: 'chaos',
    summary: 'What chaos did, and how each client took it',
    description: 'Retries are found in the journal, by the times at which requests arrived',
    input: fields({
      session: { ...text, description: 'The session of this key instead, or * for all of them' },
    }),
    output: REPORT,
  },
  ({ session: key }, { session, sessions }) => {
    const chosen = key === undefined ? [session] : sessions.all()
    return reportOf(key === undefined || key === '*' ? chosen : chosen.filter((each) => each.key === key))
  },
)

/** The report of some sessions. */
export function reportOf(sessions: readonly Pick<Session, 'journal' | 'chaos'>[]): Promise<ChaosReport> {
  return chaosReportApart({
    entries: sessions.flatMap(({ journal }) => journal.newest()),
    log: sessions.flatMap(({ chaos }) => chaos.log.newest()),
    dropped: sessions.reduce((sum, { journal }) => sum + journal.dropped, 0),
  })
}
