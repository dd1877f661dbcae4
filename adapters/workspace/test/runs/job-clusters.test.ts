import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, clientOf } from '../client.ts'

const new_cluster = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }
const notebook_task = { notebook_path: '/n' }

describe('clusters that are made for runs', () => {
  it('come and go with the task that they were made for', async () => {
    await using mock = await WorkspaceMockContext.start()
    const { jobs, clusters } = clientOf(mock)

    const run = await (await jobs.submit({ tasks: [{ task_key: 'a', new_cluster, notebook_task }] })).wait()

    const { cluster_id = '', spark_context_id } = run.tasks?.[0]?.cluster_instance ?? {}
    expect(run).toMatchObject({
      cluster_instance: { cluster_id },
      cluster_spec: { new_cluster },
      setup_duration: 60_000,
    })
    expect(typeof spark_context_id).toBe('string')
    expect(await clusters.get({ cluster_id })).toMatchObject({
      cluster_name: `job-${run.job_id}-run-${run.run_id}-a`,
      cluster_source: 'JOB',
      state: 'TERMINATED',
      termination_reason: { code: 'JOB_FINISHED', type: 'SUCCESS' },
    })
  })

  it('are shared by the tasks that name them, and end with the run', async () => {
    await using mock = await WorkspaceMockContext.start({
      lifecycle: { runs: { by: 'time' }, clusters: { by: 'time' } },
    })
    const { jobs, clusters } = clientOf(mock)
    const { job_id = 0 } = await jobs.create({
      name: 'shared',
      job_clusters: [{ job_cluster_key: 'main', new_cluster }],
      tasks: [
        { task_key: 'a', job_cluster_key: 'main', notebook_task },
        { task_key: 'b', job_cluster_key: 'main', notebook_task, depends_on: [{ task_key: 'a' }] },
      ],
    })
    const { run_id = 0 } = await jobs.runNow({ job_id })

    mock.adapter.clock.advance(100_000)
    const [first] = (await jobs.getRun({ run_id })).tasks ?? []
    const cluster_id = first?.cluster_instance?.cluster_id ?? ''
    const between = await clusters.get({ cluster_id })
    mock.adapter.clock.advance(100_000)
    const run = await jobs.getRun({ run_id })

    expect(between.state).toBe('RUNNING')
    expect(run).toMatchObject({ state: { result_state: 'SUCCESS' }, run_duration: 125_000 })
    expect(run.tasks?.[1]?.cluster_instance?.cluster_id).toBe(cluster_id)
    expect(await clusters.get({ cluster_id })).toMatchObject({ state: 'TERMINATED' })
  })

  it('fail the run when they do not start', async () => {
    await using mock = await WorkspaceMockContext.start({
      fixture: {
        version: 1,
        clusterFailures: [
          {
            node_type_id: 'i3.xlarge',
            times: 1,
            termination_reason: { code: 'STOCKOUT', type: 'CLOUD_FAILURE' },
          },
        ],
      },
    })
    const { jobs } = clientOf(mock)
    const { run_id = 0 } = await jobs.submit({ tasks: [{ task_key: 'a', new_cluster, notebook_task }] })

    expect(await jobs.getRun({ run_id })).toMatchObject({
      state: { life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' },
      status: { termination_details: { code: 'CLUSTER_ERROR' } },
    })
    await (await jobs.repairRun({ run_id, rerun_all_failed_tasks: true })).wait()
    expect(await jobs.getRun({ run_id })).toMatchObject({ state: { result_state: 'SUCCESS' } })
  })

  it('end with a run that is cancelled', async () => {
    await using mock = await WorkspaceMockContext.start()
    const { jobs, clusters } = clientOf(mock)
    const { run_id = 0 } = await jobs.submit({ tasks: [{ task_key: 'a', new_cluster, notebook_task }] })
    await (await jobs.cancelRun({ run_id })).wait()

    expect(await all(clusters.list({ filter_by: { cluster_sources: ['JOB'] } }))).toMatchObject([
      { state: 'TERMINATED' },
    ])
  })

  it('are forgotten when thirty others have ended', async () => {
    await using mock = await WorkspaceMockContext.start()
    const { jobs, clusters } = clientOf(mock)
    for (let count = 0; count < 35; count += 1)
      await (await jobs.submit({ tasks: [{ task_key: 'a', new_cluster, notebook_task }] })).wait()

    expect(await all(clusters.list({ filter_by: { cluster_sources: ['JOB'] } }))).toHaveLength(30)
  })
})
