import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

describe('secrets', () => {
  it('answers its contract', async () => {
    const scope = 'new'
    await expectGolden(
      'secrets',
      ['Secrets'],
      [
        { operation: 'secrets.listScopes' },
        { operation: 'secrets.createScope', body: { scope } },
        { operation: 'secrets.createScope', body: { scope } },
        { operation: 'secrets.createScope', body: { scope: 'not valid' } },
        {
          operation: 'secrets.createScope',
          body: {
            scope: 'vault',
            scope_backend_type: 'AZURE_KEYVAULT',
            backend_azure_keyvault: {
              resource_id: '/subscriptions/1',
              dns_name: 'https://vault.example.com/',
            },
          },
        },
        { operation: 'secrets.listScopes' },
        { operation: 'secrets.putSecret', body: { scope, key: 'k', string_value: 'value' } },
        { operation: 'secrets.putSecret', body: { scope, key: 'k' } },
        { operation: 'secrets.putSecret', body: { scope: 'none', key: 'k', string_value: 'value' } },
        { operation: 'secrets.putSecret', body: { scope: 'vault', key: 'k', string_value: 'value' } },
        { operation: 'secrets.listSecrets', query: { scope } },
        { operation: 'secrets.listSecrets', query: { scope: 'vault' } },
        { operation: 'secrets.getSecret', query: { scope, key: 'k' } },
        { operation: 'secrets.getSecret', query: { scope, key: 'none' } },
        { operation: 'secrets.deleteSecret', body: { scope, key: 'k' } },
        { operation: 'secrets.deleteSecret', body: { scope, key: 'k' } },
        { operation: 'secrets.putAcl', body: { scope, principal: 'users', permission: 'READ' } },
        { operation: 'secrets.putAcl', body: { scope, principal: 'users', permission: 'OWN' } },
        { operation: 'secrets.listAcls', query: { scope } },
        { operation: 'secrets.getAcl', query: { scope, principal: 'users' } },
        { operation: 'secrets.deleteAcl', body: { scope, principal: 'users' } },
        { operation: 'secrets.getAcl', query: { scope, principal: 'users' } },
        { operation: 'secrets.deleteScope', body: { scope } },
        { operation: 'secrets.deleteScope', body: { scope } },
      ],
    )
  })
})
