import { readExpression } from '../../collections/filter-expression.ts'
import {
  compareItems,
  createListQuery,
  fieldOf,
  holdsText,
  type ListQuery,
  passes,
} from '../../collections/list-query.ts'
import { withJsonParts } from '../../collections/json-filter.ts'
import { plainParameter } from '../../collections/parameter-template.ts'
import { remembered } from '../../engine/lazy.ts'
import type { Selection } from '../../engine/route-options.ts'
import type { PageParameters } from '../../collections/paging/page-parameters.ts'
import type { Query } from '../../message.ts'
import type { Item } from './item-place.ts'
import { aliasesOf, fieldsNamed } from './aliases.ts'
import { comparisonsOf } from './parameter-frames.ts'
import { showNamed, shownAlways } from './shown-always.ts'

/** An answer that lists items, and what its request says. */
export interface RecordedList {
  readonly query: Query
  readonly items: readonly Item[]
  /** How many it says that there are. */
  readonly total?: unknown
}

/** What of a route's paging is known: the parameters that ask for a page, and whether a request without them gets all. */
export interface KnownPaging {
  readonly parameters: PageParameters
  readonly isWhole: boolean
}

/**
 * Which query parameters choose from a stored list, sort it, or say what of it is answered, where every recorded list
 * agrees; `undefined` where none does.
 */
export function selectionOf(
  recorded: readonly RecordedList[],
  paging: KnownPaging | undefined,
): Selection | undefined {
  const lists = recorded.map((list) => ({ ...list, query: withJsonParts(list.query) }))
  const all = lists.flatMap(({ items }) => items)
  const isField = remembered((name: string) => all.some((item) => fieldOf(item, name) !== undefined))
  const paged = [paging?.parameters.at, paging?.parameters.size]
  const names = [...new Set(lists.flatMap(({ query }) => Object.keys(query)))]
    .map(plainParameter)
    .filter((name, index, every) => every.indexOf(name) === index && !paged.includes(name))
  const readOf = (selection: Selection): readonly Read[] => {
    const read = createListQuery(selection)
    return lists.map(({ query, items }) => ({ said: read(query, isField), items }))
  }
  /** Whether all lists that a part of a selection speaks of are as it says. */
  const agrees = (selection: Selection, isUsed: (said: ListQuery) => boolean, holds: Holds): boolean => {
    const used = readOf(selection).filter(({ said }) => isUsed(said))
    return used.some(({ items }) => items.length > 0) && used.every((each) => holds(each))
  }
  const isFilter = (selection: Selection): boolean =>
    agrees(
      selection,
      ({ terms }) => terms.length > 0,
      ({ said, items }) => items.every((item) => said.terms.every((term) => passes(item, term))),
    )
  const isEffective = (selection: Selection): boolean =>
    readOf(selection).some(({ said }) => said.terms.some((term) => all.some((item) => !passes(item, term))))

  const plain = names.filter((name) => isField(name))
  const filter = plain.filter((name) => isFilter({ filter: [name] }))
  const isAny = filter.length === plain.length && filter.some((name) => isEffective({ filter: [name] }))
  const others = names.filter((name) => !filter.includes(name))
  const aliases = Object.fromEntries(
    others.flatMap((name) => {
      const able = [...aliasesOf(name), ...fieldsNamed(name, all)].filter((field) => isField(field))
      const field = able.find((each) => isFilter({ aliases: { [name]: each } }))
      return field === undefined ? [] : [[name, field]]
    }),
  )
  const rest = others.filter((name) => !Object.hasOwn(aliases, name))
  const compare = comparisonsOf(
    rest.map((name) => ({ name, values: lists.flatMap(({ query }) => valuesOf(query, name)) })),
    (own) => isFilter({ compare: own }),
  )
  const compared = createListQuery({ compare })
  const unread = rest.filter(
    (name) => !lists.some(({ query }) => compared(partOfQuery(query, name), isField).terms.length > 0),
  )
  const roots = unread.flatMap((name) => NESTED.exec(name)?.[1] ?? [])
  const where = [...unread, ...new Set(roots)].find(
    (name) =>
      (roots.includes(name) || isExpression(name, lists, isField)) &&
      agrees(
        { where: name },
        (said) => said.where !== undefined,
        ({ said, items }) => items.every((item) => said.where?.(item) !== false),
      ),
  )
  const isSaid = (said: ListQuery): boolean => said.fields !== undefined && said.fields.length > 0
  const alwaysOf = (name: string): readonly string[] =>
    shownAlways(
      readOf({ fields: name }).filter(({ said }) => isSaid(said)),
      all,
    )
  const fields = unread.find((name) => {
    const always = alwaysOf(name)
    return agrees({ fields: name }, isSaid, (read) => showNamed(read, always, all))
  })
  const always = fields === undefined ? [] : alwaysOf(fields)
  const order = unread.find((name) =>
    lists.every(({ query }) => !has({ query }, name) || ORDER.test(textOf(query[name]))),
  )
  const sort = unread
    .filter((name) => ![order, where, fields].includes(name))
    .map((name) => name.replace(/\[[\w.-]+\]$/, '[{field}]'))
    .find((name) => {
      const selection = { sort: name, ...(order !== undefined && { order }) }
      return agrees(
        selection,
        (said) => said.order.length > 0,
        ({ said, items }) => areSorted(items, said, isField),
      )
    })
  const search = unread.find(
    (name) =>
      SEARCH.test(name) &&
      name !== where &&
      agrees(
        { search: name },
        (said) => said.search !== undefined,
        ({ said, items }) => items.every((item) => holdsText(item, said.search ?? '')),
      ),
  )
  const part = partOf(unread, lists, paging)
  const found: Selection = {
    ...(filter.length > 0 && { filter: isAny ? 'any' : filter }),
    ...(Object.keys(aliases).length > 0 && { aliases }),
    ...(Object.keys(compare).length > 0 && { compare }),
    ...(where !== undefined && { where }),
    ...(sort !== undefined && { sort, ...(order !== undefined && { order }) }),
    ...(search !== undefined && { search }),
    ...(fields !== undefined && { fields, ...(always.length > 0 && { always }) }),
    ...part,
    ...(paging?.isWhole === true && { whole: true }),
  }
  const isFiltered = ({ terms, where: expression, search: text }: ListQuery): boolean =>
    terms.length > 0 || expression !== undefined || text !== undefined
  const filtered = readOf(found).flatMap(({ said }, at) => (isFiltered(said) ? (lists[at] ?? []) : []))
  const selection = { ...found, ...(countAll(filtered, lists, paged) && { total: 'all' as const }) }
  return Object.keys(selection).length === 0 ? undefined : selection
}

// Where lists that are shorter than a page say that there are more.
function countAll(
  filtered: readonly RecordedList[],
  lists: readonly RecordedList[],
  paged: readonly (string | undefined)[],
): boolean {
  const longest = Math.max(0, ...lists.map(({ items }) => items.length))
  const short = filtered.filter(
    ({ query, items }) =>
      items.length < longest && !paged.some((name) => name !== undefined && name in query),
  )
  const more = short.filter(({ items, total }) => typeof total === 'number' && total > items.length)
  return more.length * 2 > short.length
}

/** Whether a selection says what every parameter of the recorded lists does. */
export function explains(
  selection: Selection | undefined,
  lists: readonly RecordedList[],
  paging: KnownPaging | undefined,
): boolean {
  const { where, order, search, fields, sort, start, end, limit } = selection ?? {}
  const { at, size } = paging?.parameters ?? {}
  const own = new Set([where, order, search, fields, sort, start, end, limit, at, size])
  const read = createListQuery(selection ?? {})
  const sorting = sort?.split('{')[0]
  const queries = lists.map(({ query }) => withJsonParts(query))
  return queries.every((query) =>
    Object.keys(query).every((name) => {
      if (
        own.has(plainParameter(name)) ||
        (sorting !== sort && sorting !== undefined && name.startsWith(sorting))
      )
        return true
      const said = read({ [name]: query[name] ?? '' }, () => true)
      return said.terms.length > 0 || said.where !== undefined
    }),
  )
}

interface Read {
  readonly said: ListQuery
  readonly items: readonly Item[]
}

type Holds = (read: Read) => boolean

const ORDER = /^(asc|desc)(ending)?(,(asc|desc)(ending)?)*$/i
const SEARCH = /^_?(q|query|search|searchterm|term|text|keywords?|filter|match|s)$/i
/** Names of parameters with filters in brackets: `filters[author][name]`. */
const NESTED = /^(filters?|where|conditions?|query)\[/i
const START = /^[_$]?(start|offset|skip|from)$/i
const END = /^[_$]?(end|to)$/i
const LIMIT = /^[_$]?(limit|per_?page|page_?size|size|count|n|max_?results|top|first|take)$/i

function has(list: Pick<RecordedList, 'query'> | undefined, name: string): boolean {
  return list !== undefined && Object.keys(list.query).some((each) => plainParameter(each) === name)
}

function partOfQuery(query: Query, name: string): Query {
  return Object.fromEntries(Object.entries(query).filter(([each]) => plainParameter(each) === name))
}

function valuesOf(query: Query, name: string): readonly string[] {
  return Object.entries(query).flatMap(([each, value]) =>
    plainParameter(each) === name ? [value ?? []].flat() : [],
  )
}

function textOf(value: Query[string] | undefined): string {
  return [value ?? ''].flat().join(',')
}

function areSorted(
  items: readonly Item[],
  { order }: ListQuery,
  isField: (name: string) => boolean,
): boolean {
  return (
    order.every(({ field }) => isField(field)) &&
    items.every((item, index) => index === 0 || compareItems(items[index - 1] as Item, item, order) <= 0)
  )
}

function partOf(
  names: readonly string[],
  lists: readonly RecordedList[],
  paging: KnownPaging | undefined,
): Pick<Selection, 'start' | 'end' | 'limit'> {
  const fits = (selection: Selection): boolean => {
    const read = createListQuery(selection)
    const parts = lists.flatMap(({ query, items }) => {
      const { part } = read(query, () => true)
      return part === undefined ? [] : [part[1] - part[0] - items.length]
    })
    return parts.every((left) => left >= 0) && parts.includes(0)
  }
  const named = (form: RegExp): string | undefined =>
    names.find((name) => form.test(name.slice(name.lastIndexOf('.') + 1)))
  const limit = paging?.parameters.size ?? named(LIMIT)
  const end = named(END)
  const { style, at, firstOffset } = paging?.parameters ?? {}
  // Where pages begin, parts that say their end do too.
  const offset = end !== undefined && style === 'offset' && firstOffset === 0 ? at : undefined
  const start = named(START) ?? offset
  const given = {
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...(limit !== undefined && { limit }),
  }
  // The parameter of a page's size means a part only where another says where that begins.
  const isOwn = start !== undefined || end !== undefined || (limit !== undefined && paging === undefined)
  return isOwn && fits(given) ? given : {}
}

const NO_FILTER = /^(\{\})?$/

/** Whether all that a parameter says are filters of fields that items have. */
function isExpression(
  name: string,
  lists: readonly RecordedList[],
  isField: (name: string) => boolean,
): boolean {
  return lists.every(({ query }) => {
    const text = valuesOf(query, name).join(',')
    if (NO_FILTER.test(text)) return true
    const fields = readExpression(text)?.fields
    return fields !== undefined && fields.length > 0 && fields.every(isField)
  })
}
