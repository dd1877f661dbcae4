import { describe } from 'vitest'
import { all, clientTest, failureOf, refusal } from '../client.ts'

const SHARED = '0101-000000-sharedab'
const spec = { spark_version: '16.4.x-scala2.12', node_type_id: 'i3.xlarge', num_workers: 1 }

const it = clientTest()

describe('the real client and clusters', () => {
  it('waits for a cluster from creation to its end', async ({ client: { clusters }, expect }) => {
    const waiter = await clusters.create({ ...spec, cluster_name: 'mine' })

    const running = await waiter.wait()

    expect(running).toMatchObject({
      state: 'RUNNING',
      cluster_name: 'mine',
      num_workers: 1,
      cluster_cores: 8,
    })
    expect(running.cluster_id).toMatch(/^\d{4}-\d{6}-[a-z0-9]{8}$/)
    const ended = await (await clusters.delete({ cluster_id: running.cluster_id ?? '' })).wait()
    expect(ended).toMatchObject({
      state: 'TERMINATED',
      termination_reason: {
        code: 'USER_REQUEST',
        type: 'SUCCESS',
        parameters: { username: 'someone@example.com' },
      },
    })
    expect(ended).not.toHaveProperty('driver')
  })

  it('says why a cluster did not start', async ({ client: { clusters }, expect }) => {
    const waiter = await clusters.create({ ...spec, cluster_name: 'out of stock' })

    await expect(waiter.wait()).rejects.toThrow(/TERMINATED/)

    expect(await clusters.get({ cluster_id: waiter.cluster_id ?? '' })).toMatchObject({
      state: 'TERMINATED',
      state_message: 'The cloud provider has no machines of this kind.',
      termination_reason: { code: 'CLOUD_PROVIDER_RESOURCE_STOCKOUT', type: 'CLOUD_FAILURE' },
    })
  })

  it('lists clusters over pages, filtered and sorted', async ({ client: { clusters }, expect }) => {
    const everyone = await all(clusters.list({}))
    const pinned = await all(clusters.list({ filter_by: { is_pinned: true } }))
    const running = await all(
      clusters.list({ filter_by: { cluster_states: ['RUNNING', 'PENDING'] }, page_size: 1 }),
    )
    const named = await all(
      clusters.list({ sort_by: { field: 'CLUSTER_NAME', direction: 'DESC' }, page_size: 5 }),
    )

    expect(everyone.length).toBe(26)
    expect(new Set(everyone.map(({ cluster_id }) => cluster_id)).size).toBe(26)
    expect(everyone[0]?.cluster_id).toBe(SHARED)
    expect(pinned.map(({ cluster_id }) => cluster_id)).toEqual([SHARED])
    expect(running.map(({ cluster_name }) => cluster_name)).toEqual(['shared', 'autoscaling'])
    expect(named.map(({ cluster_name }) => cluster_name)).toEqual(
      everyone.map(({ cluster_name }) => cluster_name ?? '').toSorted((a, b) => (a < b ? 1 : -1)),
    )
    expect(everyone[0]).not.toHaveProperty('spec')
  })

  it('follows the events of a cluster from page to page', async ({ client: { clusters }, expect }) => {
    const { cluster_id = '' } = await (await clusters.create(spec)).wait()
    await (await clusters.restart({ cluster_id })).wait()
    await (await clusters.delete({ cluster_id })).wait()

    const newest = await all(clusters.events({ cluster_id, page_size: 2 }))
    const legacy = await all(clusters.events({ cluster_id, limit: 2, order: 'ASC' }))
    const chosen = await all(clusters.events({ cluster_id, event_types: ['RUNNING'] }))

    const types = [
      'CREATING',
      'RUNNING',
      'DRIVER_HEALTHY',
      'RESTARTING',
      'RUNNING',
      'DRIVER_HEALTHY',
      'TERMINATING',
    ]
    expect(legacy.map(({ type }) => type)).toEqual(types)
    expect(newest.map(({ type }) => type)).toEqual(types.toReversed())
    expect(chosen.map(({ type }) => type)).toEqual(['RUNNING', 'RUNNING'])
    const times = legacy.map(({ timestamp = 0 }) => timestamp)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('lists the events of clusters that the fixture declares, as if they had been created', async ({
    client: { clusters },
    expect,
  }) => {
    const eventsOf = async (cluster_id: string) => all(clusters.events({ cluster_id, order: 'ASC' }))
    const [running, ended] = [await eventsOf(SHARED), await eventsOf('0101-000000-lostspot')]

    expect(running.map(({ type }) => type)).toEqual(['CREATING', 'PINNED', 'RUNNING', 'DRIVER_HEALTHY'])
    expect(running[0]?.details).toMatchObject({ cluster_size: { num_workers: 2 } })
    expect(ended.map(({ type }) => type)).toEqual(['CREATING', 'RUNNING', 'DRIVER_HEALTHY', 'TERMINATING'])
    expect(ended.at(-1)?.details?.reason?.code).toBe('SPOT_INSTANCE_TERMINATION')
  })

  it('starts, restarts and terminates a cluster', async ({ client: { clusters }, expect }) => {
    const started = await (await clusters.start({ cluster_id: '0101-000000-worker01' })).wait()
    const restarted = await (await clusters.restart({ cluster_id: '0101-000000-worker01' })).wait()
    const ended = await (await clusters.delete({ cluster_id: '0101-000000-worker01' })).wait()

    expect(started).toMatchObject({ state: 'RUNNING' })
    expect(restarted.spark_context_id).not.toBe(started.spark_context_id)
    expect(ended.state).toBe('TERMINATED')
    expect(await failureOf(clusters.start({ cluster_id: SHARED }))).toEqual(
      refusal(400, 'INVALID_STATE', `Cluster ${SHARED} is in unexpected state Running.`),
    )
    expect(await failureOf(clusters.restart({ cluster_id: '0101-000000-worker02' }))).toMatchObject({
      errorCode: 'INVALID_STATE',
    })
    await clusters.delete({ cluster_id: '0101-000000-worker02' })
  })

  it('edits, updates and resizes a cluster', async ({ client: { clusters }, expect }) => {
    const edited = await (await clusters.edit({ ...spec, cluster_id: SHARED, num_workers: 3 })).wait()
    const updated = await (
      await clusters.update({
        cluster_id: SHARED,
        update_mask: 'autoscale,custom_tags',
        cluster: { autoscale: { min_workers: 2, max_workers: 4 }, custom_tags: { team: 'data' } },
      })
    ).wait()
    const resized = await (await clusters.resize({ cluster_id: SHARED, num_workers: 6 })).wait()

    expect(edited).toMatchObject({ state: 'RUNNING', num_workers: 3, cluster_name: '' })
    expect(updated).toMatchObject({
      autoscale: { min_workers: 2, max_workers: 4 },
      custom_tags: { team: 'data' },
    })
    expect(updated).not.toHaveProperty('num_workers')
    expect(resized).toMatchObject({ state: 'RUNNING', num_workers: 6, spec: { num_workers: 6 } })
    expect(resized.executors).toHaveLength(6)
    expect(
      await failureOf(clusters.resize({ cluster_id: '0101-000000-worker02', num_workers: 2 })),
    ).toMatchObject({ errorCode: 'INVALID_STATE', statusCode: 400 })
  })

  it('removes a cluster for good', async ({ client: { clusters }, expect }) => {
    await clusters.permanentDelete({ cluster_id: SHARED })

    expect(await failureOf(clusters.get({ cluster_id: SHARED }))).toEqual(
      refusal(400, 'INVALID_PARAMETER_VALUE', `Cluster ${SHARED} does not exist`),
    )
    expect((await all(clusters.list({}))).map(({ cluster_id }) => cluster_id)).not.toContain(SHARED)
  })

  it('pins, unpins and hands over a cluster', async ({ client: { clusters }, expect }) => {
    const cluster_id = '0101-000000-worker03'
    await clusters.pin({ cluster_id })
    const pinned = await all(clusters.list({ filter_by: { is_pinned: true } }))
    await clusters.unpin({ cluster_id })
    await clusters.changeOwner({ cluster_id, owner_username: 'other@example.com' })

    expect(pinned.map((each) => each.cluster_id)).toContain(cluster_id)
    expect(await all(clusters.list({ filter_by: { is_pinned: true } }))).toHaveLength(1)
    expect(await clusters.get({ cluster_id })).toMatchObject({ creator_user_name: 'other@example.com' })
  })

  it('lists node types, versions and zones', async ({ client: { clusters }, expect }) => {
    const { node_types: nodeTypes = [] } = await clusters.listNodeTypes()
    const { versions = [] } = await clusters.sparkVersions()

    for (const type of nodeTypes) {
      const wanted = [
        'node_type_id',
        'memory_mb',
        'num_cores',
        'description',
        'instance_type_id',
        'category',
        'is_deprecated',
        'num_gpus',
      ] as const
      for (const field of wanted) expect([field, type[field]]).not.toEqual([field, null])
      expect(type.node_instance_type).toMatchObject({ local_disks: 1, local_nvme_disks: 1 })
    }
    expect(
      versions.some(({ key = '', name = '' }) => key.includes('-scala2.12') && name.includes('LTS')),
    ).toBe(true)
    expect(await clusters.listZones()).toMatchObject({ default_zone: 'us-west-2a' })
  })

  it('fills in what the service fills in', async ({ client: { clusters }, expect }) => {
    const { cluster_id = '' } = await (
      await clusters.create({ ...spec, data_security_mode: 'SINGLE_USER', apply_policy_default_values: true })
    ).wait()

    const cluster = await clusters.get({ cluster_id })

    expect(cluster).toMatchObject({
      driver_node_type_id: 'i3.xlarge',
      enable_elastic_disk: false,
      single_user_name: 'someone@example.com',
      aws_attributes: { availability: 'SPOT_WITH_FALLBACK' },
      default_tags: { ClusterId: cluster_id },
      spec: { apply_policy_default_values: true },
    })
    expect(cluster).not.toHaveProperty('apply_policy_default_values')
  })

  it('refuses what no cluster can be', async ({ client: { clusters }, expect }) => {
    const refuse = (request: object): Promise<object> => failureOf(clusters.create({ ...spec, ...request }))

    for (const request of [
      { spark_version: '' },
      { autotermination_minutes: 5 },
      { autoscale: { min_workers: 3, max_workers: 1 }, num_workers: undefined },
      { num_workers: -1 },
      { num_workers: 10_001 },
      { custom_tags: Object.fromEntries(Array.from({ length: 46 }, (_, at) => [`t${at}`, 'x'])) },
    ])
      expect([request, await refuse(request)]).toMatchObject([
        request,
        { errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 },
      ])
    expect(await refuse({ num_workers: 'two' })).toMatchObject({ errorCode: 'MALFORMED_REQUEST' })
  })
})
