import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findOperations } from '../../../src/recording/inference/operations.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

const sample = (given: Partial<Sample>): Sample => ({
  ...{ index: 0, method: 'POST', origin: 'http://api.test', segments: [''], query: {}, headers: {} },
  ...{ status: 200, responseHeaders: {}, mimeType: 'application/json', ...given },
})
const namesOf = (samples: readonly Sample[]): readonly (string | undefined)[] =>
  findOperations(samples).map(({ name }) => name)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const soap = (name: string): Sample =>
  sample({
    body: `<s:Envelope><s:Body><m:${name}/></s:Body></s:Envelope>`,
    mimeType: 'text/xml',
    response: '<a/>',
  })

describe('the exchanges of one method and path', () => {
  it.each([
    ['X-Amz-Target', ['A.List', 'A.Get'].map((name) => sample({ headers: { 'x-amz-target': name } }))],
    ['SOAP', ['List', 'Get'].map(soap)],
    ['AWS query', ['List', 'Get'].map((Action) => sample({ headers: FORM, body: { Action, Version: '1' } }))],
    ['JSON-RPC', ['list', 'get'].map((method) => sample({ body: { jsonrpc: '2.0', method } }))],
    ['GraphQL', ['{ list }', '{ get }'].map((query) => sample({ body: { query } }))],
    [
      'persisted GraphQL',
      ['a1', 'b2'].map((sha256Hash) => sample({ body: { extensions: { persistedQuery: { sha256Hash } } } })),
    ],
    [
      'XML-RPC',
      ['list', 'get'].map((name) =>
        sample({ body: `<methodCall><methodName>${name}</methodName></methodCall>`, mimeType: 'text/xml' }),
      ),
    ],
  ])('are divided by %s', (_protocol, samples) => {
    expect(namesOf([...samples, ...samples])).toHaveLength(2)
  })

  it('are not divided by a protocol that only some of them speak, nor where all do the same', () => {
    expect(namesOf([sample({ headers: { 'x-amz-target': 'A.List' } }), sample({})])).toEqual([undefined])
    expect(namesOf([soap('List'), soap('List')])).toEqual([undefined])
  })

  it('are divided by each of several protocols that share a path, with one that are in none', () => {
    const query = (Action: string, status = 200): Sample =>
      sample({ headers: FORM, body: { Action, Version: '1' }, status })
    const target = (name: string): Sample => sample({ headers: { 'x-amz-target': name } })
    const found = findOperations([
      ...[query('List'), target('A.List'), query('Get'), target('A.Get'), sample({ status: 400 })],
      query('Get', 404),
    ])
    expect(found.map(({ name, samples, spoken }) => [name, samples.length, spoken.protocol?.name])).toEqual([
      ['List', 1, 'AWS query'],
      ['Get', 2, 'AWS query'],
      [undefined, 1, 'AWS query'],
      ['A.List', 1, 'AWS JSON'],
      ['A.Get', 1, 'AWS JSON'],
    ])
  })

  it('keep notifications apart from calls, and leave unknown methods to what answers the rest', () => {
    const call = (method: string, given: object): Sample =>
      sample({ body: { jsonrpc: '2.0', method, ...given }, response: { jsonrpc: '2.0', result: 1 } })
    const unknown = sample({
      body: { jsonrpc: '2.0', method: 'none', id: 3 },
      response: { jsonrpc: '2.0', id: 3, error: { code: -32601 } },
    })
    expect(
      findOperations([call('log', { id: 1 }), call('log', {}), call('sum', { id: 2 }), unknown]).map(
        ({ name, when }) => [name, when],
      ),
    ).toEqual([
      ['log', [{ pointer: '/method', equals: 'log' }, { pointer: '/id' }]],
      ['log.notification', { pointer: '/method', equals: 'log' }],
      ['sum', { pointer: '/method', equals: 'sum' }],
      [undefined, undefined],
    ])
  })

  const XML = { 'content-type': 'application/xml' }
  const twice = (samples: readonly Sample[]): readonly Sample[] => [...samples, ...samples]
  it.each<readonly [string, readonly Sample[], readonly object[]]>([
    [
      'a member deep in the body',
      ['open', 'close'].map((verb) =>
        sample({ body: { envelope: { head: { verb } } }, response: { [`${verb}ed`]: { [verb]: 1 } } }),
      ),
      [
        { pointer: '/envelope/head/verb', equals: 'open' },
        { pointer: '/envelope/head/verb', equals: 'close' },
      ],
    ],
    [
      'the only member',
      ['addUser', 'findUser'].map((name) =>
        sample({ body: { [name]: { id: 1 } }, response: { [name]: {} } }),
      ),
      [{ pointer: '/addUser' }, { pointer: '/findUser' }],
    ],
    [
      'the root of an XML document',
      ['add', 'find'].map((name) =>
        sample({
          headers: XML,
          body: `<${name}/>`,
          mimeType: 'text/xml',
          response: `<${name}ed><${name}/></${name}ed>`,
        }),
      ),
      [
        { element: '/*', equals: 'add' },
        { element: '/*', equals: 'find' },
      ],
    ],
    [
      'the media type that is accepted',
      [
        sample({ method: 'GET', headers: { accept: 'text/csv' }, mimeType: 'text/csv', response: 'a,b' }),
        sample({ method: 'GET', headers: { accept: 'application/json' }, response: [{ a: 1 }] }),
      ],
      [{ accept: 'text/csv' }, { accept: 'application/json' }],
    ],
    [
      'the media type of the body',
      [
        sample({ headers: { 'content-type': 'text/csv' }, body: 'a,b', response: { imported: 1 } }),
        sample({ headers: { 'content-type': 'application/json' }, body: {}, response: { id: 1, name: 'a' } }),
      ],
      [{ contentType: 'text/csv' }, { contentType: 'application/json' }],
    ],
    [
      'a header of any name',
      ['start', 'stop'].map((name) =>
        sample({ headers: { 'x-do': name }, response: { [name]: [{ [name]: 1 }] } }),
      ),
      [
        { header: 'x-do', equals: 'start' },
        { header: 'x-do', equals: 'stop' },
      ],
    ],
  ])('are divided by %s', (_place, samples, wanted) => {
    expect(findOperations(twice(samples)).map(({ when }) => when)).toEqual(wanted)
  })

  it('are divided by what is called as such places are, though most are answered alike', () => {
    const calls = { create: 7, get: 6, delete: 3, list: 1 }
    const answers: Record<string, unknown> = { delete: {}, list: { orders: [{ id: 1, name: 'a' }] } }
    const samples = Object.entries(calls).flatMap(([name, count]) =>
      Array.from({ length: count }, () =>
        sample({
          headers: { 'x-operation': `Orders.${name}` },
          response: answers[name] ?? { order: { id: 1, name: 'a' } },
        }),
      ),
    )
    expect(namesOf(samples)).toHaveLength(4)
  })

  it('are divided by flags of the query, one within the other', () => {
    const of = (query: Sample['query'], response: unknown): Sample =>
      sample({ method: 'GET', query, response })
    const list = of({}, { contents: [{ key: 'a' }], prefix: '' })
    const samples = [
      list,
      of({ acl: '' }, { grants: [] }),
      of({ prefix: 'a' }, { contents: [], prefix: 'a' }),
    ]
    expect(
      findOperations([...samples, of({ tagging: '' }, { tags: [{ name: 'a' }] })]).map(({ when }) => when),
    ).toEqual(expect.arrayContaining([undefined, { query: 'acl' }, { query: 'tagging' }]))
  })

  it.each<readonly [string, readonly Sample[]]>([
    [
      'filters, sorting, pages and search of a list',
      [
        {},
        { author: 'ann' },
        { _sort: 'title', _order: 'desc' },
        { _page: '2', _limit: '1' },
        { q: 'none' },
      ].map((query, at) =>
        sample({ method: 'GET', query, response: at === 4 ? [] : [{ id: at, title: 'a', author: 'ann' }] }),
      ),
    ],
    [
      'what else is to be in the answer',
      [{}, { expand: 'items' }].map((query) =>
        sample({
          method: 'GET',
          query,
          response: {
            id: 1,
            name: 'a',
            total: 2,
            ...('expand' in query && { items: [{ sku: 'x', price: 1 }] }),
          },
        }),
      ),
    ],
    [
      'which members are to be in the answer',
      ['name', 'total'].map((fields) =>
        sample({ method: 'GET', query: { fields }, response: { [fields]: 1 } }),
      ),
    ],
    [
      'what kind of thing is made',
      [
        { kind: 'circle', radius: 1, center: [0, 0] },
        { kind: 'text', words: 'a', font: 'b', size: 2 },
      ].map((body) => sample({ body, status: 201, response: { id: 1, ...body } })),
    ],
    [
      'the kinds of clients',
      ['en', 'de'].map((language, at) =>
        sample({
          method: 'GET',
          headers: { 'accept-language': language, 'user-agent': language },
          response: at === 0 ? { a: 1 } : [],
        }),
      ),
    ],
  ])('are left whole where requests differ by %s', (_difference, samples) => {
    expect(findOperations(twice(samples))).toHaveLength(1)
  })

  it('are divided where a parameter has lists answered in pages, also where one is empty', () => {
    const item = { id: 1, name: 'Tea' }
    const page = { first: 1, next: null, pages: 1, data: [item] }
    const get = (query: Sample['query'], response: unknown): Sample =>
      sample({ method: 'GET', query, response })
    const found = findOperations([
      get({}, [item, item]),
      get({ _page: '1' }, page),
      get({ id: '7' }, []),
      get({ _page: '2' }, { ...page, data: [] }),
    ])
    expect(found.map(({ when, samples }) => [when, samples.length])).toEqual([
      [undefined, 2],
      [{ query: '_page' }, 2],
    ])
  })

  it('of any procedure calls are divided exactly by what they call', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(
        names,
        fc.constantFrom('action', 'method', 'command', 'op'),
        fc.nat(3),
        (all, field, more) => {
          const calls = all.flatMap((name) =>
            Array.from({ length: 2 + more }, (_, index) =>
              sample({
                body: { [field]: name, id: index },
                response: { [`${name}Result`]: { [name]: index } },
              }),
            ),
          )
          expect(namesOf(calls)).toEqual(all)
        },
      ),
    )
  })

  it('of any resource are left whole, whatever its fields and filters are called', () => {
    const word = fc.constantFrom('admin', 'user', 'guest', 'asc', 'desc')
    const item = fc.record({ type: word, name: fc.string(), id: fc.nat(), method: word })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), fc.boolean(), (items, isRead) => {
        const exchanges = items.map((each) =>
          isRead
            ? sample({ method: 'GET', query: { type: each.type, kind: each.method }, response: [each] })
            : sample({ body: each, response: { ...each, created: 1 }, status: 201 }),
        )
        expect(namesOf(exchanges)).toEqual([undefined])
      }),
    )
  })
})
