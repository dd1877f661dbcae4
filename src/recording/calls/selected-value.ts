import { isObject } from '../../engine/schema/schema.ts'
import type { SelectedField } from '../../routing/selection.ts'
import { memberKey } from './show.ts'

/** A value with the members of objects by their own names, whatever a call named them. */
export function namedPlainly(value: unknown, selects: readonly SelectedField[] | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => namedPlainly(each, selects))
  if (!isObject(value) || selects === undefined || selects.length === 0) return value
  const entries = selects
    .filter(({ alias }) => Object.hasOwn(value, alias))
    .map((field) => [memberKey(field), namedPlainly(value[field.alias], field.fields)])
  return Object.fromEntries(entries)
}

/** What is selected of such a value, as a call names it; what it has not is null, but for what only another type has. */
export function namedAsSelected(value: unknown, selects: readonly SelectedField[] | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => namedAsSelected(each, selects))
  if (!isObject(value) || selects === undefined || selects.length === 0) return value
  const entries = selects.flatMap((field) => {
    const key = memberKey(field)
    if (Object.hasOwn(value, key)) return [[field.alias, namedAsSelected(value[key], field.fields)] as const]
    return field.on === undefined ? [[field.alias, null] as const] : []
  })
  return Object.fromEntries(entries)
}
