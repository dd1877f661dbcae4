import { lifeEventOf, type LifeEvent } from '../engine/schema/moment-names.ts'
import { namedTypeOf, type Field } from './model.ts'

/** Whether a field says by its name when a thing was made or changed. What is called by that alone may be another thing. */
export function saysWhen({ name }: Pick<Field, 'name'>, event: LifeEvent): boolean {
  const said = lifeEventOf(name)
  return said?.event === event && !said.isAlone
}

/** A moment as a field has it. */
export function timeIn(field: Field, now: number): unknown {
  const { name } = namedTypeOf(field)
  if (/^(Int|Float|Long|BigInt)$/.test(name)) return name === 'Int' ? Math.floor(now / 1000) : now
  const text = new Date(now).toISOString()
  return /^(local)?date$/i.test(name) ? text.slice(0, 10) : text
}
