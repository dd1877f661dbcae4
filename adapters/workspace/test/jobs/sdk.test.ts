import { describe } from 'vitest'
import { all, clientTest, failureOf, refusal } from '../client.ts'

const it = clientTest()

describe('the real client and jobs', () => {
  it('makes, reads, changes and deletes a job', async ({ client: { jobs }, expect }) => {
    const { job_id = 0 } = await jobs.create({
      name: 'mine',
      run_as: { user_name: 'robot@example.com' },
      tasks: [
        { task_key: 'b', depends_on: [{ task_key: 'a' }], notebook_task: { notebook_path: '/b' } },
        { task_key: 'a', notebook_task: { notebook_path: '/a' }, timeout_seconds: 30 },
      ],
    })

    const made = await jobs.get({ job_id })
    await jobs.update({
      job_id,
      new_settings: { tasks: [{ task_key: 'a', notebook_task: { notebook_path: '/changed' } }] },
      fields_to_remove: ['tasks/b'],
    })
    const updated = await jobs.get({ job_id })
    await jobs.reset({ job_id, new_settings: { name: 'renamed' } })
    const reset = await jobs.get({ job_id })
    await jobs.delete({ job_id })

    expect(made).toMatchObject({
      job_id,
      creator_user_name: 'someone@example.com',
      run_as_user_name: 'robot@example.com',
      settings: {
        name: 'mine',
        format: 'MULTI_TASK',
        timeout_seconds: 0,
        max_concurrent_runs: 1,
        email_notifications: {},
        webhook_notifications: {},
        tasks: [
          { task_key: 'b', run_if: 'ALL_SUCCESS', timeout_seconds: 0, email_notifications: {} },
          { task_key: 'a', timeout_seconds: 30 },
        ],
      },
    })
    expect(made).not.toHaveProperty('next_page_token')
    expect(updated.settings?.tasks).toHaveLength(1)
    expect(updated.settings?.tasks?.[0]?.notebook_task?.notebook_path).toBe('/changed')
    expect(reset).toMatchObject({ run_as_user_name: 'robot@example.com', settings: { name: 'renamed' } })
    expect(reset.settings).not.toHaveProperty('tasks')
    expect(await failureOf(jobs.get({ job_id }))).toEqual(
      refusal(400, 'INVALID_PARAMETER_VALUE', `Job ${job_id} does not exist.`),
    )
  })

  it('lists jobs over pages and by name', async ({ client: { jobs }, expect }) => {
    const pages = await all(jobs.list({ limit: 2 }))
    const named = await all(jobs.list({ name: 'NIGHTLY load' }))
    const expanded = await all(jobs.list({ name: 'nightly load', expand_tasks: true }))

    expect(pages.map(({ job_id }) => job_id)).toEqual([1006, 1005, 1004, 1003, 1002, 1001])
    expect(named.map(({ job_id }) => job_id)).toEqual([1001])
    expect(named[0]?.settings).not.toHaveProperty('tasks')
    expect(expanded[0]?.settings?.tasks).toHaveLength(3)
    expect(await all(jobs.list({ name: 'nobody' }))).toEqual([])
  })

  it('reads a job of 250 tasks', async ({ client: { jobs }, expect }) => {
    const tasks = Array.from({ length: 250 }, (_, at) => ({
      task_key: `t${at}`,
      notebook_task: { notebook_path: '/n' },
    }))
    const { job_id = 0 } = await jobs.create({ name: 'long', tasks })

    const keys: unknown[] = []
    let page = await jobs.get({ job_id })
    const sizes = [page.settings?.tasks?.length]
    for (;;) {
      keys.push(...(page.settings?.tasks ?? []).map(({ task_key }) => task_key))
      if (page.next_page_token === undefined) break
      page = await jobs.get({ job_id, page_token: page.next_page_token })
      sizes.push(page.settings?.tasks?.length)
    }

    expect(sizes).toEqual([100, 100, 50])
    expect(keys).toEqual(tasks.map(({ task_key }) => task_key))
    expect(await all(jobs.list({ name: 'long', expand_tasks: true }))).toMatchObject([{ has_more: true }])
  })

  it('refuses what no job can be', async ({ client: { jobs }, expect }) => {
    const task = { task_key: 'a' }
    for (const [settings, message] of [
      [{ tasks: [task, task] }, /'a' is used more than once/],
      [{ tasks: [{ ...task, depends_on: [{ task_key: 'z' }] }] }, /'z', which does not exist/],
      [{ tasks: [{ ...task, depends_on: [task] }] }, /circle/],
      [{ tasks: [{ task_key: 'a b' }] }, /not a task key/],
      [{ tasks: [{ ...task, run_if: 'NEVER' }] }, /run_if/],
      [{ max_concurrent_runs: 1001 }, /max_concurrent_runs/],
      [{ timeout_seconds: -1 }, /timeout_seconds/],
      [{ tasks: Array.from({ length: 1001 }, (_, at) => ({ task_key: `t${at}` })) }, /at most 1000 tasks/],
    ] as const)
      expect(await failureOf(jobs.create(settings as never))).toMatchObject(
        refusal(400, 'INVALID_PARAMETER_VALUE', expect.stringMatching(message) as string),
      )
  })
})
