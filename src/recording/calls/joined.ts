import type { CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import type { argumentsOf } from './call.ts'
import { replaceAt } from './envelope.ts'
import { type Item, type Objects, put } from './objects.ts'
import { type Part, Shown } from './show.ts'

type All = ReadonlyMap<string, Objects>
type Args = ReturnType<typeof argumentsOf>

/** The member with the id of what joins two objects. */
export const JOIN_ID = 'id'

/** The id of what joins two objects, by the names of their types. */
export function joinId(ends: Readonly<Record<string, unknown>>): string {
  const types = Object.keys(ends).toSorted()
  return JSON.stringify(types.map((type) => String(ends[type])))
}

/** Joins two objects or parts them; whether both are there. */
export function performJoin({ does, type, ends = {} }: CallRule, all: All, args: Args): boolean {
  const objects = all.get(type)
  const ids = Object.fromEntries(Object.entries(ends).map(([of, argument]) => [of, args.get(argument)]))
  const areThere = Object.entries(ids).every(([of, id]) => all.get(of)?.items.has(String(id)) === true)
  if (objects === undefined || !areThere) return false
  const id = joinId(ids)
  if (does === 'join') put(objects, { ...ids, [JOIN_ID]: id })
  else objects.items.delete(id)
  return true
}

/** The objects that are joined with the one which an argument names, of all or of some. */
export function joinedWith(
  { by, type, owner, argument }: NonNullable<CallRule['joined']>[string],
  all: All,
  args: Args,
): readonly Item[] {
  const [joins, objects] = [all.get(by), all.get(type)]
  const own = args.get(argument)
  return [...(objects?.items ?? [])].flatMap(([id, item]) =>
    joins?.items.has(joinId({ [owner]: own, [type]: id })) === true ? [item] : [],
  )
}

/** A result with the objects that are joined with the one it is about. */
export function withJoined(result: unknown, { joined = {}, at }: CallRule, all: All, args: Args): unknown {
  return Object.entries(joined)
    .filter(([pointer]) => pointer !== at)
    .reduce((whole, [pointer, each]) => {
      const items = joinedWith(each, all, args).map((item) =>
        Object.fromEntries(each.shows.map((name) => [name, item[name]])),
      )
      return replaceAt(whole, readPointer(pointer), items)
    }, result)
}

/** Objects that the one in a result has as members may be in it, too. */
export function withOthers(result: unknown, { also = {} }: CallRule, { item }: Part, all: All): unknown {
  if (!(item instanceof Shown)) return result
  return Object.entries(also).reduce((whole, [pointer, { type, by }]) => {
    const other = all.get(type)?.items.get(String(item.item[by]))
    return replaceAt(whole, readPointer(pointer), other === undefined ? null : new Shown(type, other))
  }, result)
}
