import { hash } from 'node:crypto'
import { contentStream, type Seed, type Stream } from '../../src/engine/random.ts'

/** A request as a client of the shop sends it. */
export interface ShopRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What the shop answers. */
export interface ShopAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A text, bytes, or what JSON is made of. */
  readonly body?: unknown
}

type Item = Record<string, unknown>

/** What the items of a collection are like. */
interface Kind {
  readonly name: string
  readonly makeId: (shop: Draws, count: number) => string | number
  readonly make: (shop: Draws) => Item
  /** What a request to make one has to say. */
  readonly required: string
}

/** What values are drawn with. */
export interface Draws {
  readonly stream: Stream
  below(bound: number): number
  pick<Value>(values: readonly Value[]): Value
  words(least: number, most: number): string
}

/** Draws that follow from a seed and a name. */
export function createDraws(seed: Seed, name: string): Draws {
  const stream = contentStream(seed, name)
  const below = (bound: number): number => Math.floor(stream.next() * bound)
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const words = (least: number, most: number): string =>
    Array.from({ length: least + below(most - least + 1) }, () => pick(WORDS)).join(' ')
  return { stream, below, pick, words }
}

const WORDS =
  'amber basin cedar delta ember fable grove haven inlet jetty kernel ledge maple noble ocean pearl quartz river slate timber umber valley willow yonder zenith'.split(
    ' ',
  )

const hexOf = (shop: Draws, digits: number): string =>
  Array.from({ length: digits }, () => shop.below(16).toString(16)).join('')

const uuidOf = (shop: Draws): string =>
  `${hexOf(shop, 8)}-${hexOf(shop, 4)}-4${hexOf(shop, 3)}-a${hexOf(shop, 3)}-${hexOf(shop, 12)}`

/** What the shop has. The texts of articles are up to 20 KiB long. */
export const KINDS: readonly Kind[] = [
  {
    name: 'products',
    makeId: (_shop, count) => count,
    make: (shop) => ({
      name: shop.words(1, 3),
      category: shop.pick(['kitchen', 'garden', 'office', 'travel']),
      price: shop.below(50_000) / 100,
      tags: [shop.pick(WORDS), shop.pick(WORDS)],
      description: shop.words(10, 60),
      stock: { warehouse: shop.pick(['north', 'south']), count: shop.below(300) },
    }),
    required: 'name',
  },
  {
    name: 'customers',
    makeId: uuidOf,
    make: (shop) => ({
      email: `${shop.pick(WORDS)}.${hexOf(shop, 6)}@example.org`,
      name: shop.words(2, 2),
      status: shop.pick(['active', 'invited', 'closed']),
      address: { street: `${shop.below(200) + 1} ${shop.words(1, 2)} Street`, city: shop.pick(WORDS) },
    }),
    required: 'email',
  },
  {
    name: 'orders',
    makeId: (_shop, count) => `ord_${String(count).padStart(6, '0')}`,
    make: (shop) => ({
      status: shop.pick(['open', 'paid', 'sent']),
      total: shop.below(100_000) / 100,
      lines: Array.from({ length: 1 + shop.below(8) }, () => ({
        ...{ product: 1 + shop.below(200), quantity: 1 + shop.below(5), note: shop.words(2, 12) },
      })),
    }),
    required: 'lines',
  },
  {
    name: 'articles',
    makeId: (shop, count) => `${shop.pick(WORDS)}-${shop.pick(WORDS)}-${count}`,
    make: (shop) => ({
      title: shop.words(3, 7),
      body: shop.words(40, shop.below(6) === 0 ? 3200 : 500),
      published: shop.below(2) === 0,
    }),
    required: 'title',
  },
]

const [SEEDS, PAGE] = [60, 20]

/** A shop in memory: collections, a cart that is spoken to by JSON-RPC, pages and images. */
export function createShop(seed: Seed): (request: ShopRequest, time: string) => ShopAnswer {
  const shop = createDraws(seed, 'shop')
  const collections = new Map(
    KINDS.map((kind) => {
      const items = new Map<string, Item>()
      const add = (given: Item, time: string): Item => {
        const id = kind.makeId(shop, items.size + gone + 1)
        const item = { id, ...given, createdAt: time, updatedAt: time }
        items.set(String(id), item)
        return item
      }
      let gone = 0
      const remove = (id: string): void => {
        items.delete(id)
        gone++
      }
      for (let count = 0; count < SEEDS; count++) add(kind.make(shop), '2025-01-01T00:00:00.000Z')
      return [kind.name, { kind, items, add, remove }] as const
    }),
  )
  const carts = new Map<string, Item[]>()

  const answerItems = (
    { method, headers = {}, body }: ShopRequest,
    [name = '', id]: readonly string[],
    query: URLSearchParams,
    time: string,
  ): ShopAnswer | undefined => {
    const found = collections.get(name)
    if (found === undefined) return undefined
    const { kind, items, add, remove } = found
    if (id === undefined) {
      if (method === 'GET') return pageOf([...items.values()], query)
      const given = body as Item
      if (given[kind.required] === undefined)
        return failure(422, 'invalid', `${kind.required} is required`, { field: kind.required })
      const item = add(given, time)
      return { status: 201, headers: { location: `/${name}/${String(item['id'])}` }, body: item }
    }
    const item = items.get(id)
    if (item === undefined) return failure(404, 'not_found', `There is no ${id} in ${name}`)
    if (method === 'DELETE') {
      remove(id)
      return { status: 204 }
    }
    const etag = `"${hash('sha1', JSON.stringify(item)).slice(0, 16)}"`
    if (method === 'GET')
      return headers['if-none-match'] === etag
        ? { status: 304, headers: { etag } }
        : { status: 200, headers: { etag }, body: item }
    const changed = { ...item, ...(body as Item), updatedAt: time }
    items.set(id, changed)
    return { status: 200, body: changed }
  }

  const answerCall = ({ body }: ShopRequest): ShopAnswer => {
    const { id, method, params } = body as { id: number; method: string; params: Item }
    const cart = String(params['cart'])
    const own = carts.get(cart)
    const given = (result: unknown): ShopAnswer => ({ status: 200, body: { jsonrpc: '2.0', id, result } })
    if (method === 'cart.create') {
      carts.set(cart, [])
      return given({ cart, lines: [] })
    }
    if (own === undefined)
      return { status: 200, body: { jsonrpc: '2.0', id, error: { code: -32001, message: 'no such cart' } } }
    if (method === 'cart.add') own.push({ product: params['product'], quantity: params['quantity'] })
    if (method === 'cart.clear') carts.set(cart, [])
    return given({ cart, lines: [...(carts.get(cart) ?? [])] })
  }

  return (request, time) => {
    const { pathname, searchParams } = new URL(request.url, 'https://shop.test')
    const segments = pathname.slice(1).split('/')
    if (request.headers?.['authorization'] === '')
      return failure(401, 'unauthorized', 'A token is required')
    if (pathname === '/rpc') return answerCall(request)
    return answerItems(request, segments, searchParams, time) ?? fixedAnswer(pathname)
  }
}

/** Pages, images and reports, which stay as they are. */
function fixedAnswer(path: string): ShopAnswer {
  const own = createDraws(1, path)
  const [, first, name = ''] = path.split('/')
  if (first === 'help') {
    const text = own.words(60, 900)
    const body = `<!doctype html><title>${name}</title><h1>${name}</h1><p>${text}</p>`
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
  }
  if (first === 'images') {
    const body = Buffer.from(Array.from({ length: 400 + own.below(8000) }, () => own.below(256)))
    return { status: 200, headers: { 'content-type': 'image/png' }, body }
  }
  if (first !== 'reports') return failure(404, 'not_found', `There is nothing at ${path}`)
  const rows = Array.from({ length: 1 + own.below(30) }, (_, at) => ({ day: at + 1, sold: own.below(90) }))
  return { status: 200, body: { report: path.slice('/reports/'.length), currency: 'EUR', rows } }
}

function pageOf(items: readonly Item[], query: URLSearchParams): ShopAnswer {
  const able = items.filter((item) =>
    [...query].every(([name, value]) => !(name in item) || item[name] === value),
  )
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? PAGE)]
  return {
    status: 200,
    headers: { 'x-total-count': String(able.length) },
    // Long texts are shown of one item alone.
    body: able.slice((page - 1) * size, page * size).map(({ body: _body, ...item }) => item),
  }
}

function failure(status: number, code: string, message: string, more: Item = {}): ShopAnswer {
  return { status, body: { error: { code, message, ...more } } }
}
