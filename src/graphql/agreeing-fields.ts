import { isEnumType, isNonNullType } from 'graphql'
import { remembered } from '../engine/lazy.ts'
import type { Item } from '../state/store.ts'
import { isList, namedTypeOf, snakeOf, type EntityType, type Field } from './model.ts'
import { saysWhen, timeIn } from './mutation-time.ts'

type ReadOwn = (field: Field) => unknown

/**
 * The value of a scalar field as it agrees with others of its object: nothing was changed before it was made, and what
 * is `closed` or has a `closedAt` is so by its `state`.
 */
export function agreeing(type: EntityType, field: Field, made: unknown, read: ReadOwn): unknown {
  if (saysWhen(field, 'changed')) return notBeforeMade(type, made, read)
  const named = namedValuesOf(type).get(field.name)
  if (named === undefined) return made
  const isSo = read(named.by) === named.value
  return isBoolean(field) ? isSo : isSo ? made : null
}

function notBeforeMade({ type }: EntityType, made: unknown, read: ReadOwn): unknown {
  const creation = Object.values(type.getFields()).find(
    (each) => saysWhen(each, 'made') && each.args.length === 0,
  )
  const first = creation && read(creation)
  return typeof first === typeof made && (first as string) > (made as string) ? first : made
}

/** What follows for other fields of an object from changes of its enums. */
export function following(type: EntityType, changes: Item, now: number, read: ReadOwn): Item {
  const entries = [...namedValuesOf(type)].flatMap(([name, { by, value }]) => {
    const next = changes[by.name]
    if (next === undefined || next === read(by)) return []
    const field = type.type.getFields()[name] as Field
    const isSo = next === value
    return [[name, isBoolean(field) ? isSo : isSo ? timeIn(field, now) : null]]
  })
  return Object.fromEntries(entries) as Item
}

interface NamedValue {
  /** The field that has an enum. */
  readonly by: Field
  readonly value: string
}

// The booleans and times of a type that are called by a value of one of its enums: `closed`, `isClosed` and `closedAt`.
const namedValuesOf = remembered(({ type }: EntityType): ReadonlyMap<string, NamedValue> => {
  const own = Object.values(type.getFields()).filter((each) => each.args.length === 0 && !isList(each))
  const values = own.flatMap((by) => {
    const named = namedTypeOf(by)
    return isEnumType(named) ? named.getValues().map((each) => ({ by, value: each.name })) : []
  })
  const byName = new Map(values.toReversed().map((each) => [plain(each.value), each]))
  const found = own.flatMap((field) => {
    const said = byName.get(plain(field.name).replace(isBoolean(field) ? /^is/ : /(at|on|date)$/, ''))
    return said === undefined || said.by === field || !(isBoolean(field) || isTime(field))
      ? []
      : [[field.name, said] as const]
  })
  return new Map(found)
}, new WeakMap())

function plain(name: string): string {
  return snakeOf(name).replace(/_/g, '')
}

function isBoolean(field: Field): boolean {
  return namedTypeOf(field).name === 'Boolean'
}

function isTime(field: Field): boolean {
  return (
    !isEnumType(namedTypeOf(field)) &&
    !isNonNullType(field.type) &&
    /(At|On|Date|_at|_on|_date)$/.test(field.name)
  )
}
