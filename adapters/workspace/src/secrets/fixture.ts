import type { ReportProblem } from 'sim-gateway/adapter'
import type { WorkspaceFixture } from '../part.ts'
import { SECRET_PERMISSIONS, type SecretPermission } from './permission.ts'
import type { KeyVault, SavedScope } from './scope.ts'

interface FixtureScope {
  readonly name: string
  readonly keys?: readonly string[]
  readonly keyVault?: KeyVault
  readonly acls?: readonly { readonly principal: string; readonly permission: SecretPermission }[]
}

const name = { type: 'string', pattern: String.raw`^[\w.-]{1,128}$` }

/** JSON Schema of the fixture's `secretScopes`. Values have no place in it. */
export const secretScopesSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { ...name, description: 'Unique.' },
      keys: { type: 'array', items: name, uniqueItems: true, description: 'The keys of its secrets.' },
      keyVault: {
        type: 'object',
        required: ['resource_id', 'dns_name'],
        properties: { resource_id: { type: 'string' }, dns_name: { type: 'string' } },
      },
      acls: {
        type: 'array',
        description: 'Default: the default user may manage it.',
        items: {
          type: 'object',
          required: ['principal', 'permission'],
          properties: { principal: { type: 'string' }, permission: { enum: SECRET_PERMISSIONS } },
        },
      },
    },
  },
}

/** Reports scopes that share a name. */
export function checkScopes(fixture: WorkspaceFixture, report: ReportProblem): void {
  const names = new Set<string>()
  for (const [index, { name }] of scopesOf(fixture).entries()) {
    if (names.has(name)) report(['secretScopes', index, 'name'], `must not be declared twice: ${name}`)
    names.add(name)
  }
}

/** The scopes of a fixture. */
export function fixtureScopes(fixture: WorkspaceFixture, owner: string, now: number): readonly SavedScope[] {
  return scopesOf(fixture).map(({ name, keys = [], keyVault, acls }) => ({
    name,
    backendType: keyVault === undefined ? 'DATABRICKS' : 'AZURE_KEYVAULT',
    ...(keyVault && { keyVault }),
    secrets: keys.map((key) => ({ key, updatedAt: now, bytes: 0 })),
    acls: acls ?? [{ principal: owner, permission: 'MANAGE' }],
  }))
}

function scopesOf(fixture: WorkspaceFixture): readonly FixtureScope[] {
  return (fixture['secretScopes'] ?? []) as readonly FixtureScope[]
}
