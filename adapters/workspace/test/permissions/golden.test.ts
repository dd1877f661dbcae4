import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

const warehouse = { object_type: 'warehouses', object_id: '5ba11e7a5c0ffee1' }
const job = { object_type: 'jobs', object_id: '1001' }

describe('permissions', () => {
  it('answers its contract', async () => {
    const cluster = { object_type: 'clusters', object_id: '0101-000000-sharedab' }
    await expectGolden(
      'permissions',
      ['Permissions'],
      [
        { operation: 'permissions.get', params: warehouse },
        { operation: 'permissions.get', params: job },
        { operation: 'permissions.get', params: cluster },
        { operation: 'permissions.get', params: { object_type: 'jobs', object_id: '1' } },
        { operation: 'permissions.get', params: { object_type: 'planets', object_id: '1' } },
        {
          operation: 'permissions.set',
          params: job,
          body: {
            access_control_list: [
              { user_name: 'analyst@example.com', permission_level: 'IS_OWNER' },
              { group_name: 'users', permission_level: 'CAN_VIEW' },
            ],
          },
        },
        { operation: 'permissions.set', note: 'no owner', params: job, body: {} },
        { operation: 'permissions.set', note: 'cleared', params: cluster, body: {} },
        {
          operation: 'permissions.set',
          params: cluster,
          body: { access_control_list: [{ group_name: 'users', permission_level: 'IS_OWNER' }] },
        },
        {
          operation: 'permissions.update',
          params: job,
          body: { access_control_list: [{ group_name: 'users', permission_level: 'CAN_MANAGE_RUN' }] },
        },
        { operation: 'permissions.update', note: 'no body', params: warehouse },
        { operation: 'permissions.getPermissionLevels', params: warehouse },
        { operation: 'permissions.getPermissionLevels', params: job },
        { operation: 'permissions.getPermissionLevels', params: cluster },
      ],
    )
  })
})
