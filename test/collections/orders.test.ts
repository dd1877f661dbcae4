import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { ItemOption } from '../../src/engine/route-options.ts'

const ANY = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }

const COMPUTES = {
  '/lines/-/amount': 'price * quantity',
  '/places': 'count(lines)',
  '/total': 'round(sum(lines.amount), 2)',
}

/** Products, carts with lines of them, and orders that carts become. */
function createShop(): (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  key?: string,
) => Promise<{ status: number; body: unknown }> {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/products', { output: ANY, keepsSent: true })
  api.get('/products/{id}', { output: ANY })
  api.post('/carts', {
    output: {
      ...ANY,
      properties: { ...ANY.properties, lines: { const: [] }, total: { const: 0 } },
      required: ['id', 'lines', 'total'],
    },
    keepsSent: true,
    item: { idempotent: { header: 'idempotency-key', headers: { replayed: 'yes' } } },
  })
  api.get('/carts/{id}', { output: ANY })
  const entry = {
    at: '/carts/{cart}',
    does: 'change',
    from: { state: ['open'] },
    computes: COMPUTES,
  } as const
  const refers = {
    product: { at: '/products/{id}', copies: { price: 'cost' }, atMost: { quantity: 'stock' } },
  }
  api.post('/carts/{cart}/lines', {
    output: ANY,
    item: {
      ...entry,
      refers,
      entry: {
        list: '/lines',
        ids: 'l-{hex 6}',
        same: { by: 'product', adds: 'quantity' },
        begins: { gift: false },
      },
    },
  })
  api.patch('/carts/{cart}/lines/{line}', {
    output: ANY,
    item: { ...entry, entry: { list: '/lines', by: 'line', key: '/id' } },
  })
  const order: ItemOption = {
    at: '/orders',
    does: 'create',
    numbers: { number: 'O-{0007}' },
    refers: {
      cart: { at: '/carts/{id}', copies: { total: 'total', lines: { from: 'lines', without: ['id'] } } },
    },
    affects: {
      '/carts/{cart}': { from: { state: ['open'] }, filled: ['lines'], sets: { state: 'ordered' } },
    },
  }
  api.post('/carts/{cart}/order', { output: ANY, keepsSent: true, item: order })
  api.get('/orders/{id}', { output: ANY })
  const app = api.asWebApp()
  return async (method, url, payload, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
}

it('copies what lines have of products, computes totals, and adds to the line of the same product', async () => {
  const send = createShop()
  await send('POST', '/products', { name: 'cup', cost: 2.5, stock: 9 })
  await send('POST', '/products', { name: 'pot', cost: 0.1, stock: 3 })
  await send('POST', '/carts', { state: 'open' })
  await send('POST', '/carts/1/lines', { product: 1, quantity: 2 })
  await send('POST', '/carts/1/lines', { product: 2, quantity: 3 })
  const { body } = await send('POST', '/carts/1/lines', { product: 1, quantity: 1 })
  expect(body).toMatchObject({
    places: 2,
    total: 7.8,
    lines: [
      { product: 1, quantity: 3, price: 2.5, amount: 7.5, gift: false },
      { product: 2, quantity: 3, price: 0.1, gift: false },
    ],
  })
  const { lines } = body as { lines: readonly { id: string }[] }
  expect(new Set(lines.map(({ id }) => id)).size).toBe(2)
  expect(lines[0]?.id).toMatch(/^l-[\da-f]{6}$/)
  expect(await send('POST', '/carts/1/lines', { product: 2, quantity: 4 })).toMatchObject({ status: 409 })
  const changed = await send('PATCH', `/carts/1/lines/${lines[1]?.id}`, { quantity: 1 })
  expect(changed.body).toMatchObject({ total: 7.6, lines: [{ quantity: 3 }, { quantity: 1, product: 2 }] })
  expect(await send('PATCH', '/carts/1/lines/none', { quantity: 1 })).toMatchObject({ status: 404 })
})

it('makes an order of a cart once, which is then closed, and refuses an empty one', async () => {
  const send = createShop()
  await send('POST', '/products', { name: 'cup', cost: 2.5, stock: 9 })
  await send('POST', '/carts', { state: 'open' })
  expect(await send('POST', '/carts/1/order', {})).toMatchObject({ status: 409 })
  await send('POST', '/carts/1/lines', { product: 1, quantity: 2 })
  const made = await send('POST', '/carts/1/order', { note: 'soon' })
  const lines = [{ product: 1, quantity: 2, price: 2.5, amount: 5, gift: false }]
  expect(made.body).toEqual({ id: 1, number: 'O-0007', note: 'soon', total: 5, lines })
  expect((await send('GET', '/carts/1')).body).toMatchObject({ state: 'ordered' })
  expect(await send('POST', '/carts/1/order', {})).toMatchObject({ status: 409 })
  expect(await send('POST', '/carts/1/lines', { product: 1, quantity: 1 })).toMatchObject({ status: 409 })
})

it('answers a request that comes again with the same key as the first time', async () => {
  const send = createShop()
  const first = await send('POST', '/carts', { state: 'open' }, 'k1')
  expect(await send('POST', '/carts', { state: 'open' }, 'k1')).toEqual(first)
  expect((await send('POST', '/carts', { state: 'open' }, 'k2')).body).toMatchObject({ id: 2 })
  expect((await send('POST', '/carts', { state: 'open' })).body).toMatchObject({ id: 3 })
})
