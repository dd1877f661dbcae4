import { describe, expect, it } from 'vitest'
import { compareItems, createListQuery, holdsText, passes } from '../../../src/collections/list-query.ts'
import { parseQuery } from '../../../src/engine/query.ts'
import type { Selection } from '../../../src/engine/route-options.ts'
import { explains, type RecordedList, selectionOf } from '../../../src/recording/inference/selection.ts'

const ITEMS = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'].map((name, index) => ({
  ...{ id: index + 1, name, role: index % 2 === 0 ? 'boss' : 'user' },
  age: (index * 17) % 40,
}))
const isField = (name: string): boolean => name in (ITEMS[0] as object)

/** What a server that does as a selection says answers to some queries. */
function recorded(selection: Selection, ...queries: readonly string[]): readonly RecordedList[] {
  const read = createListQuery(selection)
  return queries.map((search) => {
    const query = parseQuery(search)
    const { terms, where, search: text, order, part, fields } = read(query, isField)
    const items = ITEMS.filter(
      (item) =>
        terms.every((term) => passes(item, term)) &&
        where?.(item) !== false &&
        (text === undefined || holdsText(item, text)),
    ).toSorted((a, b) => compareItems(a, b, order))
    const shown = items.map((item) =>
      fields === undefined
        ? item
        : Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))),
    )
    return { query, items: part === undefined ? shown : shown.slice(...part) }
  })
}

describe('selection', () => {
  it('finds fields that are shown besides those that are named, before it looks for an order', () => {
    const named = ITEMS.map(({ id, name }) => ({ id, name }))
    const lists = [
      { query: {}, items: ITEMS },
      { query: { attributes: 'name' }, items: named },
      { query: { sortBy: 'name' }, items: ITEMS },
    ]
    expect(selectionOf(lists, undefined)).toEqual({ fields: 'attributes', always: ['id'], sort: 'sortBy' })
  })

  it('finds fields that are named with those within them', () => {
    const lists = [
      { query: {}, items: [{ id: 1, name: 'Ann', home: { city: 'Rome', zip: '1' } }] },
      { query: { fields: 'name,home.city' }, items: [{ name: 'Ann', home: { city: 'Rome' } }] },
    ]
    expect(selectionOf(lists, undefined)).toEqual({ fields: 'fields' })
  })

  it('finds fields within the member that holds them', () => {
    const held = ITEMS.map(({ id, name, age }) => ({ id, attributes: { name, age } }))
    const lists = [
      { query: {}, items: held },
      {
        query: { 'fields[users]': 'name' },
        items: held.map(({ id, attributes: { name } }) => ({ id, attributes: { name } })),
      },
    ]
    expect(selectionOf(lists, undefined)).toEqual({ fields: 'fields[users]' })
  })

  it.each<[string, Selection, string[], Selection | undefined]>([
    ['a field', { filter: 'any' }, ['', 'role=boss'], { filter: 'any' }],
    [
      'a filter expression',
      { where: '$filter' },
      ['', "$filter=age lt 20 and role eq 'boss'", "$filter=startswith(name,'a')"],
      { where: '$filter' },
    ],
    [
      'filters in brackets beside comparisons, which are sorted, too',
      { where: 'filters', compare: { 'filters[{field}][$ne]': 'ne' }, sort: 'sort' },
      [
        '',
        'filters[role][$ne]=boss&sort=age:desc',
        'filters[$or][0][name][$eq]=ann&filters[$or][1][age][$gt]=20',
        'sort[0]=role:asc&sort[1]=age:desc',
      ],
      { compare: { 'filters[{field}][$ne]': 'ne' }, where: 'filters', sort: 'sort' },
    ],
    [
      'a filter as JSON, which may be empty',
      { where: 'where' },
      ['', 'where={}', 'where={"age":{"$gt":20}}'],
      { where: 'where' },
    ],
    ['a search that no field is named in', { search: 'filter' }, ['', 'filter=ann'], { search: 'filter' }],
    ['a field that all items share', { filter: 'any' }, ['role=boss'], { filter: ['role'] }],
    [
      'signs before values',
      { compare: { 'filter[{field}]=>{value}': 'gt', 'filter[{field}]': 'eq' } },
      ['', 'filter[age]=>20', 'filter[role]=boss'],
      { compare: { 'filter[{field}]=<{value}': 'lt', 'filter[{field}]': 'eq' } },
    ],
    [
      'a bound',
      { compare: { '{field}_gte': 'gte' } },
      ['', 'age_gte=20'],
      { compare: { '{field}_lte': 'lte' } },
    ],
    [
      'operators of lists in brackets',
      { compare: { '{field}[$nin]': 'nin' } },
      ['', 'name[$nin][]=ann&name[$nin][]=bob'],
      { compare: { '{field}[$nin]': 'nin' } },
    ],
    [
      'operators in brackets',
      { compare: { '{field}[$lt]': 'lt' } },
      ['', 'age[$lt]=20'],
      { compare: { '{field}[$gt]': 'gt' } },
    ],
    [
      'operators in values',
      { compare: { '{field}=gte.{value}': 'gte' } },
      ['', 'age=gte.20'],
      { compare: { '{field}=lt.{value}': 'lt' } },
    ],
    [
      'fields and operators in values',
      { compare: { 'f={field}||$gte||{value}': 'gte', 'f={field}||$cont||{value}': 'like' } },
      ['', 'f=age||$gte||20', 'f=name||$cont||n', 'f=age||$gte||20&f=name||$cont||n'],
      { compare: { 'f={field}||$lt||{value}': 'lt', 'f={field}||$starts||{value}': 'starts' } },
    ],
    [
      'a least and a most',
      { compare: { min_age: 'gte', 'min_{field}': 'gte' } },
      ['', 'min_age=20'],
      { compare: { 'max_{field}': 'lte' } },
    ],
    ['an order', { sort: 'sort' }, ['sort=-age'], { sort: 'sort' }],
    [
      'an order and its direction',
      { sort: 'by', order: 'dir' },
      ['by=age&dir=desc', 'by=name&dir=asc'],
      { sort: 'by', order: 'dir' },
    ],
    ['an order by field', { sort: '$sort[{field}]' }, ['$sort[age]=-1'], { sort: '$sort[{field}]' }],
    ['a search', { search: 'q' }, ['q=o'], { search: 'q' }],
    ['fields', { fields: 'fields' }, ['', 'fields=id,name'], { fields: 'fields' }],
    ['a part', { start: 'from', end: 'to' }, ['', 'from=1&to=3'], { start: 'from', end: 'to' }],
    ['a number of items', { limit: 'limit' }, ['', 'limit=2'], { limit: 'limit' }],
    ['what is ignored', {}, ['', 'role=boss', 'sort=age', 'q=bob', 'age_gte=20'], undefined],
  ])('learns %s', (_, server, queries, learned) => {
    const lists = recorded(server, ...queries)
    const found = selectionOf(lists, undefined)
    if (learned === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(learned)
    expect(explains(found, lists, undefined)).toBe(learned !== undefined)
  })

  it('says that totals count what is left out, too, where short lists say that there are more', () => {
    const of = (total: (count: number) => number): unknown =>
      selectionOf(
        recorded({ filter: ['role'] }, '', 'role=boss', 'role=user').map((list) => ({
          ...list,
          total: total(list.items.length),
        })),
        undefined,
      )
    expect(of(() => ITEMS.length)).toMatchObject({ total: 'all' })
    expect(of((count) => count)).not.toHaveProperty('total')
  })
})
