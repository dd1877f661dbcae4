import type { Operation, Visit } from 'sim-gateway/adapter'
import { workspaceError } from '../errors.ts'
import { bodyOf, optionalObjects } from '../fields.ts'
import type { ObjectRef, ObjectSource } from '../part.ts'
import type { ScimState } from '../scim/state.ts'
import { describePermissions } from './describe.ts'
import { typeOf, type Ancestry, type PermissionsState } from './state.ts'

/** The objects of the workspace's tree, as permissions see them. */
export interface WorkspaceObjects extends Ancestry {
  /** The segment of a path that names the kind of an object, e.g. `notebooks`. */
  permissionTypeOf(id: string): string | undefined
}

/** The share of the workspace that permissions are about. */
export interface PermissionsSlice {
  readonly permissions: PermissionsState
  readonly scim: ScimState
  readonly clusters: ObjectSource
  readonly jobs: ObjectSource
  readonly warehouses: ObjectSource
  readonly files: WorkspaceObjects
}

type PermissionsRequest = Visit<PermissionsSlice>

const PATH = '/api/2.0/permissions/{object_type}/{object_id}'
const WAREHOUSE_PATH = '/api/2.0/permissions/sql/warehouses/{object_id}'

const common = {
  family: 'Permissions',
  version: '2.0',
  support: 'exact',
  variants: ['clusters', 'jobs', 'warehouses, sql/warehouses', 'notebooks, directories, files, repos'],
  tests: [
    'test/permissions/sdk.test.ts > gives the owner of a job, and what its administrators inherit',
    'test/permissions/sdk.test.ts > puts a list in place of another, in which the last entry of each principal counts',
    'test/permissions/sdk.test.ts > merges an update that has a body, principal by principal',
    'test/permissions/sdk.test.ts > names the levels of $type',
    'test/permissions/golden.test.ts > answers its contract',
  ],
} as const

const docs = (name: string): string => `https://docs.databricks.com/api/workspace/permissions/${name}`

/** The operations of permissions. */
export const permissionsOperations: readonly Operation<PermissionsSlice>[] = [
  {
    ...common,
    id: 'permissions.get',
    method: 'GET',
    path: PATH,
    aliases: [WAREHOUSE_PATH],
    documentation: docs('get'),
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST'],
    handle: (visit) => describe(visit, objectOf(visit)),
  },
  {
    ...common,
    id: 'permissions.set',
    method: 'PUT',
    path: PATH,
    aliases: [WAREHOUSE_PATH],
    documentation: docs('set'),
    supports: ['access_control_list'],
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['replaces the grants of an object'],
    handle(visit) {
      const object = objectOf(visit)
      visit.state.permissions.require(visit, object, 'CAN_MANAGE')
      visit.state.permissions.replace(object, optionalObjects(bodyOf(visit), 'access_control_list') ?? [])
      return describe(visit, object)
    },
  },
  {
    ...common,
    id: 'permissions.update',
    method: 'PATCH',
    path: PATH,
    aliases: [WAREHOUSE_PATH],
    documentation: docs('update'),
    supports: ['access_control_list'],
    variants: [...common.variants, 'an empty body, as one client sends: changes nothing'],
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST', 'PERMISSION_DENIED'],
    sideEffects: ['adds grants to an object, in place of those for the same principals'],
    handle(visit) {
      const object = objectOf(visit)
      visit.state.permissions.require(visit, object, 'CAN_MANAGE')
      const entries = optionalObjects(bodyOf(visit), 'access_control_list') ?? []
      if (entries.length > 0) visit.state.permissions.merge(object, entries)
      return describe(visit, object)
    },
  },
  {
    ...common,
    id: 'permissions.getPermissionLevels',
    method: 'GET',
    path: `${PATH}/permissionLevels`,
    aliases: [`${WAREHOUSE_PATH}/permissionLevels`],
    documentation: docs('getpermissionlevels'),
    errors: ['INVALID_PARAMETER_VALUE', 'RESOURCE_DOES_NOT_EXIST'],
    handle(visit) {
      const { levels } = typeOf(objectOf(visit).type)
      const permission_levels = Object.entries(levels).map(([permission_level, { description }]) => ({
        permission_level,
        description,
      }))
      return { permission_levels }
    },
  },
]

function describe({ state }: PermissionsRequest, object: ObjectRef): object {
  return describePermissions(object, state.permissions.effective(object, state.files), state.scim)
}

function objectOf({ params, state }: PermissionsRequest): ObjectRef {
  const object = { type: params['object_type'] ?? 'warehouses', id: params['object_id'] as string }
  const { name } = typeOf(object.type)
  if (isThere(object, state)) return object
  throw workspaceError('RESOURCE_DOES_NOT_EXIST', missingText(name, object.id))
}

function isThere({ type, id }: ObjectRef, state: PermissionsSlice): boolean {
  if (type === 'clusters' || type === 'jobs') return state[type].hasObject(id)
  if (type === 'warehouses' || type === 'sql/warehouses') return state.warehouses.hasObject(id)
  return state.files.permissionTypeOf(id) === type
}

function missingText(name: string, id: string): string {
  if (name === 'job') return `Job ${id} does not exist.`
  if (name === 'cluster') return `Cluster ${id} does not exist`
  return `${name === 'warehouses' ? 'SQL warehouse' : `A ${name} with id`} ${id} does not exist.`
}
