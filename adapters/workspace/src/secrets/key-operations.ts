import type { Operation, Visit } from 'sim-gateway/adapter'
import { workspaceError } from '../errors.ts'
import { bodyOf, optionalText, requiredQuery, requiredText, type Body } from '../fields.ts'
import { bytesOfBase64 } from '../files/base64.ts'
import { common, docs, requirePermission, type SecretsSlice } from './access.ts'

/** The operations of the keys in a scope. */
export const keyOperations: readonly Operation<SecretsSlice>[] = [
  {
    ...common,
    id: 'secrets.putSecret',
    method: 'POST',
    path: '/api/2.0/secrets/put',
    documentation: docs('putsecret'),
    supports: ['scope', 'key', 'string_value', 'bytes_value'],
    limits: { maxValueBytes: 131_072, maxSecretsPerScope: 1000, maxKeyLength: 128 },
    errors: [
      'RESOURCE_DOES_NOT_EXIST',
      'RESOURCE_LIMIT_EXCEEDED',
      'INVALID_PARAMETER_VALUE',
      'MALFORMED_REQUEST',
      'PERMISSION_DENIED',
      'BAD_REQUEST',
    ],
    sideEffects: ['remembers a key, the size of its value and when it was put; never the value'],
    handle: putSecret,
  },
  {
    ...common,
    id: 'secrets.deleteSecret',
    method: 'POST',
    path: '/api/2.0/secrets/delete',
    documentation: docs('deletesecret'),
    supports: ['scope', 'key'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED', 'BAD_REQUEST'],
    sideEffects: ['forgets a key'],
    handle(visit) {
      const body = bodyOf(visit)
      const [scope, key] = [requiredText(body, 'scope'), requiredText(body, 'key')]
      requirePermission(visit, scope, 'WRITE')
      visit.state.secrets.delete(scope, key)
      return {}
    },
  },
  {
    ...common,
    id: 'secrets.listSecrets',
    method: 'GET',
    path: '/api/2.0/secrets/list',
    documentation: docs('listsecrets'),
    supports: ['scope'],
    variants: ['some keys', 'none, without `secrets`'],
    errors: ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(visit) {
      const scope = requiredQuery(visit.query, 'scope')
      requirePermission(visit, scope, 'READ')
      const secrets = [...visit.state.secrets.scope(scope).secrets].map(([key, { updatedAt }]) => ({
        key,
        last_updated_timestamp: updatedAt,
      }))
      return secrets.length === 0 ? {} : { secrets }
    },
  },
  {
    ...common,
    id: 'secrets.getSecret',
    method: 'GET',
    path: '/api/2.0/secrets/get',
    documentation: docs('getsecret'),
    supports: ['scope', 'key'],
    variants: ['none: outside of a notebook the service refuses too'],
    errors: ['BAD_REQUEST', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    handle(visit) {
      const [scope, key] = [requiredQuery(visit.query, 'scope'), requiredQuery(visit.query, 'key')]
      requirePermission(visit, scope, 'READ')
      visit.state.secrets.find(scope, key)
      throw workspaceError('BAD_REQUEST', 'The values of secrets can only be read from within a notebook.')
    },
  },
]

function putSecret(visit: Visit<SecretsSlice>): object {
  const body = bodyOf(visit)
  const [scope, key] = [requiredText(body, 'scope'), requiredText(body, 'key')]
  requirePermission(visit, scope, 'WRITE')
  visit.state.secrets.put(scope, key, valueOf(body))
  return {}
}

function valueOf(body: Body): Buffer {
  const [text, base64] = [optionalText(body, 'string_value'), optionalText(body, 'bytes_value')]
  if (text !== undefined && base64 === undefined) return Buffer.from(text)
  if (base64 !== undefined && text === undefined) return bytesOfBase64(base64, 'bytes_value')
  throw workspaceError('MALFORMED_REQUEST', 'Exactly one of string_value and bytes_value must be given.')
}
