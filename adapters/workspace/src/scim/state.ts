import type { Credentials, IdSource } from 'sim-gateway/adapter'
import type { Caller, Directory, Restorable, Tools, WorkspaceFixture } from '../part.ts'

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
