import type { Part, WorkspaceFixture } from '../part.ts'
import { PRINCIPAL_FIELDS } from './grant.ts'
import { PermissionsState } from './state.ts'
import { OBJECT_TYPES } from './types.ts'

interface FixturePermissions {
  readonly type: string
  readonly id: string | number
  readonly entries: readonly Readonly<Record<string, string>>[]
}

/** Permissions: the fixture's `permissions`, and the state made from them. */
export const permissionsPart: Part<PermissionsState> = {
  fixtureSchema: {
    permissions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'id', 'entries'],
        properties: {
          type: { enum: [...OBJECT_TYPES.keys()] },
          id: {
            type: ['string', 'integer'],
            description: 'The id of a job, cluster, warehouse or workspace object.',
          },
          entries: {
            type: 'array',
            items: {
              type: 'object',
              required: ['permission_level'],
              properties: {
                ...Object.fromEntries(PRINCIPAL_FIELDS.map((field) => [field, { type: 'string' }])),
                permission_level: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  check(fixture, report) {
    const owners = new Set<string>()
    for (const [index, { type, id, entries }] of permissionsOf(fixture).entries()) {
      const at = ['permissions', index]
      const levels = OBJECT_TYPES.get(type)?.levels ?? {}
      for (const [entry, { permission_level: level = '', ...principals }] of entries.entries()) {
        if (!Object.hasOwn(levels, level))
          report(
            [...at, 'entries', entry, 'permission_level'],
            `must be one of ${Object.keys(levels).join(', ')}`,
          )
        if (PRINCIPAL_FIELDS.filter((field) => Object.hasOwn(principals, field)).length !== 1)
          report([...at, 'entries', entry], `must have exactly one of ${PRINCIPAL_FIELDS.join(', ')}`)
      }
      const ownerCount = entries.filter((entry) => entry['permission_level'] === 'IS_OWNER').length
      if (type === 'jobs' && ownerCount !== 1) report([...at, 'entries'], 'must have exactly one IS_OWNER')
      if (owners.has(`${type}/${id}`)) report(at, `must not be declared twice: ${type}/${id}`)
      owners.add(`${type}/${id}`)
    }
  },
  create(fixture, { defaultUser }) {
    const state = new PermissionsState(defaultUser)
    for (const { type, id, entries } of permissionsOf(fixture))
      state.replace({ type, id: String(id) }, entries)
    return state
  },
}

function permissionsOf(fixture: WorkspaceFixture): readonly FixturePermissions[] {
  return (fixture['permissions'] ?? []) as readonly FixturePermissions[]
}
