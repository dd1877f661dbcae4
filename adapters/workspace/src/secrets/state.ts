import type { VirtualClock } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import type { Caller, Part, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import {
  checkScopes,
  digestOf,
  fixtureScopes,
  includesPermission,
  isSecretPermission,
  type KeyVault,
  loadScope,
  type SavedScope,
  saveScope,
  type SecretPermission,
  type SecretScope,
  secretScopesSchema,
} from './scope.ts'

const MAX_SCOPES = 1000
const MAX_SECRETS = 1000
const MAX_VALUE = 128 * 1024
const NAME = /^[\w.-]{1,128}$/

/** The secret scopes. Values come in, but none is kept. */
export class SecretsState implements Restorable {
  readonly #clock: VirtualClock
  readonly #scopes = new Map<string, SecretScope>()

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  static fromFixture(fixture: WorkspaceFixture, { clock, defaultUser }: Tools): SecretsState {
    const state = new SecretsState(clock)
    state.restore(fixtureScopes(fixture, defaultUser, clock.now()))
    return state
  }

  scopes(): readonly SecretScope[] {
    return [...this.#scopes.values()]
  }

  scope(name: string): SecretScope {
    const scope = this.#scopes.get(name)
    if (scope !== undefined) return scope
    throw workspaceError('RESOURCE_DOES_NOT_EXIST', `Scope ${name} does not exist!`)
  }

  createScope(name: string, manager: string, keyVault?: KeyVault): void {
    if (!NAME.test(name))
      throw invalid(
        `Scope names have 1 to 128 characters, alphanumeric or one of - _ . : not '${name.slice(0, 128)}'`,
      )
    if (this.#scopes.has(name))
      throw workspaceError('RESOURCE_ALREADY_EXISTS', `Scope ${name} already exists!`)
    if (this.#scopes.size >= MAX_SCOPES)
      throw workspaceError('RESOURCE_LIMIT_EXCEEDED', `A workspace has at most ${MAX_SCOPES} secret scopes.`)
    this.#scopes.set(name, {
      name,
      backendType: keyVault === undefined ? 'DATABRICKS' : 'AZURE_KEYVAULT',
      ...(keyVault && { keyVault }),
      secrets: new Map(),
      acls: new Map([[manager, 'MANAGE']]),
    })
  }

  deleteScope(name: string): void {
    this.scope(name)
    this.#scopes.delete(name)
  }

  put(scopeName: string, key: string, value: Buffer): void {
    const { secrets } = this.#writableScope(scopeName)
    if (!NAME.test(key)) throw invalid('Secret keys have 1 to 128 characters, alphanumeric or one of - _ .')
    if (value.length > MAX_VALUE)
      throw workspaceError('RESOURCE_LIMIT_EXCEEDED', `A secret has at most ${MAX_VALUE} bytes.`)
    if (!secrets.has(key) && secrets.size >= MAX_SECRETS)
      throw workspaceError('RESOURCE_LIMIT_EXCEEDED', `A scope has at most ${MAX_SECRETS} secrets.`)
    secrets.set(key, { updatedAt: this.#clock.now(), bytes: value.length, digest: digestOf(value) })
  }

  /** Makes sure that there is such a secret. */
  find(scopeName: string, key: string): void {
    if (!this.scope(scopeName).secrets.has(key)) throw noSecret(scopeName, key)
  }

  delete(scopeName: string, key: string): void {
    if (!this.#writableScope(scopeName).secrets.delete(key)) throw noSecret(scopeName, key)
  }

  /** Whether a value is the one that this process was last given for a secret: what tests may ask, and clients may not. */
  holds(scopeName: string, key: string, value: string | Buffer): boolean {
    const digest = this.#scopes.get(scopeName)?.secrets.get(key)?.digest
    return digest !== undefined && digest === digestOf(Buffer.from(value))
  }

  putAcl(scopeName: string, principal: string, permission: string): void {
    const { acls } = this.scope(scopeName)
    if (!isSecretPermission(permission)) throw invalid(`Permission must be READ, WRITE or MANAGE.`)
    acls.set(principal, permission)
  }

  permissionOf(scopeName: string, principal: string): SecretPermission {
    const permission = this.scope(scopeName).acls.get(principal)
    if (permission !== undefined) return permission
    throw noAcl(scopeName, principal)
  }

  deleteAcl(scopeName: string, principal: string): void {
    if (!this.scope(scopeName).acls.delete(principal)) throw noAcl(scopeName, principal)
  }

  /** Whether a caller's name or one of their groups has a permission. */
  allows({ userName, groups }: Caller, scopeName: string, wanted: SecretPermission): boolean {
    const { acls } = this.scope(scopeName)
    const held = [userName, ...groups].flatMap((principal) => acls.get(principal) ?? [])
    return groups.includes('admins') || held.some((permission) => includesPermission(permission, wanted))
  }

  snapshot(): readonly SavedScope[] {
    return this.scopes().map(saveScope)
  }

  restore(snapshot: unknown): void {
    this.#scopes.clear()
    for (const saved of snapshot as readonly SavedScope[]) this.#scopes.set(saved.name, loadScope(saved))
  }

  #writableScope(name: string): SecretScope {
    const scope = this.scope(name)
    if (scope.backendType === 'DATABRICKS') return scope
    throw workspaceError(
      'BAD_REQUEST',
      `Scope ${name} is backed by a key vault, which this API cannot write to.`,
    )
  }
}

function noSecret(scope: string, key: string): Error {
  return workspaceError(
    'RESOURCE_DOES_NOT_EXIST',
    `Secret does not exist with scope: ${scope} and key: ${key}`,
  )
}

function noAcl(scope: string, principal: string): Error {
  return workspaceError(
    'RESOURCE_DOES_NOT_EXIST',
    `No ACL exists on scope ${scope} for principal ${principal}.`,
  )
}

/** Secrets: the fixture's `secretScopes`, and the state made from them. */
export const secretsPart: Part<SecretsState> = {
  fixtureSchema: { secretScopes: secretScopesSchema },
  check: checkScopes,
  create: (fixture, tools) => SecretsState.fromFixture(fixture, tools),
}
