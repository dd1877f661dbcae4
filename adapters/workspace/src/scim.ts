import { type Credentials, type IdSource, objectsOf, type Operation, reply } from 'sim-gateway/adapter'
import type { Caller, Directory, Part, Restorable, Tools, WorkspaceFixture } from './part.ts'

/** Someone who uses the workspace, as a fixture declares them. */
export interface User {
  readonly userName: string
  readonly displayName?: string
  readonly id?: string
  readonly active?: boolean
  readonly groups?: readonly string[]
  readonly entitlements?: readonly string[]
  readonly roles?: readonly string[]
}

/** The people of the workspace; whoever is not declared is a plain user. */
export class ScimState implements Directory, Restorable {
  readonly workspaceId: number
  readonly #ids: IdSource
  readonly #defaultUser: string
  #users: ReadonlyMap<string, User>

  constructor({ ids, defaultUser, workspaceId }: Tools, users: readonly User[]) {
    this.workspaceId = workspaceId
    this.#ids = ids
    this.#defaultUser = defaultUser
    this.#users = byName(users)
  }

  static fromFixture(fixture: WorkspaceFixture, tools: Tools): ScimState {
    return new ScimState(tools, (fixture['users'] ?? []) as readonly User[])
  }

  /** The caller of a request. All are in the group `users`; the default user, unless declared, in `admins` too. */
  callerOf({ user }: Pick<Credentials, 'user'>): Caller {
    const userName = user ?? this.#defaultUser
    return { userName, groups: this.groupsOf(userName) }
  }

  user(userName: string): User {
    return this.#users.get(userName) ?? { userName }
  }

  displayNameOf(userName: string): string | undefined {
    return this.#users.get(userName)?.displayName
  }

  groupsOf(userName: string): readonly string[] {
    const usual = userName === this.#defaultUser ? ['admins'] : []
    return [...new Set([...(this.#users.get(userName)?.groups ?? usual), 'users'])]
  }

  /** The number that stands for a user, group or service principal. */
  idOf(kind: 'user' | 'group', name: string): string {
    return String(this.#ids.number('scim', kind, name))
  }

  snapshot(): readonly User[] {
    return [...this.#users.values()]
  }

  restore(snapshot: unknown): void {
    this.#users = byName(snapshot as readonly User[])
  }
}

function byName(users: readonly User[]): ReadonlyMap<string, User> {
  return new Map(users.map((user) => [user.userName, user]))
}

const names = { type: 'array', items: { type: 'string' } }

/** People: the fixture's `users`, and the state made from them. */
export const scimPart: Part<ScimState> = {
  fixtureSchema: {
    users: objectsOf(
      ['userName'],
      {
        userName: { type: 'string', minLength: 1, description: 'Unique; what tokens of strict mode name.' },
        displayName: { type: 'string' },
        id: { type: 'string', pattern: String.raw`^\d+$` },
        active: { type: 'boolean' },
        groups: { ...names, description: 'Members of admins may do everything. Everyone is in users.' },
        entitlements: names,
        roles: names,
      },
      { description: 'The first acts where credentials name nobody.' },
    ),
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

/** The share of the workspace that people are about. */
export interface ScimSlice {
  readonly scim: ScimState
}

export const scimOperations: readonly Operation<ScimSlice>[] = [
  {
    id: 'currentUser.me',
    method: 'GET',
    path: '/api/2.0/preview/scim/v2/Me',
    support: 'exact',
    family: 'Current user',
    version: '2.0',
    variants: ['with the header X-Databricks-Org-Id'],
    documentation: 'https://docs.databricks.com/api/workspace/currentuser/me',
    tests: [
      'test/scim/me.test.ts > is whom the token names, or the first of the fixture',
      'test/scim/golden.test.ts > answers its contract',
    ],
    handle({ state, credentials }) {
      const { userName } = state.scim.callerOf(credentials)
      return reply({
        headers: { 'x-databricks-org-id': String(state.scim.workspaceId) },
        body: describe(state.scim, state.scim.user(userName)),
      })
    },
  },
]

function describe(scim: ScimState, user: User): object {
  const { userName, displayName = userName, active = true, entitlements = [], roles = [] } = user
  const [givenName = '', ...rest] = displayName.split(' ')
  return {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:workspace:2.0:User',
    ],
    id: user.id ?? scim.idOf('user', userName),
    userName,
    displayName,
    active,
    name: { givenName, ...(rest.length > 0 && { familyName: rest.join(' ') }) },
    emails: [{ type: 'work', value: userName, primary: true }],
    groups: scim.groupsOf(userName).map((group) => {
      const id = scim.idOf('group', group)
      return { display: group, type: 'direct', value: id, $ref: `Groups/${id}` }
    }),
    entitlements: entitlements.map((value) => ({ value })),
    roles: roles.map((value) => ({ value })),
  }
}
