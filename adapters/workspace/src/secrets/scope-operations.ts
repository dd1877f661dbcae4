import type { Operation, Visit } from 'sim-gateway/adapter'
import { invalid } from '../errors.ts'
import { bodyOf, optionalObject, optionalText, requiredText, type Body } from '../fields.ts'
import { common, docs, requirePermission, type SecretsSlice } from './access.ts'
import type { KeyVault, SecretScope } from './scope.ts'

/** The operations of secret scopes. */
export const scopeOperations: readonly Operation<SecretsSlice>[] = [
  {
    ...common,
    id: 'secrets.createScope',
    method: 'POST',
    path: '/api/2.0/secrets/scopes/create',
    documentation: docs('createscope'),
    supports: ['scope', 'initial_manage_principal', 'scope_backend_type', 'backend_azure_keyvault'],
    limits: { maxScopes: 1000, maxNameLength: 128 },
    errors: ['RESOURCE_ALREADY_EXISTS', 'INVALID_PARAMETER_VALUE', 'RESOURCE_LIMIT_EXCEEDED'],
    sideEffects: ['makes a scope that its creator may manage'],
    handle: createScope,
  },
  {
    ...common,
    id: 'secrets.deleteScope',
    method: 'POST',
    path: '/api/2.0/secrets/scopes/delete',
    documentation: docs('deletescope'),
    supports: ['scope'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['deletes a scope with its secrets and ACLs'],
    handle(visit) {
      const scope = requiredText(bodyOf(visit), 'scope')
      requirePermission(visit, scope, 'MANAGE')
      visit.state.secrets.deleteScope(scope)
      return {}
    },
  },
  {
    ...common,
    id: 'secrets.listScopes',
    method: 'GET',
    path: '/api/2.0/secrets/scopes/list',
    documentation: docs('listscopes'),
    variants: ['some scopes', 'none, without `scopes`'],
    handle({ state }) {
      const scopes = state.secrets.scopes().map(describe)
      return scopes.length === 0 ? {} : { scopes }
    },
  },
]

function createScope(visit: Visit<SecretsSlice>): object {
  const body = bodyOf(visit)
  const scope = requiredText(body, 'scope')
  const initial = optionalText(body, 'initial_manage_principal')
  if (initial !== undefined && initial !== 'users')
    throw invalid(`initial_manage_principal must be 'users' or absent.`)
  const manager = initial ?? visit.state.scim.callerOf(visit.credentials).userName
  visit.state.secrets.createScope(scope, manager, keyVaultOf(body))
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
