import type { ObjectRef } from '../part.ts'
import { keyOf, type PrincipalField } from './grant.ts'
import { objectIdOf, typeOf, type EffectiveGrant } from './state.ts'

interface Permission {
  readonly permission_level: string
  readonly inherited: boolean
  readonly inherited_from_object?: readonly string[]
}

/** Tells what people are called. */
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
