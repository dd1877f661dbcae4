import type { ListFilter } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { COMPARE } from './list-items.ts'
import type { Listed } from './list-pages.ts'
import type { Item } from './objects.ts'
import { nameKey } from './show.ts'

const ENDS: readonly (readonly [RegExp, ListFilter['by']])[] = [
  [/^(.*?)_?(gte|ge|min|from|since|after)$/i, 'gte'],
  [/^(.*?)_?(lte|le|max|to|until|before)$/i, 'lte'],
  [/^(.*?)_?gt$/i, 'gt'],
  [/^(.*?)_?lt$/i, 'lt'],
  [/^(.*?)_?(neq|ne|not)$/i, 'ne'],
  [/^(.*?)_?(like|contains|includes)$/i, 'in'],
  [/^(.*?)_?prefix$/i, 'prefix'],
]

const STARTS: readonly (readonly [RegExp, ListFilter['by']])[] = [
  [/^(?:min|from|since)_?(?=[A-Z_a-z])(.+)$/i, 'gte'],
  [/^(?:max|until)_?(?=[A-Z_a-z])(.+)$/i, 'lte'],
]

/** What the ids of all that is listed begin with. */
export function startOf(argument: string, id: string, own: readonly Listed[]): ListFilter | undefined {
  const starts =
    own.some(({ shown }) => shown.length > 0) &&
    own.every(({ args, shown }) => shown.every((item) => COMPARE.prefix(item[id], args.get(argument) ?? '')))
  return starts ? { argument, member: id, by: 'prefix' } : undefined
}

/** A list of objects in all that is listed, called as the argument, of which one has the value. */
export function withinOf(argument: string, own: readonly Listed[]): ListFilter | undefined {
  const wanted = nameKey(argument.slice(argument.lastIndexOf('.') + 1).toLowerCase())
  const all = own.flatMap(({ args, shown }) => shown.map((item) => ({ item, value: args.get(argument) })))
  const [first] = all
  const member = Object.keys(first?.item ?? {}).find(
    (name) => Array.isArray(first?.item[name]) && nameKey(name.toLowerCase()) === wanted,
  )
  if (first === undefined || member === undefined) return undefined
  const partsOf = (item: Item): readonly Item[] => [item[member]].flat().filter(isObject)
  const names = new Set(partsOf(first.item).flatMap((each) => Object.keys(each)))
  const of = [...names].find((name) =>
    all.every(({ item, value }) => partsOf(item).some((each) => String(each[name]) === String(value))),
  )
  return of === undefined ? undefined : { argument, member, of, by: 'eq' }
}

/** The member that an argument is called as, and how its name says that it compares. */
export function filterOf(argument: string, members: ReadonlySet<string>): ListFilter | undefined {
  const name = argument.slice(argument.lastIndexOf('.') + 1)
  if (members.has(name)) return { argument, member: name, by: 'eq' }
  const [, named = ''] = /^(.+?)_?id$/i.exec(name) ?? []
  if (members.has(named)) return { argument, member: named, by: 'eq' }
  for (const [form, by] of STARTS) {
    const [, word = ''] = form.exec(name) ?? []
    const member = [...members].find((each) => word !== '' && each.toLowerCase() === word.toLowerCase())
    if (member !== undefined) return { argument, member, by }
  }
  for (const [form, by] of ENDS) {
    const [, member = ''] = form.exec(name) ?? []
    if (members.has(member)) return { argument, member, by }
  }
  return undefined
}
