import { expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, sample, samplesOf } from './samples.ts'

type Data = Readonly<Record<string, Record<string, Record<string, unknown>>>>

function filesOf(...entries: readonly Entry[]): Data {
  return toRouteFile(inferRoutes(samplesOf(...entries))).document as Data
}

const ids = ['ord_e5F6g7H8', 'ord_a1B2c3D4', 'ord_q7R8s9T0', 'ord_i9J0k1L2', 'ord_m3N4o5P6']
const codes = ['V30KqaJ', 'DIv9aFD', 'ta3NICi', 'zHd6Wjq', 'gBjUQJ4']
const order = (at: number, other: object = {}) => ({
  ...{
    id: ids[at],
    total: 10 + at,
    code: codes[at],
    note: null,
    state: 'open',
    paid: 10 + at,
    created: 1_700_000_000 + at,
  },
  ...other,
})
const made = (at: number, sent: object = {}, other: object = {}): Entry => [
  'POST /v1/orders',
  { body: { total: 10 + at, ...sent }, response: order(at, { ...sent, ...other }) },
]

it('distinguishes a POST that makes an item from one that changes it, and makes what is not sent as it was then', () => {
  const { routes, models } = filesOf(
    ...[made(0), made(1, { note: 'late' }), made(2), made(3)],
    ['POST /v1/orders', { body: { total: 14, hold: 'yes' }, response: order(4, { state: 'held', paid: 0 }) }],
    [`GET /v1/orders/${ids[0]}`, { response: order(0) }],
    [`POST /v1/orders/${ids[0]}`, { body: { note: 'soon' }, response: order(0, { note: 'soon' }) }],
    [`GET /v1/orders/${ids[0]}`, { response: order(0, { note: 'soon' }) }],
    [
      'GET /v1/orders',
      {
        response: [4, 3, 2, 1, 0].map((at) =>
          order(at, at === 0 ? { note: 'soon' } : at === 1 ? { note: 'late' } : {}),
        ),
      },
    ],
  )
  expect(routes?.['POST /v1/orders/{id}']?.['item']).toMatchObject({ does: 'change' })
  // The newest come first, whenever they were made.
  expect(routes?.['GET /v1/orders']?.['select']).toMatchObject({ sorted: '-' })
  expect(models?.['NewOrder']?.['properties']).toMatchObject({
    code: { pattern: '^[0-9A-Za-z]{7}$' },
    note: { examples: [null] },
    paid: { 'x-sim-link': { fromInput: 'total' } },
    state: {
      examples: ['open'],
      'x-sim-link': {
        whenInput: { field: 'hold', equals: 'yes', then: { computedFrom: { fields: [], template: 'held' } } },
      },
    },
  })
  expect(models?.['NewOrder']?.['required']).toContain('note')
  // What can be sent when an item is made can be changed.
  expect(routes?.['POST /v1/orders/{id}']?.['input']).toMatchObject({
    properties: { note: {}, total: { type: ['integer', 'null'] }, hold: {} },
  })
})

it('knows an item by the answer that made it, though one alone was read', () => {
  const { routes } = filesOf(made(0), [`GET /v1/orders/${ids[0]}`, { response: order(0) }])
  expect(Object.keys(routes ?? {})).toEqual(['POST /v1/orders', 'GET /v1/orders/{id}'])
})

it('keeps what is made and listed, though nothing is read by itself', () => {
  const { routes } = filesOf(made(0), made(1), [
    'GET /v1/orders',
    { response: { data: [order(0), order(1)] } },
  ])
  expect(routes?.['POST /v1/orders']).toMatchObject({ keeps_sent: true, item: { ids: 'ord_{mixed 8}' } })
  expect(routes?.['GET /v1/orders']?.['output']).not.toHaveProperty('x-sim-link')
})

it('refuses an action the second time where the server did', () => {
  const close = (at: number, again = false): Entry => [
    `POST /v1/orders/${ids[at]}/close`,
    again
      ? { status: 400, response: { error: 'The order has already been closed.' } }
      : { response: order(at, { state: 'closed' }) },
  ]
  const all = [made(0), made(1), close(0), close(1)]
  const read: Entry = [`GET /v1/orders/${ids[0]}`, { response: order(0, { state: 'closed' }) }]
  const itemOf = (...more: readonly Entry[]): unknown => {
    const { routes = {} } = filesOf(...all, ...more, read)
    return Object.entries(routes).find(([key]) => key.endsWith('/close'))?.[1]['item']
  }
  expect(itemOf(close(0, true))).toMatchObject({ sets: { state: 'closed' }, once: true })
  expect(itemOf()).not.toHaveProperty('once')
})

it('distinguishes what replaces an item at a path below it from what changes it', () => {
  const whole = { id: 1, title: 'Tea', pages: 9, genre: 'crime' }
  const { routes } = filesOf(
    ['POST /books', { body: { title: 'Tea', pages: 9, genre: 'crime' }, response: whole }],
    ['GET /books/1', { response: whole }],
    ['POST /books/1/renamings', { body: { title: 'Mug' }, response: { ...whole, title: 'Mug' } }],
    ['GET /books/1', { response: { ...whole, title: 'Mug' } }],
    ['POST /books/1/rewrite', { body: { title: 'Pot' }, response: { id: 1, title: 'Pot' } }],
    ['GET /books/1', { response: { id: 1, title: 'Pot' } }],
  )
  const at = '/books/{book_id}'
  expect(routes?.['POST /books/{book_id}/renamings']?.['item']).toMatchObject({ at, does: 'change' })
  expect(routes?.['POST /books/{book_id}/rewrite']).toMatchObject({
    item: { at, does: 'replace' },
    input: { properties: { title: {}, pages: {}, genre: {} } },
  })
})

it('finds what changes the item whose id is in the body, and takes no other id for one that clients give', () => {
  const tea = { id: 1, title: 'Tea', pages: 9 }
  const entries: readonly Entry[] = [
    ['POST /books', { body: { title: 'Tea', pages: 9 }, response: tea }],
    ['GET /books/1', { response: tea }],
    ['PATCH /books', { body: { id: 1, pages: 7 }, response: { ...tea, pages: 7 } }],
    ['POST /books/rename', { body: { id: 1, title: 'Mug' }, response: { id: 1, title: 'Mug', pages: 7 } }],
    ['GET /books/1', { response: { id: 1, title: 'Mug', pages: 7 } }],
  ]
  const { routes } = filesOf(...entries)
  const item = { at: '/books/{id}', does: 'change' }
  expect(routes?.['PATCH /books']?.['item']).toMatchObject(item)
  expect(routes?.['POST /books/rename']?.['item']).toMatchObject(item)
  expect(routes?.['POST /books']?.['item']).toBeUndefined()
})

it('changes the item whose id is in the body', async () => {
  const model = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } }
  const api = new SimAPI({ seed: 1, stateful: true })
  api.get('/books/{id}', { output: model })
  api.patch('/books', { output: model, keepsSent: true, item: { at: '/books/{id}', does: 'change' } })
  api.seedStore('/books', [{ id: 7, title: 'Tea' }])
  const app = api.asWebApp()
  const patch = async (payload: object) => app.inject({ method: 'PATCH', url: '/books', payload })
  expect((await patch({ id: 7, title: 'Mug' })).json()).toEqual({ id: 7, title: 'Mug' })
  expect((await app.inject('/books/7')).json()).toEqual({ id: 7, title: 'Mug' })
  expect((await patch({ id: 8, title: 'Mug' })).statusCode).toBe(404)
  expect((await patch({ title: 'Mug' })).statusCode).toBe(404)
})

it('takes no item for gone that a list shows to another caller alone', () => {
  const task = (id: number, isDone = false) => ({ id, title: `task ${id}`, done: isDone })
  const [ann, bob] = ['ann', 'bob'].map((authorization) => ({ authorization }))
  const { routes } = toRouteFile(
    inferRoutes([
      sample(0, 'POST /tasks', { body: { title: 'task 1' }, response: task(1) }, ann),
      sample(1, 'POST /tasks', { body: { title: 'task 2' }, response: task(2) }, ann),
      sample(2, 'GET /tasks/2', { response: task(2) }, ann),
      sample(3, 'GET /tasks', { response: [] }, bob),
      sample(4, 'POST /tasks/1/done', { response: task(1, true) }, ann),
      sample(5, 'POST /tasks/2/done', { response: task(2, true) }, ann),
      sample(6, 'GET /tasks/2', { response: task(2, true) }, ann),
    ]),
  ).document as Data
  expect(routes?.['POST /tasks/{task_id}/done']?.['item']).toMatchObject({
    does: 'change',
    sets: { done: true },
  })
})

it('leaves empty what a PUT does not send, as one that was recorded did', () => {
  const task = (id: number, note: string | null) => ({ id, title: `task ${id}`, note })
  const { routes, models } = filesOf(
    ['POST /tasks', { body: { title: 'task 1', note: 'a' }, response: task(1, 'a') }],
    ['POST /tasks', { body: { title: 'task 2', note: 'b' }, response: task(2, 'b') }],
    ['GET /tasks/1', { response: task(1, 'a') }],
    ['PUT /tasks/1', { body: { title: 'task 1' }, response: task(1, null) }],
    ['GET /tasks/1', { response: task(1, null) }],
  )
  expect(routes?.['PUT /tasks/{id}']).toMatchObject({ output: { $ref: '#/models/ChangedTask' } })
  expect(models?.['ChangedTask']?.['properties']).toMatchObject({ note: { examples: [null] } })
})

it('has what replaces an item leave out what it was seen to leave out, though nothing sends that', () => {
  const box = (id: number, more = {}) => ({ id, title: `box ${id}`, size: { wide: id }, ...more })
  const put = { title: 'new', color: 'red' }
  const { routes } = inferRoutes(
    samplesOf(
      ['GET /boxes', { response: [box(1, { made: 7 }), box(2, { made: 8 })] }],
      ['GET /boxes/1', { response: box(1, { made: 7 }) }],
      ['GET /boxes/2', { response: box(2, { made: 8 }) }],
      ['PUT /boxes/1', { body: put, response: { ...put, id: 1, made: 7 } }],
      ['GET /boxes/1', { response: { ...put, id: 1, made: 7 } }],
    ),
  )
  const input = routes.find(({ method }) => method === 'PUT')?.input
  expect(Object.keys(input?.['properties'] ?? {}).toSorted()).toEqual(['color', 'id', 'size', 'title'])
})
