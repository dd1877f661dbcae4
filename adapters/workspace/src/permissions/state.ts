import { objectsOf, type OperationContext } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import {
  type AccessEntry,
  type Caller,
  type Directory,
  isStrict,
  type ObjectRef,
  type Part,
  type Restorable,
  type WorkspaceFixture,
} from '../part.ts'
import {
  type Grant,
  grantsOf,
  mergeGrants,
  OBJECT_TYPES,
  type ObjectType,
  PRINCIPAL_FIELDS,
} from './grants.ts'

/** Says which directories an object of the workspace lies in, the nearest first. */
export interface Ancestry {
  ancestorsOf(id: string): readonly string[]
}

/** The share of a context that access is decided by, here. */
export type PermissionsContext = Pick<
  OperationContext<{ readonly scim: Directory; readonly files: Ancestry }>,
  'credentials' | 'config' | 'state'
>

/** A grant and the object that it comes from; `undefined` where it is the object's own. */
export interface EffectiveGrant extends Grant {
  readonly inheritedFrom: string | undefined
}

type Saved = readonly { readonly object: string; readonly grants: readonly Grant[] }[]

/** Who may do what: the grants of each object, and those it inherits. */
export class PermissionsState implements Restorable {
  readonly #defaultUser: string
  readonly #grants = new Map<string, readonly Grant[]>()

  /** @param defaultUser who owns objects that nobody was said to own */
  constructor(defaultUser: string) {
    this.#defaultUser = defaultUser
  }

  own({ type, id }: ObjectRef, userName: string, entries: readonly AccessEntry[] = []): void {
    this.#grants.set(keyOf(type, id), makerGrants(type, userName, entries))
  }

  /** Throws what `own` would throw, so that nothing need be made before. */
  checkEntries(type: string, userName: string, entries: readonly AccessEntry[] = []): void {
    makerGrants(type, userName, entries)
  }

  forget({ type, id }: ObjectRef): void {
    this.#grants.delete(keyOf(type, id))
  }

  /** Puts an access control list in place of the object's own. */
  replace(object: ObjectRef, entries: readonly Body[]): void {
    this.#set(object, grantsOf(entries, typeOf(object.type)))
  }

  /** Adds an access control list to the object's own. */
  merge({ type, id }: ObjectRef, entries: readonly Body[]): void {
    const kind = typeOf(type)
    this.#set({ type, id }, mergeGrants(this.#own(type, id), grantsOf(entries, kind)))
  }

  /** The object's own grants, then those it inherits. */
  effective({ type, id }: ObjectRef, files: Ancestry): readonly EffectiveGrant[] {
    const own = this.#own(type, id).map((grant) => ({ ...grant, inheritedFrom: undefined }))
    const inherited = ancestorsOf(type, id, files).flatMap((ancestor) =>
      this.#own('directories', ancestor).map((grant) => ({
        ...grant,
        inheritedFrom: `/directories/${ancestor}`,
      })),
    )
    return [...own, ...inherited, { ...ADMINS, inheritedFrom: inheritedRoot(type) }]
  }

  allows({ credentials, config, state }: PermissionsContext, object: ObjectRef, level: string): boolean {
    if (!isStrict(config)) return true
    const { levels } = typeOf(object.type)
    const wanted = levels[level]?.rank ?? Number.POSITIVE_INFINITY
    const caller = state.scim.callerOf(credentials)
    return this.effective(object, state.files).some(
      (grant) => isFor(grant, caller) && rankOf(object.type, grant) >= wanted,
    )
  }

  require(context: PermissionsContext, object: ObjectRef, level: string): void {
    if (this.allows(context, object, level)) return
    const { userName } = context.state.scim.callerOf(context.credentials)
    throw workspaceError(
      'PERMISSION_DENIED',
      `${userName} does not have ${level} permissions on ${objectIdOf(object)}. Please contact the owner or an administrator for access.`,
    )
  }

  snapshot(): Saved {
    return [...this.#grants].map(([object, grants]) => ({ object, grants }))
  }

  restore(snapshot: unknown): void {
    this.#grants.clear()
    for (const { object, grants } of snapshot as Saved) this.#grants.set(object, grants)
  }

  #set({ type, id }: ObjectRef, grants: readonly Grant[]): void {
    this.#grants.set(keyOf(type, id), requireOwner(type, grants))
  }

  #own(type: string, id: string): readonly Grant[] {
    return this.#grants.get(keyOf(type, id)) ?? [makerGrant(typeOf(type), this.#defaultUser)]
  }
}

/** The kind of object that a segment of a path names. */
export function typeOf(type: string): ObjectType {
  const found = OBJECT_TYPES.get(type)
  if (found !== undefined) return found
  throw invalid(`'${type.slice(0, 100)}' is not a supported object type.`)
}

export function objectIdOf({ type, id }: ObjectRef): string {
  return `${typeOf(type).prefix}${id}`
}

const ADMINS: Grant = { field: 'group_name', principal: 'admins', level: 'CAN_MANAGE' }

function keyOf(type: string, id: string): string {
  return `${typeOf(type).prefix}${id}`
}

function makerGrant({ makerLevel }: ObjectType, userName: string): Grant {
  return { field: 'user_name', principal: userName, level: makerLevel }
}

function makerGrants(type: string, userName: string, entries: readonly AccessEntry[]): readonly Grant[] {
  const kind = typeOf(type)
  const given = grantsOf(entries, kind)
  const isOwned = given.some(({ level }) => level === 'IS_OWNER')
  return requireOwner(type, isOwned ? given : mergeGrants([makerGrant(kind, userName)], given))
}

function requireOwner(type: string, grants: readonly Grant[]): readonly Grant[] {
  if (type !== 'jobs' || grants.filter(({ level }) => level === 'IS_OWNER').length === 1) return grants
  throw invalid('The job must have exactly one owner.')
}

function isFor({ field, principal }: Grant, { userName, groups }: Caller): boolean {
  return field === 'group_name' ? groups.includes(principal) : principal === userName
}

// A level that an object inherits may be unknown to its own type, but all workspace objects have the same levels.
function rankOf(type: string, { level }: Grant): number {
  return typeOf(type).levels[level]?.rank ?? 0
}

const IN_WORKSPACE = new Set(['notebooks', 'directories', 'files', 'repos'])

function ancestorsOf(type: string, id: string, files: Ancestry): readonly string[] {
  return IN_WORKSPACE.has(type) ? files.ancestorsOf(id) : []
}

function inheritedRoot(type: string): string {
  return IN_WORKSPACE.has(type) ? '/directories/' : typeOf(type).prefix
}

interface FixturePermissions {
  readonly type: string
  readonly id: string | number
  readonly entries: readonly Readonly<Record<string, string>>[]
}

/** Permissions: the fixture's `permissions`, and the state made from them. */
export const permissionsPart: Part<PermissionsState> = {
  fixtureSchema: {
    permissions: objectsOf(['type', 'id', 'entries'], {
      type: { enum: [...OBJECT_TYPES.keys()] },
      id: {
        type: ['string', 'integer'],
        description: 'The id of a job, cluster, warehouse or workspace object.',
      },
      entries: objectsOf(['permission_level'], {
        ...Object.fromEntries(PRINCIPAL_FIELDS.map((field) => [field, { type: 'string' }])),
        permission_level: { type: 'string' },
      }),
    }),
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
