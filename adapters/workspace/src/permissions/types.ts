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

/** A permission level. */
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
