import { namedTypeOf, type Field } from './model.ts'

/** The names of fields that say when a thing was made. */
export const CREATED = /^(created|inserted|published|registered)_?(at|on|date|time)$|^date_?created$/i
/** The names of fields that say when it was changed. */
export const UPDATED =
  /^(updated|modified|changed)_?(at|on|date|time)$|^(last|date)_?(modified|updated)(_?at)?$/i

/** A moment as a field has it. */
export function timeIn(field: Field, now: number): unknown {
  const { name } = namedTypeOf(field)
  if (/^(Int|Float|Long|BigInt)$/.test(name)) return name === 'Int' ? Math.floor(now / 1000) : now
  const text = new Date(now).toISOString()
  return /^(local)?date$/i.test(name) ? text.slice(0, 10) : text
}
