import { isObject } from '../../engine/schema/schema.ts'
import { isReading, type ReadCall } from './call.ts'
import { idMember } from './id-members.ts'
import { nameKey } from './show.ts'

/**
 * Calls with the ids of what they select nothing of that has one: what `shop(id: 1) { title }` shows is shop 1, and the
 * `shop` of what `addReport(shopId: 1)` makes.
 */
export function withGivenIds(calls: readonly ReadCall[]): readonly ReadCall[] {
  const areTexts = idsIn(calls.map(({ value }) => value)).every((id) => typeof id === 'string')
  const idOf = (given: unknown): unknown => (areTexts && typeof given === 'number' ? String(given) : given)
  return calls.map((each) => {
    const { call, value } = each
    if (call.selects === undefined || !isObject(value)) return each
    const { id } = call.args
    const isRead = !(call.isChange ?? !isReading(call.name))
    const whole = isRead && isId(id) ? withId(value, idOf(id)) : value
    const entries = Object.entries(whole).map(([name, part]) => {
      const [, given] = Object.entries(call.args).find(([argument]) => isIdOf(argument, name)) ?? []
      return [name, isId(given) && isObject(part) ? withId(part, idOf(given)) : part]
    })
    return { ...each, value: Object.fromEntries(entries) as unknown }
  })
}

function withId(value: Readonly<Record<string, unknown>>, id: unknown): Readonly<Record<string, unknown>> {
  const isObjectOfIts = idMember(value) === undefined && !Object.hasOwn(value, 'id')
  return isObjectOfIts ? { ...value, id } : value
}

function isIdOf(argument: string, member: string): boolean {
  const [, stem = ''] = /^(.+?)(?:_id|Id)$/.exec(argument) ?? []
  return stem !== '' && nameKey(stem.toLowerCase()) === nameKey(member.toLowerCase())
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function idsIn(value: unknown, depth = 0): readonly unknown[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  const own = isObject(value) && isId(value['id']) ? [value['id']] : []
  return [...own, ...Object.values(value).flatMap((part) => idsIn(part, depth + 1))]
}

const MAX_DEPTH = 6
