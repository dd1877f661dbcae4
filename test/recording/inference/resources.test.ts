import { expect, it } from 'vitest'
import { foldPaths } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/values.ts'
import { pagingOf } from '../../../src/recording/inference/infer-route.ts'
import { findResources, type Resource } from '../../../src/recording/inference/resources.ts'
import { sample, samplesOf } from './samples.ts'

function resourcesOf(
  ...entries: readonly (readonly [string, Parameters<typeof sample>[2]])[]
): readonly Resource[] {
  const samples = samplesOf(...entries)
  return findResources(foldPaths(samples, findMentions(samples)), (own) => pagingOf(own, undefined, true))
}

it('sees what was there, what was made and what is gone', () => {
  const [resource, ...others] = resourcesOf(
    ['GET /users', { response: [{ id: 1, name: 'Ada' }] }],
    ['POST /users', { status: 201, response: { id: 2, name: 'Bo' } }],
    ['GET /users/2', { response: { id: 2, name: 'Bo' } }],
    ['DELETE /users/1', { response: {} }],
    ['GET /users/1', { status: 404 }],
  )
  expect(others).toEqual([])
  expect(resource).toMatchObject({
    path: '/users/{id}',
    place: { answer: [], body: [], id: ['id'] },
    confirmed: 2,
    contradicted: 0,
  })
  expect([...(resource?.seeds ?? [])]).toEqual([['/users', [{ id: 1, name: 'Ada' }]]])
})

it('takes no field for the id that several items of a list have alike', () => {
  const node = (key: string, root = key) => ({ key, base_key: root })
  const [resource] = resourcesOf(
    ['POST /nodes', { status: 201, response: node('a7') }],
    ['POST /nodes', { status: 201, response: node('b8') }],
    ['POST /nodes', { status: 201, response: node('c9', 'a7') }],
    ['GET /nodes', { response: [node('a7'), node('b8'), node('c9', 'a7')] }],
    ['GET /nodes/a7', { response: { base_key: 'a7', key: 'a7' } }],
    ['GET /nodes/b8', { response: { base_key: 'b8', key: 'b8' } }],
    ['DELETE /nodes/c9', { status: 204 }],
  )
  expect(resource?.place.id).toEqual(['key'])
})

it('knows that things are there whose making was answered by where they are alone', () => {
  const made = (index: number, name: string) => ({
    ...sample(index, 'POST /groups', { status: 201, body: { name } }),
    responseHeaders: { location: `http://api.example.com/groups/${name}` },
  })
  const samples = [
    sample(0, 'GET /groups', { response: [{ name: 'all' }] }),
    ...[made(1, 'one'), made(2, 'two')],
    sample(3, 'GET /groups/one', { response: { name: 'one' } }),
    sample(4, 'DELETE /groups/two', { status: 204 }),
    sample(5, 'GET /groups/two', { status: 404 }),
  ]
  const [resource] = findResources(foldPaths(samples, findMentions(samples)))
  expect(resource).toMatchObject({ path: '/groups/{id}', contradicted: 0 })
  expect(resource?.writes.absent).toBeUndefined()
})

it('knows by their location things that were made and never read', () => {
  const made = (id: string) => ({
    ...{ status: 201, body: { name: id }, response: { data: { id, name: id } } },
    headers: { location: `http://api.example.com/users/${id}` },
  })
  const samples = [
    made('7b921625-1966-4945-9c2a-7bcfca1d8279'),
    made('be74d3da-3765-4afd-9caf-27d3c3a6944d'),
  ].map(({ headers, ...answer }, index) => ({
    ...sample(index, 'POST /users', answer),
    responseHeaders: headers,
  }))
  const missed = [2, 3].map((at) =>
    sample(at, `GET /users/9e4cf0c4-5b0f-4ad5-8f9e-1b4de0f1a00${at}`, { status: 404 }),
  )
  const [resource] = findResources(foldPaths([...samples, ...missed], findMentions(samples)))
  expect(resource).toMatchObject({ path: '/users/{id}', confirmed: 2, contradicted: 0 })
  expect(resource?.place).toEqual({ answer: ['data'], body: [], id: ['id'] })
})

it('sees of which fields no two items have the same value, and where items repeat their ids', () => {
  const user = (id: string, name: string, city: string): object => ({
    ...{ id, name, city },
    meta: { kind: 'User', location: `/v2/users/${id}`, at: '2026-01-05T10:00:00Z' },
  })
  const [resource] = resourcesOf(
    [
      'POST /users',
      { status: 201, body: { name: 'Ada', city: 'Rome' }, response: user('u-71', 'Ada', 'Rome') },
    ],
    [
      'POST /users',
      { status: 201, body: { name: 'Bob', city: 'Rome' }, response: user('u-82', 'Bob', 'Rome') },
    ],
    ['POST /users', { status: 409, body: { name: 'Bob', city: 'Rome' } }],
    ['GET /users/u-71', { response: user('u-71', 'Ada', 'Rome') }],
    ['GET /users/u-82', { response: user('u-82', 'Bob', 'Rome') }],
    ['DELETE /users/u-71', { status: 204 }],
  )
  expect(resource?.unique).toEqual(['name'])
  expect(resource?.repeats).toEqual({ '/meta/location': '/v2/users/{id}' })
})

it('takes the field for unique that a refusal names, though all of an item was sent again', () => {
  const [ada, bob] = [
    { name: 'Ada', city: 'Rome' },
    { name: 'Bob', city: 'Oslo' },
  ]
  const [resource] = resourcesOf(
    ['POST /users', { status: 201, body: ada, response: { id: 'u-71', ...ada } }],
    ['POST /users', { status: 201, body: bob, response: { id: 'u-82', ...bob } }],
    ['POST /users', { status: 409, body: bob, response: { error: 'name already exists' } }],
    ['GET /users/u-71', { response: { id: 'u-71', ...ada } }],
    ['GET /users/u-82', { response: { id: 'u-82', ...bob } }],
  )
  expect(resource?.unique).toEqual(['name'])
})

const CY = { id: 'x', name: 'Cy' }

it.for([
  ['a whole list', [CY], ['GET /users', { response: [CY] }]],
  ['an answer that it is not there', [], ['GET /users/b', { status: 404 }]],
] as const)('sees by %s that a PUT makes something, whatever its status', ([, seeds, before]) => {
  const [resource] = resourcesOf(
    before,
    ['PUT /users/b', { body: { name: 'Bo' }, response: { id: 'b', name: 'Bo' } }],
    ['GET /users/b', { response: { id: 'b', name: 'Bo' } }],
    ['GET /users', { response: [...seeds, { id: 'b', name: 'Bo' }] }],
    ['PUT /users/b', { body: { name: 'Al' }, response: { id: 'b', name: 'Al' } }],
    ['PUT /users/c', { body: { name: 'Di' }, response: { id: 'c', name: 'Di' } }],
  )
  expect(resource).toBeDefined()
  expect([...(resource?.seeds.get('/users') ?? [])]).toEqual(seeds)
  expect(resource?.unseen.get('/users')).toEqual([])
  expect(resource?.writes.deeds.get('PUT')).toBeUndefined()
})

it('sees when answers do not remember', () => {
  const [resource] = resourcesOf(
    ['GET /users/1', { response: { id: 1, name: 'Ada', at: 1 } }],
    ['GET /users/2', { response: { id: 2, name: 'Cy', at: 2 } }],
    ['GET /users/1', { response: { id: 1, name: 'Bo', at: 3 } }],
    ['DELETE /users/2', { status: 204 }],
    ['GET /users/2', { response: { id: 2, name: 'Cy', at: 2 } }],
  )
  expect(resource).toMatchObject({ confirmed: 0, contradicted: 2 })
})

it('knows that items may be gone together with what they belonged to', () => {
  const line = (id: number) => ({ id, order: 7 })
  const lines = resourcesOf(
    ['GET /lines', { response: [line(1), line(2)] }],
    ['GET /lines/1', { response: line(1) }],
    ['DELETE /orders/7', { status: 204 }],
    ['GET /lines/1', { status: 404 }],
    ['GET /lines/2', { status: 404 }],
  ).find(({ collection }) => collection === '/lines')
  expect(lines).toMatchObject({ confirmed: 1, contradicted: 0 })
})

it('takes no path for a collection whose answers do not hold the id', () => {
  expect(
    resourcesOf(['GET /users/1', { response: { a: 9 } }], ['GET /users/2', { response: { a: 9 } }]),
  ).toEqual([])
})

it('knows a collection some of whose items were read by a few fields, without the id', () => {
  const [resource, ...others] = resourcesOf(
    ['POST /users', { body: { name: 'Ada' }, response: { _id: 'x7Kq', name: 'Ada', age: 3 } }],
    ['GET /users/x7Kq', { response: { _id: 'x7Kq', name: 'Ada', age: 3 } }],
    ['GET /users/x7Kq?fields=name', { response: { name: 'Ada' } }],
    ['GET /users/x7Kq', { response: { _id: 'x7Kq', name: 'Ada', age: 3 } }],
  )
  expect(others).toEqual([])
  expect(resource).toMatchObject({ place: { answer: [], body: [], id: ['_id'] }, contradicted: 0 })
  expect([...(resource?.seeds ?? [])]).toEqual([['/users', []]])
})

it('knows what a path beside the collection makes of each entry that it is sent', () => {
  const [bo, cy] = [
    { id: 2, name: 'Bo', age: null },
    { id: 3, name: 'Cy', age: null },
  ]
  const entries = (last: object): readonly (readonly [string, Parameters<typeof sample>[2]])[] => [
    ['POST /users', { status: 201, body: { name: 'Ada' }, response: { id: 1, name: 'Ada', age: null } }],
    ['GET /users/1', { response: { id: 1, name: 'Ada', age: null } }],
    [
      'POST /users/bulk',
      { status: 201, body: { bulk: [{ name: 'Bo' }, { name: 'Cy' }] }, response: [bo, last] },
    ],
    ['GET /users/3', { response: cy }],
    ['GET /users', { response: [{ id: 1, name: 'Ada', age: null }, bo, cy] }],
  ]
  const [resource] = resourcesOf(...entries(cy))
  expect([...(resource?.seeds ?? [])]).toEqual([['/users', []]])
  expect(resource?.whole?.get('POST /users/bulk')).toMatchObject({
    ...{ does: 'create', at: '/users', body: ['bulk'] },
  })
  // What was there before was not made.
  const [other] = resourcesOf(...entries({ id: 1, name: 'Ada', age: null }))
  expect(other?.whole).toBeUndefined()
})

it('takes what later answers show of an item that was there, but for what requests gave it', () => {
  const [resource] = resourcesOf(
    ['GET /users', { response: [{ id: 1, name: 'Ada' }] }],
    ['PATCH /users/1', { body: { age: 7 }, response: { id: 1, name: 'Ada', age: 7, town: 'Ulm' } }],
    ['GET /users/1', { response: { id: 1, name: 'Ada', age: 7, town: 'Ulm', tags: [] } }],
    ['PUT /users/1', { body: { name: 'Bo' }, response: { id: 1, name: 'Bo', by: 'put' } }],
  )
  expect(resource?.seeds.get('/users')).toEqual([{ id: 1, name: 'Ada', town: 'Ulm', tags: [] }])
})

it('has what was there in the order of its list, each page of which was read at another time', () => {
  const listOf = (...ids: readonly number[]): { readonly response: unknown } => ({
    response: ids.map((id) => ({ id, name: `N ${id}` })),
  })
  const [resource] = resourcesOf(
    ['GET /users?page=2&per_page=2', listOf(3, 4)],
    ['DELETE /users/4', { status: 204 }],
    ['GET /users?page=2&per_page=2', listOf(3, 2)],
    ['POST /users', { status: 201, response: { id: 9, name: 'N' } }],
    ['GET /users?page=1&per_page=2', listOf(5, 1)],
    ['GET /users/9', { response: { id: 9, name: 'N' } }],
  )
  expect(resource?.seeds.get('/users')?.map(({ id }) => id)).toEqual([5, 1, 3, 4, 2])
})

it('finds the envelope of what is made where no item is read by itself', () => {
  const [resource] = resourcesOf(
    ['GET /users', { response: [{ id: 1, name: 'Ada' }] }],
    ['DELETE /users/1', { status: 204 }],
    [
      'POST /users',
      { status: 201, body: { data: { name: 'Bo' } }, response: { data: { id: 2, name: 'Bo' } } },
    ],
    ['GET /users/99', { status: 404 }],
  )
  expect(resource?.place).toEqual({ answer: ['data'], body: ['data'], id: ['id'] })
})

it('takes an item for the same where one of several fields follows from others', () => {
  const user = { id: 1, name: 'Ada', role: 'editor', posts: 0 }
  const scoreOf = (later: object): unknown =>
    resourcesOf(
      ['GET /users/1', { response: user }],
      ['DELETE /users/2', { status: 204 }],
      ['GET /users/1', { response: later }],
    )[0]
  expect(scoreOf({ ...user, posts: 2 })).toMatchObject({ confirmed: 1, contradicted: 0 })
  expect(scoreOf({ ...user, posts: 2, role: 'owner' })).toMatchObject({ contradicted: 1 })
})

it('finds what requests enclose of items that answers show as they are', () => {
  const [resource] = resourcesOf(
    ['POST /users', { status: 201, body: { user: { name: 'Ada' } }, response: { id: 1, name: 'Ada' } }],
    ['PATCH /users/1', { body: { user: { name: 'Bo' } }, response: { id: 1, name: 'Bo' } }],
    ['GET /users/1', { response: { id: 1, name: 'Bo' } }],
  )
  expect(resource?.place).toEqual({ answer: [], body: ['user'], id: ['id'] })
  const [other] = resourcesOf(
    ['POST /users', { status: 201, body: { limits: { low: 1 } }, response: { id: 1, range: [1] } }],
    ['GET /users/1', { response: { id: 1, range: [1] } }],
  )
  expect(other?.place).toEqual({ answer: [], body: [], id: ['id'] })
})

it('takes no list that is sent of one item for several items', () => {
  const order = (id: string, ...skus: string[]) => ({ id, lines: skus.map((sku, at) => ({ id: at, sku })) })
  const [resource] = resourcesOf(
    ['POST /orders', { status: 201, body: { lines: [{ sku: 'a' }] }, response: order('o1', 'a') }],
    ['POST /orders', { status: 201, body: { lines: [{ sku: 'b' }] }, response: order('o2', 'b') }],
    ['GET /orders/o1', { response: order('o1', 'a') }],
    ['GET /orders/o2', { response: order('o2', 'b') }],
    ['DELETE /orders/o1', { status: 204 }],
  )
  expect(resource?.path).toBe('/orders/{id}')
  expect(resource).not.toHaveProperty('whole')
})

it('takes lists for those of the newest first that drawn ids are in the order of by chance', () => {
  const [newer, older] = ['4e9Xk2aQ7bL0pZ1c', '9rT3mW8vB5nK2dYq']
  const made = (id: string): [string, object] => ['POST /posts', { status: 201, response: { id, at: 1 } }]
  const [resource] = resourcesOf(
    ...[made(older), made(newer)],
    ['GET /posts', { response: [newer, older].map((id) => ({ id, at: 1 })) }],
    [`GET /posts/${older}`, { response: { id: older, at: 1 } }],
    [`GET /posts/${newer}`, { response: { id: newer, at: 1 } }],
  )
  expect(resource?.sorted).toBe('-')
})

it('knows a POST to the path of an item that is answered 201 to make it', () => {
  const [resource] = resourcesOf(
    ['GET /spaces/a/tags', { response: [] }],
    ['POST /spaces/a/tags/red', { status: 201, response: { name: 'red', id: 4 } }],
    ['POST /spaces/a/tags/blue', { status: 201, response: { name: 'blue', id: 5 } }],
    ['GET /spaces/a/tags', { response: [{ name: 'blue' }, { name: 'red' }] }],
    ['DELETE /spaces/a/tags/red', { status: 204 }],
    ['POST /spaces/a/tags/red', { status: 201, response: { name: 'red', id: 6 } }],
  )
  expect(resource).toMatchObject({ path: '/spaces/a/tags/{name}', contradicted: 0 })
  expect([...(resource?.seeds ?? [])].flatMap(([, items]) => items)).toEqual([])
})
