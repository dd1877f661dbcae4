import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { startUpstream } from './kit.ts'

// A server of orders that answers as its first version did, or as a later one would.

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const STATES = ['open', 'paid', 'sent']

/** An order of the first version: with fields that are optional, nullable, of several forms, and maps. */
function order(id: number): Record<string, unknown> {
  const day = `2026-03-${String((id % 28) + 1).padStart(2, '0')}`
  return {
    id,
    big: 9_007_199_254_740_000 + id,
    number: `A-${id}`,
    state: STATES[id % 3],
    price: id + 0.5,
    quantity: (id % 9) + 1,
    count: id % 7,
    score: id % 100,
    stock: id % 50,
    active: id % 2 === 0,
    due: day,
    created_at: `${day}T10:00:00Z`,
    updated_at: `${day}T10:00:00.5+02:00`,
    email: `user${id}@example.com`,
    ref: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    note: id % 2 === 0 ? null : 'n',
    ...(id % 4 === 0 && { gift: true }),
    customer: { name: `c${id}`, address: { city: 'Bonn', zip: id % 5 === 0 ? null : '53111' } },
    lines: Array.from({ length: id % 4 }, (_, index) => ({ sku: `s${index}`, count: index })),
    tags: id % 3 === 0 ? [] : [`t${id}`],
    parts: [{ name: 'p' }],
    labels: ['l'],
    payment: id % 2 === 0 ? { kind: 'card', last4: '4242' } : { kind: 'bank', iban: `DE${id}` },
    owner: id % 3 === 0 ? 'ann' : { login: 'ann' },
    rates: { [`2026-01-${10 + (id % 20)}`]: 1.5, [`2026-02-${10 + (id % 18)}`]: 2 },
    counters: Object.fromEntries(
      [0, 1, 2].map((n) => [`${'abcdefghijklmnopqrstuvwxyz'[(id * 7 + n * 5) % 26]}er`, n]),
    ),
    later: null,
  }
}

/** An order of the second version. Each change is at another place. */
function changedOrder(id: number): Record<string, unknown> {
  const { quantity: _quantity, due, ...was } = order(id)
  return {
    ...was,
    extra: true,
    due_on: due,
    number: id,
    state: 'void',
    price: '12.50',
    count: 1.5,
    score: 1_000_000,
    stock: -5,
    active: 'yes',
    email: null,
    updated_at: '31.1.2026',
    ref: 'none',
    customer: { name: null, vip: 1, address: 'Bonn' },
    lines: [{ count: 1 }],
    tags: [7],
    parts: ['p'],
    labels: { first: 'l' },
    payment: { kind: 'card', last4: 4242 },
    owner: { login: 7 },
    rates: { '2026-01-10': '1.5' },
  }
}

/** Requests to every route, the same for both versions. */
export function requestsOf(id: number): readonly (readonly [string, unknown?])[] {
  return [
    [`GET /orders/${id}`],
    [`GET /products?page=${id % 5}`],
    [`GET /search?q=x${id}${id % 2 === 0 ? '&lang=en' : ''}`],
    [`GET /jobs/${id}`],
    ['GET /gone'],
    ['GET /export'],
    ['POST /orders', { product: `p${id}`, amount: id, ...(id % 2 === 0 && { note: 'n' }) }],
  ]
}

/** What clients of the second version request besides. */
export function otherRequests(id: number): readonly (readonly [string, unknown?])[] {
  return [
    ['GET /health'],
    [`DELETE /orders/${id}`],
    ['GET /search?sort=up'],
    ['POST /orders', { amount: 'two', coupon: 'c' }],
  ]
}

function answer(method: string, path: string, isChanged: boolean): Answer {
  const [, name = '', text = ''] = path.split('/')
  const id = Number(text)
  const products = [{ sku: 'a', price: 1.5 }, ...(id % 2 === 0 ? [{ sku: 'b', price: 2, sale: true }] : [])]
  if (method === 'DELETE') return { status: 204 }
  if (name === 'orders' && method === 'POST') return { status: 201, body: { id: 7 } }
  if (name === 'orders') return { body: isChanged ? changedOrder(id) : order(id) }
  if (name === 'products')
    return isChanged
      ? { headers: { 'x-limit': 'many', 'x-new': '1' }, body: { items: products } }
      : { headers: { 'x-limit': '50', 'x-total': '2' }, body: products }
  if (name === 'jobs') return { status: isChanged ? 202 : 200, body: { done: true } }
  if (name === 'gone') return { status: isChanged ? 410 : 404, body: { error: 'gone' } }
  if (name === 'export') return isChanged ? { type: 'text/csv', body: 'a,b' } : { body: { rows: 1 } }
  return { body: { found: [] } }
}

/** Starts it, as its first or its second version. */
export function startDriftUpstream(isChanged: boolean) {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST') await json(request)
    const [path = ''] = (request.url ?? '').split('?')
    const reply = answer(request.method ?? '', path, isChanged)
    const { status = 200, type = 'application/json', headers = {}, body } = reply
    const content = body === undefined ? {} : { 'content-type': type }
    response.writeHead(status, { ...content, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  return startUpstream((request, response) => void respond(request, response))
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }
const flag = { type: 'boolean' }
const nullableText = { type: ['string', 'null'] }
const formatted = (format: string): object => ({ type: 'string', format })
const list = (items: object): object => ({ type: 'array', items })
const map = (additionalProperties: object): object => ({ type: 'object', additionalProperties })
const object = (properties: object, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
const Order = object(
  {
    ...{ id: whole, big: whole, number: text, state: { type: 'string', enum: STATES }, price: number },
    ...{ quantity: whole, count: whole, score: { type: 'integer', maximum: 100 }, active: flag },
    ...{ stock: { type: 'integer', minimum: 0 }, due: formatted('date') },
    ...{ created_at: formatted('date-time'), updated_at: formatted('date-time') },
    ...{ email: formatted('email'), ref: formatted('uuid'), note: nullableText, gift: flag, later: {} },
    customer: object({ name: text, address: object({ city: text, zip: nullableText }) }),
    ...{ lines: list(object({ sku: text, count: whole })), tags: list(text), labels: list(text) },
    parts: list(object({ name: text })),
    payment: {
      oneOf: [
        object({ kind: { const: 'card' }, last4: text }),
        object({ kind: { const: 'bank' }, iban: text }),
      ],
    },
    owner: { anyOf: [text, object({ login: text })] },
    ...{ rates: map(number), counters: map(whole) },
  },
  ['gift'],
)
const content = (schema: object): object => ({ content: { 'application/json': { schema } } })
const json200 = (schema: object, more: object = {}): object => ({
  responses: { 200: { description: 'fine', ...content(schema), ...more } },
})
const parameter = (name: string, schema: object, more: object = { in: 'query' }): object => ({
  name,
  schema,
  ...more,
})
const byId = [parameter('id', whole, { in: 'path', required: true })]
const Product = object({ sku: text, price: number, sale: flag }, ['sale'])

/** The first version, described. */
export const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders/{id}': { parameters: byId, get: json200(Order) },
    '/orders': {
      post: {
        requestBody: content(object({ product: text, amount: whole, note: text }, ['note'])),
        responses: { 201: { description: 'made', ...content(object({ id: whole })) } },
      },
    },
    '/products': {
      get: {
        parameters: [parameter('page', whole)],
        ...json200(list(Product), {
          headers: { 'X-Total': { required: true, schema: whole }, 'X-Limit': { schema: whole } },
        }),
      },
    },
    '/search': {
      get: {
        parameters: [parameter('q', text, { in: 'query', required: true }), parameter('lang', text)],
        ...json200(object({ found: list({}) })),
      },
    },
    '/jobs/{id}': { parameters: byId, get: json200(object({ done: flag })) },
    '/gone': { get: { responses: { 404: { description: 'gone' } } } },
    '/export': { get: json200(object({ rows: whole })) },
  },
}
