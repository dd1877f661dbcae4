import { describe } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { all, clientOf, clientTest, failureOf, refusal } from '../client.ts'

const fixture = {
  version: 1,
  users: [{ userName: 'ada@example.com' }],
  secretScopes: [
    { name: 'app', keys: ['db-password'] },
    { name: 'vault', keyVault: { resource_id: '/subscriptions/1', dns_name: 'https://vault.example.com/' } },
  ],
}
const start = Date.parse('2026-01-01T00:00:00Z')

const it = clientTest({ fixture })

describe('secrets, used by the real client', () => {
  it('makes, lists and deletes scopes', async ({ client: { secrets }, expect }) => {
    await secrets.createScope({ scope: 'new.scope_1-x', initial_manage_principal: 'users' })
    expect(await all(secrets.listScopes())).toEqual([
      { name: 'app', backend_type: 'DATABRICKS' },
      {
        name: 'vault',
        backend_type: 'AZURE_KEYVAULT',
        keyvault_metadata: { resource_id: '/subscriptions/1', dns_name: 'https://vault.example.com/' },
      },
      { name: 'new.scope_1-x', backend_type: 'DATABRICKS' },
    ])
    expect(await failureOf(secrets.createScope({ scope: 'app' }))).toEqual(
      refusal(400, 'RESOURCE_ALREADY_EXISTS', 'Scope app already exists!'),
    )
    for (const scope of ['with blank', 'a'.repeat(129), 'ä'])
      expect(await failureOf(secrets.createScope({ scope }))).toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
      })
    expect(
      await failureOf(secrets.createScope({ scope: 'x', initial_manage_principal: 'admins' })),
    ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })

    await secrets.deleteScope({ scope: 'app' })
    expect(await failureOf(secrets.deleteScope({ scope: 'app' }))).toEqual(
      refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'Scope app does not exist!'),
    )
  })

  it('puts, lists and deletes secrets, and never gives a value back', async ({ expect }) => {
    await using mock = await WorkspaceMockContext.start({ fixture })
    const { secrets } = clientOf(mock)
    mock.adapter.clock.advance(1000)
    await secrets.putSecret({ scope: 'app', key: 'token', string_value: 'one' })
    await secrets.putSecret({
      scope: 'app',
      key: 'token',
      bytes_value: Buffer.from('two').toString('base64'),
    })
    expect(await all(secrets.listSecrets({ scope: 'app' }))).toEqual([
      { key: 'db-password', last_updated_timestamp: start },
      { key: 'token', last_updated_timestamp: start + 1000 },
    ])
    expect(await failureOf(secrets.getSecret({ scope: 'app', key: 'token' }))).toMatchObject({
      errorCode: 'BAD_REQUEST',
      statusCode: 400,
    })
    expect(mock.state.secrets.holds('app', 'token', 'two')).toBe(true)
    expect(mock.state.secrets.holds('app', 'token', 'one')).toBe(false)

    await secrets.deleteSecret({ scope: 'app', key: 'token' })
    for (const call of [
      secrets.deleteSecret({ scope: 'app', key: 'token' }),
      secrets.getSecret({ scope: 'app', key: 'token' }),
    ])
      expect(await failureOf(call)).toEqual(
        refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'Secret does not exist with scope: app and key: token'),
      )
  })

  it('refuses secrets that it cannot keep', async ({ client: { secrets }, expect }) => {
    const put = (request: object) =>
      failureOf(secrets.putSecret({ scope: 'app', key: 'k', string_value: 'v', ...request }))

    expect(await put({ scope: 'none' })).toMatchObject({
      errorCode: 'RESOURCE_DOES_NOT_EXIST',
      statusCode: 404,
    })
    expect(await put({ bytes_value: 'dg==' })).toMatchObject({
      errorCode: 'MALFORMED_REQUEST',
      statusCode: 400,
    })
    expect(await put({ string_value: undefined })).toMatchObject({ errorCode: 'MALFORMED_REQUEST' })
    expect(await put({ key: 'not valid' })).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
    expect(await put({ scope: 'vault' })).toMatchObject({ errorCode: 'BAD_REQUEST', statusCode: 400 })
    expect(await put({ string_value: 'x'.repeat(128 * 1024 + 1) })).toMatchObject({
      errorCode: 'RESOURCE_LIMIT_EXCEEDED',
      statusCode: 400,
    })
    await secrets.putSecret({ scope: 'app', key: 'k', string_value: 'x'.repeat(128 * 1024) })
  })

  it('has at most a thousand secrets in a scope', async ({ expect }) => {
    const keys = Array.from({ length: 1000 }, (_, index) => `k${index}`)
    await using mock = await WorkspaceMockContext.start({
      fixture: { version: 1, secretScopes: [{ name: 'full', keys }] },
    })
    const { secrets } = clientOf(mock)

    await secrets.putSecret({ scope: 'full', key: 'k5', string_value: 'v' })
    expect(
      await failureOf(secrets.putSecret({ scope: 'full', key: 'more', string_value: 'v' })),
    ).toMatchObject({ errorCode: 'RESOURCE_LIMIT_EXCEEDED' })
  })

  it('keeps access control lists, which begin with the maker of a scope', async ({
    client: { secrets },
    expect,
  }) => {
    await secrets.createScope({ scope: 'mine' })
    await secrets.putAcl({ scope: 'mine', principal: 'writers', permission: 'READ' })
    await secrets.putAcl({ scope: 'mine', principal: 'writers', permission: 'WRITE' })
    expect(await all(secrets.listAcls({ scope: 'mine' }))).toEqual([
      { principal: 'ada@example.com', permission: 'MANAGE' },
      { principal: 'writers', permission: 'WRITE' },
    ])
    expect(await secrets.getAcl({ scope: 'mine', principal: 'writers' })).toEqual({
      principal: 'writers',
      permission: 'WRITE',
    })
    expect(
      await failureOf(secrets.putAcl({ scope: 'mine', principal: 'x', permission: 'OWN' as 'READ' })),
    ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })

    await secrets.deleteAcl({ scope: 'mine', principal: 'writers' })
    for (const call of [
      secrets.getAcl({ scope: 'mine', principal: 'writers' }),
      secrets.deleteAcl({ scope: 'mine', principal: 'writers' }),
    ])
      expect(await failureOf(call)).toMatchObject({ errorCode: 'RESOURCE_DOES_NOT_EXIST', statusCode: 404 })
  })

  it('lets in strict mode only those in who have the permission', async ({ expect }) => {
    const tokens = ['ada', 'reader', 'writer', 'stranger'].map((name) => ({
      token: name,
      user: `${name}@example.com`,
    }))
    const acls = [
      { principal: 'reader@example.com', permission: 'READ' },
      { principal: 'writer@example.com', permission: 'WRITE' },
    ]
    await using mock = await WorkspaceMockContext.start({
      auth: { mode: 'strict', tokens },
      fixture: { ...fixture, secretScopes: [{ name: 'app', keys: ['k'], acls }] },
    })
    const by = (token: string) => clientOf(mock, token).secrets
    const denied = { errorCode: 'PERMISSION_DENIED', statusCode: 403 }

    expect(await all(by('reader').listSecrets({ scope: 'app' }))).toHaveLength(1)
    expect(
      await failureOf(by('reader').putSecret({ scope: 'app', key: 'k', string_value: 'v' })),
    ).toMatchObject(denied)
    await by('writer').putSecret({ scope: 'app', key: 'k', string_value: 'v' })
    expect(await failureOf(all(by('writer').listAcls({ scope: 'app' })))).toMatchObject(denied)
    expect(await failureOf(all(by('stranger').listSecrets({ scope: 'app' })))).toEqual({
      ...denied,
      message: 'User stranger@example.com does not have READ permission on scope app.',
    })
    expect(await failureOf(by('stranger').deleteScope({ scope: 'app' }))).toMatchObject(denied)
    await by('ada').deleteScope({ scope: 'app' })
  })

  it('has at most a thousand scopes, and asks of a key vault what it needs', async ({ expect }) => {
    const secretScopes = Array.from({ length: 999 }, (_, index) => ({ name: `s${index}` }))
    await using mock = await WorkspaceMockContext.start({ fixture: { version: 1, secretScopes } })
    const { secrets } = clientOf(mock)
    const invalid = { errorCode: 'INVALID_PARAMETER_VALUE', statusCode: 400 }
    const vault = { scope: 'vault', scope_backend_type: 'AZURE_KEYVAULT' } as const

    expect(await failureOf(secrets.createScope(vault))).toMatchObject(invalid)
    expect(
      await failureOf(secrets.createScope({ scope: 'x', scope_backend_type: 'OTHER' as never })),
    ).toMatchObject(invalid)
    await secrets.createScope({ scope: 'last' })
    expect(await failureOf(secrets.createScope({ scope: 'more' }))).toMatchObject({
      errorCode: 'RESOURCE_LIMIT_EXCEEDED',
      statusCode: 400,
    })
  })

  it('is not begun by a fixture with two scopes of one name', ({ expect }) => {
    const secretScopes = [{ name: 'a' }, { name: 'a' }]
    expect(() => new WorkspaceMockContext({ fixture: { version: 1, secretScopes } }).state).toThrow(
      /secretScopes/,
    )
  })
})
