import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { startUpstream } from './kit.ts'

// An API of a kind that is mostly read: pages, kinds of reports, files, and orders that are made.

interface Reply {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Handler = (request: {
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
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A value that was found, or 404. */
const found = (body: unknown, name: string): Reply =>
  body === undefined ? { status: 404, body: { detail: `No such ${name}` } } : { body }

function routesOf(origin: () => string): readonly (readonly [string, RegExp, Handler])[] {
  const orders = new Map<number, Record<string, unknown>>()
  let next = 700

  const listProducts: Handler = ({ query }) => {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 5)]
    const data = PRODUCTS.slice((page - 1) * size, page * size)
    return { body: { data, page, per_page: size, total: 23, total_pages: Math.ceil(23 / size) } }
  }
  const listEvents: Handler = ({ query }) => {
    const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64').toString() || 0)
    const end = start + Number(query.get('limit') ?? 4)
    const cursor = end < EVENTS.length ? Buffer.from(String(end)).toString('base64') : null
    return { body: { events: EVENTS.slice(start, end), next_cursor: cursor } }
  }
  const listLogs: Handler = ({ query }) => {
    const page = Number(query.get('page') ?? 1)
    const link = page < 3 ? { link: `<${origin()}/v1/logs?page=${page + 1}>; rel="next"` } : {}
    return { headers: { 'x-total-count': '9', ...link }, body: LOGS.slice((page - 1) * 3, page * 3) }
  }
  const makeOrder: Handler = ({ body }) => {
    const order = { id: next++, product: body['product'], quantity: body['quantity'], state: 'open' }
    orders.set(order.id, order)
    return { status: 201, headers: { location: `${origin()}/v1/orders/${order.id}` }, body: order }
  }
  const csv = { type: 'text/csv; charset=utf-8', body: 'id,name\np-1,"Product, 1"\n' }
  const terms = (lang = ''): string => `<!doctype html>\n<p lang="${lang}">Terms</p>\n`

  return [
    ['GET', /^\/v1\/products$/, listProducts],
    ['GET', /^\/v1\/events$/, listEvents],
    ['GET', /^\/v1\/logs$/, listLogs],
    ['GET', /^\/v1\/reports\/(\w+)$/, ({ params: [kind = ''] }) => found(REPORTS[kind], 'report')],
    ['GET', /^\/v1\/labels$/, ({ query }) => ({ body: LABELS[query.get('lang') ?? 'en'] })],
    ['GET', /^\/v1\/products\.csv$/, () => csv],
    ['GET', /^\/v1\/terms\/(\w+)$/, ({ params: [lang] }) => ({ type: 'text/html', body: terms(lang) })],
    ['GET', /^\/logo\.png$/, () => ({ type: 'image/png', body: PIXEL })],
    ['POST', /^\/v1\/orders$/, makeOrder],
    ['GET', /^\/v1\/orders\/(\d+)$/, ({ params: [id] }) => found(orders.get(Number(id)), 'order')],
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

/** Starts the API with no orders made yet. */
export async function startCatalogUpstream() {
  let origin = ''
  const routes = routesOf(() => origin)
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://any')
    const sent = await text(request)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const [, path, handle] = routes.find(([each, path]) => each === method && path.test(url.pathname)) ?? []
    const [, ...params] = path?.exec(url.pathname) ?? []
    const reply = handle?.({
      query: url.searchParams,
      params,
      body: sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>),
    }) ?? { status: 404, body: { detail: 'Nothing here' } }
    const { status = 200, type = 'application/json', headers = {}, body } = reply
    const data = type === 'application/json' ? JSON.stringify(body) : (body as string | Buffer)
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers })
    response.end(body === undefined ? undefined : data)
  }
  const upstream = await startUpstream((request, response) => void respond(request, response))
  origin = upstream.url
  return upstream
}
