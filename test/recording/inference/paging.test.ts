import { describe, expect, it } from 'vitest'
import { foldedOf, sample } from './samples.ts'
import { pagingOf } from '../../../src/recording/inference/infer-route.ts'
import type { PageField } from '../../../src/collections/paging/page-fields.ts'
import { pagedInput, pagedModel } from '../../../src/recording/inference/paged-model.ts'
import type { Paging } from '../../../src/recording/inference/paging.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

type Nested = { properties: { links: { properties: { self: Schema } } } }
const SELF = (pages: readonly Sample[]): Schema => ({
  type: 'string',
  examples: pages.map(({ response }) => (response as { links: { self: string } }).links.self),
})

const base64 = (text: string): string => Buffer.from(text).toString('base64url')

describe('paging', () => {
  const ALL = Array.from({ length: 7 }, (_, index) => ({ id: index + 1 }))

  const pagingIn = (samples: readonly Sample[]): Paging | undefined => pagingOf(foldedOf(samples))

  function recorded(
    queries: readonly string[],
    answer: (query: URLSearchParams) => unknown,
    headers: (query: URLSearchParams) => Record<string, string> = () => ({}),
  ): readonly Sample[] {
    return queries.map((query, index) => ({
      ...sample(index, `GET /things${query}`, { response: answer(new URLSearchParams(query)) }),
      responseHeaders: headers(new URLSearchParams(query)),
    }))
  }
  const slice = (start: number, length: number): readonly object[] => ALL.slice(start, start + length)

  it('takes a list of whatever length for all there is, where it says so', () => {
    const paging = pagingIn(
      recorded(['', '?limit=2', '?limit=2&offset=2'], (query) => {
        const [start, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 5)]
        return { data: slice(start, limit), hasMore: start + limit < 5 }
      }),
    )
    expect(paging?.isWhole).toBe(true)
  })

  it('finds pages by number, from 1 or from 0', () => {
    const paging = pagingIn(
      recorded(['?page=1', '?page=2', '?page=3'], (query) => ({
        data: slice((Number(query.get('page')) - 1) * 3, 3),
        total: 7,
      })),
    )
    expect(paging).toMatchObject({
      field: 'data',
      parameters: { style: 'page', at: 'page', firstPage: 1, usualSize: 3 },
    })
    expect(paging?.lists.get('/things')?.items.size).toBe(7)
    const fromZero = pagingIn(
      recorded(['?page=0', '?page=1'], (query) => ({
        data: slice(Number(query.get('page')) * 3, 3),
        total: 7,
      })),
    )
    expect(fromZero?.parameters.firstPage).toBe(0)
    expect(fromZero?.lists.get('/things')).toMatchObject({ broken: 0, total: 7 })
  })

  it.each([
    ['of the server', 'http://api.example.com', true],
    ['that is relative to it', '', true],
    ['of something else', 'http://api.example.com/all', false],
  ])('takes what is called self for the URL of the page, if it is one %s', (_, before, isOwn) => {
    const queries = ['', '?name=a&limit=2', '?limit=3']
    const pages = recorded(queries, (query) => ({
      data: slice(0, Number(query.get('limit') ?? 7)),
      links: { self: `${before}/things${query.size > 0 ? `?${String(query)}` : ''}`, next: null },
    }))
    const paging = pagingOf(foldedOf(pages), undefined, true)
    const given = {
      type: 'object',
      properties: { links: { type: 'object', properties: { self: SELF(pages) } } },
    }
    const model = paging && pagedModel(given, paging)
    const { self } = (model as Nested).properties.links.properties
    const fits = createChecker(self)
    expect(fits.fits('http://127.0.0.1/things?name=b', self)).toBe(isOwn && before !== '')
    expect(fits.fits('/things?name=b', self)).toBe(isOwn)
  })

  it('finds offsets that count from 1, and pages where a list is shorter than the size it says', () => {
    const paging = pagingIn(
      recorded(['', '?startIndex=1&count=3', '?startIndex=4&count=3'], (query) => {
        const [startIndex, itemsPerPage] = [
          Number(query.get('startIndex') ?? 1),
          Number(query.get('count') ?? 20),
        ]
        const Resources = slice(startIndex - 1, itemsPerPage)
        return { schemas: ['urn:list'], Resources, startIndex, itemsPerPage, totalResults: 7 }
      }),
    )
    expect(paging).toMatchObject({
      ...{ field: 'Resources', isWhole: false },
      parameters: { style: 'offset', firstOffset: 1, usualSize: 20 },
    })
    expect(paging?.lists.get('/things')).toMatchObject({ broken: 0, total: 7 })
    const input = paging && pagedInput({ type: 'object', properties: { startIndex: {} } }, paging)
    expect(input).toMatchObject({ properties: { startIndex: { minimum: 1, default: 1 } } })
  })

  it.each([
    ['first prev next last', '{links first prev next last}'],
    ['next last', '{links next last?}'],
  ])(
    'finds whole lists where no page is requested for, and links to pages as they are given',
    (all, links) => {
      const linked = (query: URLSearchParams): Record<string, string> => {
        const page = Number(query.get('page'))
        const names = all.split(' ').filter((name) => name !== 'prev' || page > 1)
        const given = names.filter(
          (name) => page < 3 || (name !== 'next' && (all.includes('first') || name !== 'last')),
        )
        return page === 0 ? {} : { link: given.map((name) => `</t?page=1>; rel="${name}"`).join(', ') }
      }
      const paging = pagingIn(
        recorded(
          ['', '?page=1', '?page=2', '?page=3'],
          (query) => (query.has('page') ? slice((Number(query.get('page')) - 1) * 3, 3) : ALL),
          linked,
        ),
      )
      expect(paging).toMatchObject({ isWhole: true, parameters: { usualSize: 3 }, headers: { link: links } })
    },
  )

  it('finds pages by offset, of a bare list whose headers describe them', () => {
    const paging = pagingIn(
      recorded(
        ['?_start=0&_limit=2', '?_start=2&_limit=2', '?_start=4&_limit=3'],
        (query) => slice(Number(query.get('_start')), Number(query.get('_limit'))),
        () => ({ 'x-total-count': '7', 'x-request-id': 'r' }),
      ),
    )
    expect(paging).toMatchObject({
      field: undefined,
      headers: { 'x-total-count': '{total}' },
      parameters: { style: 'offset', at: '_start', size: '_limit' },
    })
    expect(paging?.lists.get('/things')?.total).toBe(7)
  })

  it('follows tokens, given as such or within a URL', () => {
    for (const form of [(token: string) => token, (token: string) => `http://x/things?cursor=${token}`]) {
      const places: Record<string, number> = { '': 0, t3: 3, t6: 6 }
      const paging = pagingIn(
        recorded(['', '?cursor=t3', '?cursor=t6'], (query) => {
          const start = places[query.get('cursor') ?? ''] ?? 0
          return { items: slice(start, 3), next: start + 3 < 7 ? form(`t${start + 3}`) : null }
        }),
      )
      expect(paging).toMatchObject({ parameters: { style: 'cursor', at: 'cursor' } })
      expect([...(paging?.lists.get('/things')?.items.keys() ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6])
      expect(paging?.lists.get('/things')?.total).toBe(7)
    }
  })

  it('follows the last item seen', () => {
    const paging = pagingIn(
      recorded(['?limit=2', '?limit=2&starting_after=2', '?limit=2&starting_after=4'], (query) => ({
        data: slice(Number(query.get('starting_after') ?? 0), 2),
        has_more: true,
      })),
    )
    expect(paging).toMatchObject({ parameters: { style: 'after', at: 'starting_after', size: 'limit' } })
  })

  it('has an empty text for a token in each answer where each had one', () => {
    const tokens: Record<string, number> = { '': 0, b: 3, c: 6 }
    const paging = pagingIn(
      recorded(['', '?pageToken=b', '?pageToken=c', ''], (query) => {
        const start = tokens[query.get('pageToken') ?? ''] ?? 0
        return { metadata: { nextPageToken: ['b', 'c', ''][start / 3] }, items: slice(start, 3) }
      }),
    )
    expect([...(paging?.ends ?? [])].map(({ path }) => path)).toEqual([['metadata', 'nextPageToken']])
  })

  it('distinguishes lists that other parameters ask for', () => {
    const paging = pagingIn(
      recorded(['?page=1', '?page=2', '?page=1&q=x'], (query) => ({
        data: query.has('q') ? [{ id: 5 }] : slice((Number(query.get('page')) - 1) * 3, 3),
        total: 7,
      })),
    )
    expect(paging).toMatchObject({ varies: true })
    expect(paging?.lists.get('/things')?.items.size).toBe(6)
  })

  it('is none where the pages are not parts of one list', () => {
    const chance = recorded(['?page=1', '?page=2', '?page=3'], () => ({ data: slice(0, 3), total: 7 }))
    expect(pagingIn(chance)).toBeUndefined()
    const one = recorded(['?page=1', '?page=1'], () => ({ data: slice(0, 3), total: 7 }))
    expect(pagingIn(one)).toBeUndefined()
  })

  it.for([
    ['o3', 'o6', { text: 'o{offset}' }],
    [base64('{"from":3}'), base64('{"from":6}'), { text: '{"from":{offset}}', encoding: 'base64url' }],
    ['p2', 'p3', { text: 'p{page}' }],
    ['after/3', 'after/6', { text: 'after/{offset}' }],
    ['zx81', 'q3l0', { known: { zx81: 3, q3l0: 6 } }],
  ] as const)('learns how tokens such as %s and %s are written', ([first, second, form]) => {
    const tokens = [undefined, first, second]
    const paging = pagingIn(
      recorded(
        tokens.map((token) => (token === undefined ? '' : `?cursor=${encodeURIComponent(token)}`)),
        (query) => {
          const page = Math.max(0, tokens.indexOf(query.get('cursor') ?? undefined))
          return { data: slice(page * 3, 3), next: tokens[page + 1] ?? '' }
        },
      ),
    )
    expect(paging?.tokens).toEqual(form)
    expect([...(paging?.empty ?? [])]).toMatchObject([{ fact: 'next' }])
  })

  it('links to pages as those do that no page was requested for, where they are not the whole list', () => {
    const paging = pagingIn(
      recorded(
        ['', '?page=3'],
        (query) => slice((Number(query.get('page') ?? 1) - 1) * 3, 3),
        (query) => ({ link: query.has('page') ? '</t>; rel="last"' : '</t>; rel="next", </t>; rel="last"' }),
      ),
    )
    expect(paging).toMatchObject({ isWhole: false, headers: { link: '{links next last}' } })
  })

  it('walks pages that name the item before them by whatever its id is called', () => {
    const all = ALL.map(({ id }) => ({ sid: `s${id}` }))
    const samples = ['', '?starting_after=s3', '?starting_after=s6'].map((query, index) => {
      const data = all.slice(index * 3, index * 3 + 3)
      return sample(index, `GET /things${query}`, { response: { data, has_more: index < 2 } })
    })
    expect(pagingOf(foldedOf(samples), ['sid'])?.lists.get('/things')?.items.size).toBe(7)
    expect(pagingOf(foldedOf(samples))).toBeUndefined()
  })

  it('is none of an answer without a list, or without a parameter for pages', () => {
    expect(pagingIn(recorded(['?page=1', '?page=2'], () => ({ a: 1 })))).toBeUndefined()
    expect(pagingIn(recorded(['?q=1', '?q=2'], () => ({ data: ALL })))).toBeUndefined()
    const token = recorded(['?token=a', '?token=b'], (query) => ({
      data: slice(query.get('token') === 'a' ? 0 : 3, 3),
    }))
    expect(pagingIn(token)).toBeUndefined()
  })
})

describe('paged model', () => {
  const PAGING: Paging = {
    parameters: { style: 'page', at: 'page', size: 'size', usualSize: 20, firstPage: 1, firstOffset: 0 },
    field: 'data',
    totalBy: undefined,
    fields: [
      { path: ['meta', 'total'], schema: {}, required: true, fact: 'total' },
      { path: ['next'], schema: {}, required: true, fact: 'next' },
    ],
    headers: {},
    lists: new Map(),
    varies: false,
    isWhole: false,
    exchanges: 3,
    tokens: undefined,
    empty: new Set(),
    ends: new Set(),
    others: new Map(),
  }
  const MODEL = {
    type: 'object',
    properties: {
      data: { type: 'array', minItems: 1, items: {} },
      meta: { type: 'object', properties: { total: { type: 'integer', minimum: 5, maximum: 50 } } },
      next: { type: 'string', enum: ['a', 'b'] },
    },
  }

  it('does not bound what speaks of pages', () => {
    expect(pagedModel(MODEL, PAGING)['properties']).toEqual({
      data: { type: 'array', items: {} },
      meta: { type: 'object', properties: { total: { type: 'integer', minimum: 0 } } },
      next: { type: ['string', 'null'] },
    })
  })

  it('has a neighbour that is left out or empty where there is none as it was', () => {
    const [total, next] = PAGING.fields as [PageField, PageField]
    const nextOf = (paging: Partial<Paging>): unknown =>
      pagedModel(MODEL, { ...PAGING, ...paging })['properties']
    expect(nextOf({ empty: new Set([next]) })).toHaveProperty('next', { type: 'string' })
    expect(nextOf({ fields: [total, { ...next, required: false }] })).toHaveProperty('next', {
      type: 'string',
    })
  })

  it('has an end that every answer names, whether or not there are neighbours', () => {
    const links = { type: 'object', properties: { first: { type: 'string' } } }
    const model = { ...MODEL, properties: { ...MODEL.properties, links } }
    const first: PageField = { path: ['links', 'first'], schema: {}, required: false, fact: 'first' }
    const paged = (ends: readonly PageField[]) =>
      pagedModel(model, { ...PAGING, fields: [first], ends: new Set(ends) })
    expect(paged([first])).toHaveProperty('properties.links.required', ['first'])
    expect(paged([])).not.toHaveProperty('properties.links.required')
  })

  it('says how long pages are that requests cannot say it of', () => {
    const paging = { ...PAGING, parameters: { ...PAGING.parameters, size: undefined } }
    expect(pagedModel(MODEL, paging)).toHaveProperty('properties.data.maxItems', 20)
  })

  it('gives requests what they do not say', () => {
    const input = {
      type: 'object',
      properties: { page: { type: 'integer' }, size: { type: 'integer' }, q: { type: 'string' } },
      required: ['page', 'q'],
    }
    expect(pagedInput(input, PAGING)).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer', minimum: 1, default: 1 },
        size: { type: 'integer', minimum: 0, default: 20 },
        q: { type: 'string' },
      },
      required: ['q'],
    })
    const cursor = { ...PAGING, parameters: { ...PAGING.parameters, style: 'cursor' as const } }
    expect(pagedInput(input, cursor)).toHaveProperty('properties.page', { type: 'string' })
    expect(pagedInput(undefined, PAGING)).toHaveProperty('properties.page.default', 1)
  })
})
