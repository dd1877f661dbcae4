import { createHmac, randomBytes } from 'node:crypto'
import type { SecretPermission } from './permission.ts'

/** What is kept of a secret: never its value. */
export interface Secret {
  readonly updatedAt: number
  readonly bytes: number
  /** Tells whether a value is the one that was put; only for this process, and not part of snapshots. */
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

/** A scope as JSON. */
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

/** A scope from JSON. */
export function loadScope({ secrets, acls, ...scope }: SavedScope): SecretScope {
  return {
    ...scope,
    secrets: new Map(secrets.map(({ key, ...secret }) => [key, secret])),
    acls: new Map(acls.map(({ principal, permission }) => [principal, permission])),
  }
}
