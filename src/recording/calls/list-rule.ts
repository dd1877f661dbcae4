import type { ListFilter, ListRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf } from './call.ts'
import type { Item } from './objects.ts'
import { COMPARE } from './objects.ts'
import type { CallSample, ObjectSeen } from './occurrences.ts'

const LIMIT = /(^|\.)_?(limit|per_?page|page_?size|size|first|n|num|max_?results|take|top|count)$/i
const OFFSET = /(^|\.)_?(offset|skip|start)$/i
const PAGE = /(^|\.)_?(page|page_?number|p)$/i
const ORDER = /^(asc|desc)(ending)?$/i
const SEARCH = /(^|\.)_?(q|query|search|term|text|keywords?)$/i

const ENDS: readonly (readonly [RegExp, ListFilter['by']])[] = [
  [/^(.*?)_?(gte|ge|min|from|since|after)$/i, 'gte'],
  [/^(.*?)_?(lte|le|max|to|until|before)$/i, 'lte'],
  [/^(.*?)_?gt$/i, 'gt'],
  [/^(.*?)_?lt$/i, 'lt'],
  [/^(.*?)_?(neq|ne|not)$/i, 'ne'],
  [/^(.*?)_?(like|contains|includes)$/i, 'in'],
]

/**
 * Which arguments choose from a list, and sort and page it, where all recorded lists agree.
 * @param known all that is known of objects by their ids, since lists may show less
 */
export function findListRule(
  fine: readonly CallSample[],
  { pointer }: ObjectSeen,
  known: ReadonlyMap<string, Item>,
): ListRule {
  const lists = fine.map(({ call, objects, value }) => ({
    args: argumentsOf(call),
    items: objects
      .filter((each) => each.pointer === pointer)
      .map(({ item, id }): Item => ({ ...known.get(String(item[id])), ...item })),
    value,
  }))
  const members = new Set(lists.flatMap(({ items }) => items.flatMap((item) => Object.keys(item))))
  const names = [...new Set(lists.flatMap(({ args }) => [...args.keys()]))]
  const given = (name: string): typeof lists => lists.filter(({ args }) => args.has(name))
  const always = (
    name: string,
    holds: (value: string | number | boolean, items: readonly Item[]) => boolean,
  ): boolean => given(name).every(({ args, items }) => holds(args.get(name) as string, items))
  const find = (form: RegExp, holds: Parameters<typeof always>[1] = () => true): string | undefined =>
    names.find((name) => form.test(name) && always(name, holds))
  const limit = find(LIMIT, (value, items) => typeof value === 'number' && items.length <= value)
  const isNumber = (value: unknown): boolean => typeof value === 'number'
  const [offset, page] = [find(OFFSET, isNumber), find(PAGE, isNumber)]
  const order = names.find((name) => always(name, (value) => ORDER.test(String(value))))
  const sort = names.find(
    (name) => name !== order && always(name, (value) => members.has(String(value).replace(/^[-+]/, ''))),
  )
  const search = find(SEARCH, (value, items) =>
    items.every((item) => JSON.stringify(item).toLowerCase().includes(String(value).toLowerCase())),
  )
  const taken = [limit, offset, page, order, sort, search]
  const filter = names
    .filter((name) => !taken.includes(name))
    .flatMap((name) => {
      const found = filterOf(name, members)
      const holds =
        found !== undefined &&
        always(name, (value, items) => items.every((item) => COMPARE[found.by](item[found.member], value)))
      return holds ? [found] : []
    })
  const pages = page === undefined ? [] : given(page).map(({ args }) => Number(args.get(page)))
  const total = totalIn(lists[0]?.value, '')
  const filtered = lists.filter(
    ({ args }) => limit === undefined && filter.some(({ argument }) => args.has(argument)),
  )
  const countsAll =
    total !== undefined && filtered.some(({ value, items }) => valueAt(value, total) !== items.length)
  return {
    filter,
    ...optional({ limit, offset, page, order, sort, search, total }),
    ...(countsAll && { countsAll }),
    ...(page !== undefined && { first: pages.includes(0) ? 0 : 1 }),
  }
}

function valueAt(value: unknown, pointer: string): unknown {
  return readPointer(pointer).reduce((part, name) => (isObject(part) ? part[name] : undefined), value)
}

function optional(all: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function filterOf(argument: string, members: ReadonlySet<string>): ListFilter | undefined {
  const name = argument.slice(argument.lastIndexOf('.') + 1)
  if (members.has(name)) return { argument, member: name, by: 'eq' }
  for (const [form, by] of ENDS) {
    const [, member = ''] = form.exec(name) ?? []
    if (members.has(member)) return { argument, member, by }
  }
  return undefined
}

const TOTAL = /^(total|count|total_?count|total_?items|total_?results)$/i

/** Where a number stands that is called as that of all items is. */
export function totalIn(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return path
  if (!isObject(value)) return undefined
  const name = Object.keys(value).find((each) => TOTAL.test(each) && typeof value[each] === 'number')
  if (name !== undefined) return `${path}/${name}`
  return Object.entries(value)
    .map(([member, part]) => (typeof part === 'number' ? undefined : totalIn(part, `${path}/${member}`)))
    .find((found) => found !== undefined)
}
