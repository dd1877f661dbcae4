import { describe, expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import type { Refusals } from '../../../src/recording/inference/refusals.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, sample, samplesOf } from './samples.ts'

const KEY = { 'x-api-key': 'redacted-1', 'x-client': 'a' }
const refused = { status: 401, response: { error: 'no key' } }

function refusalsOf(
  samples: Parameters<typeof inferRoutes>[0],
): Readonly<Record<string, Refusals | undefined>> {
  const { routes } = inferRoutes(samples)
  return Object.fromEntries(routes.map(({ method, path, refusals }) => [`${method} ${path}`, refusals]))
}

describe('what requests must have', () => {
  it('is what all have that succeeded, and those have not that were refused', () => {
    const found = refusalsOf([
      sample(0, 'GET /status', { response: { up: true } }, { 'x-client': 'a' }),
      sample(1, 'GET /users', { response: [] }, KEY),
      sample(2, 'GET /users', refused, { 'x-client': 'a' }),
      sample(3, 'GET /boxes', { response: [] }, KEY),
    ])
    expect(found['GET /users']?.requires).toEqual({ header: 'x-api-key' })
    expect(found['GET /boxes']?.requires).toEqual({ header: 'x-api-key' })
    expect(found['GET /status']?.requires).toBeUndefined()
    expect(found['GET /boxes']?.errorAnswers?.['SIM_UNAUTHORIZED']?.body).toEqual({ error: 'no key' })
  })

  it('is nothing where requests with the same headers were refused for other reasons', () => {
    const found = refusalsOf([
      sample(0, 'GET /users', { response: [] }, KEY),
      sample(1, 'GET /users', refused, KEY),
    ])
    expect(found['GET /users']?.requires).toBeUndefined()
  })
})

describe('the form of errors', () => {
  const found = refusalsOf([
    sample(0, 'POST /users', {
      status: 201,
      body: { name: 'Ann', age: 3 },
      response: { id: 1, name: 'Ann', age: 3 },
    }),
    sample(1, 'POST /users', {
      status: 400,
      body: { age: 3 },
      response: { errors: { name: 'name is needed' } },
    }),
    sample(2, 'GET /users/1', { response: { id: 1, name: 'Ann', age: 3 } }),
    sample(3, 'GET /users/77', { status: 404, response: { detail: "No user '77' at /users/77" } }),
    sample(4, 'DELETE /boxes/4', { status: 204 }),
    sample(5, 'DELETE /boxes/5', { status: 204 }),
    sample(6, 'POST /users', { status: 400, body: { name: 'Bo', age: -1 }, response: { errors: {} } }),
  ])

  it('leaves open what it took from its request', () => {
    expect(found['GET /users/{id}']?.errorAnswers).toEqual({
      SIM_INPUT_INVALID: { status: 400, headers: {}, body: { errors: { '{field}': '{field} is needed' } } },
      SIM_ITEM_NOT_FOUND: { status: 404, headers: {}, body: { detail: "No user '{id}' at {path}" } },
    })
  })

  it('is that of other routes, with their own nouns, where a route showed none', () => {
    expect(found['DELETE /boxes/{id}']?.errorAnswers?.['SIM_ITEM_NOT_FOUND']?.body).toEqual({
      detail: "No box '{id}' at {path}",
    })
  })
})

it('leaves open what names the parent of what is not there, which other routes may not have', () => {
  const found = refusalsOf([
    sample(0, 'GET /users/ann1/cards/c77', { response: { id: 'c77', user: 'ann1' } }),
    sample(1, 'GET /users/bob2/cards/c78', { response: { id: 'c78', user: 'bob2' } }),
    sample(2, 'GET /users/ann1/cards/c90', { status: 404, response: { error: 'ann1 has no c90' } }),
    sample(3, 'DELETE /boxes/4', { status: 204 }),
    sample(4, 'DELETE /boxes/5', { status: 204 }),
  ])
  const missing = (route: string): unknown => found[route]?.errorAnswers?.['SIM_ITEM_NOT_FOUND']?.body
  expect(missing('GET /users/{user}/cards/{id}')).toEqual({ error: '{user} has no {id}' })
  expect(missing('DELETE /boxes/{id}')).toEqual({ error: 'ann1 has no {id}' })
})

it('says of what is gone what its server said, whatever the status', () => {
  const found = refusalsOf([
    sample(0, 'POST /users', { status: 201, body: { name: 'Ann' }, response: { id: 1, name: 'Ann' } }),
    sample(1, 'GET /users/1', { response: { id: 1, name: 'Ann' } }),
    sample(2, 'DELETE /users/1', { response: { id: 1, isDeleted: true } }),
    sample(3, 'GET /users/1', { status: 403, response: { error: 'No access to 1' } }),
  ])
  expect(found['GET /users/{id}']?.errorAnswers?.['SIM_ITEM_NOT_FOUND']).toMatchObject({
    ...{ status: 403, body: { error: 'No access to {id}' } },
  })
})

describe('a path that no route has', () => {
  const users = sample(0, 'GET /api/users', { response: [{ id: 1, name: 'Ann' }] })
  const missing = (request: string, response: unknown): Parameters<typeof inferRoutes>[0][number] =>
    sample(1, request, { status: 404, response })

  it('is answered like the one that was recorded, by its own path and method', () => {
    const found = refusalsOf([users, missing('GET /api/ghosts', { error: 'No way to GET /ghosts' })])
    expect(found['GET /api/users']?.errorAnswers?.['SIM_ROUTE_NOT_FOUND']).toEqual({
      status: 404,
      headers: {},
      body: { error: 'No way to {method} /{id}' },
    })
  })

  it.each(['GET /api/users/ghost', 'PATCH /api/users'])(
    'is not one such as %s, which is near one',
    (request) => {
      const found = refusalsOf([users, missing(request, { error: 'Not here' })])
      expect(found['GET /api/users']?.errorAnswers?.['SIM_ROUTE_NOT_FOUND']).toBeUndefined()
    },
  )
})

it('says how a token is refused that names no page', () => {
  const page = (from: number, next: string | null) => ({
    data: [{ id: from }, { id: from + 1 }],
    next_cursor: next,
  })
  const found = refusalsOf([
    sample(0, 'POST /boxes', { status: 201, body: { size: 1 }, response: { id: 1, size: 1 } }),
    sample(1, 'GET /boxes?limit=2', { response: page(1, 'aWQ6Mg') }),
    sample(2, 'GET /boxes?limit=2&cursor=aWQ6Mg', { response: page(3, 'aWQ6NA') }),
    sample(3, 'GET /boxes?limit=2&cursor=aWQ6NA', { response: page(5, null) }),
    sample(4, 'GET /boxes?cursor=zzz', { status: 400, response: { message: 'Invalid cursor' } }),
    sample(5, 'GET /boxes/1', { response: { id: 1, size: 1 } }),
  ])
  expect(found['GET /boxes']?.errorAnswers?.['SIM_PAGE_TOKEN_INVALID']).toEqual({
    status: 400,
    headers: {},
    body: { message: 'Invalid cursor' },
  })
})

it.for([
  [403, 'users do not have property shoe', true],
  [400, 'cannot sort by shoe', true],
  [403, 'you may not list users by shoe', undefined],
] as const)('knows lists refused with %i for a field that no item has by: %s', ([status, detail, known]) => {
  const users = [1, 2].map((id) => ({ id, name: `user ${id}`, age: 50 - id }))
  const list = (query: string, response: readonly object[]): Entry => [`GET /users${query}`, { response }]
  const made = users.map((response): Entry => {
    const { id: _, ...body } = response
    return ['POST /users', { status: 201, body, response }]
  })
  const samples = samplesOf(
    ...made,
    ...[list('', users), list('?sort=age', users.toReversed()), list('?sort=name', users)],
    ['GET /users?sort=shoe', { status, response: { title: 'Refused', detail } }],
  )
  const { document } = toRouteFile(inferRoutes(samples))
  const { 'GET /users': route } = document['routes'] as Record<string, { select?: { known?: boolean } }>
  expect(route?.select?.known).toBe(known)
})

it.for([
  ["Expected property name or '}' in JSON at position 1", true],
  ['The disk is full', false],
] as const)(
  'takes malformed JSON that was answered 500 with %j for refused as such: %s',
  ([message, isSo]) => {
    const [made, broken] = samplesOf(
      ['POST /users', { status: 201, body: { name: 'ann' }, response: { id: 1, name: 'ann' } }],
      ['POST /users', { status: 500, response: { message } }],
    )
    if (made === undefined || broken === undefined) throw new Error('There are no samples')
    const { document } = toRouteFile(inferRoutes([made, { ...broken, isMalformed: true }]))
    expect(JSON.stringify(document).includes('"SIM_INPUT_INVALID":{"status":500')).toBe(isSo)
  },
)

it('says that a change of a patch document cannot be done as the server does, whatever its status', () => {
  const image = (name: string, more = {}) => ({ id: 7, name, ...more })
  const remove = [{ op: 'remove', path: '/os' }]
  const found = refusalsOf(
    samplesOf(
      ['POST /images', { status: 201, body: { name: 'a' }, response: image('a') }],
      [
        'PATCH /images/7',
        { body: [{ op: 'add', path: '/os', value: 'x' }], response: image('a', { os: 'x' }) },
      ],
      ['PATCH /images/7', { body: remove, response: image('a') }],
      ['PATCH /images/7', { status: 409, body: remove, response: { error: 'There is no such property' } }],
      ['GET /images/7', { response: image('a') }],
    ),
  )
  expect(found['PATCH /images/{id}']?.errorAnswers).toMatchObject({
    SIM_INPUT_INVALID: { status: 409, body: { error: 'There is no such property' } },
  })
})
