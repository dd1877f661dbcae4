import type { Part } from '../part.ts'
import { ScimState, type User } from './state.ts'

const names = { type: 'array', items: { type: 'string' } }

/** People: the fixture's `users`, and the state made from them. */
export const scimPart: Part<ScimState> = {
  fixtureSchema: {
    users: {
      type: 'array',
      description: 'The first acts where credentials name nobody.',
      items: {
        type: 'object',
        required: ['userName'],
        properties: {
          userName: { type: 'string', minLength: 1, description: 'Unique; what tokens of strict mode name.' },
          displayName: { type: 'string' },
          id: { type: 'string', pattern: String.raw`^\d+$` },
          active: { type: 'boolean' },
          groups: { ...names, description: 'Members of admins may do everything. Everyone is in users.' },
          entitlements: names,
          roles: names,
        },
      },
    },
  },
  check(fixture, report) {
    const known = new Set<string>()
    for (const [index, { userName }] of ((fixture['users'] ?? []) as readonly User[]).entries()) {
      if (known.has(userName)) report(['users', index, 'userName'], `must not be declared twice: ${userName}`)
      known.add(userName)
    }
  },
  create: (fixture, tools) => ScimState.fromFixture(fixture, tools),
}
