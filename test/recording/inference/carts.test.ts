import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const PRODUCTS = [
  { id: 'p-a1b2c3', name: 'Cup', cost: 2.5, stock: 9 },
  { id: 'p-b2c3d4', name: 'Pot', cost: 31, stock: 4 },
  { id: 'p-c3d4e5', name: 'Pan', cost: 47.25, stock: 20 },
]
const IDS = ['e71f0a4b', '08c2d95e', '5bd3176a']

type Line = readonly [product: number, quantity: number]

function lines(of: readonly Line[], cart: number) {
  return of.map(([at, quantity]) => {
    const { id: product_id, cost } = PRODUCTS[at] as (typeof PRODUCTS)[number]
    return { id: `l-${cart}${IDS[at]}`, product_id, quantity, price: cost, amount: cost * quantity }
  })
}

function cart(id: number, ...of: readonly Line[]) {
  const items = lines(of, id)
  return {
    id,
    owner: `ann${id}`,
    state: 'open',
    items,
    places: items.length,
    total: items.reduce((sum, { amount }) => sum + amount, 0),
  }
}

function order(id: number, of: ReturnType<typeof cart>) {
  const items = of.items.map(({ id: _id, ...rest }) => rest)
  return { id: 70 + id, number: `R-000${id}`, cart_id: of.id, owner: of.owner, total: of.total, items }
}

const add = (id: number, [at, quantity]: Line, response: object, status = 201): Entry => [
  `POST /carts/${id}/items`,
  { status, body: { product_id: PRODUCTS[at]?.id, quantity }, response },
]
const post = (path: string, body: object, response: object, status = 201): Entry => [
  `POST ${path}`,
  { status, body, response },
]
const closed = { error: 'Cart is ordered already' }

const RECORDED: readonly Entry[] = [
  ...PRODUCTS.map((product): Entry =>
    post('/products', { name: product.name, cost: product.cost, stock: product.stock }, product),
  ),
  ['GET /products', { response: PRODUCTS }],
  ...PRODUCTS.map((product): Entry => [`GET /products/${product.id}`, { response: product }]),
  post('/carts', { owner: 'ann1' }, cart(1)),
  post('/carts/1/order', {}, { error: 'Nothing to order' }, 409),
  add(1, [0, 2], cart(1, [0, 2])),
  add(1, [1, 3], cart(1, [0, 2], [1, 3])),
  add(1, [0, 5], cart(1, [0, 7], [1, 3])),
  add(1, [1, 40], { error: 'Only 4 left of Pot' }, 409),
  [`PATCH /carts/1/items/l-1${IDS[1]}`, { body: { quantity: 2 }, response: cart(1, [0, 7], [1, 2]) }],
  [`DELETE /carts/1/items/l-1${IDS[0]}`, { response: cart(1, [1, 2]) }],
  ['GET /carts/1', { response: cart(1, [1, 2]) }],
  post('/carts/1/order', {}, order(1, cart(1, [1, 2]))),
  post('/carts/1/order', {}, closed, 409),
  add(1, [2, 1], closed, 409),
  post('/carts', { owner: 'ann2' }, cart(2)),
  add(2, [2, 6], cart(2, [2, 6])),
  post('/carts/2/order', {}, order(2, cart(2, [2, 6]))),
  ['GET /orders', { response: [order(1, cart(1, [1, 2])), order(2, cart(2, [2, 6]))] }],
  ['GET /orders/71', { response: order(1, cart(1, [1, 2])) }],
]

it('says what lines copy, what totals are computed of, and what an order needs and makes of its cart', () => {
  const { routes } = toRouteFile(inferRoutes(samplesOf(...RECORDED))).document
  const computes = {
    '/items/-/amount': 'quantity * price',
    '/places': 'count(items)',
    '/total': 'sum(items.amount)',
  }
  const refers = {
    product_id: { at: '/products/{id}', copies: { price: 'cost' }, atMost: { quantity: 'stock' } },
  }
  const from = { state: ['open'] }
  expect(routes).toMatchObject({
    'POST /carts': { item: { computes } },
    'POST /carts/{cart_id}/items': {
      item: {
        ...{ at: '/carts/{cart_id}', does: 'change', computes, refers },
        entry: { list: '/items', ids: 'l-{hex 9}', same: { by: 'product_id', adds: 'quantity' } },
        affects: { '/carts/{cart_id}': { from } },
      },
    },
    'PATCH /carts/{cart_id}/items/{id}': {
      item: { entry: { list: '/items', by: 'id', key: '/id' }, computes },
    },
    'DELETE /carts/{cart_id}/items/{id}': {
      item: { entry: { list: '/items', by: 'id', key: '/id' }, computes },
    },
    'POST /carts/{cart_id}/order': {
      item: {
        at: '/orders',
        numbers: { number: 'R-{0001}' },
        refers: {
          cart_id: {
            at: '/carts/{id}',
            copies: { owner: 'owner', items: { from: 'items', without: ['id'] } },
          },
        },
        affects: { '/carts/{cart_id}': { from, filled: ['items'], sets: { state: 'ordered' } } },
      },
      error_answers: {
        SIM_ITEM_EXISTS: { body: { error: 'Cart is {item.state} already' } },
        'SIM_ITEM_EXISTS/empty': { body: { error: 'Nothing to order' } },
      },
    },
  })
  expect(JSON.stringify(routes)).toContain('Only {item.stock} left of {item.name}')
})

it('takes a cart for closed only where nothing was done with it any more', () => {
  const again = add(1, [2, 1], cart(1, [1, 2], [2, 1]))
  const others = RECORDED.map((each) =>
    each[0] === 'POST /carts/1/items' && JSON.stringify(each).includes('ordered') ? again : each,
  )
  const text = JSON.stringify(toRouteFile(inferRoutes(samplesOf(...others))).document)
  expect(text).not.toContain('"sets":{"state"')
})
