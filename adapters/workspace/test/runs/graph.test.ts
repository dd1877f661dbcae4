import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Drive } from '../../src/agenda.ts'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

const RUN_IFS = [
  'ALL_SUCCESS',
  'ALL_DONE',
  'NONE_FAILED',
  'AT_LEAST_ONE_SUCCESS',
  'ALL_FAILED',
  'AT_LEAST_ONE_FAILED',
]
const RETRIES = 2

interface GivenTask {
  readonly dependencies: readonly number[]
  readonly runIf: string
  /** How many attempts fail. */
  readonly failures: number
  readonly durationMs: number
}

const graph: fc.Arbitrary<readonly GivenTask[]> = fc
  .array(
    fc.record({
      dependencies: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
      runIf: fc.constantFrom(...RUN_IFS),
      failures: fc.constantFrom(0, 0, 0, 1, 5),
      durationMs: fc.constantFrom(0, 1000, 30_000),
    }),
    { minLength: 1, maxLength: 8 },
  )
  // A task depends on earlier ones only, so that there is no circle.
  .map((tasks) =>
    tasks.map((task, at) => ({
      ...task,
      dependencies: [...new Set(task.dependencies.filter((each) => each < at))],
    })),
  )

/** What becomes of each task, worked out from the rules alone. */
function expected(tasks: readonly GivenTask[]): readonly string[] {
  const results: string[] = []
  for (const { dependencies, runIf, failures } of tasks) {
    const states = dependencies.map((at) => results[at] ?? '')
    const isExcluded = dependencies.length > 0 && states.every((each) => each === 'EXCLUDED')
    const failed = states.filter((each) => each === 'FAILED' || each === 'UPSTREAM_FAILED').length
    const succeeded = states.filter((each) => each === 'SUCCESS').length
    const own = failures > RETRIES ? 'FAILED' : 'SUCCESS'
    if (dependencies.length === 0) results.push(own)
    else if (isExcluded) results.push('EXCLUDED')
    else if (runIf === 'ALL_DONE') results.push(own)
    else if (runIf === 'ALL_SUCCESS' || runIf === 'NONE_FAILED')
      results.push(failed > 0 ? 'UPSTREAM_FAILED' : own)
    else if (runIf === 'AT_LEAST_ONE_SUCCESS') results.push(succeeded > 0 ? own : 'UPSTREAM_FAILED')
    else if (runIf === 'ALL_FAILED') results.push(failed === states.length ? own : 'EXCLUDED')
    else results.push(failed > 0 ? own : 'EXCLUDED')
  }
  return results
}

function expectedRun(tasks: readonly GivenTask[], results: readonly string[]): string {
  const isLeaf = (at: number): boolean => tasks.every(({ dependencies }) => !dependencies.includes(at))
  const leaves = results.filter((_, at) => isLeaf(at))
  if (leaves.some((each) => each === 'FAILED' || each === 'UPSTREAM_FAILED')) return 'FAILED'
  return results.includes('FAILED') ? 'SUCCESS_WITH_FAILURES' : 'SUCCESS'
}

interface ShownTask {
  readonly task_key: string
  readonly attempt_number: number
  readonly start_time: number
  readonly end_time: number
  readonly state: { readonly life_cycle_state: string; readonly result_state: string }
}

const clusters = [
  { cluster_id: '0101-000000-abcdefgh', spark_version: 'x', num_workers: 0, state: 'RUNNING' },
]

async function play(tasks: readonly GivenTask[], drive: Drive = { by: 'reads' }) {
  using mock = new WorkspaceMockContext({
    lifecycle: { runs: drive },
    fixture: {
      version: 1,
      clusters,
      taskOutcomes: tasks.flatMap(({ failures, durationMs }, at) => [
        ...(failures > 0 ? [{ task: `t${at}`, times: failures, result: 'FAILED', durationMs }] : []),
        { task: `t${at}`, durationMs },
      ]),
    },
  })
  const submitted = await ask(mock, 'POST', '/api/2.2/jobs/runs/submit', {
    tasks: tasks.map(({ dependencies, runIf }, at) => ({
      task_key: `t${at}`,
      run_if: runIf,
      max_retries: RETRIES,
      existing_cluster_id: '0101-000000-abcdefgh',
      depends_on: dependencies.map((each) => ({ task_key: `t${each}` })),
    })),
  })
  const { run_id: id } = submitted.body as { run_id: number }
  if (drive.by === 'time') mock.adapter.clock.advance(86_400_000)
  for (let reads = 0; reads < 10; reads += 1) await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${id}`)
  return (await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${id}`)).body as {
    state: ShownTask['state']
    end_time: number
    tasks: ShownTask[]
  }
}

describe('graphs of tasks', () => {
  it('end as the rules of their tasks say', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (tasks) => {
        const run = await play(tasks)
        const latest = new Map(run.tasks.map((task) => [task.task_key, task]))
        const results = expected(tasks)

        expect(tasks.map((_, at) => latest.get(`t${at}`)?.state.result_state)).toEqual(results)
        expect(run.state).toMatchObject({
          life_cycle_state: 'TERMINATED',
          result_state: expectedRun(tasks, results),
        })
      }),
      { numRuns: 60 },
    )
  })

  it('begin no task before those that it depends on have ended, and end with the last', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (tasks) => {
        const run = await play(tasks)
        for (const { task_key, start_time, end_time } of run.tasks) {
          expect(end_time).toBeGreaterThanOrEqual(start_time)
          for (const each of tasks[Number(task_key.slice(1))]?.dependencies ?? [])
            for (const other of run.tasks)
              if (other.task_key === `t${each}`) expect(start_time).toBeGreaterThanOrEqual(other.end_time)
        }
        expect(run.end_time).toBe(Math.max(...run.tasks.map(({ end_time }) => end_time)))
        for (const [at, { failures }] of tasks.entries()) {
          const attempts = run.tasks.filter(({ task_key }) => task_key === `t${at}`)
          const hasRun = !['EXCLUDED', 'UPSTREAM_FAILED'].includes(attempts.at(-1)?.state.result_state ?? '')
          if (hasRun) expect(attempts).toHaveLength(1 + Math.min(failures, RETRIES))
        }
      }),
      { numRuns: 40 },
    )
  })

  it('come to the same end by reads and by time', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (tasks) => {
        const byReads = await play(tasks)

        expect(await play(tasks, { by: 'time' })).toEqual(byReads)
        expect(await play(tasks, { by: 'reads', intermediateReads: 1 })).toEqual(byReads)
      }),
      { numRuns: 15 },
    )
  })
})
