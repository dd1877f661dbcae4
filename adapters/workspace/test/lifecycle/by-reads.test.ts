import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask, clientOf } from '../client.ts'

const spec = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }

describe('resources driven by reads', () => {
  it('show each state on the way as often as is configured', async () => {
    using mock = new WorkspaceMockContext({
      lifecycle: {
        clusters: { by: 'reads', intermediateReads: 1 },
        runs: { by: 'reads', intermediateReads: 2 },
      },
    })
    const { cluster_id: id } = (await ask(mock, 'POST', '/api/2.1/clusters/create', spec)).body as {
      cluster_id: string
    }
    const { run_id: run } = (await ask(mock, 'POST', '/api/2.2/jobs/run-now', { job_id: 1002 })).body as {
      run_id: number
    }
    const states: unknown[] = []
    const lives: unknown[] = []

    for (let reads = 0; reads < 3; reads += 1)
      states.push(
        ((await ask(mock, 'GET', `/api/2.1/clusters/get?cluster_id=${id}`)).body as { state: string }).state,
      )
    for (let reads = 0; reads < 6; reads += 1) {
      const { state } = (await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${run}`)).body as {
        state: { life_cycle_state: string }
      }
      lives.push(state.life_cycle_state)
    }

    expect(states).toEqual(['PENDING', 'RUNNING', 'RUNNING'])
    expect(lives).toEqual(['PENDING', 'PENDING', 'RUNNING', 'RUNNING', 'TERMINATED', 'TERMINATED'])
  })

  it('do not move when others are read, nor by lists and events', async () => {
    using mock = new WorkspaceMockContext()
    const { cluster_id: id } = (await ask(mock, 'POST', '/api/2.1/clusters/create', spec)).body as {
      cluster_id: string
    }

    await ask(mock, 'GET', '/api/2.1/clusters/get?cluster_id=0101-000000-sharedab')
    await ask(mock, 'GET', '/api/2.1/clusters/list')
    await ask(mock, 'POST', '/api/2.1/clusters/events', { cluster_id: id })

    expect(mock.state.clusters.get(id).state).toBe('PENDING')
    expect(mock.adapter.clock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'))
  })

  it('let no read end an idle cluster', async () => {
    using mock = new WorkspaceMockContext()
    for (let reads = 0; reads < 5; reads += 1)
      expect(
        (await ask(mock, 'GET', '/api/2.1/clusters/get?cluster_id=0101-000000-sharedab')).body,
      ).toMatchObject({
        state: 'RUNNING',
      })
  })

  it('drive the runs that a run waits for, and not into its own timeout', async () => {
    using mock = new WorkspaceMockContext({
      fixture: {
        version: 1,
        jobs: [
          { job_id: 1, name: 'inner', tasks: [{ task_key: 'x', timeout_seconds: 0 }] },
          {
            job_id: 2,
            name: 'outer',
            timeout_seconds: 600,
            tasks: [{ task_key: 'y', run_job_task: { job_id: 1 } }],
          },
        ],
      },
    })
    const { run_id: run } = (await ask(mock, 'POST', '/api/2.2/jobs/run-now', { job_id: 2 })).body as {
      run_id: number
    }

    expect((await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${run}`)).body).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
      run_duration: 40_000,
    })
  })

  it('let each waiter of the real client end by its first read, before it sleeps', async () => {
    const reads: string[] = []
    await using mock = await WorkspaceMockContext.start({
      requestId(n, { method, url }) {
        if (method === 'GET') reads.push(url.replace(/\?.*/, ''))
        return String(n)
      },
    })
    const { clusters, jobs } = clientOf(mock)

    const { cluster_id = '' } = await (await clusters.create(spec)).wait()
    await (await clusters.edit({ ...spec, cluster_id })).wait()
    await (await clusters.resize({ cluster_id, num_workers: 2 })).wait()
    await (await clusters.restart({ cluster_id })).wait()
    await (await clusters.delete({ cluster_id })).wait()
    await (await clusters.start({ cluster_id })).wait()
    await (await jobs.runNow({ job_id: 1006 })).wait()
    await (await jobs.submit({ tasks: [{ task_key: 'a' }] })).wait()
    const { run_id = 0 } = await jobs.runNow({ job_id: 1002 })
    await (await jobs.cancelRun({ run_id })).wait()
    await (await jobs.repairRun({ run_id, rerun_all_failed_tasks: true })).wait()

    expect(reads).toEqual([
      ...Array.from({ length: 6 }, () => '/api/2.1/clusters/get'),
      ...Array.from({ length: 4 }, () => '/api/2.2/jobs/runs/get'),
    ])
  })

  it('keep the time of each resource in order, also when a run starts a cluster', async () => {
    using mock = new WorkspaceMockContext()
    const { cluster_id: id } = (await ask(mock, 'POST', '/api/2.1/clusters/create', spec)).body as {
      cluster_id: string
    }
    await ask(mock, 'GET', `/api/2.1/clusters/get?cluster_id=${id}`)
    await ask(mock, 'POST', '/api/2.1/clusters/delete', { cluster_id: id })
    await ask(mock, 'GET', `/api/2.1/clusters/get?cluster_id=${id}`)
    const tasks = [{ task_key: 'a', existing_cluster_id: id }]
    const { run_id: run } = (await ask(mock, 'POST', '/api/2.2/jobs/runs/submit', { tasks })).body as {
      run_id: number
    }
    expect((await ask(mock, 'GET', `/api/2.2/jobs/runs/get?run_id=${run}`)).body).toMatchObject({
      state: { result_state: 'SUCCESS' },
    })

    const times = mock.state.clusters.get(id).events.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times).toHaveLength(7)
  })
})
