import { describe, expect, it } from 'vitest'
import type { Drives } from '../../src/agenda.ts'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

interface Shown {
  readonly state: {
    readonly life_cycle_state: string
    readonly result_state?: string
    readonly state_message: string
  }
  readonly tasks: readonly { readonly run_id: number; readonly state: Shown['state'] }[]
}

function workspace(jobs: readonly object[], lifecycle: Drives = {}) {
  const mock = new WorkspaceMockContext({ lifecycle, fixture: { version: 1, jobs } })
  return {
    mock,
    runNow: async (job_id: number): Promise<number> =>
      ((await ask(mock, 'POST', '/api/2.2/jobs/run-now', { job_id })).body as { run_id: number }).run_id,
    look: async (id: number): Promise<Shown> =>
      (await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${id}`)).body,
  }
}

const outer = { job_id: 2, name: 'outer', tasks: [{ task_key: 'a', run_job_task: { job_id: 1 } }] }
const inner = { job_id: 1, name: 'inner', tasks: [{ task_key: 'x' }] }

describe('runs that wait for others', () => {
  it('end after a few reads each, with states on the way', async () => {
    const { runNow, look } = workspace([inner, outer], { runs: { by: 'reads', intermediateReads: 1 } })
    const id = await runNow(2)
    const lives: string[] = []
    do lives.push((await look(id)).state.life_cycle_state)
    while (lives.at(-1) !== 'TERMINATED' && lives.length < 20)

    expect(lives.at(-1)).toBe('TERMINATED')
    expect([...new Set(lives)]).toEqual(['PENDING', 'RUNNING', 'TERMINATED'])
    expect(lives.length).toBeLessThan(8)
  })

  it('take the end of the run that they wait for', async () => {
    const { runNow, look } = workspace([
      { job_id: 1, name: 'inner', tasks: [{ task_key: 'x', existing_cluster_id: 'none' }] },
      outer,
      { job_id: 3, name: 'lost', tasks: [{ task_key: 'a', run_job_task: { job_id: 99 } }] },
    ])

    const failed = await look(await runNow(2))
    const lost = await look(await runNow(3))

    expect(failed.state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'FAILED' })
    expect(failed.state.state_message).toContain('Cluster none does not exist')
    expect(lost.state).toMatchObject({ life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' })
    expect(lost.state.state_message).toContain('Job 99 does not exist.')
  })

  it('may wait for themselves for ever, which no read hangs on', async () => {
    const itself = {
      job_id: 1,
      name: 'itself',
      queue: { enabled: true },
      tasks: [{ task_key: 'a', run_job_task: { job_id: 1 } }],
    }
    const { runNow, look, mock } = workspace([itself])
    const id = await runNow(1)

    expect((await look(id)).state.life_cycle_state).toBe('RUNNING')
    expect((await look(id)).state.life_cycle_state).toBe('RUNNING')
    await ask(mock, 'POST', '/api/2.2/jobs/runs/cancel-all', { job_id: 1 })
    expect((await look(id)).state.result_state).toBe('CANCELED')
  })

  it('are nested three levels deep at most', async () => {
    const { runNow, look } = workspace([
      {
        job_id: 1,
        name: 'deep',
        max_concurrent_runs: 100,
        tasks: [{ task_key: 'a', run_job_task: { job_id: 1 } }],
      },
    ])

    const { state } = await look(await runNow(1))

    expect(state.result_state).toBe('FAILED')
    expect(state.state_message).toContain('nested deeper than 3 levels')
  })

  it('leave the queue in the order they came, as others end', async () => {
    const { runNow, mock } = workspace([{ ...inner, max_concurrent_runs: 2, queue: { enabled: true } }], {
      runs: { by: 'time' },
    })
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await runNow(1))
    const active = async (): Promise<number[]> => {
      const { body } = await ask(mock, 'GET', '/api/2.2/jobs/runs/list?active_only=true')
      const runs = (body as { runs?: (Shown & { run_id: number })[] }).runs ?? []
      return runs
        .filter(({ state }) => state.life_cycle_state !== 'QUEUED')
        .map(({ run_id }) => ids.indexOf(run_id))
    }
    const seen = [await active()]
    for (let steps = 0; steps < 3; steps += 1) {
      mock.adapter.clock.advance(35_000)
      seen.push(await active())
    }

    expect(seen).toEqual([[1, 0], [3, 2], [4], []])
  })

  it('can be cancelled while they wait for what waits for them', async () => {
    const itself = {
      job_id: 1,
      name: 'itself',
      queue: { enabled: true },
      tasks: [{ task_key: 'a', run_job_task: { job_id: 1 } }],
    }
    const { runNow, look, mock } = workspace([itself])
    const id = await runNow(1)
    await look(id)

    await ask(mock, 'POST', '/api/2.2/jobs/runs/cancel', { run_id: id })

    expect((await look(id)).state.result_state).toBe('CANCELED')
  })

  it('time out before what they wait for ends, also by reads', async () => {
    for (const by of ['reads', 'time'] as const) {
      const { runNow, look, mock } = workspace([inner, { ...outer, timeout_seconds: 20 }], { runs: { by } })
      const id = await runNow(2)
      if (by === 'time') mock.adapter.clock.advance(60_000)

      expect((await look(id)).state).toMatchObject({
        life_cycle_state: 'TERMINATED',
        result_state: 'TIMEDOUT',
      })
    }
  })

  it('wait for retries of the tasks that they depend on', async () => {
    const { runNow, look, mock } = workspace(
      [
        {
          job_id: 1,
          name: 'retried',
          tasks: [
            { task_key: 'a', existing_cluster_id: 'none', max_retries: 1, min_retry_interval_millis: 60_000 },
            { task_key: 'b', depends_on: [{ task_key: 'a' }] },
          ],
        },
      ],
      { runs: { by: 'time' } },
    )
    const id = await runNow(1)
    const livesOf = async (): Promise<string[]> =>
      (await look(id)).tasks.map(({ state }) => state.life_cycle_state)

    const before = await livesOf()
    mock.adapter.clock.advance(60_000)

    expect(before.toSorted()).toEqual(['BLOCKED', 'INTERNAL_ERROR', 'WAITING_FOR_RETRY'])
    expect((await livesOf()).toSorted()).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR', 'SKIPPED'])
  })
})
