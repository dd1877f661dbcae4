import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, ask, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const fixture = {
  version: 1,
  users: [{ userName: 'ada@example.com' }],
  warehouses: [
    { id: 'w1', name: 'main', state: 'RUNNING', cluster_size: 'Medium', min_num_clusters: 2 },
    { id: 'w2', name: 'spare' },
  ],
}

const it = clientTest({ fixture })

describe('SQL warehouses, used by the real client', () => {
  it('makes a warehouse, and waits until it runs', async ({ client: { warehouses }, expect }) => {
    const polls: (string | undefined)[] = []
    const onProgress = async ({ state }: { state?: string }) => void polls.push(state)

    const made = await (
      await warehouses.create({
        name: 'new',
        cluster_size: '2X-Small',
        max_num_clusters: 3,
        auto_stop_mins: 10,
        warehouse_type: 'PRO',
        enable_serverless_compute: true,
        tags: { custom_tags: [{ key: 'team', value: 'data' }] },
        channel: { name: 'CHANNEL_NAME_PREVIEW' },
      })
    ).wait({ onProgress })

    expect(polls).toEqual(['RUNNING'])
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      name: 'new',
      cluster_size: '2X-Small',
      min_num_clusters: 1,
      max_num_clusters: 3,
      auto_stop_mins: 10,
      enable_photon: true,
      enable_serverless_compute: true,
      warehouse_type: 'PRO',
      spot_instance_policy: 'COST_OPTIMIZED',
      channel: { name: 'CHANNEL_NAME_PREVIEW' },
      tags: { custom_tags: [{ key: 'team', value: 'data' }] },
      creator_name: 'ada@example.com',
      state: 'RUNNING',
      num_clusters: 1,
      num_active_sessions: 0,
      jdbc_url: `jdbc:spark://127.0.0.1:443/default;transportMode=http;ssl=1;AuthMech=3;httpPath=/sql/1.0/warehouses/${made.id};`,
      odbc_params: {
        hostname: '127.0.0.1',
        path: `/sql/1.0/warehouses/${made.id}`,
        port: 443,
        protocol: 'https',
      },
      health: { status: 'HEALTHY' },
    })
  })

  it('stops, starts and edits a warehouse, and waits for it', async ({ client: { warehouses }, expect }) => {
    const polls: (string | undefined)[] = []
    const onProgress = async ({ state }: { state?: string }) => void polls.push(state)

    expect((await (await warehouses.stop({ id: 'w1' })).wait({ onProgress })).state).toBe('STOPPED')
    expect((await (await warehouses.start({ id: 'w1' })).wait({ onProgress })).state).toBe('RUNNING')
    const edited = await (
      await warehouses.edit({ id: 'w1', name: 'renamed', auto_stop_mins: 0 })
    ).wait({ onProgress })

    expect(polls).toEqual(['STOPPED', 'RUNNING', 'RUNNING'])
    expect(edited).toMatchObject({
      name: 'renamed',
      auto_stop_mins: 0,
      cluster_size: 'Medium',
      num_clusters: 2,
    })
    await warehouses.start({ id: 'w1' })
    expect(await warehouses.get({ id: 'w1' })).toMatchObject({ state: 'RUNNING' })
  })

  it('fails the waiting for a start that the fixture lets fail, and the next succeeds', async ({
    expect,
  }) => {
    const startFailure = {
      summary: 'No capacity',
      details: 'None of this size is left',
      reason: { code: 'CLOUD_PROVIDER_RESOURCE_STOCKOUT', type: 'CLOUD_FAILURE' },
      times: 1,
    }
    await using mock = await WorkspaceMockContext.start({
      fixture: { ...fixture, warehouses: [{ id: 'w3', name: 'unlucky', startFailure }] },
    })
    const { warehouses } = clientOf(mock)

    await expect((await warehouses.start({ id: 'w3' })).wait()).rejects.toThrow('No capacity')
    expect(await warehouses.get({ id: 'w3' })).toMatchObject({
      state: 'STOPPED',
      num_clusters: 0,
      health: {
        status: 'FAILED',
        summary: 'No capacity',
        message: 'No capacity',
        details: 'None of this size is left',
        failure_reason: { code: 'CLOUD_PROVIDER_RESOURCE_STOCKOUT', type: 'CLOUD_FAILURE' },
      },
    })
    const started = await (await warehouses.start({ id: 'w3' })).wait()
    expect(started).toMatchObject({ state: 'RUNNING', health: { status: 'HEALTHY' } })
  })

  it('deletes a warehouse, whose name is free again', async ({ client: { warehouses }, expect }) => {
    await warehouses.delete({ id: 'w1' })
    await warehouses.create({ name: 'main' })
    for (const call of [
      warehouses.get({ id: 'w1' }),
      warehouses.delete({ id: 'w1' }),
      warehouses.edit({ id: 'w1', name: 'x' }),
      warehouses.start({ id: 'w1' }),
      warehouses.stop({ id: 'w1' }),
    ])
      expect(await failureOf(call)).toEqual(
        refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'SQL warehouse w1 does not exist.'),
      )
  })

  it('lists all warehouses, or page by page', async ({ expect }) => {
    const names = Array.from({ length: 7 }, (_, index) => `w${index}`)
    await using mock = await WorkspaceMockContext.start({
      fixture: { version: 1, warehouses: names.map((name) => ({ name })) },
    })
    const { warehouses } = clientOf(mock)

    expect((await all(warehouses.list({}))).map(({ name }) => name)).toEqual(names)
    expect((await all(warehouses.list({ page_size: 3 }))).map(({ name }) => name)).toEqual(names)

    const pages: { warehouses: object[]; next_page_token?: string }[] = []
    let token = ''
    do {
      const { body } = await ask(mock, 'GET', `/api/2.0/sql/warehouses?page_size=3${token}`)
      pages.push(body)
      token = `&page_token=${pages.at(-1)?.next_page_token}`
    } while (pages.at(-1)?.next_page_token !== undefined)
    expect(pages.map((page) => page.warehouses.length)).toEqual([3, 3, 1])
    expect(Object.keys(pages.at(-1) ?? {})).toEqual(['warehouses'])
    expect((await ask(mock, 'GET', '/api/2.0/sql/warehouses?page_token=forged')).status).toBe(400)
    expect((await ask(mock, 'GET', '/api/2.0/sql/warehouses?page_size=-1')).status).toBe(400)
  })

  it('refuses settings that cannot be, and names that are taken', async ({
    client: { warehouses },
    expect,
  }) => {
    const invalid = { errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 }

    for (const call of [warehouses.create({ name: 'main' }), warehouses.edit({ id: 'w2', name: 'main' })])
      expect(await failureOf(call)).toEqual({
        ...invalid,
        message: 'SQL warehouse with name `main` already exists',
      })
    const settings = [
      {},
      { name: '' },
      { name: 'x'.repeat(100) },
      { name: 'x', cluster_size: 'Tiny' },
      { name: 'x', min_num_clusters: 0 },
      { name: 'x', min_num_clusters: 31 },
      { name: 'x', min_num_clusters: 3, max_num_clusters: 2 },
      { name: 'x', max_num_clusters: 41 },
      { name: 'x', auto_stop_mins: 9 },
      { name: 'x', warehouse_type: 'HUGE' },
      { name: 'x', spot_instance_policy: 'NONE' },
      {
        name: 'x',
        tags: { custom_tags: Array.from({ length: 45 }, (_, key) => ({ key: `${key}`, value: '' })) },
      },
    ]
    const refused = await Promise.all(
      settings.map((request) => failureOf(warehouses.create(request as never))),
    )
    expect(refused).toEqual(settings.map(() => expect.objectContaining(invalid) as object))
    expect(await failureOf(warehouses.create({ name: 5 } as never))).toMatchObject({
      errorCode: 'MALFORMED_REQUEST',
    })
    await warehouses.create({
      name: 'x'.repeat(99),
      auto_stop_mins: 0,
      max_num_clusters: 40,
      min_num_clusters: 30,
    })
  })

  it('lets in strict mode only those in who have the permission', async ({ expect }) => {
    const tokens = ['ada', 'bob'].map((name) => ({ token: name, user: `${name}@example.com` }))
    await using mock = await WorkspaceMockContext.start({
      auth: { mode: 'strict', tokens },
      fixture: {
        ...fixture,
        permissions: [
          {
            type: 'warehouses',
            id: 'w1',
            entries: [{ user_name: 'bob@example.com', permission_level: 'CAN_USE' }],
          },
        ],
      },
    })
    const { warehouses } = clientOf(mock, 'bob')
    const denied = { errorCode: 'PERMISSION_DENIED', statusCode: 403 }

    expect((await all(warehouses.list({}))).map(({ id }) => id)).toEqual(['w1'])
    await warehouses.start({ id: 'w1' })
    expect(await failureOf(warehouses.stop({ id: 'w1' }))).toMatchObject(denied)
    expect(await failureOf(warehouses.get({ id: 'w2' }))).toMatchObject(denied)
    const made = await (await warehouses.create({ name: 'bobs' })).wait()
    await warehouses.delete({ id: made.id as string })
    await clientOf(mock, 'ada').warehouses.stop({ id: 'w1' })
  })
})
