import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { FromItem } from '../../src/engine/links/from-item.ts'

const output = {
  type: 'object',
  properties: { id: { type: 'integer' }, state: { enum: ['open', 'paid'] } },
  required: ['id', 'state'],
}

it('changes an item but once where the route says so', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/bills', { output, keepsSent: true })
  const item = { at: '/bills/{id}', does: 'change', sets: { state: 'paid' }, once: true } as const
  api.post('/bills/{id}/pay', { output, item })
  const app = api.asWebApp()
  for (const id of [1, 2]) {
    await app.inject({ method: 'POST', url: '/bills', payload: { state: 'open' } })
    const pay = () => app.inject({ method: 'POST', url: `/bills/${id}/pay` })
    expect((await pay()).json()).toEqual({ id, state: 'paid' })
    expect((await pay()).json()).toMatchObject({ code: 'SIM_ITEM_EXISTS' })
  }
})

it('shows of what is removed nothing that it did not have', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const model = { ...output, properties: { ...output.properties, note: { type: 'string' } } }
  api.post('/bills', { output: model, keepsSent: true })
  api.delete('/bills/{id}', { output: model, status: 200, keepsSent: true })
  const app = api.asWebApp()
  for (let id = 1; id < 9; id++) {
    await app.inject({ method: 'POST', url: '/bills', payload: { state: 'open' } })
    const removed = await app.inject({ method: 'DELETE', url: `/bills/${id}` })
    expect(removed.json()).toEqual({ id, state: 'open' })
  }
})

it('completes the entries of lists that are sent, when they are made and when they are changed', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const item = { completes: { lines: { discount: 0, note: null } }, ids: 'sent' }
  api.post('/orders', { output: { properties: { id: { type: 'string' } } }, keepsSent: true, item })
  api.patch('/orders/{id}', { output: { type: 'object' }, keepsSent: true, item })
  const app = api.asWebApp()
  const send = async (method: 'POST' | 'PATCH', url: string, payload: object): Promise<unknown> =>
    (await app.inject({ method, url, payload })).json()
  const sent = { id: 'o1', lines: [{ sku: 'a' }, { sku: 'b', discount: 5 }, 'c'], other: [{ sku: 'a' }] }
  expect(await send('POST', '/orders', sent)).toEqual({
    ...sent,
    lines: [{ sku: 'a', discount: 0, note: null }, { sku: 'b', discount: 5, note: null }, 'c'],
  })
  expect(await send('PATCH', '/orders/o1', { lines: [{ sku: 'd' }] })).toEqual({
    ...sent,
    lines: [{ sku: 'd', discount: 0, note: null }],
  })
})

it('knows the id of what it makes by the path of items, whatever paths below that call it', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const model = { type: 'object', properties: { port: { type: 'integer' }, open: { type: 'boolean' } } }
  const item = { at: '/doors/{door_port}', does: 'change', sets: { open: true } } as const
  api.post('/doors/{door_port}/open', { output: model, item })
  api.post('/doors', { output: model, keepsSent: true, item: { ids: 'sent' } })
  api.get('/doors/{port}', { output: model })
  const app = api.asWebApp()
  await app.inject({ method: 'POST', url: '/doors', payload: { port: 7, open: false } })
  const opened = await app.inject({ method: 'POST', url: '/doors/7/open' })
  expect(opened.json()).toEqual({ port: 7, open: true })
  expect((await app.inject({ method: 'GET', url: '/doors/7' })).json()).toEqual({ port: 7, open: true })
})

it('replaces and removes all of a collection, and makes an item of each entry of a list', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const all = { type: 'array', items: output }
  const open = { ...output, properties: { ...output.properties, state: { const: 'open' } } }
  api.get('/bills', { output: all })
  api.post('/bills', { output: all, keepsSent: true, item: { does: 'create', stores: open } })
  api.put('/bills', { output: all, keepsSent: true, item: { does: 'replace', body: '/bills', ids: 'sent' } })
  api.delete('/bills', {
    output: { type: 'object', properties: { ok: { const: true } }, required: ['ok'] },
    item: { does: 'remove' },
    status: 200,
  })
  api.delete('/bills/{id}', { item: { absent: {} } })
  const app = api.asWebApp()
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const { statusCode, body } = await app.inject({ method, url, ...(payload && { payload }) })
    return [statusCode, body === '' ? undefined : (JSON.parse(body) as unknown)]
  }
  const made = [1, 2].map((id) => ({ id, state: 'open' }))
  expect(await send('POST', '/bills', [{}, {}])).toEqual([200, made])
  expect((await send('POST', '/bills', { state: 'open' }))[0]).toBe(422)
  expect(await send('GET', '/bills')).toEqual([200, made])
  const bills = [
    { id: 2, state: 'paid' },
    { id: 9, state: 'open' },
  ]
  expect(await send('PUT', '/bills', { bills })).toEqual([200, bills])
  // Nothing is left of what is refused.
  expect((await send('PUT', '/bills', { bills: [bills[0], bills[0]] }))[0]).toBe(409)
  expect(await send('GET', '/bills')).toEqual([200, bills])
  expect(await send('DELETE', '/bills/9')).toEqual([204, undefined])
  expect(await send('DELETE', '/bills/9')).toEqual([204, undefined])
  expect(await send('DELETE', '/bills')).toEqual([200, { ok: true }])
  expect(await send('GET', '/bills')).toEqual([200, []])
})

it('gives no item what only another one may have', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const item = { unique: ['name'] }
  const model = { properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id'] }
  api.post('/teams', { output: model, keepsSent: true, item })
  api.patch('/teams/{id}', { output: model, keepsSent: true, item })
  const app = api.asWebApp()
  for (const name of ['red', 'blue']) await app.inject({ method: 'POST', url: '/teams', payload: { name } })
  const rename = async (name: string): Promise<unknown> =>
    (await app.inject({ method: 'PATCH', url: '/teams/1', payload: { name } })).json()
  expect(await rename('blue')).toMatchObject({ code: 'SIM_ITEM_EXISTS' })
  expect(await rename('red')).toEqual({ id: 1, name: 'red' })
  expect(await rename('green')).toEqual({ id: 1, name: 'green' })
})

it('changes an item only from the values that the route says, and makes times of it anew', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const times = { type: 'object', properties: { ...output.properties, paidAt: { type: ['string', 'null'] } } }
  api.post('/bills', { output: times, keepsSent: true })
  const about = { at: '/bills/{id}', does: 'change', sets: { state: 'paid' } } as const
  const by = { type: 'object', properties: { method: { type: 'string' } } }
  const payment = {
    type: 'object',
    properties: {
      of: { type: 'number', ...FromItem('/total') },
      by: { type: 'string', ...FromInput('method') },
    },
  }
  const touches = { paidAt: { type: 'string', format: 'date-time' }, payment }
  api.post('/bills/{id}/pay', {
    output: times,
    input: by,
    item: { ...about, from: { state: ['open'] }, touches },
  })
  const app = api.asWebApp()
  const post = async (url: string, payload?: object): Promise<unknown> =>
    (await app.inject({ method: 'POST', url, ...(payload && { payload }) })).json()
  await post('/bills', { state: 'open', paidAt: null, total: 7 })
  const payer = { of: 7, by: 'card' }
  const paid = {
    id: 1,
    state: 'paid',
    total: 7,
    payment: payer,
    paidAt: expect.stringMatching(/^\d{4}-/) as string,
  }
  expect(await post('/bills/1/pay', { method: 'card' })).toEqual(paid)
  expect(await post('/bills/1/pay', { method: 'card' })).toMatchObject({ code: 'SIM_ITEM_EXISTS' })
})

it('adds to numbers of an item what the route or the body says, and brings none below the least', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const number = { type: 'integer' }
  const model = {
    type: 'object',
    properties: { id: number, name: { type: 'string' }, stock: number, likes: number },
  }
  api.post('/pens', { output: model, keepsSent: true })
  const about = { at: '/pens/{id}', does: 'change' } as const
  api.post('/pens/{id}/like', { output: model, item: { ...about, adds: { likes: 1 } } })
  const stock = {
    type: 'object',
    properties: { stock: number, ok: { const: true } },
    required: ['stock', 'ok'],
  }
  const SIM_ITEM_EXISTS = { body: 'Only {item.stock} of {item.name} left, not {other}' }
  const sold = { ...about, adds: { stock: '-quantity' }, least: { stock: 0 }, shown: false }
  api.post('/pens/{id}/sell', { output: stock, item: sold, errorAnswers: { SIM_ITEM_EXISTS } })
  const app = api.asWebApp()
  const post = async (url: string, payload: object = {}): Promise<unknown> =>
    (await app.inject({ method: 'POST', url, payload })).json()
  await post('/pens', { name: 'Quill', stock: 5 })
  await post('/pens/1/like')
  expect(await post('/pens/1/like')).toEqual({ id: 1, name: 'Quill', stock: 5, likes: 2 })
  expect(await post('/pens/1/sell', { quantity: 3 })).toEqual({ stock: 2, ok: true })
  expect(await post('/pens/1/sell', { quantity: 3 })).toBe('Only 2 of Quill left, not {other}')
  expect(await post('/pens/1/sell', { quantity: 2 })).toEqual({ stock: 0, ok: true })
})

it('counts on from numbers that requests give, unless none can follow', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const id = { type: 'integer', maximum: 900 }
  const output = { type: 'object', properties: { id, name: { type: 'string' } }, required: ['id'] }
  api.post('/pens', { output, keepsSent: true, item: { ids: 'sent' } })
  api.get('/pens/{id}', { output })
  api.seedStore('/pens', [{ id: 1, name: 'first' }])
  const app = api.asWebApp()
  const made: unknown[] = []
  for (const payload of [
    { name: 'a' },
    { id: 40 },
    { name: 'b' },
    { id: 7 },
    { name: 'c' },
    { id: 900 },
    {},
  ]) {
    const response = await app.inject({ method: 'POST', url: '/pens', payload })
    made.push(response.json<{ id: number }>().id)
  }
  expect(made.slice(0, 4)).toEqual([2, 40, 41, 7])
  expect(made[4]).toBeGreaterThan(41)
  expect(made[6]).toBeLessThan(50)
})
