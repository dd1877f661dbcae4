import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { type Entry, samplesOf } from './samples.ts'

let id = 0
const call = (method: string, params: unknown, result?: unknown): Entry => [
  'POST /rpc',
  {
    body: { jsonrpc: '2.0', id: ++id, method, params },
    response: { jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: 1 } } : { result }) },
  },
]
const entitiesIn = (...calls: readonly Entry[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(inferRoutes(samplesOf(...calls)).routes.map(({ name, entity }) => [name, entity]))

it('keeps things apart whose ids are the same small numbers', () => {
  const made = ['user', 'task'].flatMap((kind) =>
    [1, 2, 3].flatMap((each) => [
      call(`${kind}.create`, { name: `${kind} no. ${each}` }, { id: each }),
      call(`${kind}.get`, { id: each }, { id: each, name: `${kind} no. ${each}` }),
    ]),
  )
  const gone = ['user', 'task'].flatMap((kind) => [
    call(`${kind}.delete`, { id: 2 }, true),
    call(`${kind}.get`, { id: 2 }),
  ])
  expect(entitiesIn(...made, ...gone)).toEqual({
    'user.create': { name: 'id/{answer/result/id}', does: 'write' },
    'user.get': { name: 'id/{body/params/id}', does: 'read' },
    'user.delete': { name: 'id/{body/params/id}', does: 'delete' },
    'task.create': { name: 'id-2/{answer/result/id}', does: 'write' },
    'task.get': { name: 'id-2/{body/params/id}', does: 'read' },
    'task.delete': { name: 'id-2/{body/params/id}', does: 'delete' },
  })
})

it('names what a key of several values is of, parents first, and takes a deed from what is read next', () => {
  const key = (shelf: string, no: string): unknown => ({ shelf, key: { no } })
  const calls = ['north', 'south'].flatMap((shelf) => [
    call('openShelf', { shelf }, 'open'),
    call('shelfInfo', { shelf }, { shelf, books: [] }),
    ...['n0417', 'n0533'].map((no) =>
      call('shelve', { shelf, book: { no, title: `Title of ${no}` } }, 'shelved'),
    ),
    ...['n0417', 'n0533'].map((no) => call('getBook', key(shelf, no), { no, title: `Title of ${no}` })),
    call('takeAway', key(shelf, 'n0417'), 'taken'),
    call('getBook', key(shelf, 'n0417')),
  ])
  expect(entitiesIn(...calls)).toEqual({
    openShelf: { name: 'shelf/{body/params/shelf}', does: 'write' },
    shelfInfo: { name: 'shelf/{body/params/shelf}', does: 'read' },
    shelve: { name: 'shelf/{body/params/shelf}/{body/params/book/no}', does: 'write' },
    getBook: { name: 'shelf/{body/params/shelf}/{body/params/key/no}', does: 'read' },
    takeAway: { name: 'shelf/{body/params/shelf}/{body/params/key/no}', does: 'delete' },
  })
})

it('finds none where paths say it, or requests have nothing in common', () => {
  const rest = ['POST /cups', 'GET /cups/c1', 'GET /cups/c2', 'DELETE /cups/c1'] as const
  const routes = inferRoutes(samplesOf(...rest, ['POST /login', { body: { user: 'ada' } }])).routes
  expect(routes.map(({ entity }) => entity)).toEqual(routes.map(() => undefined))
})

it.for(['', '.json'])('finds none in a collection of which one item was read%s', (suffix) => {
  const { routes } = inferRoutes(
    samplesOf(
      [`POST /boxes${suffix}`, { body: { unit: 'kg' }, response: { unit: 'kg' } }],
      `GET /boxes/flat${suffix}`,
      `GET /search${suffix}?unit=kg`,
    ),
  )
  expect(routes.map(({ entity }) => entity)).toEqual(routes.map(() => undefined))
})

it('follows a token from where it is given out to its introspection and its revocation', () => {
  const post = (path: string, body: object, response?: unknown): Entry => [`POST ${path}`, { body, response }]
  const tokens = ['tok-aaaa-1111', 'tok-bbbb-2222']
  const samples = samplesOf(
    post('/token/introspection', { token: 'tok-none-0000' }, { active: false }),
    ...tokens.flatMap((token) => [
      post('/token', { grant_type: 'client_credentials' }, { access_token: token }),
      post('/token/introspection', { token }, { active: true, exp: 1 }),
    ]),
    post('/token/revocation', { token: tokens[0] }),
    post('/token/introspection', { token: tokens[0] }, { active: false }),
  )
  const does = inferRoutes(samples).routes.map(({ path, entity }) => [path, entity?.does])
  expect(Object.fromEntries(does)).toEqual({
    ...{ '/token': 'write', '/token/introspection': 'read', '/token/revocation': 'delete' },
  })
})
