import { describe, it } from 'vitest'
import { expectGolden, type Step } from '../golden.ts'

interface Answer {
  readonly run_id: number
  readonly repair_id: number
  readonly tasks: readonly { readonly run_id: number }[]
}

describe('runs', () => {
  it('keeps the contract of every operation on runs', async () => {
    const of = (index: number, make: (answer: Answer) => Step) => (answers: readonly unknown[]) =>
      make(answers[index] as Answer)
    await expectGolden(
      'runs',
      ['Runs'],
      [
        { operation: 'jobs.runNow', body: { job_id: 1003, idempotency_token: 'once' } },
        {
          operation: 'jobs.runNow',
          note: 'the same token',
          body: { job_id: 1003, idempotency_token: 'once' },
        },
        { operation: 'jobs.runNow', note: 'over the limit', body: { job_id: 1003 } },
        of(2, ({ run_id }) => ({
          operation: 'jobs.getRun',
          note: 'skipped',
          query: { run_id: String(run_id) },
        })),
        of(0, ({ run_id }) => ({ operation: 'jobs.getRun', query: { run_id: String(run_id) } })),
        of(0, ({ run_id }) => ({ operation: 'jobs.getRunOutput', query: { run_id: String(run_id) } })),
        { operation: 'jobs.runNow', note: 'a missing job', body: { job_id: 0 } },
        { operation: 'jobs.getRun', note: 'a missing one', query: { run_id: '12' } },
        { operation: 'jobs.runNow', body: { job_id: 1004 } },
        of(8, ({ run_id }) => ({
          operation: 'jobs.getRun',
          note: 'failed',
          query: { run_id: String(run_id) },
        })),
        of(9, ({ tasks }) => ({
          operation: 'jobs.getRunOutput',
          query: { run_id: String(tasks[0]?.run_id) },
        })),
        of(9, ({ tasks }) => ({ operation: 'jobs.exportRun', query: { run_id: String(tasks[0]?.run_id) } })),
        of(8, ({ run_id }) => ({
          operation: 'jobs.repairRun',
          body: { run_id, rerun_all_failed_tasks: true },
        })),
        of(8, ({ run_id }) => ({
          operation: 'jobs.repairRun',
          note: 'while it is active',
          body: { run_id, rerun_all_failed_tasks: true },
        })),
        of(8, ({ run_id }) => ({
          operation: 'jobs.getRun',
          query: { run_id: String(run_id), include_history: 'true' },
        })),
        {
          operation: 'jobs.submit',
          body: {
            run_name: 'mine',
            tasks: [{ task_key: 'a' }, { task_key: 'b', depends_on: [{ task_key: 'a' }] }],
          },
        },
        { operation: 'jobs.listRuns', query: { active_only: 'true', expand_tasks: 'True' } },
        of(15, ({ run_id }) => ({
          operation: 'jobs.deleteRun',
          note: 'while it is active',
          body: { run_id },
        })),
        of(15, ({ run_id }) => ({ operation: 'jobs.cancelRun', body: { run_id } })),
        of(15, ({ run_id }) => ({ operation: 'jobs.getRun', query: { run_id: String(run_id) } })),
        of(15, ({ run_id }) => ({
          operation: 'jobs.getRunOutput',
          note: 'of several tasks',
          query: { run_id: String(run_id) },
        })),
        of(15, ({ run_id }) => ({ operation: 'jobs.deleteRun', body: { run_id } })),
        { operation: 'jobs.cancelAllRuns', body: { job_id: 1001 } },
        { operation: 'jobs.listRuns', query: { job_id: '1001', limit: '1' } },
        { operation: 'jobs.listRuns', note: 'too many', query: { limit: '26' } },
      ],
    )
  })
})
