import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const fixture = {
  version: 1,
  users: [{ userName: 'ada@example.com', displayName: 'Ada Lovelace' }, { userName: 'bob@example.com' }],
  clusters: [
    {
      cluster_id: '0101-000000-abcdefgh',
      cluster_name: 'c',
      spark_version: '16.4.x-scala2.12',
      node_type_id: 'i3.xlarge',
      num_workers: 1,
    },
  ],
  jobs: [{ job_id: 1, name: 'nightly' }],
  warehouses: [{ id: 'w1', name: 'main' }],
  workspaceFiles: [{ path: '/Shared/team/report', language: 'SQL', text: 'SELECT 1' }],
}
const direct = (permission_level: string) => ({ permission_level, inherited: false })
const inherited = (permission_level: string, ...from: string[]) => ({
  permission_level,
  inherited: true,
  inherited_from_object: from,
})
const admins = (from: string) => ({ group_name: 'admins', all_permissions: [inherited('CAN_MANAGE', from)] })
const owned = (type: string, id: number, owners = 1) => ({
  type,
  id,
  entries: Array.from({ length: owners }, (_, index) => ({
    user_name: `user${index}@example.com`,
    permission_level: 'IS_OWNER',
  })),
})
const job = { request_object_type: 'jobs', request_object_id: '1' }

const it = clientTest({ fixture })

describe('permissions, used by the real client', () => {
  it('gives the owner of a job, and what its administrators inherit', async ({ mock, expect }) => {
    expect(await clientOf(mock).permissions.get(job)).toEqual({
      object_id: '/jobs/1',
      object_type: 'job',
      access_control_list: [
        { user_name: 'ada@example.com', display_name: 'Ada Lovelace', all_permissions: [direct('IS_OWNER')] },
        admins('/jobs/'),
      ],
    })
  })

  it('puts a list in place of another, in which the last entry of each principal counts', async ({
    client: { permissions },
    expect,
  }) => {
    const set = await permissions.set({
      ...job,
      access_control_list: [
        { user_name: 'bob@example.com', permission_level: 'IS_OWNER' },
        { group_name: 'users', permission_level: 'CAN_VIEW' },
        { group_name: 'users', permission_level: 'CAN_MANAGE_RUN' },
        { service_principal_name: '1234-5678', permission_level: 'CAN_VIEW' },
      ],
    })

    expect(set.access_control_list).toEqual([
      {
        user_name: 'bob@example.com',
        display_name: 'bob@example.com',
        all_permissions: [direct('IS_OWNER')],
      },
      { group_name: 'users', all_permissions: [direct('CAN_MANAGE_RUN')] },
      {
        service_principal_name: '1234-5678',
        display_name: '1234-5678',
        all_permissions: [direct('CAN_VIEW')],
      },
      admins('/jobs/'),
    ])
    expect(await permissions.get(job)).toEqual(set)
  })

  it('answers the update that the client sends without a body by what is there', async ({
    client: { permissions },
    expect,
  }) => {
    const before = await permissions.get(job)

    const updated = await permissions.update({
      ...job,
      access_control_list: [{ group_name: 'users', permission_level: 'CAN_VIEW' }],
    })

    expect(updated).toEqual(before)
  })

  it('merges an update that has a body, principal by principal', async ({ expect }) => {
    using mock = new WorkspaceMockContext({ fixture })
    const patch = (entries: readonly object[]) =>
      ask(mock, 'PATCH', '/api/2.0/permissions/jobs/1', { access_control_list: entries })

    await patch([{ group_name: 'users', permission_level: 'CAN_VIEW' }])
    const { body } = await patch([
      { group_name: 'users', permission_level: 'CAN_MANAGE' },
      { group_name: 'admins', permission_level: 'CAN_VIEW' },
    ])

    expect((body as { access_control_list: unknown }).access_control_list).toMatchObject([
      { user_name: 'ada@example.com', all_permissions: [direct('IS_OWNER')] },
      { group_name: 'users', all_permissions: [direct('CAN_MANAGE')] },
      { group_name: 'admins', all_permissions: [direct('CAN_VIEW'), inherited('CAN_MANAGE', '/jobs/')] },
    ])
  })

  it('leaves a job with exactly one owner', async ({ mock, client: { permissions }, expect }) => {
    const ownerless = refusal(400, 'INVALID_PARAMETER_VALUE', 'The job must have exactly one owner.')

    expect(await failureOf(permissions.set(job))).toEqual(ownerless)
    for (const level of ['CAN_VIEW', 'CAN_MANAGE'] as const)
      expect(
        await failureOf(
          permissions.set({
            ...job,
            access_control_list: [{ group_name: 'users', permission_level: level }],
          }),
        ),
      ).toEqual(ownerless)
    expect(
      (
        await ask(mock, 'PATCH', '/api/2.0/permissions/jobs/1', {
          access_control_list: [{ user_name: 'bob@example.com', permission_level: 'IS_OWNER' }],
        })
      ).body,
    ).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE' })
  })

  it('knows warehouses by both of their names, and clears what may be cleared', async ({
    client: { permissions },
    expect,
  }) => {
    const at = (type: string) => ({ request_object_type: type, request_object_id: 'w1' })

    expect(await permissions.get(at('warehouses'))).toEqual(await permissions.get(at('sql/warehouses')))
    const cleared = await permissions.set(at('sql/warehouses'))
    expect(cleared).toEqual({
      object_id: '/sql/warehouses/w1',
      object_type: 'warehouses',
      access_control_list: [admins('/sql/warehouses/')],
    })
    expect(await permissions.get(at('sql%2Fwarehouses'))).toEqual(cleared)
    expect((await permissions.getPermissionLevels(at('sql/warehouses'))).permission_levels).toHaveLength(5)
  })

  it('lets objects of the workspace inherit from their directories', async ({
    client: { permissions, workspace },
    expect,
  }) => {
    const idOf = async (path: string) => String((await workspace.getStatus({ path })).object_id)
    const [shared, team, report] = [
      await idOf('/Shared'),
      await idOf('/Shared/team'),
      await idOf('/Shared/team/report'),
    ]
    const set = (id: string, permission_level: 'CAN_READ' | 'CAN_RUN') =>
      permissions.set({
        request_object_type: 'directories',
        request_object_id: id,
        access_control_list: [{ group_name: 'users', permission_level }],
      })

    await set(shared, 'CAN_READ')
    await set(team, 'CAN_RUN')
    const found = await permissions.get({ request_object_type: 'notebooks', request_object_id: report })

    expect(found).toMatchObject({ object_id: `/notebooks/${report}`, object_type: 'notebook' })
    expect(found.access_control_list).toContainEqual({
      group_name: 'users',
      all_permissions: [
        inherited('CAN_RUN', `/directories/${team}`),
        inherited('CAN_READ', `/directories/${shared}`),
      ],
    })
  })

  it.for([
    { type: 'clusters', levels: ['CAN_ATTACH_TO', 'CAN_RESTART', 'CAN_MANAGE'] },
    { type: 'jobs', levels: ['CAN_VIEW', 'CAN_MANAGE_RUN', 'IS_OWNER', 'CAN_MANAGE'] },
    { type: 'warehouses', levels: ['CAN_VIEW', 'CAN_USE', 'CAN_MONITOR', 'IS_OWNER', 'CAN_MANAGE'] },
    { type: 'directories', levels: ['CAN_READ', 'CAN_RUN', 'CAN_EDIT', 'CAN_MANAGE'] },
  ])(
    'names the levels of $type',
    async ({ type, levels }, { client: { permissions, workspace }, expect }) => {
      const { object_id } = await workspace.getStatus({ path: '/Shared' })
      const ids: Record<string, string> = {
        clusters: '0101-000000-abcdefgh',
        jobs: '1',
        warehouses: 'w1',
        directories: String(object_id),
      }
      const call = permissions.getPermissionLevels({
        request_object_type: type,
        request_object_id: ids[type] as string,
      })

      expect((await call).permission_levels?.map(({ permission_level }) => permission_level)).toEqual(levels)
    },
  )

  it('refuses kinds, objects, levels and principals that there are not', async ({
    client: { permissions },
    expect,
  }) => {
    const get = (request_object_type: string, request_object_id: string) =>
      failureOf(permissions.get({ request_object_type, request_object_id }))
    const put = (...access_control_list: object[]) =>
      failureOf(permissions.set({ ...job, access_control_list }))
    const invalid = { errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 }

    expect(await get('planets', '1')).toMatchObject(invalid)
    expect(await get('clusters', 'none')).toEqual(
      refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'Cluster none does not exist'),
    )
    expect(await get('jobs', '2')).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      message: 'Job 2 does not exist.',
    })
    expect(await get('notebooks', '2')).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      statusCode: 404,
    })
    expect(await put({ user_name: 'x', permission_level: 'CAN_FLY' })).toMatchObject(invalid)
    expect(await put({ permission_level: 'IS_OWNER' })).toMatchObject(invalid)
    expect(await put({ user_name: 'x', group_name: 'y', permission_level: 'IS_OWNER' })).toMatchObject(
      invalid,
    )
  })

  it('are checked before a job is made, and then are what its maker requested', async ({
    client: { jobs, permissions },
    expect,
  }) => {
    const create = (...access_control_list: object[]) => jobs.create({ name: 'new', access_control_list })

    const { job_id } = await create({ group_name: 'users', permission_level: 'CAN_VIEW' })
    const found = await permissions.get({ request_object_type: 'jobs', request_object_id: String(job_id) })
    expect(found.access_control_list).toMatchObject([
      { user_name: 'ada@example.com', all_permissions: [direct('IS_OWNER')] },
      { group_name: 'users', all_permissions: [direct('CAN_VIEW')] },
      { group_name: 'admins' },
    ])
    expect(
      await failureOf(
        create(
          { user_name: 'bob@example.com', permission_level: 'IS_OWNER' },
          { user_name: 'eve@example.com', permission_level: 'IS_OWNER' },
        ),
      ),
    ).toMatchObject({ message: 'The job must have exactly one owner.' })
    expect(await failureOf(create({ group_name: 'users', permission_level: 'CAN_FLY' }))).toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    })
  })

  it.for([
    { why: 'two lists for one object', permissions: [owned('jobs', 1), owned('jobs', 1)] },
    { why: 'a job of two owners', permissions: [owned('jobs', 1, 2)] },
    { why: 'a job of no owner', permissions: [owned('jobs', 1, 0)] },
    {
      why: 'a level of another kind',
      permissions: [
        { type: 'clusters', id: 'c', entries: [{ user_name: 'a', permission_level: 'CAN_USE' }] },
      ],
    },
    {
      why: 'an entry for nobody',
      permissions: [{ type: 'clusters', id: 'c', entries: [{ permission_level: 'CAN_MANAGE' }] }],
    },
  ])('are not begun by a fixture with $why', ({ permissions }, { expect }) => {
    expect(() => new WorkspaceMockContext({ fixture: { version: 1, permissions } }).state).toThrow(
      /permissions/,
    )
  })
})
