import { expect, it } from 'vitest'
import { compareItems, createListQuery, holdsText, passes } from '../../src/collections/list-query.ts'
import type { Selection } from '../../src/engine/route-options.ts'
import { parseQuery } from '../../src/engine/query.ts'

const ITEMS = [
  { id: 1, name: 'Ann', age: 30, tags: ['a', 'b'], place: { city: 'Rome' }, team: { id: 7 } },
  {
    id: 2,
    name: 'bob',
    age: 9,
    tags: ['b'],
    place: { city: 'Oslo' },
    likes: { data: [{ id: 'x' }, { id: 'y' }] },
  },
  { id: 3, name: 'Cyd', age: 100, tags: [], place: { city: 'Rome' }, note: 'x_gte' },
]
const FIELDS = ['id', 'name', 'age', 'tags', 'place.city', 'note', 'team', 'likes']

function idsOf(selection: Selection, search: string): readonly number[] {
  const said = createListQuery(selection)(parseQuery(search), (name) => FIELDS.includes(name))
  const kept = ITEMS.filter(
    (item) =>
      said.terms.every((term) => passes(item, term)) &&
      said.where?.(item) !== false &&
      (said.search === undefined || holdsText(item, said.search)),
  )
  const sorted = kept.toSorted((a, b) => compareItems(a, b, said.order))
  return (said.part === undefined ? sorted : sorted.slice(...said.part)).map(({ id }) => id)
}

it.each<[string, Selection, string, number[]]>([
  ['a named field', { filter: ['name'] }, 'name=bob&age=1', [2]],
  ['any field', { filter: 'any' }, 'age=30&colour=red', [1]],
  ['a field within a field', { filter: 'any' }, 'place.city=Rome', [1, 3]],
  ['one of several values', { filter: 'any' }, 'name=bob&name=Cyd', [2, 3]],
  ['an entry of a list', { filter: 'any' }, 'tags=b', [1, 2]],
  ['the id of a thing', { filter: 'any' }, 'team=7', [1]],
  ['the id of one of several things in JSON:API', { filter: 'any' }, 'likes=y', [2]],
  [
    'signs before values, and a value alone',
    { compare: { 'f[{field}]=>={value}': 'gte', 'f[{field}]=>{value}': 'gt', 'f[{field}]': 'eq' } },
    'f[age]=>9&f[id]=1',
    [1],
  ],
  [
    'fields and signs within values, each by itself',
    { compare: { 'f={field}||$gte||{value}': 'gte', 'f={field}||$eq||{value}': 'eq' } },
    'f=age||$gte||10&f=name||$eq||Ann&f=age||$foo||1',
    [1],
  ],
  ['what is between two values', { compare: { '{field}_between': 'between' } }, 'age_between=9,30', [1, 2]],
  ['no value', { filter: 'any' }, 'name=', [1, 2, 3]],
  ['numbers as numbers', { compare: { '{field}_gte': 'gte' } }, 'age_gte=30', [1, 3]],
  ['two bounds', { compare: { '{field}[$gt]': 'gt', '{field}[$lt]': 'lt' } }, 'age[$gt]=9&age[$lt]=99', [1]],
  ['an expression', { where: '$filter' }, "$filter=age gt 9 and place/city eq 'Rome'", [1, 3]],
  ['what one of a list of objects has', { where: 'filter' }, 'filter=likes.data.id eq "y"', [2]],
  ['no number', { compare: { '{field}__lt': 'lt' } }, 'age__lt=x', []],
  ['another value', { compare: { '{field}_ne': 'ne' } }, 'name_ne=bob', [1, 3]],
  ['a list', { compare: { '{field}': 'in' } }, 'id=1,3', [1, 3]],
  ['numbered entries', { compare: { '{field}[$in]': 'in' } }, 'id[$in][0]=1&id[$in][1]=2', [1, 2]],
  ['none of a list', { compare: { '{field}=not.in.{value}': 'nin' } }, 'id=not.in.(1,3)', [2]],
  ['a part of a text', { compare: { '{field}_like': 'like' } }, 'name_like=B', [2]],
  ['wildcards', { compare: { '{field}=like.{value}': 'like' } }, 'name=like.*d', [3]],
  ['anchors', { compare: { '{field}_like': 'like' } }, 'name_like=^b', [2]],
  ['a name in capitals', { compare: { 'min{Field}': 'gte' } }, 'minAge=30', [1, 3]],
  ['a prefix', { compare: { 'filter[{field}]': 'eq' } }, 'filter[name]=Ann', [1]],
  [
    'a field that a template is also in',
    { filter: 'any', compare: { '{field}_gte': 'gte' } },
    'note=x_gte',
    [3],
  ],
  ['a text anywhere', { search: 'q' }, 'q=ROM', [1, 3]],
  ['an order', { sort: 'sort' }, 'sort=age', [2, 1, 3]],
  ['an order turned round', { sort: 'sort' }, 'sort=-age', [3, 1, 2]],
  ['an order in words', { sort: 'sort' }, 'sort=age:desc', [3, 1, 2]],
  ['an order after a comma', { sort: 'sort' }, 'sort=age,desc', [3, 1, 2]],
  ['an order as JSON', { sort: 'sort' }, 'sort=["age","DESC"]', [3, 1, 2]],
  ['an order by itself', { sort: 'by', order: 'dir' }, 'by=place.city,age&dir=desc,asc', [1, 3, 2]],
  ['an order by field', { sort: '$sort[{field}]' }, '$sort[age]=-1', [3, 1, 2]],
  ['a part', { start: 'from', end: 'to' }, 'from=1&to=2', [2]],
  ['a number of items', { start: 'from', limit: 'n' }, 'from=1&n=5', [2, 3]],
])('chooses by %s', (_, selection, search, ids) => {
  expect(idsOf(selection, search)).toEqual(ids)
})

it('refuses a filter expression that cannot be read', () => {
  const read = createListQuery({ where: '$filter' })
  expect(() => read({ $filter: 'age gt' }, () => true)).toThrow(
    expect.objectContaining({ code: 'SIM_INPUT_INVALID', statusCode: 422 }),
  )
})

it('reads an order of a hundred thousand separators at once', () => {
  const begin = performance.now()
  expect(idsOf({ sort: 'sort' }, `sort=age${':'.repeat(100_000)}x`)).toEqual([1, 2, 3])
  expect(performance.now() - begin).toBeLessThan(1000)
})
