import { describe, it } from 'vitest'
import { expectGolden, type Step } from '../golden.ts'

const idOf = (answer: unknown): number => (answer as { job_id: number }).job_id
const tasks = [
  { task_key: 'b', depends_on: [{ task_key: 'a' }], notebook_task: { notebook_path: '/b' } },
  { task_key: 'a', notebook_task: { notebook_path: '/a' } },
]

describe('jobs', () => {
  it('keeps the contract of every operation on jobs', async () => {
    const first = (make: (id: number) => Step) => (answers: readonly unknown[]) => make(idOf(answers[0]))
    await expectGolden(
      'jobs',
      ['Jobs'],
      [
        { operation: 'jobs.create', body: { name: 'mine', tasks } },
        first((id) => ({ operation: 'jobs.get', query: { job_id: String(id) } })),
        { operation: 'jobs.get', note: 'a missing one', query: { job_id: '12' } },
        {
          operation: 'jobs.create',
          note: 'a circle',
          body: { tasks: [{ ...tasks[0], depends_on: [{ task_key: 'b' }] }] },
        },
        { operation: 'jobs.create', note: 'a missing task', body: { tasks: [tasks[0]] } },
        { operation: 'jobs.create', note: 'tasks of another type', body: { tasks: 'all' } },
        { operation: 'jobs.list', query: { name: 'MINE', expand_tasks: 'true' } },
        { operation: 'jobs.list', query: { limit: '2' } },
        { operation: 'jobs.list', note: 'too many', query: { limit: '101' } },
        first((id) => ({
          operation: 'jobs.update',
          body: {
            job_id: id,
            fields_to_remove: ['tasks/b', 'description'],
            new_settings: {
              tasks: [{ task_key: 'c', notebook_task: { notebook_path: '/c' } }],
              timeout_seconds: 60,
            },
          },
        })),
        first((id) => ({ operation: 'jobs.get', query: { job_id: String(id) } })),
        first((id) => ({ operation: 'jobs.reset', body: { job_id: id, new_settings: { name: 'other' } } })),
        first((id) => ({ operation: 'jobs.get', query: { job_id: String(id) } })),
        first((id) => ({ operation: 'jobs.delete', body: { job_id: id } })),
        first((id) => ({ operation: 'jobs.delete', note: 'again', body: { job_id: id } })),
      ],
    )
  })
})
