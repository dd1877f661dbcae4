import type { Visit } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import type { Body } from '../fields.ts'
import type { AccessControl, AccessEntry, Caller, Directory, ObjectRef, Restorable } from '../part.ts'
import { grantsOf, mergeGrants, type Grant } from './grant.ts'
import { isStrict } from './is-strict.ts'
import { OBJECT_TYPES, type ObjectType } from './types.ts'

/** Tells which directories an object of the workspace lies in, the nearest first. */
export interface Ancestry {
  ancestorsOf(id: string): readonly string[]
}

/** The share of a visit that access is decided by, here. */
export type PermissionsVisit = Pick<
  Visit<{ readonly scim: Directory; readonly files: Ancestry }>,
  'credentials' | 'config' | 'state'
>

/** A grant and the object that it comes from; `undefined` where it is the object's own. */
export interface EffectiveGrant extends Grant {
  readonly inheritedFrom: string | undefined
}

type Saved = readonly { readonly object: string; readonly grants: readonly Grant[] }[]

/** Who may do what: the grants of each object, and those it inherits. */
export class PermissionsState implements AccessControl, Restorable {
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

  allows({ credentials, config, state }: PermissionsVisit, object: ObjectRef, level: string): boolean {
    if (!isStrict(config)) return true
    const { levels } = typeOf(object.type)
    const wanted = levels[level]?.rank ?? Number.POSITIVE_INFINITY
    const caller = state.scim.callerOf(credentials)
    return this.effective(object, state.files).some(
      (grant) => isFor(grant, caller) && rankOf(object.type, grant) >= wanted,
    )
  }

  require(visit: PermissionsVisit, object: ObjectRef, level: string): void {
    if (this.allows(visit, object, level)) return
    const { userName } = visit.state.scim.callerOf(visit.credentials)
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

/** What answers call an object. */
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
