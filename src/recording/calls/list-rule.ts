import type { ListFilter, ListRule } from '../../engine/call-model.ts'
import { argumentsOf } from './call.ts'
import { cursorOf, edgesOf, isAfter, type Listed, placesNamed } from './list-pages.ts'
import { valueAt } from './envelope.ts'
import { amongOf, idsOf, rangeOf, sameOf } from './list-choices.ts'
import { orderByOf, whereOf } from './list-conditions.ts'
import { filterOf, startOf, withinOf } from './list-filters.ts'
import { COMPARE } from './list-items.ts'
import { type Item, memberLike } from './objects.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { countedIn, countOf, totalIn } from './totals.ts'

const LIMIT =
  /(^|\.)[a-z]{0,3}_?limit$|(^|\.)_?(per_?page|page_?size|size|first|n|num|max_?(?:results|items|records|keys|entries|count)|take|top|count)$/i
const OFFSET = /(^|\.)_?(offset|skip|start)$/i
const PAGE = /(^|\.)_?(page|page_?number|p)$/i
const ORDER = /^(asc|desc)(end(ing)?)?$|^none$/i
const COUNT_ONLY = /^(count|total)_?only$|^only_?(count|total)$/i
const SEARCH = /(^|\.)_?(q|query|search|term|text|keywords?)$/i

/**
 * Which arguments choose from a list, and sort and page it, where all recorded lists agree.
 * @param known all that is known of objects by their ids, since lists may show less
 * @param stored an object of a list as it is stored
 */
export function findListRule(
  fine: readonly CallSample[],
  { pointer, id }: ObjectSeen,
  known: ReadonlyMap<string, Item>,
  stored: (seen: ObjectSeen) => Item = ({ item }) => item,
): ListRule {
  const lists = fine.map(({ call, objects, value }) => {
    const seen = objects.filter((each) => each.pointer === pointer)
    const shown = seen.map(({ item }) => item)
    const items = seen.map((each): Item => ({ ...known.get(String(each.item[id])), ...stored(each) }))
    return { call, args: argumentsOf(call), shown, items, value }
  })
  const members = new Set(
    lists.flatMap(({ items, shown }) => [...items, ...shown].flatMap((item) => Object.keys(item))),
  )
  const [where, orderBy] = [whereOf(lists, members), orderByOf(lists, members)]
  const fields = fieldsOf(lists, members)
  const names = [...new Set(lists.flatMap(({ args }) => [...args.keys()]))].filter(
    (name) => ![where, orderBy, fields].includes(name.split('.')[0]),
  )
  const given = (name: string): typeof lists => lists.filter(({ args }) => args.has(name))
  const always = (
    name: string,
    holds: (value: string | number | boolean, items: readonly Item[]) => boolean,
  ): boolean => given(name).every(({ args, items }) => holds(args.get(name) as string, items))
  const find = (form: RegExp, holds: Parameters<typeof always>[1] = () => true): string | undefined =>
    names.find((name) => form.test(name) && always(name, holds))
  const isNumber = (value: unknown): boolean => typeof value === 'number' || /^\d+$/.test(String(value))
  const isMost: Parameters<typeof always>[1] = (value, items) =>
    isNumber(value) && (items.length <= Number(value) || Number(value) === 0)
  // An argument without a name is one that it once was as many as.
  const isReached = (name: string): boolean =>
    given(name).some(({ args, items }) => items.length > 0 && items.length === Number(args.get(name)))
  const limit =
    find(LIMIT, isMost) ??
    names.find(
      (name) => /^\d+$/.test(name) && always(name, isMost) && isReached(name) && isVaried(given(name), name),
    )
  const offset = find(OFFSET, isNumber) ?? names.find((name) => name !== limit && isStart(lists, name, id))
  const page = find(PAGE, isNumber)
  const order = names.find((name) => always(name, (value) => ORDER.test(String(value))))
  const sort = names.find(
    (name) =>
      name !== order &&
      always(
        name,
        (value) => typeof value === 'string' && memberLike(value.replace(/^[-+]/, ''), members) !== undefined,
      ),
  )
  const range = rangeOf(lists, names, id)
  const { ids, alsoIds } = idsOf(lists, id)
  const among = amongOf(lists, members, ids)
  const flags = names.filter((name) => always(name, (value) => typeof value === 'boolean'))
  const isShown = ({ shown }: (typeof lists)[number]): boolean => shown.length > 0
  const countOnly = flags.find((name) => COUNT_ONLY.test(name) && !given(name).some(isShown)) ?? 'count_only'
  const hides = Object.fromEntries(
    flags.flatMap((name) => {
      // What a call selects hides nothing.
      const flagged = given(name).filter(
        ({ args, call }) => args.get(name) === true && call.selects === undefined,
      )
      const pairs = flagged.flatMap(({ shown, items }) =>
        shown.map((item, at) => ({ item, whole: items[at] ?? {} })),
      )
      const hidden = [...members].filter((member) => {
        const own = pairs.filter(({ whole }) => Object.hasOwn(whole, member))
        return own.length > 0 && own.every(({ item }) => !Object.hasOwn(item, member))
      })
      return hidden.length > 0 ? [[name, hidden]] : []
    }),
  )
  const search = find(SEARCH, (value, items) =>
    items.every((item) => JSON.stringify(item).toLowerCase().includes(String(value).toLowerCase())),
  )
  const edges = edgesOf(lists, pointer, id, names)
  const cursor = edges.cursor ?? cursorOf(lists, names, id)
  const after =
    cursor === undefined
      ? names.find((name) => filterOf(name, members) === undefined && isAfter(lists, name, id))
      : undefined
  const taken = [limit, offset, page, order, sort, search, range?.from, range?.to, countOnly]
  taken.push(cursor?.argument, after)
  const filter = names
    .filter((name) => !taken.includes(name) && name.split('.')[0] !== ids)
    .filter((name) => !Object.hasOwn(among, name.split('.')[0] ?? ''))
    .filter((name) => !Object.hasOwn(hides, name))
    .flatMap((name) => {
      const isHeld = ({ by, member }: ListFilter): boolean =>
        always(name, (value, items) => items.every((item) => COMPARE[by](item[member], value)))
      const within = withinOf(name, given(name))
      if (within !== undefined) return [within]
      const named = filterOf(name, members)
      const found = named ?? sameOf(name, given(name), members, known) ?? startOf(name, id, given(name))
      return found !== undefined && isHeld(found) ? [found] : []
    })
  const others = names.filter(
    (name) =>
      ![...taken, fields, ...filter.map(({ argument }) => argument)].includes(name) &&
      ![ids, ...Object.keys(among), ...Object.keys(hides)].includes(name.split('.')[0]),
  )
  const contained =
    search === undefined && others.length === 1
      ? others.find((name) => isContained(given(name), name, id, known))
      : undefined
  const pages = page === undefined ? [] : given(page).map(({ args }) => Number(args.get(page)))
  const total =
    lists.map(({ value }) => totalIn(value, '')).find((found) => found !== undefined) ?? countedIn(lists)
  const [more] = placesNamed(lists, MORE).filter((each) =>
    lists.some(({ value }) => /^(true|false)$/.test(String(valueAt(value, each)))),
  )
  const filtered = lists.filter(
    ({ args }) => limit === undefined && filter.some(({ argument }) => args.has(argument)),
  )
  const countsAll =
    total !== undefined &&
    filtered.some(({ value, items }) => countOf(valueAt(value, total)) !== items.length)
  return {
    filter,
    ...optional({ where, orderBy, limit, offset, page, order, sort, total, ids, alsoIds, fields }),
    ...optional({ search: search ?? contained }),
    ...(range !== undefined && { range, countOnly, asOf: 'revision' }),
    ...(more !== undefined && { more }),
    ...edges,
    ...(Object.keys(among).length > 0 && { among }),
    ...(cursor !== undefined && { cursor }),
    ...optional({ after }),
    ...(Object.keys(hides).length > 0 && { hides }),
    ...(countsAll && { countsAll }),
    ...(page !== undefined && { first: pages.includes(0) ? 0 : 1 }),
    ...(sort === undefined && isNewestFirst(lists, id, known) && { isNewestFirst: true }),
  }
}

// What all objects have somewhere that are listed, as far as they are known, and no others.
function isContained(
  own: readonly Listed[],
  name: string,
  id: string,
  known: ReadonlyMap<string, Item>,
): boolean {
  return own.every(({ args, shown }) => {
    const wanted = String(args.get(name)).toLowerCase()
    const ids = new Set(shown.map((item) => String(item[id])))
    const having = [...known].filter(([, item]) => JSON.stringify(item).toLowerCase().includes(wanted))
    return (
      wanted.length >= MIN_CONTAINED &&
      having.length > 0 &&
      ids.size < known.size &&
      having.every(([each]) => ids.has(each))
    )
  })
}

/** Shorter texts are met by chance. */
const MIN_CONTAINED = 3

// An argument without a name that says how many of the list before were left out.
function isStart(lists: readonly Listed[], name: string, id: string): boolean {
  if (!/^\d+$/.test(name)) return false
  let before: readonly Item[] = []
  let moved = 0
  return (
    lists.every(({ args, shown }) => {
      const start = Number(args.get(name) ?? Number.NaN)
      if (start === 0) before = shown
      if (start === 0 || shown.length === 0) return true
      moved++
      return Number.isInteger(start) && shown.every((item, at) => item[id] === before[start + at]?.[id])
    }) && moved > 0
  )
}

function isVaried(lists: readonly Listed[], name: string): boolean {
  return new Set(lists.map(({ args }) => args.get(name))).size > 1
}

// The ids of objects come in the order in which they were made.
function isNewestFirst(lists: readonly Listed[], id: string, known: ReadonlyMap<string, Item>): boolean {
  const ids = [...known.keys()]
  const areNumbers = ids.every((each) => Number.isSafeInteger(Number(each)))
  const order = areNumbers ? ids.toSorted((a, b) => Number(a) - Number(b)) : ids
  const places = lists
    .map(({ shown }) => shown.map((item) => order.indexOf(String(item[id]))))
    .filter(({ length }) => length > 1)
  return (
    places.length > 0 && places.every((own) => own.every((at, no) => no === 0 || at < (own[no - 1] ?? 0)))
  )
}

const MORE = /more|truncated|has_?next/i

/** The argument with a list of names, which are those of all members that are shown. */
export function fieldsOf(
  lists: readonly Pick<Listed, 'call' | 'shown'>[],
  members: ReadonlySet<string>,
): string | undefined {
  const names = new Set(lists.flatMap(({ call }) => Object.keys(call.args)))
  return [...names].find((name) => {
    const own = lists.filter(({ call }) => Array.isArray(call.args[name]))
    return (
      own.some(({ shown }) => shown.length > 0) &&
      own.every(({ call, shown }) => {
        const wanted = call.args[name] as unknown[]
        return (
          wanted.some((each) => members.has(String(each))) &&
          shown.every((item) => Object.keys(item).every((member) => wanted.includes(member)))
        )
      })
    )
  })
}

function optional(all: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
