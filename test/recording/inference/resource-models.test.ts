import { expect, it } from 'vitest'
import type { ItemOption } from '../../../src/engine/route-options.ts'
import type { InferredRoute } from '../../../src/recording/inference/infer-route.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { linkedFields } from '../../../src/recording/inference/model-references.ts'
import { resourceModel, routesOf } from '../../../src/recording/inference/resource-models.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { writtenModel } from '../../../src/recording/inference/written-model.ts'
import type { Resource } from '../../../src/recording/inference/resources.ts'
import { samplesOf } from './samples.ts'

const { routes, resources } = inferRoutes(
  samplesOf(
    ['GET /users?role=a', { response: [{ id: 1, role: 'a' }] }],
    ['GET /users?role=b', { response: [{ id: 3, role: 'b' }] }],
    ['GET /users?role=c', { response: [{ id: 2, role: 'c', note: 'x' }] }],
    ...['d', 'e', 'f'].map(
      (role, index) => ['POST /users', { body: { role }, response: { id: 4 + index, role } }] as const,
    ),
    ...[4, 5, 6].map((id, index) => [`GET /users/${id}`, { response: { id, role: 'def'[index] } }] as const),
    ['GET /other', { response: { id: 1 } }],
  ),
)
const [users] = resources
const own = routesOf(users as Resource, routes)
const byName = (name: string): InferredRoute =>
  own.find(({ method, path }) => `${method} ${path}` === name) as InferredRoute

it('has the routes of the items and of their collection', () => {
  expect(own.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /users',
    'GET /users/{id}',
    'POST /users',
  ])
})

it('has one model from all that they answered', () => {
  expect(resourceModel(own, users as Resource)).toMatchObject({
    properties: { id: {}, role: {}, note: {} },
    required: ['id', 'role'],
  })
})

it('has a model that what it is seeded with fits', () => {
  const seeds = new Map([['/users', [{ id: 9, role: null }]]])
  expect(resourceModel(own, { ...(users as Resource), seeds })).toMatchObject({
    properties: { role: { type: ['string', 'null'] } },
  })
})

it('claims no format of what is stored that requests were not seen to keep to, however deep', () => {
  const item = (id: number, day: string) => ({ id, spec: { day } })
  const days = ['2026-01-02', '2026-01-03', '2026-01-04']
  const found = inferRoutes(
    samplesOf(
      ['GET /plans', { response: days.map((day, at) => item(at + 1, day)) }],
      ['PATCH /plans/1', { body: { spec: { day: '2026-02-01' } }, response: item(1, '2026-02-01') }],
      ['GET /plans/2', { response: item(2, '2026-01-03') }],
    ),
  )
  const [plans] = found.resources
  const model = resourceModel(routesOf(plans as Resource, found.routes), plans as Resource)
  expect(model).toMatchObject({ properties: { spec: { properties: { day: { type: ['string', 'null'] } } } } })
  expect(JSON.stringify(model)).not.toContain('format')
})

it('makes what repeats the ids of items of them, also where a host has the number of one', () => {
  const url = (id: number): string => `http://127.0.0.1/users/${id}/`
  const modelOf = (ids: readonly number[]): unknown => {
    const seeds = new Map([['/users', ids.map((id) => ({ id, url: url(id), links: { self: url(id) } }))]])
    return resourceModel([], { ...(users as Resource), seeds })
  }
  const template = 'http://127.0.0.1/users/{id}/'
  expect(modelOf([1, 2])).toMatchObject({
    properties: {
      url: { 'x-sim-link': { computedFrom: { fields: ['id'], template } } },
      links: { 'x-sim-link': { computedFrom: { fields: ['id'], template: { self: template } } } },
    },
  })
  expect(JSON.stringify(modelOf([1]))).not.toContain('computedFrom')
})

it('writes all that every stored item has, also where few were written', () => {
  const model = {
    type: 'object',
    properties: { id: {}, at: { type: 'integer' } },
    required: ['id', 'at'],
  } as const
  const [first] = byName('POST /users').samples
  const view = { ...byName('POST /users'), samples: first === undefined ? [] : [first] }
  expect(writtenModel({ model, resource: users as Resource, view })).toMatchObject({
    properties: { at: { type: 'integer' } },
    required: ['id', 'at'],
  })
})

it('gives what is written all that the one written before had, and the names of its own path', () => {
  const about = { vhost: 'shop', state: 'idle' }
  const { routes: found, resources: stored } = inferRoutes(
    samplesOf(
      ['PUT /api/queues/shop/jobs', { status: 201, body: { durable: true } }],
      ['GET /api/queues/shop/jobs', { response: { name: 'jobs', durable: true, ...about } }],
      [
        'GET /api/queues/%2F/mails',
        { response: { name: 'mails', durable: true, vhost: '/', state: 'idle' } },
      ],
      ['GET /api/queues/shop/none', { status: 404, response: { error: 'none' } }],
    ),
  )
  const [queues] = stored
  const ofQueues = routesOf(queues as Resource, found)
  const put = ofQueues.find(({ method }) => method === 'PUT') as InferredRoute
  const model = resourceModel(ofQueues, queues as Resource)
  expect(writtenModel({ model, resource: queues as Resource, view: put })).toMatchObject({
    properties: {
      state: { const: 'idle' },
      vhost: { 'x-sim-link': { fromInput: expect.any(String) as string } },
    },
    required: expect.arrayContaining(['vhost', 'state']) as string[],
  })
})

it('makes what was always so, and what repeats the item, and drops what items do not keep', () => {
  const zone = (name: string) => ({
    ...{ name, kind: 'Native', key: name.length > 5 ? 'a1b2c3d4e5f60718' : '0f1e2d3c4b5a6978' },
    ...{ url: `/zones/${name}`, records: [{ name, type: 'NS' }], state: { up: true } },
  })
  const inference = inferRoutes(
    samplesOf(
      ...['one.org', 'two.org', 'x.com'].flatMap((name) => [
        [
          'POST /zones',
          { status: 201, body: { name, kind: 'Native', secret: 's' }, response: zone(name) },
        ] as const,
        [`GET /zones/${name}`, { response: zone(name) }] as const,
      ]),
      ['GET /zones', { response: ['one.org', 'two.org', 'x.com'].map(zone).toReversed() }],
    ),
  )
  const { document } = toRouteFile(inference)
  const { routes: data, models } = document as Record<string, Record<string, Record<string, unknown>>>
  expect(data?.['POST /zones']).toMatchObject({ keeps_sent: true, item: { drops: ['secret'] } })
  expect(data?.['GET /zones']).toMatchObject({ select: { sorted: '-name' } })
  expect(models?.['NewZone']?.['properties']).toMatchObject({
    key: { pattern: '^[0-9a-f]{16}$' },
    url: { 'x-sim-link': { computedFrom: { fields: ['name'], template: '/zones/{name}' } } },
    records: { 'x-sim-link': { computedFrom: { template: [{ name: '{name}', type: 'NS' }] } } },
    state: { const: { up: true } },
  })
})

const OWNER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

type Lines = readonly object[]

/** Three orders that were made without lines, and one that was given some. */
function routesOfOrders(sent: Lines, kept: Lines): Record<string, Record<string, Record<string, unknown>>> {
  const order = (id: number, lines: Lines) => ({
    ...{ id, name: `order ${id}`, owner: OWNER, at: '2026-01-05T10:00:00Z', lines },
  })
  const first: Lines = [{ sku: 'x', note: '' }]
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ...[40, 41, 42].flatMap((id) => [
          [
            'POST /orders',
            { status: 201, body: { name: `order ${id}` }, response: order(id, first) },
          ] as const,
          [`GET /orders/${id}`, { response: order(id, first) }] as const,
        ]),
        ['PATCH /orders/40', { body: { lines: sent }, response: order(40, kept) }],
      ),
    ),
  )
  return document as ReturnType<typeof routesOfOrders>
}

it('makes what every item had that was made without it, though a server made it up, but no time', () => {
  const { models } = routesOfOrders([{ sku: 'a' }], [{ sku: 'a' }])
  const properties = models?.['NewOrder']?.['properties'] as Record<string, unknown>
  expect(properties).toMatchObject({ owner: { const: OWNER }, lines: { const: [{ sku: 'x', note: '' }] } })
  expect(properties['at']).not.toHaveProperty('const')
})

const [A, B] = [{ sku: 'a' }, { sku: 'b' }]

it.for([
  [
    'the same in whatever order',
    [A, B],
    [
      { ...B, note: '' },
      { ...A, note: '' },
    ],
    { lines: { note: '' } },
  ],
  [
    'another in each',
    [A, B],
    [
      { ...A, note: '1' },
      { ...B, note: '2' },
    ],
    undefined,
  ],
  [
    'in more than were sent',
    [A],
    [
      { ...A, note: '' },
      { ...B, note: '' },
    ],
    undefined,
  ],
  ['made up', [A], [{ ...A, note: OWNER }], undefined],
] as const)('completes lists with what is always the same: %s', ([, sent, kept, expected]) => {
  const { item } = routesOfOrders(sent, kept)['routes']?.['PATCH /orders/{id}'] ?? {}
  expect((item as ItemOption | undefined)?.completes).toEqual(expected)
})

it('knows how a PUT of what is there is answered', () => {
  const inferred = inferRoutes(
    samplesOf(
      ...['ann', 'bob'].flatMap((name) => [
        [`PUT /users/${name}`, { status: 201, body: { tags: 'x' } }] as const,
        [`GET /users/${name}`, { response: { name, tags: 'x' } }] as const,
        [`PUT /users/${name}`, { status: 204, body: { tags: 'x' } }] as const,
      ]),
    ),
  )
  expect(inferred.routes.flatMap(({ doubts }) => doubts)).toEqual([])
  const { document } = toRouteFile(inferred)
  expect(document['routes']).toMatchObject({ 'PUT /users/{name}': { status: 201, item: { again: 204 } } })
})

it('leaves as it is what a change does not send, whatever few values of it were seen', () => {
  const [one, other] = [
    { id: 1, name: 'cup', made: 1700000000 },
    { id: 2, name: 'pot', made: 1600000000 },
  ]
  const { routes: found, resources: stored } = inferRoutes(
    samplesOf(
      ['GET /things', { response: [one, other] }],
      ['PUT /things/1', { body: { name: 'mug' }, response: { ...one, name: 'mug' } }],
      ['GET /things/2', { response: other }],
    ),
  )
  const [things] = stored
  const ofThings = routesOf(things as Resource, found)
  const put = ofThings.find(({ method }) => method === 'PUT') as InferredRoute
  const model = resourceModel(ofThings, things as Resource)
  expect(writtenModel({ model, resource: things as Resource, view: put })).toMatchObject({
    properties: { made: { type: 'number' } },
  })
})

it('counts whole numbers that are ids, wherever in items they are', () => {
  const thing = (uid: number): unknown => ({ metadata: { uid }, spec: { a: 'x' } })
  const { routes: found, resources: stored } = inferRoutes(
    samplesOf(
      ['GET /things', { response: [thing(1)] }],
      ['POST /things', { status: 201, body: { spec: { a: 'x' } }, response: thing(2) }],
      ['GET /things/2', { response: thing(2) }],
    ),
  )
  const [things] = stored
  const model = resourceModel(routesOf(things as Resource, found), things as Resource)
  expect(model).toHaveProperty('properties.metadata.properties.uid', { type: 'integer' })
})

it('links only what is written', () => {
  const model = resourceModel(own, users as Resource)
  const linked = (name: string): unknown =>
    linkedFields({ model, resource: users as Resource, view: byName(name) })
  expect(linked('POST /users')).toEqual({
    properties: { role: { type: 'string', 'x-sim-link': { fromInput: 'role' } } },
  })
  expect(linked('GET /users/{id}')).toBeUndefined()
})

it('makes of the entries of a list what they have beside what is sent, as far as any answer shows', () => {
  const made = (id: number, name: string, age: number | null) => ({ id, name, age })
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ...['Ada', 'Bo', 'Cy'].map(
          (name, at) =>
            [
              'POST /users',
              { status: 201, body: { name, age: at }, response: made(at + 1, name, at) },
            ] as const,
        ),
        [
          'POST /users/bulk',
          {
            status: 201,
            body: { bulk: [{ name: 'Di' }, { name: 'Ed' }] },
            response: [made(4, 'Di', null), made(5, 'Ed', null)],
          },
        ],
        ['GET /users/5', { response: made(5, 'Ed', null) }],
      ),
    ),
  )
  expect(document).toMatchObject({
    routes: {
      'POST /users/bulk': {
        item: { stores: { properties: { age: { examples: [null] } }, required: ['id', 'age', 'name'] } },
      },
    },
  })
})

it('does not take what a query shows of an item for all that it had before a change', () => {
  const ann = { id: 1, name: 'Ann', age: 7 }
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['POST /users', { status: 201, body: { name: 'Ann', age: 7 }, response: ann }],
        ['GET /users/1', { response: ann }],
        ['GET /users/1?fields=name', { response: { name: 'Ann' } }],
        ['PUT /users/1', { body: { name: 'Bo' }, response: { ...ann, name: 'Bo' } }],
        ['GET /users/1', { response: { ...ann, name: 'Bo' } }],
      ),
    ),
  )
  expect(document).toMatchObject({ routes: { 'PUT /users/{id}': { item: { does: 'change' } } } })
})

it('gives what a PUT leaves out the value that it was set to, where requests may send others', () => {
  const space = (id: number, name: string, visibility: string) => ({ id, name, visibility, owner: 'me' })
  const body = (name: string) => ({ name, visibility: 'public' })
  const found = inferRoutes(
    samplesOf(
      ['POST /spaces', { status: 201, body: body('a'), response: space(1, 'a', 'public') }],
      ['POST /spaces', { status: 201, body: body('b'), response: space(2, 'b', 'public') }],
      ['PUT /spaces/1', { body: { name: 'c' }, response: space(1, 'c', 'private') }],
      ['GET /spaces/1', { response: space(1, 'c', 'private') }],
    ),
  )
  const { routes: written, models } = toRouteFile(found).document as unknown as {
    routes: Record<string, { output: { $ref: string } }>
    models: Record<string, { properties: Record<string, unknown> }>
  }
  const name = written['PUT /spaces/{id}']?.output.$ref.split('/').at(-1) ?? ''
  expect(models[name]?.properties['visibility']).toMatchObject({ examples: ['private'] })
})
