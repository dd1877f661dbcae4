import { describe, expect, it } from 'vitest'
import { createListQuery } from '../../src/collections/list-query.ts'
import { readJsonFilter, withJsonParts } from '../../src/collections/json-filter.ts'

const ITEM: Readonly<Record<string, unknown>> = {
  title: 'Green tea',
  stars: 3,
  'by.name': 'ann',
  tags: ['a', 'b'],
  lines: [
    { by: { id: 1 }, n: 9 },
    { by: { id: 2 }, n: 4 },
  ],
}

describe('a filter as JSON', () => {
  it.for([
    ['{"title":"Green tea","stars":3}', true],
    ['{"title":"Tea"}', false],
    ['{"stars":{"gt":2,"lte":3}}', true],
    ['{"stars":{"$gte":4}}', false],
    ['{"stars":{"_in":[1,3]}}', true],
    ['{"stars":{">":2,"<=":3}}', true],
    ['{"stars":{"!=":3}}', false],
    ['{"stars":{"nin":[1,3]}}', false],
    ['{"title":{"like":"%tea%"}}', true],
    ['{"or":[{"stars":9},{"tags":"b"}]}', true],
    ['{"$nor":[{"stars":9},{"tags":"b"}]}', false],
    ['{"not":{"stars":9}}', true],
    ['{"by":{"name":"ann"}}', true],
    ['{"stars":[2,3]}', true],
    ['{"price":{"exists":false}}', true],
    ['{"stars":{"between":[1,2]}}', false],
    ['{"title":{"regexp":"^Gr.*a$"}}', true],
    ['{"title":{"regexp":"/^green/"}}', false],
    ['{"title":{"$regex":"t.a"},"stars":3}', true],
    ['{"stars":{"regex":"3"}}', false],
    [String.raw`{"title":{"$regex":"^\\QGreen t\\E.a$"}}`, true],
    [String.raw`{"title":{"$regex":"\\QG.een\\E"}}`, false],
    ['{"tags":{"$elemMatch":{"$eq":"b"}}}', true],
    ['{"tags":{"$allMatch":{"$gt":"a"}}}', false],
    ['{"lines":{"$elemMatch":{"by.id":2,"n":{"$lt":5}}}}', true],
    ['{"lines":{"$elemMatch":{"by.id":1,"n":{"$lt":5}}}}', false],
    ['{"stars":{"$elemMatch":{"$eq":3}}}', false],
    ['{"tags":{"$all":["b","a"],"$size":2}}', true],
    ['{"tags":{"$all":["b","c"]}}', false],
    ['{"size":3}', false],
    ['{"title":{"$containsi":"TEA"},"none":{"$null":"true"}}', true],
    ['{"stars":{"$null":"true"}}', false],
    ['{"stars":{"$notNull":"true"},"title":{"$notContains":"Tea"}}', true],
    ['{"stars":{"greater_than_equal":"3","not_in":[1,2]}}', true],
  ] as const)('%s holds: %s', ([text, holds]) => {
    expect(readJsonFilter(text)?.passes((field) => ITEM[field])).toBe(holds)
  })

  it.for([
    ...['stars gt 2', '{"stars":', '[1]', '{"or":[1]}', '{"title":{"regexp":"("}}'],
    ...['{"title":{"regexp":"(?=a)"}}', '{"title":{"regexp":"a{1,999}{1,999}"}}'],
  ])('is not %s', (text) => {
    expect(readJsonFilter(text)).toBeUndefined()
  })

  it('may be written in brackets, and says nothing of what is not a field', () => {
    const read = createListQuery({ where: 'where', compare: { 'where[{field}][eq]': 'eq' } })
    const whereOf = (query: Readonly<Record<string, string>>) =>
      read(query, (name) => Object.hasOwn(ITEM, name))
    const nested = { 'where[or][0][stars][gt]': '5', 'where[or][1][tags][in][0]': 'b' }
    expect(whereOf(nested).where?.(ITEM)).toBe(true)
    expect(whereOf({ ...nested, 'where[or][1][tags][in][0]': 'c' }).where?.(ITEM)).toBe(false)
    expect(whereOf({ 'where[by][town][eq]': 'Rome' }).where).toBeUndefined()
    expect(whereOf({ 'where[stars][eq]': '4' })).toMatchObject({
      terms: [{ field: 'stars' }],
      where: undefined,
    })
  })

  it('may stand beside order and page in one parameter', () => {
    const filter = JSON.stringify({
      where: { stars: 3 },
      order: ['title DESC'],
      limit: 2,
      skip: 4,
      fields: { title: true },
    })
    expect(withJsonParts({ filter, other: '{"stars":1}' })).toEqual({
      ...{ 'filter.where': '{"stars":3}', 'filter.order': 'title DESC', 'filter.limit': '2' },
      ...{ 'filter.skip': '4', 'filter.fields': 'title', other: '{"stars":1}' },
    })
    const selection = {
      where: 'filter.where',
      sort: 'filter.order',
      start: 'filter.skip',
      limit: 'filter.limit',
    }
    const read = createListQuery(selection)({ filter }, () => true)
    expect(read).toMatchObject({ order: [{ field: 'title', isDescending: true }], part: [4, 6] })
    expect([read.where?.({ stars: 3 }), read.where?.({ stars: 4 })]).toEqual([true, false])
  })

  it.for([
    ['{"where":{"stars":1}}', { 'filter.where': '{"stars":1}' }],
    ['{"where":{"done":true}}', { 'filter.where': '{"done":true}' }],
    ['{"fields":{"id":1,"title":true}}', { 'filter.fields': 'id,title' }],
  ] as const)('names fields to show and no values to compare with: %s', ([filter, parts]) => {
    expect(withJsonParts({ filter })).toEqual(parts)
  })

  it('may be written with brackets', () => {
    const query = {
      'filter[where][title][like]': 'tea',
      'filter[where][and][0][done]': 'true',
      'filter[limit]': '2',
      'filter[order][0]': 'title ASC',
      'filter[fields][id]': 'true',
      ...{ 'filter[status]': 'draft', 'filter[order]': '7', 'page[limit]': '5' },
    }
    expect(withJsonParts(query)).toEqual({
      'filter.where': '{"title":{"like":"tea"},"and":[{"done":"true"}]}',
      ...{ 'filter.limit': '2', 'filter.order': 'title ASC', 'filter.fields': 'id' },
      ...{ 'filter[status]': 'draft', 'filter[order]': '7', 'page[limit]': '5' },
    })
  })
})
