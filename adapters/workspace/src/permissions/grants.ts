import { invalid } from '../errors.ts'
import { type Body, optionalText } from '../fields.ts'
import type { AccessEntry } from '../part.ts'

/** A kind of object that permissions are about. */
export interface ObjectType {
  /** What answers call it. */
  readonly name: string
  /** What stands before an id in answers, and what the permissions of administrators come from. */
  readonly prefix: string
  /** What whoever makes an object may do with it. */
  readonly makerLevel: string
  /** Levels by what they include: a greater number includes a smaller one. */
  readonly levels: Readonly<Record<string, Level>>
}

export interface Level {
  readonly rank: number
  readonly description: string
}

const owner = { rank: 9, description: 'Owns it, and can do everything with it' }
const manage = { rank: 9, description: 'Can do everything with it, and change its permissions' }

function workspaceObject(name: string, prefix: string): ObjectType {
  const levels = {
    CAN_READ: { rank: 1, description: 'Can read it' },
    CAN_RUN: { rank: 2, description: 'Can read and run it' },
    CAN_EDIT: { rank: 3, description: 'Can read, run and edit it' },
    CAN_MANAGE: manage,
  }
  return { name, prefix, makerLevel: 'CAN_MANAGE', levels }
}

const warehouses: ObjectType = {
  name: 'warehouses',
  prefix: '/sql/warehouses/',
  makerLevel: 'IS_OWNER',
  levels: {
    CAN_VIEW: { rank: 1, description: 'Can see it' },
    CAN_USE: { rank: 2, description: 'Can start it and run statements on it' },
    CAN_MONITOR: { rank: 3, description: 'Can use it and see its queries' },
    IS_OWNER: owner,
    CAN_MANAGE: manage,
  },
}

/** The kinds of objects by the segment of the path that names them. */
export const OBJECT_TYPES: ReadonlyMap<string, ObjectType> = new Map([
  [
    'clusters',
    {
      name: 'cluster',
      prefix: '/clusters/',
      makerLevel: 'CAN_MANAGE',
      levels: {
        CAN_ATTACH_TO: { rank: 1, description: 'Can attach to it' },
        CAN_RESTART: { rank: 2, description: 'Can attach to it, start, restart and terminate it' },
        CAN_MANAGE: manage,
      },
    },
  ],
  [
    'jobs',
    {
      name: 'job',
      prefix: '/jobs/',
      makerLevel: 'IS_OWNER',
      levels: {
        CAN_VIEW: { rank: 1, description: 'Can see it and its runs' },
        CAN_MANAGE_RUN: { rank: 2, description: 'Can see, start and cancel its runs' },
        IS_OWNER: owner,
        CAN_MANAGE: manage,
      },
    },
  ],
  ['warehouses', warehouses],
  ['sql/warehouses', warehouses],
  ['notebooks', workspaceObject('notebook', '/notebooks/')],
  ['directories', workspaceObject('directory', '/directories/')],
  ['files', workspaceObject('file', '/files/')],
  ['repos', workspaceObject('repo', '/repos/')],
])

/** The fields that can name whom an entry is for. */
export const PRINCIPAL_FIELDS = ['user_name', 'group_name', 'service_principal_name'] as const

/** The field that names whom an entry is for. */
export type PrincipalField = (typeof PRINCIPAL_FIELDS)[number]

export interface Grant {
  readonly field: PrincipalField
  readonly principal: string
  readonly level: string
}

/** The grants of an access control list; the last entry of a principal counts. */
export function grantsOf(entries: readonly (Body | AccessEntry)[], type: ObjectType): readonly Grant[] {
  return mergeGrants(
    [],
    entries.map((entry) => grantOf(entry as Body, type)),
  )
}

/** Grants with others in place of those for the same principals. */
export function mergeGrants(grants: readonly Grant[], others: readonly Grant[]): readonly Grant[] {
  const merged = new Map([...grants, ...others].map((grant) => [keyOf(grant), grant]))
  return [...merged.values()]
}

export function keyOf({ field, principal }: Pick<Grant, 'field' | 'principal'>): string {
  return `${field}/${principal}`
}

function grantOf(entry: Body, type: ObjectType): Grant {
  const named = PRINCIPAL_FIELDS.filter((field) => (optionalText(entry, field) ?? '') !== '')
  const [field] = named
  if (field === undefined || named.length > 1)
    throw invalid(
      'An access control entry has exactly one of user_name, group_name and service_principal_name.',
    )
  const level = optionalText(entry, 'permission_level') ?? ''
  if (!Object.hasOwn(type.levels, level))
    throw invalid(
      `'${level}' is not a permission level of type ${type.name}: ${Object.keys(type.levels).join(', ')}.`,
    )
  return { field, principal: entry[field] as string, level }
}
