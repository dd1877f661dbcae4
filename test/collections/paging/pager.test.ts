import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageToken, readPageToken } from '../../../src/collections/paging/page-token.ts'
import type { Page, Pager } from '../../../src/collections/paging/page.ts'
import { createPager } from '../../../src/collections/paging/pager.ts'
import type { Parameter } from '../../../src/engine/operation.ts'
import { SAID, type Schema } from '../../../src/engine/schema/schema.ts'
import type { HttpRequest } from '../../../src/message.ts'
import { header, json, query } from '../../openapi/serve/describing.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const all = Array.from({ length: 23 }, (_, index) => ({ id: index }))
const listed = {
  total: all.length,
  items: (offset: number, limit: number) => all.slice(offset, offset + limit),
}

function pagerOf(
  properties: Record<string, Schema> | undefined,
  parameters: Parameter[],
  headers: string[] = [],
): Pager {
  const list = { type: 'array', items: { type: 'object' } }
  const model =
    properties === undefined ? list : { type: 'object', properties: { data: list, ...properties } }
  const rule = json(
    200,
    model,
    {},
    headers.map((name) => header(name)),
  )
  const pager = createPager({ parameters }, rule, model, '/pets')
  if (pager === undefined) throw new Error('There is no pager')
  return pager
}

function ask(pager: Pager, input: Record<string, string | number | boolean>, envelope = {}): Page {
  const search = new URLSearchParams(
    Object.entries(input).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString()
  const call: HttpRequest = {
    method: 'GET',
    scheme: 'https',
    host: 'a:1',
    prefix: '/api',
    path: '/pets',
    search,
    headers: {},
  }
  return pager.page(call, input, listed, envelope)
}

type Linked = { links: { self: string } }
const askAll = (pager: Pager): Page => ask(pager, { page: 2 }, { links: { self: 'other' } })

const idsBy = (size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
    all.slice(page * size, (page + 1) * size).map(({ id }) => id),
  )

describe('createPager', () => {
  it('says what is true of a page where only an example has the fields for it', () => {
    const examples = [{ page_number: 2, total_results: 3, note: 'n' }]
    const pager = pagerOf({ meta: { type: 'object', [SAID]: { examples, defaults: [] } } }, [
      query('limit', integer),
    ])
    const { body } = ask(pager, { limit: 2 }, { meta: examples[0] })
    expect(body).toMatchObject({ meta: { page_number: 1, total_results: all.length, note: 'n' } })
    expect(examples[0]?.total_results).toBe(3)
  })

  it.for(['limit', 'page[size]'])('leads on by URLs where only the size is described, as %s', (size) => {
    const links = { type: 'object', properties: { next: { type: 'string', format: 'uri' } } }
    const pager = pagerOf({ links }, [query(size, integer)])
    const nextOf = ({ body }: Page): unknown => (body as { links?: { next?: string } }).links?.next
    const paged = (input: object): Page => ask(pager, { ...input }, { links: { next: 'x' } })
    const ids: number[][] = []
    for (let at: unknown = `https://a/?${size}=7`; typeof at === 'string';) {
      const page = paged(Object.fromEntries(new URL(at).searchParams))
      ids.push((page.body as { data: { id: number }[] }).data.map(({ id }) => id))
      at = nextOf(page)
    }
    expect(ids).toEqual(idsBy(7))
  })

  it('takes tokens beside numbers where answers give them out', () => {
    const parameters = [query('limit', integer), query('offset', integer), query('marker', text)]
    const pager = pagerOf({ next_marker: text, total: integer }, parameters)
    const first = ask(pager, { limit: 20 }).body as { next_marker: string }
    expect(ask(pager, { limit: 20, marker: first.next_marker }).body).toEqual({
      data: all.slice(20),
      total: all.length,
    })
    expect((ask(pager, { limit: 20, offset: 1 }).body as { data: unknown }).data).toEqual(all.slice(1, 21))
  })

  it('says where neighbours are within objects, which are not there for those that are not', () => {
    const href = { type: 'object', properties: { href: text } }
    const links = { type: 'object', properties: { next: href, prev: href, self: href } }
    const other = { href: 'x' }
    const envelope = { _links: { next: other, prev: other, self: other } }
    const hal = pagerOf({ _links: links }, [query('page', integer), query('limit', integer)])
    expect(ask(hal, { limit: 20 }, envelope).body).toMatchObject({
      _links: {
        next: { href: 'https://a:1/api/pets?limit=20&page=2' },
        self: { href: 'https://a:1/api/pets?limit=20' },
      },
    })
    expect(Object.keys((ask(hal, { limit: 20 }, envelope).body as typeof envelope)._links)).toEqual([
      'next',
      'self',
    ])

    const next = { type: ['object', 'null'], properties: { starting_after: text } }
    const pages = { type: 'object', properties: { next, total_pages: integer } }
    const given = { pages: { next: { starting_after: 'x' } } }
    const pager = pagerOf({ pages }, [query('starting_after', text), query('per_page', integer)])
    expect(ask(pager, { per_page: 20 }, given).body).toMatchObject({
      pages: { next: { starting_after: '19' } },
    })
    expect(ask(pager, { per_page: 20, starting_after: '19' }, given).body).toEqual({
      data: all.slice(20),
      pages: { next: null, total_pages: 2 },
    })
  })

  it('reads pages from members of an object', () => {
    const page = { type: 'object', properties: { size: integer, number: integer } }
    const pager = pagerOf({ total: integer }, [query('page', page)])
    const input = { page: { size: 4, number: 3 } }
    const call: HttpRequest = {
      ...{ method: 'GET', scheme: 'https', host: 'a', path: '/', headers: {} },
      search: 'page[size]=4&page[number]=3',
    }
    expect(pager.page(call, input, listed, {}).body).toEqual({ data: all.slice(8, 12), total: all.length })
    expect(pager.need(input, call)).toEqual({ kind: 'page', offset: 8, limit: 4 })
  })

  it('counts offsets from 1 where that is the least, and says so', () => {
    const start = { type: 'integer', minimum: 1, default: 1 }
    const pager = pagerOf({ startIndex: integer, itemsPerPage: integer, next: integer }, [
      query('startIndex', start),
      query('count', integer),
    ])
    const { body } = ask(pager, { startIndex: 4, count: 3 })
    expect(body).toEqual({ data: all.slice(3, 6), startIndex: 4, itemsPerPage: 3, next: 7 })
    expect(ask(pager, { count: 2 }).body).toMatchObject({ data: all.slice(0, 2), startIndex: 1 })
  })

  it('cuts any list into pages that are the list again', () => {
    const pager = pagerOf(undefined, [query('page', integer), query('limit', integer)])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (limit) => {
        const pages = Array.from(
          { length: 30 },
          (_, index) => ask(pager, { page: index + 1, limit }).body as object[],
        )
        expect(pages.flat()).toEqual(all)
        expect(pages.every((page) => page.length <= limit)).toBe(true)
      }),
    )
  })

  it('says whether a page is the first and the last', () => {
    const flag = { type: 'boolean' }
    const spring = pagerOf({ first: flag, last: flag }, [
      query('page', { ...integer, default: 0 }),
      query('size', integer),
    ])
    const pages = [0, 1, 2].map((page) => ask(spring, { page, size: 10 }, { first: false, last: false }).body)
    expect(pages).toMatchObject([
      { first: true, last: false },
      { first: false, last: false },
      { first: false, last: true },
    ])
    const iterated = pagerOf({ iterator: { type: ['string', 'null'] }, done: flag }, [
      query('iterator', text),
      query('limit', integer),
    ])
    const { body } = ask(iterated, { limit: 20 }, { iterator: '', done: true })
    const { iterator, done } = body as { iterator: string; done: boolean }
    expect(done).toBe(false)
    expect(ask(iterated, { limit: 20, iterator }, { done: false }).body).toMatchObject({
      data: all.slice(20),
      iterator: null,
      done: true,
    })
  })

  it('links to the neighbours at the address of the call', () => {
    const pager = pagerOf(
      undefined,
      [query('page', integer), query('limit', integer)],
      ['Link', 'X-Total-Count'],
    )
    const { headers } = ask(pager, { page: 2, limit: 10, q: 'a b' })
    expect(headers['x-total-count']).toBe('23')
    expect(headers['link']?.split(', ')).toEqual([
      '<https://a:1/api/pets?page=1&limit=10&q=a+b>; rel="prev"',
      '<https://a:1/api/pets?page=3&limit=10&q=a+b>; rel="next"',
      '<https://a:1/api/pets?page=3&limit=10&q=a+b>; rel="last"',
      '<https://a:1/api/pets?page=1&limit=10&q=a+b>; rel="first"',
    ])
    expect(ask(pager, { limit: 100 }).headers).toEqual({ 'x-total-count': '23' })
    const beyond = ask(pager, { page: 9, limit: 10 }).headers['link'] ?? ''
    expect(beyond).toContain('page=3&limit=10>; rel="prev"')
    expect(beyond).not.toContain('rel="next"')
  })

  it('ends at once where a page holds nothing', () => {
    const pager = pagerOf(
      { total: integer, next: text },
      [query('offset', integer), query('limit', integer)],
      ['Link'],
    )
    expect(ask(pager, { limit: 0 }, { total: 1, next: 'x' })).toMatchObject({
      body: { data: [], total: 23 },
      headers: {},
    })
  })

  it('writes the URL of the page, whole or as the model wants it', () => {
    const ask = (self: Schema): unknown =>
      (
        askAll(pagerOf({ links: { type: 'object', properties: { self } } }, [query('page', integer)]))
          .body as Linked
      ).links.self
    expect(ask(text)).toBe('https://a:1/api/pets?page=2')
    expect(ask({ ...text, pattern: '^/' })).toBe('/api/pets?page=2')
    expect(ask({ ...text, enum: ['other'] })).toBe('other')
  })

  it('names the ends of the list beside a neighbour alone where both may be left out', () => {
    const links = { type: 'object', properties: { next: text, prev: text, first: text, last: text } }
    const pager = pagerOf({ links }, [query('page', integer), query('limit', integer)])
    const linked = (page: number, limit: number) => {
      const envelope = { links: { next: 'x', prev: 'x', first: 'x', last: 'x' } }
      return Object.keys((ask(pager, { page, limit }, envelope).body as typeof envelope).links)
    }
    expect([linked(1, 10), linked(2, 20), linked(1, 30)]).toEqual([['next', 'last'], ['prev', 'first'], []])
  })

  it('writes what is true of the page where that is two objects deep', () => {
    const pagination = { type: 'object', properties: { page: integer, total: integer } }
    const meta = { type: 'object', properties: { pagination } }
    const pager = pagerOf({ meta }, [query('page', integer), query('limit', integer)])
    const envelope = { meta: { pagination: { page: 0, total: 0 } } }
    expect(ask(pager, { page: 2, limit: 20 }, envelope).body).toMatchObject({
      meta: { pagination: { page: 2, total: 23 } },
    })
  })

  it('knows an object beside the list as one about its page by what most of its fields are called', () => {
    const range = { type: 'object', properties: { offset: integer, limit: integer, total: integer } }
    const book = {
      type: 'object',
      properties: { pages: integer, size: integer, ...{ a: text, b: text, c: text } },
    }
    const pager = pagerOf({ range, book }, [query('offset', integer), query('limit', integer)])
    const envelope = { range: { offset: 7, limit: 7, total: 7 }, book: { pages: 320, size: 5 } }
    expect(ask(pager, { offset: 4, limit: 2 }, envelope).body).toMatchObject({
      range: { offset: 4, limit: 2, total: 23 },
      book: { pages: 320, size: 5 },
    })
  })

  it('writes what is true of the page, beside the list and one deeper', () => {
    const meta = {
      type: 'object',
      properties: {
        totalPages: integer,
        currentPage: integer,
        perPage: integer,
        nextPage: { type: ['integer', 'null'] },
      },
    }
    const properties = { meta, has_more: { type: 'boolean' }, other: integer, count: { type: 'string' } }
    const pager = pagerOf(properties, [query('page', integer), query('per_page', integer)])
    const envelope = {
      meta: { totalPages: 0, currentPage: 0, perPage: 0 },
      has_more: false,
      other: 5,
      count: 'x',
    }
    const page = (number: number) => ask(pager, { page: number, per_page: 10 }, envelope).body
    expect(page(1)).toEqual({
      data: all.slice(0, 10),
      meta: { totalPages: 3, currentPage: 1, perPage: 10, nextPage: 2 },
      has_more: true,
      other: 5,
      count: 'x',
    })
    expect(page(3)).toMatchObject({ meta: { nextPage: null }, has_more: false })
    expect(envelope.meta.totalPages).toBe(0)
  })

  it.for(['next_cursor', 'cursor'])('gives out tokens as %s that lead on, and none at the end', (name) => {
    const pager = pagerOf({ [name]: text }, [query('cursor', text)])
    const seen: unknown[] = []
    let cursor = ''
    do {
      const body = ask(pager, { cursor }, { [name]: 'x' }).body as { data: object[] }
      seen.push(...body.data)
      cursor = (body as { [name: string]: unknown })[name]?.toString() ?? ''
    } while (cursor !== '' && seen.length <= all.length)
    expect(seen).toEqual(all)
  })

  it('goes on after an example by the token that it gives', () => {
    const list = { type: 'array', items: { type: 'object' } }
    const model = { type: 'object', properties: { data: list, cursor: text } }
    const parameters = { parameters: [query('cursor', text)] }
    const example = { data: all.slice(0, 21), cursor: 'abc' }
    const pager = createPager(parameters, json(200, model), model, '/pets', { example })
    expect(pager && ask(pager, { cursor: 'abc' }).body).toEqual({ data: all.slice(21) })
  })

  it('leaves the token of a page as it is beside that of the next', () => {
    const pager = pagerOf({ cursor: text, next_cursor: text }, [query('cursor', text)])
    const { body } = ask(pager, {}, { cursor: 'x', next_cursor: 'y' })
    expect(body).toMatchObject({ cursor: 'x' })
  })

  it('begins after the item whose id a request names', () => {
    const pager = pagerOf({ has_more: { type: 'boolean' } }, [
      query('starting_after', text),
      query('limit', integer),
    ])
    expect(ask(pager, { starting_after: '4', limit: 2 }).body).toMatchObject({
      data: [{ id: 5 }, { id: 6 }],
      has_more: true,
    })
    expect(ask(pager, { starting_after: 'gone' }).body).toMatchObject({ data: [], has_more: false })
  })

  it('only bounds the list where nothing speaks of further pages', () => {
    const pager = pagerOf(undefined, [query('after', text), query('limit', integer)])
    expect(ask(pager, { after: 'x', limit: 3 }).body).toEqual(all.slice(0, 3))
    expect(pagerOf(undefined, [query('after', text)]).isPaged).toBe(false)
    expect(ask(pagerOf(undefined, []), {}).body).toEqual(all)
  })

  it('counts pages from 0 where the description does', () => {
    const pager = pagerOf(
      undefined,
      [query('page', { ...integer, default: 0 }), query('limit', integer)],
      ['link'],
    )
    const { body, headers } = ask(pager, { page: 0, limit: 20 })
    expect([body, headers['link']]).toEqual([
      all.slice(0, 20),
      expect.stringContaining('page=1&limit=20>; rel="next"'),
    ])
  })

  it('keeps what is one list apart from which page of it', () => {
    const pager = pagerOf(undefined, [query('page', integer), query('limit', integer)])
    expect(pager.withoutPage({ page: 2, limit: 3, q: 'x' })).toEqual({ q: 'x' })
  })
})

describe('a page token', () => {
  it('is read back', () => {
    const offsets = [0, 7, 1e6].map((offset) => ({ offset }))
    expect(offsets.map((start) => readPageToken(pageToken(start)))).toEqual(offsets)
  })

  it.for([
    [{ text: 'p.{page}', encoding: 'base64' }, 'cC4z', { page: 3 }],
    [{ text: '{"last":"{id}"}', encoding: 'base64url' }, 'eyJsYXN0IjoiYTEifQ', { id: 'a1' }],
    [{ text: '{offset}' }, '20', { offset: 20 }],
  ] as const)('is written and read as %j say', ([form, token, start]) => {
    expect([pageToken(start, form), readPageToken(token, form)]).toEqual([token, start])
    expect(() => readPageToken('?', form)).toThrow('Invalid page token')
  })

  it('may be one of which nothing is known but where its page begins', () => {
    expect(readPageToken('x9', { known: { x9: 40 } })).toEqual({ offset: 40 })
  })

  it('is that of the first page where there is none', () => {
    for (const token of [undefined, null, '']) expect(readPageToken(token)).toEqual({ offset: 0 })
  })

  it.for(['x', '===', pageToken({ offset: -1 }), ['a'], 7])('is refused when it is %j', (token) => {
    expect(() => readPageToken(token)).toThrow('Invalid page token')
  })
})

it('says the total where a parameter asks for it, and always where none can', () => {
  const pager = pagerOf({ '@odata.count': integer }, [
    query('$top', integer),
    query('$count', { type: 'boolean' }),
  ])
  expect(ask(pager, { $top: 1, $count: true }, { '@odata.count': 1 }).body).toEqual({
    ...{ data: [{ id: 0 }], '@odata.count': 23 },
  })
  expect(ask(pager, { $top: 1 }, { '@odata.count': 1 }).body).toEqual({ data: [{ id: 0 }] })
  const other = pagerOf({ '@odata.count': integer }, [query('$top', integer)])
  expect(ask(other, { $top: 1 }).body).toEqual({ data: [{ id: 0 }], '@odata.count': 23 })
})

describe('an operation with several ways to ask for pages', () => {
  const pager = pagerOf({ next: text }, [
    query('page', integer),
    query('page_size', integer),
    query('offset', integer),
    query('limit', integer),
  ])

  it.for([
    [{}, 0, 10],
    [{ page: 2, page_size: 3 }, 3, 3],
    [{ offset: 4, limit: 3 }, 4, 3],
    [{ limit: 3 }, 0, 3],
    [{ offset: 4, page_size: 3 }, 4, 3],
    [{ offset: 4 }, 4, 10],
  ] as const)('answers %o by the parameters that it has', ([input, from, count]) => {
    const body = ask(pager, input, { next: '' }).body as { data: { id: number }[]; next: string }
    expect(body.data.map(({ id }) => id)).toEqual(all.slice(from, from + count).map(({ id }) => id))
    const next = Object.fromEntries(
      [...new URL(body.next).searchParams].map(([name, value]) => [name, Number(value)]),
    )
    const after = ask(pager, next, { next: '' }).body as { data: { id: number }[] }
    expect(after.data[0]).toEqual({ id: from + count })
  })

  it('has none of them choose from the list', () => {
    expect(pager.withoutPage({ page: 1, page_size: 2, offset: 3, limit: 4, name: 'a' })).toEqual({
      name: 'a',
    })
  })
})
