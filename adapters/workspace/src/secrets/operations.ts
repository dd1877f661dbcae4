import { invalid, workspaceError } from '../errors.ts'
import { type Body, bodyOf, optionalObject, optionalText, requiredQuery, requiredText } from '../fields.ts'
import { bytesOfBase64 } from '../files/read.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import { isStrict } from '../part.ts'
import type { KeyVault, SecretPermission, SecretScope } from './scope.ts'

const define = operationsOf({
  id: 'secrets',
  base: '/api/2.0/secrets',
  family: 'Secrets',
  version: '2.0',
  tests: [
    'test/secrets/sdk.test.ts > makes, lists and deletes scopes',
    'test/secrets/sdk.test.ts > puts, lists and deletes secrets, and never gives a value back',
    'test/secrets/sdk.test.ts > keeps access control lists, which begin with the maker of a scope',
    'test/secrets/planted.test.ts > is found in no answer, log, error or snapshot',
    'test/secrets/model.test.ts > answers as the model says, whatever the calls',
    'test/secrets/golden.test.ts > answers its contract',
  ],
})

/** Throws PERMISSION_DENIED where strict mode is on and the caller's permission on a scope does not suffice. */
export function requirePermission(
  { state, credentials, config }: Pick<WorkspaceContext, 'state' | 'credentials' | 'config'>,
  scope: string,
  permission: SecretPermission,
): void {
  const caller = state.scim.callerOf(credentials)
  const isAllowed = state.secrets.allows(caller, scope, permission)
  if (isAllowed || !isStrict(config)) return
  throw workspaceError(
    'PERMISSION_DENIED',
    `User ${caller.userName} does not have ${permission} permission on scope ${scope}.`,
  )
}

export const scopeOperations: readonly WorkspaceOperation[] = [
  define('createScope', 'POST /scopes/create', {
    supports: ['scope', 'initial_manage_principal', 'scope_backend_type', 'backend_azure_keyvault'],
    limits: { maxScopes: 1000, maxNameLength: 128 },
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE', 'RESOURCE_LIMIT_EXCEEDED'],
    sideEffects: ['makes a scope that its creator may manage'],
    handle: createScope,
  }),
  define('deleteScope', 'POST /scopes/delete', {
    supports: ['scope'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['deletes a scope with its secrets and ACLs'],
    handle(context) {
      const scope = requiredText(bodyOf(context), 'scope')
      requirePermission(context, scope, 'MANAGE')
      context.state.secrets.deleteScope(scope)
      return {}
    },
  }),
  define('listScopes', 'GET /scopes/list', {
    variants: ['some scopes', 'none, without `scopes`'],
    handle({ state }) {
      const scopes = state.secrets.scopes().map(describe)
      return scopes.length === 0 ? {} : { scopes }
    },
  }),
]

function createScope(context: WorkspaceContext): object {
  const body = bodyOf(context)
  const scope = requiredText(body, 'scope')
  const initial = optionalText(body, 'initial_manage_principal')
  if (initial !== undefined && initial !== 'users')
    throw invalid(`initial_manage_principal must be 'users' or absent.`)
  const manager = initial ?? context.state.scim.callerOf(context.credentials).userName
  context.state.secrets.createScope(scope, manager, keyVaultOf(body))
  return {}
}

function keyVaultOf(body: Body): KeyVault | undefined {
  const type = optionalText(body, 'scope_backend_type')?.toUpperCase() ?? 'DATABRICKS'
  if (type === 'DATABRICKS') return undefined
  if (type !== 'AZURE_KEYVAULT') throw invalid('scope_backend_type must be DATABRICKS or AZURE_KEYVAULT.')
  const vault = optionalObject(body, 'backend_azure_keyvault')
  if (vault === undefined) throw invalid('Missing required field: backend_azure_keyvault')
  return { resource_id: requiredText(vault, 'resource_id'), dns_name: requiredText(vault, 'dns_name') }
}

function describe({ name, backendType, keyVault }: SecretScope): object {
  return { name, backend_type: backendType, ...(keyVault && { keyvault_metadata: keyVault }) }
}

export const keyOperations: readonly WorkspaceOperation[] = [
  define('putSecret', 'POST /put', {
    supports: ['scope', 'key', 'string_value', 'bytes_value'],
    limits: { maxValueBytes: 131_072, maxSecretsPerScope: 1000, maxKeyLength: 128 },
    errors: `RESOURCE_DOES_NOT_EXIST RESOURCE_LIMIT_EXCEEDED INVALID_PARAMETER_VALUE MALFORMED_REQUEST
      PERMISSION_DENIED BAD_REQUEST`.split(/\s+/),
    sideEffects: ['remembers a key, the size of its value and when it was put; never the value'],
    handle: putSecret,
  }),
  define('deleteSecret', 'POST /delete', {
    supports: ['scope', 'key'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED', 'BAD_REQUEST'],
    sideEffects: ['forgets a key'],
    handle(context) {
      const body = bodyOf(context)
      const [scope, key] = [requiredText(body, 'scope'), requiredText(body, 'key')]
      requirePermission(context, scope, 'WRITE')
      context.state.secrets.delete(scope, key)
      return {}
    },
  }),
  define('listSecrets', 'GET /list', {
    supports: ['scope'],
    variants: ['some keys', 'none, without `secrets`'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(context) {
      const scope = requiredQuery(context.query, 'scope')
      requirePermission(context, scope, 'READ')
      const secrets = [...context.state.secrets.scope(scope).secrets].map(([key, { updatedAt }]) => ({
        key,
        last_updated_timestamp: updatedAt,
      }))
      return secrets.length === 0 ? {} : { secrets }
    },
  }),
  define('getSecret', 'GET /get', {
    supports: ['scope', 'key'],
    variants: ['none: outside of a notebook the service refuses too'],
    errors: ['BAD_REQUEST', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(context) {
      const [scope, key] = [requiredQuery(context.query, 'scope'), requiredQuery(context.query, 'key')]
      requirePermission(context, scope, 'READ')
      context.state.secrets.find(scope, key)
      throw workspaceError('BAD_REQUEST', 'The values of secrets can only be read from within a notebook.')
    },
  }),
]

function putSecret(context: WorkspaceContext): object {
  const body = bodyOf(context)
  const [scope, key] = [requiredText(body, 'scope'), requiredText(body, 'key')]
  requirePermission(context, scope, 'WRITE')
  context.state.secrets.put(scope, key, valueOf(body))
  return {}
}

function valueOf(body: Body): Buffer {
  const [text, base64] = [optionalText(body, 'string_value'), optionalText(body, 'bytes_value')]
  if (text !== undefined && base64 === undefined) return Buffer.from(text)
  if (base64 !== undefined && text === undefined) return bytesOfBase64(base64, 'bytes_value')
  throw workspaceError('MALFORMED_REQUEST', 'Exactly one of string_value and bytes_value must be given.')
}

const errors = ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED', 'INVALID_PARAMETER_VALUE']

export const aclOperations: readonly WorkspaceOperation[] = [
  define('putAcl', 'POST /acls/put', {
    supports: ['scope', 'principal', 'permission'],
    errors,
    sideEffects: ['gives a principal a permission, in place of any other'],
    handle(context) {
      const body = bodyOf(context)
      const [scope, principal] = [requiredText(body, 'scope'), requiredText(body, 'principal')]
      requirePermission(context, scope, 'MANAGE')
      context.state.secrets.putAcl(scope, principal, requiredText(body, 'permission'))
      return {}
    },
  }),
  define('deleteAcl', 'POST /acls/delete', {
    supports: ['scope', 'principal'],
    errors,
    sideEffects: ['takes a permission from a principal'],
    handle(context) {
      const body = bodyOf(context)
      const [scope, principal] = [requiredText(body, 'scope'), requiredText(body, 'principal')]
      requirePermission(context, scope, 'MANAGE')
      context.state.secrets.deleteAcl(scope, principal)
      return {}
    },
  }),
  define('getAcl', 'GET /acls/get', {
    supports: ['scope', 'principal'],
    errors,
    handle(context) {
      const [scope, principal] = [
        requiredQuery(context.query, 'scope'),
        requiredQuery(context.query, 'principal'),
      ]
      requirePermission(context, scope, 'MANAGE')
      return { principal, permission: context.state.secrets.permissionOf(scope, principal) }
    },
  }),
  define('listAcls', 'GET /acls/list', {
    supports: ['scope'],
    variants: ['some entries', 'none, without `items`'],
    errors,
    handle(context) {
      const scope = requiredQuery(context.query, 'scope')
      requirePermission(context, scope, 'MANAGE')
      const { acls } = context.state.secrets.scope(scope)
      const items = [...acls].map(([principal, permission]) => ({ principal, permission }))
      return items.length === 0 ? {} : { items }
    },
  }),
]

export const secretsOperations: readonly WorkspaceOperation[] = [
  ...scopeOperations,
  ...keyOperations,
  ...aclOperations,
]
