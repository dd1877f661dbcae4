import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { clientOf } from '../client.ts'

const fixture = {
  version: 1,
  users: [
    {
      userName: 'ada@example.com',
      displayName: 'Ada Augusta Lovelace',
      id: '4711',
      groups: ['admins', 'engineers'],
      entitlements: ['workspace-access'],
      roles: ['arn:role'],
    },
    { userName: 'bob@example.com' },
  ],
}

describe('the current user', () => {
  it('is whom the token names, or the first of the fixture', async () => {
    await using mock = await WorkspaceMockContext.start({
      fixture,
      auth: { mode: 'optional', tokens: [{ token: 'bobs', user: 'bob@example.com' }] },
    })

    expect(await clientOf(mock).currentUser.me()).toMatchObject({
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:workspace:2.0:User',
      ],
      id: '4711',
      userName: 'ada@example.com',
      displayName: 'Ada Augusta Lovelace',
      active: true,
      name: { givenName: 'Ada', familyName: 'Augusta Lovelace' },
      emails: [{ type: 'work', value: 'ada@example.com', primary: true }],
      groups: [{ display: 'admins' }, { display: 'engineers' }, { display: 'users' }],
      entitlements: [{ value: 'workspace-access' }],
      roles: [{ value: 'arn:role' }],
    })
    expect(await clientOf(mock, 'bobs').currentUser.me()).toMatchObject({
      userName: 'bob@example.com',
      groups: [{ display: 'users', type: 'direct' }],
    })
  })

  it('comes with the number of the workspace, as an integer', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    const response = await mock.fetch('/api/2.0/preview/scim/v2/Me')
    expect(response.headers.get('x-databricks-org-id')).toMatch(/^\d+$/)
  })

  it('is not begun by a fixture with two users of one name', () => {
    const users = [{ userName: 'a' }, { userName: 'a' }]
    expect(() => new WorkspaceMockContext({ fixture: { version: 1, users } }).state).toThrow(/users/)
  })
})
