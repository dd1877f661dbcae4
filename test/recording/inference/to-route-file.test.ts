import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { sample, samplesOf } from './samples.ts'

it('writes routes in order, models by name, and what was there as fixtures', () => {
  const { document, fixtures } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['GET /users', { response: [{ id: 1, name: 'Ada' }] }],
        ['POST /users', { status: 201, body: { name: 'Bo' }, response: { id: 2, name: 'Bo' } }],
        ['GET /users/2', { response: { id: 2, name: 'Bo' } }],
        ['GET /users/1', { response: { id: 1, name: 'Ada' } }],
        ['DELETE /users/2', { status: 204 }],
        ['GET /health', { response: { up: true } }],
        ['GET /nothing', { status: 500 }],
      ),
    ),
  )
  const { routes, ...others } = document as { readonly routes: Record<string, Record<string, unknown>> }
  expect(Object.keys(routes)).toEqual([
    'GET /health',
    'GET /nothing',
    'GET /users',
    'POST /users',
    'GET /users/{id}',
    'DELETE /users/{id}',
  ])
  expect(routes['GET /nothing']).toEqual({ status: 500, stateful: false })
  expect(routes['GET /users']).toEqual({ output: { list: { $ref: '#/models/User' } } })
  expect(routes['POST /users']).toMatchObject({ status: 201 })
  expect(routes['DELETE /users/{id}']).not.toHaveProperty('status')
  expect(others).toMatchObject({
    options: { stateful: true },
    models: { Health: { properties: { up: { type: 'boolean' } } }, User: {} },
    store: { '/users': { path: 'fixtures/users.json' } },
  })
  expect([...fixtures]).toEqual([['fixtures/users.json', [{ id: 1, name: 'Ada' }]]])
})

it('gives models of one name that differ numbers', () => {
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(['GET /a/user', { response: { x: 1 } }], ['GET /b/user', { response: { y: 'z' } }]),
    ),
  )
  expect(Object.keys(document['models'] as object)).toEqual(['User', 'User2'])
})

it('says which fields a list shows of items that have more by themselves', () => {
  const bo = { id: 2, name: 'Bo' }
  const routesOf = (listed: object): unknown =>
    toRouteFile(
      inferRoutes(
        samplesOf(
          ['POST /users', { status: 201, body: { name: 'Bo' }, response: { ...bo, groups: [] } }],
          ['GET /users', { response: [listed] }],
          ['GET /users/2', { response: { ...bo, groups: [], last: 'today' } }],
        ),
      ),
    ).document['routes']
  expect(routesOf(bo)).toMatchObject({ 'GET /users': { select: { show: ['id', 'name'] } } })
  expect(routesOf({ ...bo, groups: [] })).not.toHaveProperty('GET /users.select.show')
})

it('says nothing of what a PUT leaves as it is', () => {
  const put = (id: number, name: string) =>
    [`PUT /users/${id}`, { body: { age: 9 }, response: { id, name, age: 9 } }] as const
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['GET /users', { response: [{ id: 1, name: 'Ada', age: 4 }] }],
        [
          'POST /users',
          { status: 201, body: { name: 'Bo', age: 5 }, response: { id: 2, name: 'Bo', age: 5 } },
        ],
        put(1, 'Ada'),
        put(2, 'Bo'),
        ['GET /users/2', { response: { id: 2, name: 'Bo', age: 9 } }],
      ),
    ),
  )
  expect(document['routes']).toMatchObject({ 'PUT /users/{id}': { item: { does: 'change' } } })
  expect(document['models']).not.toHaveProperty('ChangedUser.properties.name.enum')
})

it.each([
  ['first', 404],
  [undefined, 422],
])('says what comes first where a change of nothing was refused: %s', (finds, status) => {
  const bo = { id: 2, name: 'Bo' }
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['GET /users/2', { response: bo }],
        ['GET /users/2', { response: bo }],
        ['PATCH /users/2', { body: { name: 'Bo' }, response: bo }],
        ['PATCH /users/3', { body: {}, status, response: { detail: 'no' } }],
      ),
    ),
  )
  const { item } = (document['routes'] as Record<string, { item?: object }>)['PATCH /users/{id}'] ?? {}
  expect(item).toEqual(finds && { finds })
})

it('keeps lists empty that always were, and nothing else', () => {
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['GET /files?of=a', { response: [] }],
        ['GET /files?of=b', { response: [] }],
        ['GET /words?of=a', { response: [] }],
        ['GET /words?of=b', { response: ['x'] }],
      ),
    ),
  )
  const { routes } = document as { readonly routes: Record<string, Record<string, unknown>> }
  expect(routes['GET /files']).toMatchObject({ output: { list: {} }, list_count: 0 })
  expect(routes['GET /words']).not.toHaveProperty('list_count')
})

it.each(['name must be unique', 'Value "b" for field "name" has to be unique.'])(
  'says that parameters are refused that are not fields, and names that are given to two by changes, too: %s',
  (error) => {
    const named = (id: number, name: string) => ({ id, name, size: id })
    const no = { status: 400, response: { error: 'weight is not an attribute of boxes' } }
    const taken = { status: 400, response: { error } }
    const { document } = toRouteFile(
      inferRoutes(
        samplesOf(
          ['POST /boxes', { status: 201, body: { name: 'a', size: 1 }, response: named(1, 'a') }],
          ['POST /boxes', { status: 201, body: { name: 'b', size: 2 }, response: named(2, 'b') }],
          ['GET /boxes', { response: [named(1, 'a'), named(2, 'b')] }],
          ['GET /boxes?size=2', { response: [named(2, 'b')] }],
          ['GET /boxes?weight=2', no],
          ['PATCH /boxes/1', { body: { name: 'b' }, ...taken }],
          ['PATCH /boxes/1', { body: { size: 1 }, response: named(1, 'a') }],
          ['GET /boxes/1', { response: named(1, 'a') }],
        ),
      ),
    )
    expect(document['routes']).toMatchObject({
      'GET /boxes': { select: { filter: 'any', strict: true } },
      'POST /boxes': { item: { unique: ['name'] } },
      'PATCH /boxes/{id}': { item: { unique: ['name'] } },
    })
  },
)

it('takes of a change what those that make an item take, and refuses what they refuse', () => {
  const box = (id: number, price: number) => ({ id, name: `box ${id}`, price })
  const low = { status: 400, response: { errors: [{ field: 'price', message: 'price must be at least 0' }] } }
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['POST /boxes', { status: 201, body: { name: 'box 1', price: 1.5 }, response: box(1, 1.5) }],
        ['POST /boxes', { status: 201, body: { name: 'box 2', price: 4 }, response: box(2, 4) }],
        ['POST /boxes', { body: { name: 'box 3', price: -1 }, ...low }],
        ['PATCH /boxes/1', { body: { price: 2 }, response: box(1, 2) }],
        ['GET /boxes/1', { response: box(1, 2) }],
      ),
    ),
  )
  expect(document['routes']).toMatchObject({
    'PATCH /boxes/{id}': {
      input: { properties: { price: { type: ['number', 'null'], minimum: 0 } } },
    },
  })
})

it('says from which state requests change an item, and which times they set', () => {
  const bill = (id: number, state: string, paidAt: string | null = null) => ({
    id,
    title: `bill ${id}`,
    state,
    paidAt,
  })
  const [one, two] = ['2026-01-05T10:00:00.123Z', '2026-01-05T10:00:01.456Z'] as const
  const refused = { status: 409, response: { message: 'The bill is paid' } }
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ...[1, 2, 3].map(
          (id) =>
            [
              'POST /bills',
              { status: 201, body: { title: `bill ${id}` }, response: bill(id, 'open') },
            ] as const,
        ),
        ['GET /bills/1', { response: bill(1, 'open') }],
        ['POST /bills/1/pay', { response: bill(1, 'paid', one) }],
        ['POST /bills/2/pay', { response: bill(2, 'paid', two) }],
        ['POST /bills/3/void', { response: bill(3, 'void') }],
        ['POST /bills/1/void', refused],
        ['GET /bills/1', { response: bill(1, 'paid', one) }],
      ),
    ),
  )
  const touches = { paidAt: { type: 'string', format: 'date-time' } }
  expect(document['routes']).toMatchObject({
    'POST /bills/{bill_id}/pay': { item: { sets: { state: 'paid' }, touches } },
    'POST /bills/{bill_id}/void': { item: { sets: { state: 'void' }, from: { state: ['open'] } } },
  })
})

it('writes conditions as data files name them', () => {
  const said = [
    [{ 'content-type': 'text/csv' }, 'a,b', { imported: 1 }],
    [{ 'content-type': 'application/json' }, {}, { id: 1, name: 'a' }],
  ] as const
  const { document } = toRouteFile(
    inferRoutes(
      [...said, ...said].map(([headers, body, response], at) =>
        sample(at, 'POST /imports', { body, response }, headers),
      ),
    ),
  )
  const routes = Object.values(document['routes'] as Record<string, { readonly when?: unknown }>)
  expect(routes.map(({ when }) => when)).toEqual([
    { content_type: 'application/json' },
    { content_type: 'text/csv' },
  ])
})

it('makes an id of what is sent, and not that of the id', () => {
  const zone = (name: string) => ({ id: name, name, url: `/zones/${name}` })
  const names = ['one.example.', 'two.example.', 'six.example.']
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ...names.map(
          (name) =>
            ['POST /zones', { status: 201, body: { name, kind: 'x' }, response: zone(name) }] as const,
        ),
        ...names.map((name) => [`GET /zones/${name}`, { response: zone(name) }] as const),
      ),
    ),
  )
  const { models } = document as { readonly models: Readonly<Record<string, object>> }
  const [made] = Object.entries(models).flatMap(([name, model]) => (name === 'NewZone' ? [model] : []))
  expect(made).toMatchObject({
    properties: { id: { 'x-sim-link': { computedFrom: { template: '{name}' } } } },
  })
  expect(made).not.toHaveProperty(['properties', 'name', 'x-sim-link'])
})
