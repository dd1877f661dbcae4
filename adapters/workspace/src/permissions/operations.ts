import { workspaceError } from '../errors.ts'
import { bodyOf, optionalObjects } from '../fields.ts'
import { operationsOf, type WorkspaceContext, type WorkspaceOperation } from '../operation.ts'
import type { ObjectRef } from '../part.ts'
import type { WorkspaceState } from '../state.ts'
import { keyOf, type PrincipalField } from './grants.ts'
import { type EffectiveGrant, objectIdOf, typeOf } from './state.ts'

interface Permission {
  readonly permission_level: string
  readonly inherited: boolean
  readonly inherited_from_object?: readonly string[]
}

/** Says what people are called. */
export interface Names {
  displayNameOf(userName: string): string | undefined
}

/** An object's permissions as answered: one entry for each principal, with all they were granted. */
export function describePermissions(
  object: ObjectRef,
  grants: readonly EffectiveGrant[],
  names: Names,
): object {
  const byPrincipal = new Map<string, { readonly entry: object; readonly permissions: Permission[] }>()
  for (const grant of grants) {
    const known = byPrincipal.get(keyOf(grant))
    const place = known ?? { entry: describePrincipal(grant, names), permissions: [] }
    place.permissions.push(describeGrant(grant))
    byPrincipal.set(keyOf(grant), place)
  }
  return {
    object_id: objectIdOf(object),
    object_type: typeOf(object.type).name,
    access_control_list: [...byPrincipal.values()].map(({ entry, permissions }) => ({
      ...entry,
      all_permissions: permissions,
    })),
  }
}

function describePrincipal(
  { field, principal }: { readonly field: PrincipalField; readonly principal: string },
  names: Names,
): object {
  const displayName = field === 'group_name' ? undefined : (names.displayNameOf(principal) ?? principal)
  return { [field]: principal, ...(displayName !== undefined && { display_name: displayName }) }
}

function describeGrant({ level, inheritedFrom }: EffectiveGrant): Permission {
  if (inheritedFrom === undefined) return { permission_level: level, inherited: false }
  return { permission_level: level, inherited: true, inherited_from_object: [inheritedFrom] }
}

const VARIANTS = ['clusters', 'jobs', 'warehouses, sql/warehouses', 'notebooks, directories, files, repos']

const define = operationsOf({
  id: 'permissions',
  base: '/api/2.0/permissions/{object_type}/{object_id}',
  alias: '/api/2.0/permissions/sql/warehouses/{object_id}',
  family: 'Permissions',
  version: '2.0',
  variants: VARIANTS,
  tests: [
    'test/permissions/sdk.test.ts > gives the owner of a job, and what its administrators inherit',
    'test/permissions/sdk.test.ts > puts a list in place of another, in which the last entry of each principal counts',
    'test/permissions/sdk.test.ts > merges an update that has a body, principal by principal',
    'test/permissions/sdk.test.ts > names the levels of $type',
    'test/permissions/golden.test.ts > answers its contract',
  ],
})

export const permissionsOperations: readonly WorkspaceOperation[] = [
  define('get', 'GET', {
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST'],
    handle: (context) => describe(context, objectOf(context)),
  }),
  define('set', 'PUT', {
    supports: ['access_control_list'],
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['replaces the grants of an object'],
    handle(context) {
      const object = objectOf(context)
      context.state.permissions.require(context, object, 'CAN_MANAGE')
      context.state.permissions.replace(object, optionalObjects(bodyOf(context), 'access_control_list') ?? [])
      return describe(context, object)
    },
  }),
  define('update', 'PATCH', {
    supports: ['access_control_list'],
    variants: [...VARIANTS, 'an empty body, as one client sends: changes nothing'],
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['adds grants to an object, in place of those for the same principals'],
    handle(context) {
      const object = objectOf(context)
      context.state.permissions.require(context, object, 'CAN_MANAGE')
      const entries = optionalObjects(bodyOf(context), 'access_control_list') ?? []
      if (entries.length > 0) context.state.permissions.merge(object, entries)
      return describe(context, object)
    },
  }),
  define('getPermissionLevels', 'GET /permissionLevels', {
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST'],
    handle(context) {
      const { levels } = typeOf(objectOf(context).type)
      const permission_levels = Object.entries(levels).map(([permission_level, { description }]) => ({
        permission_level,
        description,
      }))
      return { permission_levels }
    },
  }),
]

function describe({ state }: WorkspaceContext, object: ObjectRef): object {
  return describePermissions(object, state.permissions.effective(object, state.files), state.scim)
}

function objectOf({ params, state }: WorkspaceContext): ObjectRef {
  const object = { type: params['object_type'] ?? 'warehouses', id: params['object_id'] as string }
  const { name } = typeOf(object.type)
  if (isThere(object, state)) return object
  throw workspaceError('RESOURCE_DOES_NOT_EXIST', missingText(name, object.id))
}

function isThere({ type, id }: ObjectRef, state: WorkspaceState): boolean {
  if (type === 'clusters' || type === 'jobs') return state[type].hasObject(id)
  if (type === 'warehouses' || type === 'sql/warehouses') return state.warehouses.hasObject(id)
  return state.files.permissionTypeOf(id) === type
}

function missingText(name: string, id: string): string {
  if (name === 'job') return `Job ${id} does not exist.`
  if (name === 'cluster') return `Cluster ${id} does not exist`
  return `${name === 'warehouses' ? 'SQL warehouse' : `A ${name} with id`} ${id} does not exist.`
}
