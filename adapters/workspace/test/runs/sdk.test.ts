import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const it = clientTest()

describe('the real client and runs', () => {
  it('waits for the run of a job', async ({ mock, client: { jobs }, expect }) => {
    const run = await (
      await jobs.runNow({ job_id: 1001, job_parameters: { day: 'monday', more: '1' } })
    ).wait()

    expect(run).toMatchObject({
      job_id: 1001,
      run_name: 'nightly load',
      run_type: 'JOB_RUN',
      trigger: 'ONE_TIME',
      number_in_job: run.run_id,
      state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS', user_cancelled_or_timedout: false },
      status: { state: 'TERMINATED', termination_details: { code: 'SUCCESS', type: 'SUCCESS' } },
      job_parameters: [
        { name: 'day', default: 'today', value: 'monday' },
        { name: 'more', value: '1' },
      ],
    })
    expect(run.tasks?.map(({ task_key }) => task_key)).toEqual(['extract', 'transform', 'load'])
    expect(new Set(run.tasks?.map(({ run_id }) => run_id)).size).toBe(3)
    expect((run.end_time ?? 0) - (run.start_time ?? 0)).toBe(run.run_duration)
    expect(run.run_page_url).toBe(`${mock.baseUrl}/jobs/1001/runs/${run.run_id}?o=${mock.state.workspaceId}`)
  })

  it('waits for submitted tasks', async ({ client: { jobs }, expect }) => {
    const waiter = await jobs.submit({
      tasks: [{ task_key: 'only', notebook_task: { notebook_path: '/n' } }],
    })

    const run = await waiter.wait()

    expect(run).toMatchObject({
      run_name: 'Untitled',
      run_type: 'SUBMIT_RUN',
      state: { result_state: 'SUCCESS' },
    })
    expect(await failureOf(jobs.submit({}))).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
  })

  it('tries a task again until it succeeds', async ({ client: { jobs }, expect }) => {
    const run = await (await jobs.runNow({ job_id: 1003 })).wait()

    expect(run.state?.result_state).toBe('SUCCESS')
    expect(run.tasks?.map(({ attempt_number, state }) => [attempt_number, state?.result_state])).toEqual([
      [0, 'FAILED'],
      [1, 'FAILED'],
      [2, 'SUCCESS'],
    ])
    const [first, second] = run.tasks ?? []
    expect((second?.start_time ?? 0) - (first?.end_time ?? 0)).toBe(60_000)
  })

  it('makes one run for repeated requests with one token', async ({ client: { jobs }, expect }) => {
    const first = await jobs.runNow({ job_id: 1001, idempotency_token: 'a' })
    const again = await jobs.runNow({ job_id: 1001, idempotency_token: 'a' })
    const other = await jobs.submit({ idempotency_token: 'a', tasks: [{ task_key: 'x' }] })
    await other.wait()

    expect(again.run_id).toBe(first.run_id)
    expect(other.run_id).not.toBe(first.run_id)
    await jobs.deleteRun({ run_id: other.run_id ?? 0 })
    expect(
      await failureOf(jobs.submit({ idempotency_token: 'a', tasks: [{ task_key: 'x' }] })),
    ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
    expect(
      await failureOf(jobs.submit({ idempotency_token: 'x'.repeat(65), tasks: [{ task_key: 'x' }] })),
    ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
  })

  it('repairs a run whose task failed', async ({ client: { jobs }, expect }) => {
    const { run_id = 0 } = await jobs.runNow({ job_id: 1004 })
    const failed = await jobs.getRun({ run_id })
    const { repair_id: first = 0 } = await jobs.repairRun({ run_id, rerun_all_failed_tasks: true })
    await jobs.getRun({ run_id })
    const second = await (
      await jobs.repairRun({ run_id, rerun_tasks: ['check'], latest_repair_id: first })
    ).wait()

    expect(failed).toMatchObject({
      state: {
        life_cycle_state: 'TERMINATED',
        result_state: 'FAILED',
        state_message: 'Task check failed with message: Workload failed, see run output for details.',
      },
      status: { termination_details: { code: 'RUN_EXECUTION_ERROR', type: 'CLIENT_ERROR' } },
    })
    expect(second.tasks?.map(({ attempt_number }) => attempt_number)).toEqual([0, 1, 2])
    const { repair_history: history = [] } = await jobs.getRun({ run_id, include_history: true })
    expect(history.map(({ type, task_run_ids }) => [type, task_run_ids?.length])).toEqual([
      ['ORIGINAL', 1],
      ['REPAIR', 1],
      ['REPAIR', 1],
    ])
    expect(await failureOf(jobs.repairRun({ run_id, rerun_tasks: ['check'] }))).toMatchObject({
      message: `latest_repair_id is required: run ${run_id} was repaired before.`,
    })
    expect(second).not.toHaveProperty('repair_history')
  })

  it('tries tasks again in a repair too', async ({ client: { jobs }, expect }) => {
    const { run_id = 0 } = await jobs.runNow({ job_id: 1003 })
    await jobs.cancelRun({ run_id })
    await jobs.getRun({ run_id })

    const repaired = await (await jobs.repairRun({ run_id, rerun_all_failed_tasks: true })).wait()

    expect(repaired.tasks?.map(({ attempt_number, state }) => [attempt_number, state?.result_state])).toEqual(
      [
        [0, 'CANCELED'],
        [1, 'FAILED'],
        [2, 'SUCCESS'],
      ],
    )
  })

  it('cancels a run and waits for its end', async ({ client: { jobs }, expect }) => {
    const { run_id = 0 } = await jobs.runNow({ job_id: 1001 })

    const run = await (await jobs.cancelRun({ run_id })).wait({ onProgress: () => Promise.resolve() })

    expect(run).toMatchObject({
      state: { life_cycle_state: 'TERMINATED', result_state: 'CANCELED', user_cancelled_or_timedout: true },
      status: { termination_details: { code: 'USER_CANCELED', type: 'SUCCESS' } },
    })
    await jobs.cancelRun({ run_id })
    expect(await jobs.getRun({ run_id })).toEqual(run)
  })

  it('cancels all runs of a job', async ({ client: { jobs }, expect }) => {
    const ids: number[] = []
    for (let count = 0; count < 3; count += 1) ids.push((await jobs.runNow({ job_id: 1001 })).run_id ?? 0)
    const queued = await all(jobs.listRuns({ job_id: 1001, active_only: true }))

    await jobs.cancelAllRuns({ job_id: 1001 })

    expect(queued.map(({ state }) => state?.life_cycle_state)).toEqual(['QUEUED', 'QUEUED', 'PENDING'])
    for (const run_id of ids)
      expect((await jobs.getRun({ run_id })).state).toMatchObject({ result_state: 'CANCELED' })
    expect(await all(jobs.listRuns({ job_id: 1001, active_only: true }))).toEqual([])
  })

  it('queues runs over the limit, and skips them where no queue is', async ({ client: { jobs }, expect }) => {
    const first = await jobs.runNow({ job_id: 1001 })
    const second = await jobs.runNow({ job_id: 1001 })
    await jobs.runNow({ job_id: 1002 })
    const skipped = await (await jobs.runNow({ job_id: 1002 })).wait()

    const listed = await all(jobs.listRuns({ job_id: 1001, active_only: true }))
    const later = await second.wait()
    const earlier = await first.wait()

    expect(listed[0]).toMatchObject({
      state: {
        life_cycle_state: 'QUEUED',
        queue_reason: 'Queued due to reaching maximum concurrent runs of 1.',
      },
      status: { state: 'QUEUED', queue_details: { code: 'MAX_CONCURRENT_RUNS_REACHED' } },
    })
    expect(later.state?.result_state).toBe('SUCCESS')
    expect((later.start_time ?? 0) + (later.queue_duration ?? 0)).toBe(earlier.end_time)
    expect(skipped).toMatchObject({
      state: { life_cycle_state: 'SKIPPED', result_state: 'MAXIMUM_CONCURRENT_RUNS_REACHED' },
      status: { termination_details: { code: 'MAX_CONCURRENT_RUNS_EXCEEDED', type: 'CLIENT_ERROR' } },
    })
  })

  it('deletes a run', async ({ client: { jobs }, expect }) => {
    await jobs.deleteRun({ run_id: 5003 })

    expect(await failureOf(jobs.getRun({ run_id: 5003 }))).toEqual(
      refusal(400, 'INVALID_PARAMETER_VALUE', 'Run 5003 does not exist.'),
    )
    const { run_id = 0 } = await jobs.runNow({ job_id: 1001 })
    expect(await failureOf(jobs.deleteRun({ run_id }))).toMatchObject({ errorCode: 'INVALID_STATE' })
  })

  it('lists runs newest first, over pages and filtered', async ({ client: { jobs }, expect }) => {
    const everything = await all(jobs.listRuns({ limit: 1 }))
    const ofJob = await all(jobs.listRuns({ job_id: 1001, completed_only: true }))
    const submitted = await all(jobs.listRuns({ run_type: 'SUBMIT_RUN', expand_tasks: true }))
    const { start_time = 0 } = everything.at(-1) ?? {}

    expect(everything.map(({ run_id }) => run_id)).toEqual([5004, 5003, 5002, 5001])
    expect(everything[0]).not.toHaveProperty('tasks')
    expect(ofJob.map(({ run_id }) => run_id)).toEqual([5002, 5001])
    expect(submitted).toMatchObject([{ run_id: 5004, tasks: [{ task_key: 'query' }] }])
    expect(await all(jobs.listRuns({ start_time_to: start_time }))).toMatchObject([{ run_id: 5001 }])
    expect(await failureOf(all(jobs.listRuns({ limit: 26 })))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
    expect(await failureOf(all(jobs.listRuns({ active_only: true, completed_only: true })))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it('reads the output of tasks', async ({ client: { jobs }, expect }) => {
    const report = await (await jobs.runNow({ job_id: 1002 })).wait()
    const check = await (await jobs.runNow({ job_id: 1004 })).wait()
    const everything = await (await jobs.runNow({ job_id: 1006 })).wait()
    const outputOf = (run: typeof report) => jobs.getRunOutput({ run_id: run.tasks?.[0]?.run_id ?? 0 })

    expect(await outputOf(report)).toMatchObject({
      notebook_output: { result: '{"rows": 42}', truncated: false },
      metadata: { state: { result_state: 'SUCCESS' } },
    })
    expect(await outputOf(check)).toMatchObject({
      error: 'AssertionError: 3 rows are missing',
      error_trace: expect.stringContaining('line 12') as string,
    })
    const { run_job_output: child } = await outputOf(everything)
    expect(await jobs.getRun({ run_id: child?.run_id ?? 0 })).toMatchObject({
      job_id: 1001,
      trigger: 'RUN_JOB_TASK',
    })
    for (const { run_id = 0 } of [everything, report])
      expect(await failureOf(jobs.getRunOutput({ run_id }))).toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining('multiple tasks is not supported') as string,
      })
  })

  it('exports the run of a notebook', async ({ client: { jobs }, expect }) => {
    const run = await (await jobs.runNow({ job_id: 1002 })).wait()

    const { views = [] } = await jobs.exportRun({ run_id: run.tasks?.[0]?.run_id ?? 0 })

    expect(views).toMatchObject([{ type: 'NOTEBOOK', name: 'report' }])
    const imported = await (await jobs.runNow({ job_id: 1003 })).wait()
    expect(await failureOf(jobs.exportRun({ run_id: imported.tasks?.[0]?.run_id ?? 0 }))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it('reads a run of 250 tasks', async ({ client: { jobs }, expect }) => {
    const tasks = Array.from({ length: 250 }, (_, at) => ({
      task_key: `t${at}`,
      ...(at > 0 && { depends_on: [{ task_key: `t${at - 1}` }] }),
    }))
    const waiter = await jobs.submit({ tasks })
    const run = await waiter.wait()

    const rest = await jobs.getRun({ run_id: run.run_id ?? 0, page_token: run.next_page_token ?? '' })
    const last = await jobs.getRun({ run_id: run.run_id ?? 0, page_token: rest.next_page_token ?? '' })

    expect([run, rest, last].map((page) => page.tasks?.length)).toEqual([100, 100, 50])
    expect(last).not.toHaveProperty('next_page_token')
    expect(last.tasks?.at(-1)).toMatchObject({ task_key: 't249', state: { result_state: 'SUCCESS' } })
  })

  it('chooses a branch by a condition', async ({ client: { jobs }, expect }) => {
    const full = await (await jobs.runNow({ job_id: 1005 })).wait()
    const partial = await (await jobs.runNow({ job_id: 1005, job_parameters: { mode: 'some' } })).wait()

    const results = ({ tasks = [] }: typeof full) => tasks.map(({ state }) => state?.result_state)
    expect(results(full)).toEqual(['SUCCESS', 'SUCCESS', 'EXCLUDED'])
    expect(results(partial)).toEqual(['SUCCESS', 'EXCLUDED', 'SUCCESS'])
    expect(full.tasks?.[0]?.condition_task?.outcome).toBe('true')
  })

  it('runs only the tasks that are requested', async ({ client: { jobs }, expect }) => {
    const run = await (await jobs.runNow({ job_id: 1001, only: ['load'] })).wait()

    expect(run.tasks).toMatchObject([{ task_key: 'load', state: { result_state: 'SUCCESS' } }])
    expect(await failureOf(jobs.runNow({ job_id: 1001, only: ['nothing'] }))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it('reports a failure without a cluster of its own as the service does', async ({ expect }) => {
    await using mock = await WorkspaceMockContext.start({
      fixture: { version: 1, taskOutcomes: [{ task: 'main', result: 'FAILED', message: 'Boom.' }] },
    })
    const { jobs } = clientOf(mock)

    const waiter = await jobs.submit({
      tasks: [{ task_key: 'main', notebook_task: { notebook_path: '/n' } }],
    })

    await expect(waiter.wait()).rejects.toThrow(/INTERNAL_ERROR|Task main failed with message: Boom\./)
  })
})
