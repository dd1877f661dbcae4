import { invalid } from '../errors.ts'
import { optionalText, type Body } from '../fields.ts'
import type { AccessEntry } from '../part.ts'
import type { ObjectType } from './types.ts'

/** The fields that can name whom an entry is for. */
export const PRINCIPAL_FIELDS = ['user_name', 'group_name', 'service_principal_name'] as const

/** The field that names whom an entry is for. */
export type PrincipalField = (typeof PRINCIPAL_FIELDS)[number]

/** What one principal may do. */
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

/** What tells principals apart. */
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
