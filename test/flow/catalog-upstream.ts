import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running API of a kind that is mostly read: pages, kinds of reports, files, and orders that are made. */
export interface CatalogUpstream {
  readonly url: string
  close(): Promise<void>
}

interface Reply {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Handler = (asked: {
  query: URLSearchParams
  params: readonly string[]
  body: Record<string, unknown>
}) => Reply

const PRODUCTS = Array.from({ length: 23 }, (_, index) => ({
  id: `p-${index + 1}`,
  name: `Product ${index + 1}`,
  price: 100 + ((index * 37) % 90),
}))
const EVENTS = Array.from({ length: 11 }, (_, index) => ({
  id: 5000 + index,
  kind: ['opened', 'closed', 'moved'][index % 3],
  at: `2026-03-${String(index + 10)}T08:00:00Z`,
}))
const LOGS = Array.from({ length: 9 }, (_, index) => ({ line: index + 1, text: `entry ${index + 1}` }))
const REPORTS: Readonly<Record<string, object>> = {
  sales: { kind: 'sales', total: 1250.5, currency: 'EUR', by_month: [400, 850.5] },
  stock: {
    kind: 'stock',
    warehouses: [
      { name: 'North', items: 310 },
      { name: 'South', items: 95 },
    ],
  },
  staff: { kind: 'staff', heads: 12, open_positions: ['baker'] },
}
const LABELS: Readonly<Record<string, object>> = {
  en: { save: 'Save', cancel: 'Cancel' },
  de: { save: 'Sichern', cancel: 'Abbrechen' },
  fr: { save: 'Enregistrer', cancel: 'Annuler' },
}
/** The smallest PNG there is: one transparent pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

function routesOf(origin: () => string): readonly (readonly [string, RegExp, Handler])[] {
  const orders = new Map<number, Record<string, unknown>>()
  let next = 700
  return [
    [
      'GET',
      /^\/v1\/products$/,
      ({ query }) => {
        const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 5)]
        const data = PRODUCTS.slice((page - 1) * size, page * size)
        return { body: { data, page, per_page: size, total: 23, total_pages: Math.ceil(23 / size) } }
      },
    ],
    [
      'GET',
      /^\/v1\/events$/,
      ({ query }) => {
        const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0)
        const size = Number(query.get('limit') ?? 4)
        const end = start + size
        const cursor = end < EVENTS.length ? Buffer.from(String(end)).toString('base64') : null
        return { body: { events: EVENTS.slice(start, end), next_cursor: cursor } }
      },
    ],
    [
      'GET',
      /^\/v1\/logs$/,
      ({ query }) => {
        const page = Number(query.get('page') ?? 1)
        const link = page < 3 ? { link: `<${origin()}/v1/logs?page=${page + 1}>; rel="next"` } : {}
        return { headers: { 'x-total-count': '9', ...link }, body: LOGS.slice((page - 1) * 3, page * 3) }
      },
    ],
    [
      'GET',
      /^\/v1\/reports\/(\w+)$/,
      ({ params: [kind = ''] }) => {
        const body = REPORTS[kind]
        return body === undefined ? { status: 404, body: { detail: 'No such report' } } : { body }
      },
    ],
    ['GET', /^\/v1\/labels$/, ({ query }) => ({ body: LABELS[query.get('lang') ?? 'en'] })],
    [
      'GET',
      /^\/v1\/products\.csv$/,
      () => ({ type: 'text/csv; charset=utf-8', body: 'id,name\np-1,"Product, 1"\n' }),
    ],
    [
      'GET',
      /^\/v1\/terms\/(\w+)$/,
      ({ params: [lang] }) => ({ type: 'text/html', body: `<!doctype html>\n<p lang="${lang}">Terms</p>\n` }),
    ],
    ['GET', /^\/logo\.png$/, () => ({ type: 'image/png', body: PIXEL })],
    [
      'POST',
      /^\/v1\/orders$/,
      ({ body }) => {
        const order = { id: next++, product: body['product'], quantity: body['quantity'], state: 'open' }
        orders.set(order.id, order)
        return { status: 201, headers: { location: `${origin()}/v1/orders/${order.id}` }, body: order }
      },
    ],
    [
      'GET',
      /^\/v1\/orders\/(\d+)$/,
      ({ params: [id] }) => {
        const body = orders.get(Number(id))
        return body === undefined ? { status: 404, body: { detail: 'No such order' } } : { body }
      },
    ],
    [
      'DELETE',
      /^\/v1\/orders\/(\d+)$/,
      ({ params: [id] }) => ({ status: orders.delete(Number(id)) ? 204 : 404 }),
    ],
    ['POST', /^\/v1\/exports$/, () => ({ status: 202, body: { state: 'queued', position: 1 } })],
    ['PUT', /^\/v1\/settings$/, () => ({ status: 204 })],
    [
      'GET',
      /^\/v1\/go\/(\d+)$/,
      ({ params: [id] }) => ({ status: 302, headers: { location: `/v1/orders/${id}` } }),
    ],
    ['GET', /^\/docs$/, () => ({ status: 301, headers: { location: '/v1/terms/en' } })],
  ]
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ReturnType<typeof routesOf>,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://any')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const found = routes.find(([each, path]) => each === method && path.test(url.pathname))
  const [, path, handle] = found ?? []
  const [, ...params] = path?.exec(url.pathname) ?? []
  const reply = handle?.({
    query: url.searchParams,
    params,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }) ?? { status: 404, body: { detail: 'Nothing here' } }
  const { status = 200, type = 'application/json', headers = {}, body } = reply
  const data = type === 'application/json' ? JSON.stringify(body) : (body as string | Buffer)
  response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers })
  response.end(body === undefined ? undefined : data)
}

/** Starts the API with no orders made yet. */
export async function startCatalogUpstream(): Promise<CatalogUpstream> {
  let url = ''
  const routes = routesOf(() => url)
  const server = createServer((request, response) => void answer(request, response, routes))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
