import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdapter, createManifest } from 'sim-gateway/adapter'
import { findUnproven } from 'sim-gateway/adapter/testing'
import { describe, expect, it } from 'vitest'
import { adapter, WorkspaceMockContext } from '../src/index.ts'
import { all, ask, clientOf, failureOf, refusal } from './client.ts'

const PACKAGE = join(import.meta.dirname, '..')
const SHARED = '0101-000000-sharedab'

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('the workspace adapter', () => {
  it('names only tests that are there', () => {
    expect(findUnproven(createManifest(adapter), PACKAGE)).toEqual([])
  })

  it('has the version of its package', () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
    expect(adapter.packageVersion).toBe(version)
  })

  it('serves its manifest, with what is left out', async () => {
    using mock = new WorkspaceMockContext()

    const { operations } = (await ask(mock, 'GET', '/.well-known/sim-workspace-compat.json')).body as {
      operations: { operationId: string; supportLevel: string }[]
    }

    expect(operations.find(({ operationId }) => operationId === 'jobs.runNow')).toMatchObject({
      supportLevel: 'exact',
    })
    expect(operations.find(({ operationId }) => operationId === 'instancePools.list')).toMatchObject({
      supportLevel: 'unsupported',
    })
  })

  it('answers 501 in strict mode for what it knows and does not do, and 404 otherwise', async () => {
    using strict = new WorkspaceMockContext({ strict: true })
    using lenient = new WorkspaceMockContext()

    expect(await ask(strict, 'GET', '/api/2.0/instance-pools/list')).toMatchObject({
      status: 501,
      body: { error_code: 'NOT_IMPLEMENTED' },
    })
    for (const mock of [lenient, strict])
      expect(await ask(mock, 'GET', '/api/2.2/jobs/nothing')).toMatchObject({
        status: 404,
        body: { error_code: 'ENDPOINT_NOT_FOUND', message: "No API found for 'GET /jobs/nothing'" },
      })
    expect(await ask(lenient, 'GET', '/api/2.0/instance-pools/list')).toMatchObject({ status: 404 })
  })

  it('takes its bundled fixture in strict mode, and refuses one that contradicts itself', () => {
    expect(() => createAdapter(adapter, { strict: true })).not.toThrow()
    const contradictory = {
      version: 1,
      clusters: [
        { cluster_id: SHARED, spark_version: 'x', num_workers: 'two' },
        { cluster_id: SHARED, spark_version: 'x' },
      ],
      jobs: [
        { job_id: 1, name: 'a', tasks: [{ task_key: 'x', depends_on: [{ task_key: 'y' }] }] },
        { job_id: 1, name: 'b' },
      ],
      runs: [{ job: 'nobody', run_id: 3 }, { run_id: 3 }, { tasks: [{ task_key: 'a', max_retries: -2 }] }],
      libraries: [{ cluster_id: 'none', libraries: [{ zip: 'a' }] }],
    }
    const refusal = messageOf(() => createAdapter(adapter, { fixture: contradictory }))
    for (const rule of [
      `/clusters/1/cluster_id: the cluster '${SHARED}' comes twice`,
      "/jobs/0: Task 'x' depends on 'y', which does not exist.",
      '/jobs/1/job_id: the job 1 comes twice',
      "/runs/0/job: there is no job 'nobody'",
      '/runs/1: a run needs either a job or tasks',
      '/runs/1/run_id: the run 3 comes twice',
      "/libraries/0/cluster_id: there is no cluster 'none'",
      '/libraries/0/libraries: A library must be exactly one of jar, egg, whl, requirements, pypi, maven, cran.',
      '/clusters/0: Could not parse request object: expected an integer for field num_workers.',
      '/runs/2/tasks: max_retries must be -1 or more.',
    ])
      expect(refusal).toContain(rule)
    expect(
      messageOf(() => createAdapter(adapter, { strict: true, fixture: { version: 1, joobs: [] } })),
    ).toContain('joobs')
  })

  it('refuses drives that there are not', () => {
    for (const [lifecycle, message] of [
      [{ cluster: { by: 'time' } }, "lifecycle names 'cluster'"],
      [{ runs: { by: 'magic' } }, "lifecycle.runs.by is 'magic'"],
      [{ runs: { by: 'reads', intermediateReads: -1 } }, 'lifecycle.runs.intermediateReads is -1'],
    ] as const)
      expect(messageOf(() => createAdapter(adapter, { lifecycle: lifecycle as never }))).toContain(message)
  })

  it('keeps a whole workspace in a snapshot, moves under way included', async () => {
    using mock = new WorkspaceMockContext({ lifecycle: { runs: { by: 'time' }, clusters: { by: 'time' } } })
    const { run_id: run } = (await ask(mock, 'POST', '/api/2.2/jobs/run-now', { job_id: 1003 })).body as {
      run_id: number
    }
    const { run_id: queued } = (
      await ask(mock, 'POST', '/api/2.2/jobs/run-now', { job_id: 1003, queue: { enabled: true } })
    ).body as { run_id: number }
    await ask(mock, 'POST', '/api/2.1/clusters/restart', { cluster_id: SHARED })
    await ask(mock, 'POST', '/__sim/clock', { advanceMs: 20_000 })
    const snapshot: unknown = JSON.parse(JSON.stringify(mock.adapter.snapshot()))
    const look = async (): Promise<unknown[]> => {
      await ask(mock, 'POST', '/__sim/clock', { advanceMs: 3_600_000 })
      const paths = [
        `/api/2.2/jobs/runs/get?run_id=${run}`,
        `/api/2.2/jobs/runs/get?run_id=${queued}`,
        `/api/2.1/clusters/get?cluster_id=${SHARED}`,
        '/api/2.2/jobs/list',
        '/api/2.0/libraries/all-cluster-statuses',
      ]
      return Promise.all(paths.map(async (path) => (await ask(mock, 'GET', path)).body))
    }
    const after = await look()
    await ask(mock, 'POST', '/api/2.2/jobs/delete', { job_id: 1001 })

    mock.adapter.restore(snapshot)
    mock.adapter.clock.set(Date.parse('2026-01-01T00:00:20Z'))

    expect(await look()).toEqual(after)
    expect(after[0]).toMatchObject({ state: { result_state: 'SUCCESS' } })
    expect(after[1]).toMatchObject({ state: { life_cycle_state: 'TERMINATED' } })
  })

  it('keeps the clients of several tokens apart', async () => {
    await using mock = await WorkspaceMockContext.start({ isolate: 'token' })
    const [one, other] = [clientOf(mock, 'one'), clientOf(mock, 'other')]

    await one.jobs.delete({ job_id: 1001 })

    expect(await failureOf(one.jobs.get({ job_id: 1001 }))).toMatchObject({ statusCode: 400 })
    expect(await other.jobs.get({ job_id: 1001 })).toMatchObject({ job_id: 1001 })
  })

  it('answers the same to the same requests', async () => {
    const play = async (seed: number): Promise<string[]> => {
      using mock = new WorkspaceMockContext({ seed })
      const texts: string[] = []
      for (const [method, path, body] of [
        ['POST', '/api/2.1/clusters/create', { spark_version: 'x', num_workers: 1 }],
        ['POST', '/api/2.2/jobs/runs/submit', { tasks: [{ task_key: 'a' }] }],
        ['GET', '/api/2.2/jobs/runs/list'],
        ['GET', '/api/2.1/clusters/list?page_size=3'],
      ] as const)
        texts.push((await ask(mock, method, path, body)).text)
      return texts
    }

    expect(await play(1)).toEqual(await play(1))
    expect(await play(1)).not.toEqual(await play(2))
  })
})

describe('failures of the workspace adapter', () => {
  it('happen by count, before or after the write, and are retried by the real client', async () => {
    await using mock = await WorkspaceMockContext.start({
      faults: [
        { operation: 'jobs.create', status: 429, times: 1, retryAfterSeconds: 0 },
        { operation: 'clusters.create', status: 503, times: 1, when: 'after' },
      ],
    })
    const { jobs, clusters } = clientOf(mock)
    const refused = await mock.fetch('/api/2.2/jobs/create', { method: 'POST', body: '{"name":"x"}' })
    const before = mock.state.jobs.all.size

    const { job_id } = await jobs.create({ name: 'retried' })
    const lost = await failureOf(
      clusters.create({ spark_version: 'x', num_workers: 1, cluster_name: 'lost' }),
    )

    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('0')
    expect(await refused.json()).toMatchObject({ error_code: 'REQUEST_LIMIT_EXCEEDED' })
    expect(mock.state.jobs.all.size).toBe(before + 1)
    expect(job_id).toBeGreaterThan(0)
    expect(lost).toMatchObject({ errorCode: 'TEMPORARILY_UNAVAILABLE', statusCode: 503 })
    expect((await all(clusters.list({}))).map(({ cluster_name }) => cluster_name)).toContain('lost')
  })

  it('are retried by the real client after a 429', async () => {
    await using mock = await WorkspaceMockContext.start({
      faults: [{ operation: 'jobs.get', status: 429, times: 1 }],
    })

    expect(await clientOf(mock).jobs.get({ job_id: 1001 })).toMatchObject({ job_id: 1001 })
  })

  it('carry Retry-After with 429 and 503', async () => {
    using mock = new WorkspaceMockContext({
      rateLimit: { requests: 1, windowSeconds: 60 },
      faults: [{ operation: 'jobs.list', status: 503, retryAfterSeconds: 7, times: 1 }],
    })

    const unavailable = await mock.fetch('/api/2.2/jobs/list')
    const limited = await mock.fetch('/api/2.2/jobs/list')

    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '7'])
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await limited.json()).toMatchObject({ error_code: 'REQUEST_LIMIT_EXCEEDED' })
  })

  it('name missing and bad credentials without repeating them', async () => {
    using mock = new WorkspaceMockContext({ auth: { mode: 'strict', tokens: [{ token: 'good' }] } })

    const none = await ask(mock, 'GET', '/api/2.2/jobs/list')
    const bad = await ask(mock, 'GET', '/api/2.2/jobs/list', undefined, {
      authorization: 'Bearer secret-token',
    })

    expect(none).toMatchObject({ status: 401, body: { error_code: 'UNAUTHENTICATED' } })
    expect(bad).toMatchObject({ status: 401, body: { error_code: 'UNAUTHENTICATED' } })
    expect(bad.text).not.toContain('secret-token')
  })

  it('speak SCIM where SCIM is requested', async () => {
    using mock = new WorkspaceMockContext({ auth: { mode: 'strict', tokens: [{ token: 'good' }] } })

    expect(await ask(mock, 'GET', '/api/2.0/preview/scim/v2/Me')).toMatchObject({
      status: 401,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
    })
  })

  it('let the real client read their code, message and status', async () => {
    await using mock = await WorkspaceMockContext.start({
      faults: [{ operation: 'jobs.list', status: 500, code: 'DATA_LOSS', times: 1 }],
    })

    expect(await failureOf(all(clientOf(mock).jobs.list({})))).toEqual(
      refusal(500, 'DATA_LOSS', 'This failure was injected with status 500.'),
    )
  })
})

describe('permissions in strict mode', () => {
  const config = {
    auth: {
      mode: 'strict' as const,
      tokens: [
        { token: 'owner' },
        { token: 'guest', user: 'guest@example.com' },
        { token: 'narrow', scopes: ['jobs'] },
      ],
    },
    fixture: {
      version: 1,
      users: [{ userName: 'owner@example.com' }, { userName: 'guest@example.com' }],
      clusters: [{ cluster_id: SHARED, spark_version: 'x', num_workers: 0, state: 'RUNNING' }],
      jobs: [
        { job_id: 1, name: 'hidden', tasks: [{ task_key: 'a' }] },
        { job_id: 2, name: 'shown', tasks: [{ task_key: 'a' }] },
      ],
      permissions: [
        {
          type: 'jobs',
          id: '2',
          entries: [
            { user_name: 'owner@example.com', permission_level: 'IS_OWNER' },
            { user_name: 'guest@example.com', permission_level: 'CAN_VIEW' },
          ],
        },
        {
          type: 'clusters',
          id: SHARED,
          entries: [{ user_name: 'guest@example.com', permission_level: 'CAN_ATTACH_TO' }],
        },
      ],
    },
  }

  it('let a guest see what is shared and change nothing', async () => {
    await using mock = await WorkspaceMockContext.start(config)
    const guest = clientOf(mock, 'guest')

    expect((await all(guest.jobs.list({}))).map(({ job_id }) => job_id)).toEqual([2])
    expect(await guest.jobs.get({ job_id: 2 })).toMatchObject({ job_id: 2 })
    expect(await guest.clusters.get({ cluster_id: SHARED })).toMatchObject({ cluster_id: SHARED })
    for (const refused of [
      guest.jobs.get({ job_id: 1 }),
      guest.jobs.runNow({ job_id: 2 }),
      guest.jobs.delete({ job_id: 2 }),
      guest.clusters.restart({ cluster_id: SHARED }),
      guest.clusters.permanentDelete({ cluster_id: SHARED }),
    ])
      expect(await failureOf(refused)).toMatchObject({ errorCode: 'PERMISSION_DENIED', statusCode: 403 })
  })

  it('let owners do as they like, and show runs with their jobs', async () => {
    await using mock = await WorkspaceMockContext.start(config)
    const [owner, guest] = [clientOf(mock, 'owner'), clientOf(mock, 'guest')]
    const { run_id = 0 } = await owner.jobs.runNow({ job_id: 2 })
    const submitted = await owner.jobs.submit({ tasks: [{ task_key: 'a' }] })

    expect((await all(guest.jobs.listRuns({}))).map((run) => run.run_id)).toEqual([run_id])
    expect(await failureOf(guest.jobs.getRun({ run_id: submitted.run_id ?? 0 }))).toMatchObject({
      statusCode: 403,
    })
    expect((await all(owner.jobs.listRuns({}))).length).toBe(2)
  })

  it('check the scopes of tokens', async () => {
    await using mock = await WorkspaceMockContext.start(config)
    const narrow = clientOf(mock, 'narrow')

    expect((await all(narrow.jobs.list({}))).length).toBe(2)
    for (const refused of [
      narrow.clusters.get({ cluster_id: SHARED }),
      all(narrow.secrets.listScopes()),
      narrow.dbfs.getStatus({ path: '/' }),
      all(narrow.warehouses.list({})),
    ])
      expect(await failureOf(refused)).toMatchObject({ errorCode: 'PERMISSION_DENIED', statusCode: 403 })
  })

  it('check what tokens are granted, in every family', async () => {
    using mock = new WorkspaceMockContext({
      ...config,
      auth: {
        mode: 'strict',
        tokens: [
          {
            token: 'x',
            grants: ['jobs/2', 'clusters/none', 'dbfs/mine/**', 'secrets/app', 'workspace/Shared'],
          },
        ],
      },
    })
    const statusOf = async (method: string, path: string, body?: object): Promise<number> =>
      (await ask(mock, method, path, body, { authorization: 'Bearer x' })).status
    const { body } = await ask(mock, 'GET', '/api/2.2/jobs/list', undefined, { authorization: 'Bearer x' })

    expect(body).toMatchObject({ jobs: [{ job_id: 2 }], has_more: false })
    expect(await statusOf('GET', '/api/2.2/jobs/get?job_id=2')).toBe(200)
    expect(await statusOf('POST', '/api/2.2/jobs/run-now', { job_id: 2 })).toBe(200)
    expect(await statusOf('POST', '/api/2.0/dbfs/mkdirs', { path: 'dbfs:/mine/a' })).toBe(200)
    expect(await statusOf('POST', '/api/2.0/secrets/scopes/create', { scope: 'app' })).toBe(200)
    for (const [method, path, given] of [
      ['GET', '/api/2.2/jobs/get?job_id=1'],
      ['POST', '/api/2.2/jobs/run-now', { job_id: 1 }],
      ['POST', '/api/2.2/jobs/create', { name: 'new' }],
      ['POST', '/api/2.2/jobs/runs/submit', { tasks: [{ task_key: 'a' }] }],
      ['GET', `/api/2.1/clusters/get?cluster_id=${SHARED}`],
      ['GET', '/api/2.0/dbfs/list?path=/'],
      ['POST', '/api/2.0/dbfs/mkdirs', { path: '/mine/../yours' }],
      ['POST', '/api/2.0/dbfs/move', { source_path: '/yours', destination_path: '/mine/a' }],
      ['POST', '/api/2.0/secrets/scopes/create', { scope: 'other' }],
      ['GET', '/api/2.0/sql/warehouses'],
      ['POST', '/api/2.0/sql/statements', { statement: 'SELECT 1', warehouse_id: 'w' }],
      ['GET', '/api/2.0/permissions/jobs/1'],
      ['GET', '/api/2.0/workspace/list?path=/Users'],
    ] as const)
      expect([path, await statusOf(method, path, given)]).toEqual([path, 403])
  })

  it('give what a create request shares', async () => {
    await using mock = await WorkspaceMockContext.start(config)
    const [owner, guest] = [clientOf(mock, 'owner'), clientOf(mock, 'guest')]
    const { job_id = 0 } = await owner.jobs.create({
      name: 'shared',
      access_control_list: [{ user_name: 'guest@example.com', permission_level: 'CAN_MANAGE_RUN' }],
      tasks: [{ task_key: 'a' }],
    })

    const run = await (await guest.jobs.runNow({ job_id })).wait()

    expect(run.creator_user_name).toBe('guest@example.com')
    expect(await failureOf(guest.jobs.delete({ job_id }))).toMatchObject({ statusCode: 403 })
  })
})
