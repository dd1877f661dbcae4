import { describe, expect, it } from 'vitest'
import type { Drives } from '../../src/agenda.ts'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

const byTime: Drives = {
  clusters: { by: 'time' },
  runs: { by: 'time' },
  libraries: { by: 'time' },
}
const spec = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }

function workspace(fixture: object = {}) {
  const mock = new WorkspaceMockContext({ lifecycle: byTime, fixture: { version: 1, ...fixture } })
  const post = async (path: string, body: object): Promise<Record<string, never>> =>
    (await ask(mock, 'POST', path, body)).body
  const read = async (path: string): Promise<Record<string, unknown>> => (await ask(mock, 'GET', path)).body
  return {
    mock,
    post,
    read,
    advance: (ms: number) => post('/__sim/clock', { advanceMs: ms }),
    create: async (more: object = {}) =>
      String((await post('/api/2.1/clusters/create', { ...spec, ...more }))['cluster_id']),
    cluster: (id: string) => read(`/api/2.1/clusters/get?cluster_id=${id}`),
    submit: async (body: object) => Number((await post('/api/2.2/jobs/runs/submit', body))['run_id']),
    run: (id: number) => read(`/api/2.2/jobs/runs/get?run_id=${id}`),
  }
}

describe('resources driven by time', () => {
  it('start and end clusters when the clock has come far enough, however often they are read', async () => {
    const { create, cluster, advance, post } = workspace()
    const id = await create()
    const states: unknown[] = []
    const look = async () => states.push((await cluster(id))['state'])

    await look()
    await look()
    await advance(59_999)
    await look()
    await advance(1)
    await look()
    await post('/api/2.1/clusters/delete', { cluster_id: id })
    await look()
    await advance(15_000)
    await look()

    expect(states).toEqual(['PENDING', 'PENDING', 'PENDING', 'RUNNING', 'TERMINATING', 'TERMINATED'])
  })

  it('terminate idle clusters after their minutes, unless they are used', async () => {
    const { create, cluster, advance, submit, run } = workspace()
    const idle = await create({ autotermination_minutes: 10 })
    const used = await create({ autotermination_minutes: 10 })
    await advance(60_000)
    await advance(5 * 60_000)
    const id = await submit({ tasks: [{ task_key: 'a', existing_cluster_id: used }] })

    await advance(5 * 60_000 + 15_000)

    expect(await cluster(idle)).toMatchObject({
      state: 'TERMINATED',
      termination_reason: { code: 'INACTIVITY', parameters: { inactivity_duration_min: '10' } },
    })
    expect(await cluster(used)).toMatchObject({ state: 'RUNNING' })
    expect(await run(id)).toMatchObject({ state: { result_state: 'SUCCESS' } })
    await advance(10 * 60_000)
    expect(await cluster(used)).toMatchObject({ state: 'TERMINATED' })
  })

  it('lose clusters while they run, as the fixture declares', async () => {
    const { create, cluster, advance, submit, run, post } = workspace({
      clusterFailures: [
        {
          cluster_name: 'spot',
          runsForMs: 70_000,
          times: 1,
          termination_reason: { code: 'SPOT', type: 'CLOUD_FAILURE' },
        },
      ],
    })
    const id = await create({ cluster_name: 'spot' })
    await advance(60_000)
    const runId = await submit({ tasks: [{ task_key: 'a', existing_cluster_id: id }] })
    await advance(40_000)
    const second = await submit({ tasks: [{ task_key: 'a', existing_cluster_id: id }] })

    await advance(120_000)

    expect(await run(runId)).toMatchObject({ state: { result_state: 'SUCCESS' } })
    expect(await run(second)).toMatchObject({
      state: { life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' },
      status: { termination_details: { code: 'CLUSTER_ERROR' } },
    })
    expect(await cluster(id)).toMatchObject({ state: 'TERMINATED', termination_reason: { code: 'SPOT' } })
    await post('/api/2.1/clusters/start', { cluster_id: id })
    await advance(600_000)
    expect(await cluster(id)).toMatchObject({ state: 'RUNNING' })
  })

  it('fail starts into ERROR where the fixture says so', async () => {
    const { create, cluster, advance, post } = workspace({
      clusterFailures: [
        {
          times: 1,
          state: 'ERROR',
          termination_reason: { code: 'BOOTSTRAP_TIMEOUT', type: 'SERVICE_FAULT' },
        },
      ],
    })
    const id = await create()
    await advance(60_000)
    const failed = await cluster(id)
    await post('/api/2.1/clusters/start', { cluster_id: id })
    await advance(60_000)

    expect(failed).toMatchObject({ state: 'ERROR', termination_reason: { code: 'BOOTSTRAP_TIMEOUT' } })
    expect(await cluster(id)).toMatchObject({ state: 'RUNNING' })
  })

  it('take runs from task to task', async () => {
    const { submit, run, advance } = workspace()
    const id = await submit({
      tasks: [{ task_key: 'a' }, { task_key: 'b', depends_on: [{ task_key: 'a' }] }],
    })
    const lives: unknown[] = []
    const look = async () => {
      const { state, tasks } = (await run(id)) as {
        state: { life_cycle_state: string }
        tasks: { state: typeof state }[]
      }
      lives.push([state, ...tasks.map((task) => task.state)].map((each) => each.life_cycle_state).join(' '))
    }

    await look()
    await advance(5000)
    await look()
    await advance(30_000)
    await look()
    await advance(5000)
    await look()
    await advance(30_000)
    await look()

    expect(lives).toEqual([
      'PENDING PENDING BLOCKED',
      'RUNNING RUNNING BLOCKED',
      'RUNNING TERMINATED PENDING',
      'RUNNING TERMINATED RUNNING',
      'TERMINATED TERMINATED TERMINATED',
    ])
  })

  it('end runs and tasks that take too long', async () => {
    const { submit, run, advance } = workspace({ taskOutcomes: [{ durationMs: 600_000 }] })
    const whole = await submit({ timeout_seconds: 60, tasks: [{ task_key: 'a' }, { task_key: 'b' }] })
    const task = await submit({ tasks: [{ task_key: 'a', timeout_seconds: 30 }] })

    await advance(60_000)
    const [ending, ended] = [await run(whole), await run(task)]
    await advance(2000)

    expect(ending).toMatchObject({ state: { life_cycle_state: 'TERMINATING' } })
    expect(ended).toMatchObject({
      end_time: expect.any(Number) as number,
      state: { result_state: 'TIMEDOUT' },
    })
    expect(await run(whole)).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'TIMEDOUT' },
      status: { termination_details: { code: 'CANCELED', type: 'CLIENT_ERROR' } },
      tasks: [{ state: { result_state: 'TIMEDOUT' } }, { state: { result_state: 'TIMEDOUT' } }],
    })
  })

  it('wait for a cluster that a run has started', async () => {
    const { create, submit, run, cluster, advance, post } = workspace()
    const id = await create()
    await advance(60_000)
    await post('/api/2.1/clusters/delete', { cluster_id: id })
    await advance(15_000)
    const runId = await submit({ tasks: [{ task_key: 'a', existing_cluster_id: id }] })

    const started = await cluster(id)
    await advance(59_999)
    const waiting = await run(runId)
    await advance(1)
    const going = await run(runId)
    await advance(30_000)

    expect(started).toMatchObject({ state: 'PENDING' })
    expect(waiting).toMatchObject({ state: { life_cycle_state: 'PENDING' } })
    expect(going).toMatchObject({ state: { life_cycle_state: 'RUNNING' } })
    expect(await run(runId)).toMatchObject({ state: { result_state: 'SUCCESS' }, setup_duration: 60_000 })
  })

  it('install libraries step by step', async () => {
    const { create, advance, post, read } = workspace()
    const id = await create()
    await post('/api/2.0/libraries/install', { cluster_id: id, libraries: [{ jar: 'a' }] })
    const look = async () =>
      (
        (await read(`/api/2.0/libraries/cluster-status?cluster_id=${id}`))['library_statuses'] as {
          status: string
        }[]
      ).map(({ status }) => status)

    const seen = [await look()]
    for (const ms of [60_000, 10_000, 10_000, 10_000]) {
      await advance(ms)
      seen.push(await look())
    }

    expect(seen.flat()).toEqual(['PENDING', 'PENDING', 'RESOLVING', 'INSTALLING', 'INSTALLED'])
  })
})
