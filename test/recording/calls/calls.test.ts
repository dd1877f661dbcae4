import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/index.ts'
import type { CallModel } from '../../../src/engine/call-model.ts'
import { createGateway } from '../../../src/gateway.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { graphql } from '../../../src/recording/protocols/graphql.ts'
import { jsonRpc } from '../../../src/recording/protocols/json-rpc.ts'
import { soap } from '../../../src/recording/protocols/soap.ts'
import { samplesOf } from '../inference/samples.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Sends requests to a gateway that answers as a model says. */
function clientOf(calls: CallModel | undefined): (body: unknown) => Promise<unknown> {
  if (calls === undefined) throw new Error('Nothing was inferred')
  const api = new SimAPI({ seed: 1 })
  api.route('POST', '/', { calls, nearest: 'failures' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  return async (body) => (await app.inject({ method: 'POST', url: '/', payload: body as object })).json()
}

describe('GraphQL', () => {
  const answered = (query: string, variables: object, data: unknown): readonly [string, object] => [
    'POST /',
    { body: { query, variables }, response: { data } },
  ]
  const BOOK = 'query($id: ID!) { book(id: $id) { id title author { id name } } }'
  const recorded = samplesOf(
    answered(
      '{ books { id title year authorId } }',
      {},
      {
        books: [
          { id: '1', title: 'Dune', year: 1965, authorId: 'a1' },
          { id: '2', title: 'Emma', year: 1815, authorId: 'a2' },
          { id: '3', title: 'Persuasion', year: 1817, authorId: 'a2' },
        ],
      },
    ),
    answered(BOOK, { id: 1 }, { book: { id: '1', title: 'Dune', author: { id: 'a1', name: 'Herbert' } } }),
    answered(BOOK, { id: 2 }, { book: { id: '2', title: 'Emma', author: { id: 'a2', name: 'Austen' } } }),
    answered(BOOK, { id: 9 }, { book: null }),
    answered(
      'query($n: Int) { books(first: $n) { id title } }',
      { n: 1 },
      { books: [{ id: '1', title: 'Dune' }] },
    ),
    answered(
      '{ books(authorId: "a2") { id title } bookCount }',
      {},
      {
        books: [
          { id: '2', title: 'Emma' },
          { id: '3', title: 'Persuasion' },
        ],
        bookCount: 3,
      },
    ),
    answered(
      'mutation($in: BookInput!) { addBook(input: $in) { id title year authorId } }',
      { in: { title: 'Lesser', year: 1970, authorId: 'a1' } },
      { addBook: { id: '4', title: 'Lesser', year: 1970, authorId: 'a1' } },
    ),
    answered(
      'mutation { renameBook(id: 4, title: "Greater") { id title year } }',
      {},
      {
        renameBook: { id: '4', title: 'Greater', year: 1970 },
      },
    ),
    answered('mutation { deleteBook(id: 1) }', {}, { deleteBook: true }),
    answered(BOOK, { id: 1 }, { book: null }),
  ) as readonly Sample[]
  it.each<readonly [string, readonly (readonly [string, object, unknown])[]]>([
    [
      'a selection with aliases, fragments and arguments that was never recorded',
      [
        [
          '{ first: book(id: "3") { ...card writer: author { name } } } fragment card on Book { year t: title }',
          {},
          { first: { year: 1817, t: 'Persuasion', writer: { name: 'Austen' } } },
        ],
      ],
    ],
    [
      'what is made, changed and removed',
      [
        [
          'mutation($t: String!) { addBook(input: { title: $t, year: 1, authorId: "a2" }) { id title } }',
          { t: 'New' },
          { addBook: { id: '4', title: 'New' } },
        ],
        [
          'mutation { renameBook(id: "4", title: "Newer") { title } }',
          {},
          { renameBook: { title: 'Newer' } },
        ],
        ['{ book(id: 4) { title author { id } } }', {}, { book: { title: 'Newer', author: { id: 'a2' } } }],
        ['mutation { deleteBook(id: 2) }', {}, { deleteBook: true }],
        ['{ book(id: 2) { title } }', {}, { book: null }],
        ['{ books(authorId: "a2") { id } }', {}, { books: [{ id: '3' }, { id: '4' }] }],
        ['{ books(first: 1) { id } }', {}, { books: [{ id: '1' }] }],
      ],
    ],
  ])('is answered with %s', async (_what, requests) => {
    const send = clientOf(inferCalls(recorded, graphql))
    for (const [query, variables, data] of requests)
      expect(await send({ query, variables })).toEqual({ data })
  })
})

describe('JSON-RPC', () => {
  let id = 0
  const called = (method: string, params: unknown, answer: object): readonly [string, object] => [
    'POST /',
    { body: { jsonrpc: '2.0', id: ++id, method, params }, response: { jsonrpc: '2.0', id, ...answer } },
  ]
  const none = (wanted: string): object => ({ error: { code: -32000, message: `no user ${wanted}` } })
  const recorded = samplesOf(
    called('user.list', [], {
      result: {
        users: [
          { uid: 'x1', name: 'Ann' },
          { uid: 'x2', name: 'Bob' },
        ],
        total: 2,
      },
    }),
    called('user.get', ['x1'], { result: { uid: 'x1', name: 'Ann' } }),
    called('user.get', ['x2'], { result: { uid: 'x2', name: 'Bob' } }),
    called('user.get', ['none'], none('none')),
    called('user.remove', ['x1'], { result: true }),
    called('user.get', ['x1'], none('x1')),
  )

  it('makes objects with the next id and what they usually have, and counts all where filters choose', async () => {
    const job = (no: number, owner: string): object => ({ id: `j-${no}`, queue: 'main', owner, done: false })
    const model = inferCalls(
      samplesOf(
        called('jobs', {}, { result: { jobs: [job(8, 'a'), job(9, 'b')], total: 2 } }),
        called('jobs', { owner: 'b' }, { result: { jobs: [job(9, 'b')], total: 2 } }),
        called('addJob', { owner: 'c' }, { result: job(10, 'c') }),
        called('finishJob', { id: 'j-8' }, { result: { ...job(8, 'a'), done: true } }),
      ),
      jsonRpc,
    )
    const send = clientOf(model)
    const call = (method: string, params: object): object => ({ jsonrpc: '2.0', id: 1, method, params })
    expect(await send(call('addJob', { owner: 'x' }))).toMatchObject({ result: job(10, 'x') })
    expect(await send(call('addJob', { owner: 'x' }))).toMatchObject({ result: job(11, 'x') })
    const done = { ...job(11, 'x'), done: true }
    expect(await send(call('finishJob', { id: 'j-11' }))).toMatchObject({ result: done })
    expect(await send(call('jobs', { owner: 'a' }))).toMatchObject({
      result: { jobs: [job(8, 'a')], total: 4 },
    })
  })

  it('keeps objects of calls with arguments by number, one by one and in batches, with the ids of the requests', async () => {
    const send = clientOf(inferCalls(recorded, jsonRpc))
    const call = (key: unknown, method: string, params: unknown): object => ({
      jsonrpc: '2.0',
      id: key,
      method,
      params,
    })
    expect(await send([call('a', 'user.get', ['x2']), call('b', 'user.remove', ['x2'])])).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { uid: 'x2', name: 'Bob' } },
      { jsonrpc: '2.0', id: 'b', result: true },
    ])
    expect(await send(call(7, 'user.list', []))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { users: [{ uid: 'x1', name: 'Ann' }], total: 1 },
    })
    expect(await send(call(null, 'user.get', ['x2']))).toEqual({ jsonrpc: '2.0', id: null, ...none('x2') })
  })
})

it('takes arguments without names for the members that they were recorded to give', async () => {
  const call = (method: string, params: readonly unknown[], id = 1) => ({
    jsonrpc: '2.0',
    method,
    params,
    id,
  })
  const recorded = samplesOf(
    ...(
      [
        [call('task.add', ['Sow', 3]), { id: 1, title: 'Sow', size: 3 }],
        [call('task.add', ['Reap', 5]), { id: 2, title: 'Reap', size: 5 }],
        [call('task.rename', [2, 'Thresh']), { id: 2, title: 'Thresh', size: 5 }],
        [call('task.get', [2]), { id: 2, title: 'Thresh', size: 5 }],
        [call('task.get', [1]), { id: 1, title: 'Sow', size: 3 }],
      ] as const
    ).map(([body, result]): [string, object] => [
      'POST /',
      { body, response: { jsonrpc: '2.0', id: 1, result } },
    ]),
  )
  const send = clientOf(inferCalls(recorded, jsonRpc))
  await send(call('task.add', ['Mow', 8]))
  await send(call('task.rename', [1, 'Rake']))
  expect(await send(call('task.get', [1]))).toMatchObject({ result: { title: 'Rake', size: 8 } })
})

describe('SOAP', () => {
  const NAMESPACES = 'xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="urn:tasks"'
  const envelope = (body: string): string => `<e:Envelope ${NAMESPACES}><e:Body>${body}</e:Body></e:Envelope>`
  const request = (name: string, args: string): string => envelope(`<t:${name}>${args}</t:${name}>`)
  const result = (name: string, value: string): string =>
    envelope(`<t:${name}Response at="x">${value}</t:${name}Response>`)
  const task = (id: string, text: string): string =>
    `<t:task><t:id>${id}</t:id><t:text>${text}</t:text></t:task>`
  const fault = (id: string): string =>
    envelope(`<e:Fault><faultstring>No task ${id}</faultstring></e:Fault>`)
  const recorded = (
    [
      ['List', '', 200, result('List', task('1', 'Sow') + task('2', 'Reap'))],
      ['Get', '<t:id>2</t:id>', 200, result('Get', task('2', 'Reap'))],
      ['Get', '<t:id>1</t:id>', 200, result('Get', task('1', 'Sow'))],
      ['Get', '<t:id>77</t:id>', 500, fault('77')],
      ['Add', '<t:text>Rest</t:text>', 200, result('Add', task('3', 'Rest'))],
      ['Remove', '<t:id>1</t:id>', 200, result('Remove', '<t:done>true</t:done>')],
      ['List', '', 200, result('List', task('2', 'Reap') + task('3', 'Rest'))],
    ] as const
  ).map(([name, args, status, response], index): Sample => {
    const [sample] = samplesOf(['POST /', { status, response }])
    return { ...(sample as Sample), index, body: request(name, args), mimeType: 'text/xml' }
  })

  it('writes results as they were written, and a list of one item as the item', async () => {
    const calls = inferCalls(recorded, soap)
    const api = new SimAPI({ seed: 1 })
    api.route('POST', '/', { ...(calls && { calls }) })
    const app = createGateway({ engine: api.engine() })
    closing.push(() => app.close())
    const send = async (name: string, args: string): Promise<readonly [number, string]> => {
      const headers = { 'content-type': 'text/xml' }
      const answer = await app.inject({ method: 'POST', url: '/', headers, payload: request(name, args) })
      return [answer.statusCode, answer.body]
    }
    expect(await send('Add', '<t:text>A &amp; B</t:text>')).toEqual([
      200,
      result('Add', task('3', 'A &amp; B')),
    ])
    expect(await send('Get', '<t:id>3</t:id>')).toEqual([200, result('Get', task('3', 'A &amp; B'))])
    for (const id of ['1', '2'])
      expect(await send('Remove', `<t:id>${id}</t:id>`)).toEqual([
        200,
        result('Remove', '<t:done>true</t:done>'),
      ])
    expect(await send('Get', '<t:id>1</t:id>')).toEqual([500, fault('1')])
    expect(await send('List', '')).toEqual([200, result('List', task('3', 'A &amp; B'))])
  })
})
