import type { Operation } from 'sim-gateway/adapter'
import { bodyOf, requiredQuery, requiredText } from '../fields.ts'
import { common, docs, requirePermission, type SecretsSlice } from './access.ts'

const errors = ['RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED', 'INVALID_PARAMETER_VALUE']

/** The operations of the access control lists of scopes. */
export const aclOperations: readonly Operation<SecretsSlice>[] = [
  {
    ...common,
    id: 'secrets.putAcl',
    method: 'POST',
    path: '/api/2.0/secrets/acls/put',
    documentation: docs('putacl'),
    supports: ['scope', 'principal', 'permission'],
    errors,
    sideEffects: ['gives a principal a permission, in place of any other'],
    handle(visit) {
      const body = bodyOf(visit)
      const [scope, principal] = [requiredText(body, 'scope'), requiredText(body, 'principal')]
      requirePermission(visit, scope, 'MANAGE')
      visit.state.secrets.putAcl(scope, principal, requiredText(body, 'permission'))
      return {}
    },
  },
  {
    ...common,
    id: 'secrets.deleteAcl',
    method: 'POST',
    path: '/api/2.0/secrets/acls/delete',
    documentation: docs('deleteacl'),
    supports: ['scope', 'principal'],
    errors,
    sideEffects: ['takes a permission from a principal'],
    handle(visit) {
      const body = bodyOf(visit)
      const [scope, principal] = [requiredText(body, 'scope'), requiredText(body, 'principal')]
      requirePermission(visit, scope, 'MANAGE')
      visit.state.secrets.deleteAcl(scope, principal)
      return {}
    },
  },
  {
    ...common,
    id: 'secrets.getAcl',
    method: 'GET',
    path: '/api/2.0/secrets/acls/get',
    documentation: docs('getacl'),
    supports: ['scope', 'principal'],
    errors,
    handle(visit) {
      const [scope, principal] = [
        requiredQuery(visit.query, 'scope'),
        requiredQuery(visit.query, 'principal'),
      ]
      requirePermission(visit, scope, 'MANAGE')
      return { principal, permission: visit.state.secrets.permissionOf(scope, principal) }
    },
  },
  {
    ...common,
    id: 'secrets.listAcls',
    method: 'GET',
    path: '/api/2.0/secrets/acls/list',
    documentation: docs('listacls'),
    supports: ['scope'],
    variants: ['some entries', 'none, without `items`'],
    errors,
    handle(visit) {
      const scope = requiredQuery(visit.query, 'scope')
      requirePermission(visit, scope, 'MANAGE')
      const { acls } = visit.state.secrets.scope(scope)
      const items = [...acls].map(([principal, permission]) => ({ principal, permission }))
      return items.length === 0 ? {} : { items }
    },
  },
]
