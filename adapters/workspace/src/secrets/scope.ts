import { createHmac, randomBytes } from 'node:crypto'
import { objectOf, objectsOf, type ReportProblem } from 'sim-gateway/adapter'
import type { WorkspaceFixture } from '../part.ts'

/** What a principal may do with a scope, each including those before. */
export const SECRET_PERMISSIONS = ['READ', 'WRITE', 'MANAGE'] as const

export type SecretPermission = (typeof SECRET_PERMISSIONS)[number]

/** Whether a text names a permission. */
export function isSecretPermission(text: string): text is SecretPermission {
  return (SECRET_PERMISSIONS as readonly string[]).includes(text)
}

/** Whether one permission includes another. */
export function includesPermission(held: SecretPermission, wanted: SecretPermission): boolean {
  return SECRET_PERMISSIONS.indexOf(held) >= SECRET_PERMISSIONS.indexOf(wanted)
}

/** What is kept of a secret: never its value. */
export interface Secret {
  readonly updatedAt: number
  readonly bytes: number
  /** Says whether a value is the one that was put; only for this process, and not part of snapshots. */
  readonly digest?: string
}

/** A key vault that a scope stands for. */
export interface KeyVault {
  readonly resource_id: string
  readonly dns_name: string
}

/** A secret scope: its keys, and who may use them. */
export interface SecretScope {
  readonly name: string
  readonly backendType: 'DATABRICKS' | 'AZURE_KEYVAULT'
  readonly keyVault?: KeyVault
  readonly secrets: Map<string, Secret>
  readonly acls: Map<string, SecretPermission>
}

export interface SavedScope {
  readonly name: string
  readonly backendType: SecretScope['backendType']
  readonly keyVault?: KeyVault
  readonly secrets: readonly { readonly key: string; readonly updatedAt: number; readonly bytes: number }[]
  readonly acls: readonly { readonly principal: string; readonly permission: SecretPermission }[]
}

// Known to this process alone, so that a digest that leaks cannot be searched for its value.
const KEY = randomBytes(32)

/** What is remembered of a value to recognize it by. */
export function digestOf(value: Buffer): string {
  return createHmac('sha256', KEY).update(value).digest('hex')
}

/** A scope as JSON, without anything that was made from values. */
export function saveScope({ secrets, acls, ...scope }: SecretScope): SavedScope {
  return {
    ...scope,
    secrets: [...secrets].map(([key, { updatedAt, bytes }]) => ({ key, updatedAt, bytes })),
    acls: [...acls].map(([principal, permission]) => ({ principal, permission })),
  }
}

export function loadScope({ secrets, acls, ...scope }: SavedScope): SecretScope {
  return {
    ...scope,
    secrets: new Map(secrets.map(({ key, ...secret }) => [key, secret])),
    acls: new Map(acls.map(({ principal, permission }) => [principal, permission])),
  }
}

interface FixtureScope {
  readonly name: string
  readonly keys?: readonly string[]
  readonly keyVault?: KeyVault
  readonly acls?: readonly { readonly principal: string; readonly permission: SecretPermission }[]
}

const name = { type: 'string', pattern: String.raw`^[\w.-]{1,128}$` }

export const secretScopesSchema = objectsOf(['name'], {
  name: { ...name, description: 'Unique.' },
  keys: { type: 'array', items: name, uniqueItems: true, description: 'The keys of its secrets.' },
  keyVault: objectOf(['resource_id', 'dns_name'], {
    resource_id: { type: 'string' },
    dns_name: { type: 'string' },
  }),
  acls: objectsOf(
    ['principal', 'permission'],
    { principal: { type: 'string' }, permission: { enum: SECRET_PERMISSIONS } },
    { description: 'Default: the default user may manage it.' },
  ),
})

/** Reports scopes that share a name. */
export function checkScopes(fixture: WorkspaceFixture, report: ReportProblem): void {
  const names = new Set<string>()
  for (const [index, { name }] of scopesOf(fixture).entries()) {
    if (names.has(name)) report(['secretScopes', index, 'name'], `must not be declared twice: ${name}`)
    names.add(name)
  }
}

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
