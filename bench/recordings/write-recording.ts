import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Content, Exchange, PostData } from '../../src/recording/exchange.ts'
import { toInline } from '../../src/recording/exchange.ts'
import { createDraws, createShop, KINDS, type Draws, type ShopAnswer, type ShopRequest } from './shop.ts'

/** What the clients of the shop mostly do. */
export type Usage = 'mixed' | 'one collection' | 'many paths'

/** Of which work there is how much, in parts of all. */
const SHARES: Readonly<Record<Usage, Readonly<Record<string, number>>>> = {
  mixed: { list: 18, read: 34, make: 10, change: 8, remove: 3, call: 12, fail: 5, page: 6, report: 4 },
  'one collection': { list: 15, read: 45, make: 20, change: 15, remove: 5 },
  'many paths': { report: 90, read: 10 },
}

/**
 * Writes a recording of clients that use a shop. The same options write the same bytes; what is made, read and changed
 * grows with the number of exchanges, and the pages that lists are read in stay as long.
 */
export async function writeRecording(
  directory: string,
  exchanges: number,
  { seed = 1, usage = 'mixed' }: { readonly seed?: number; readonly usage?: Usage } = {},
): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const file = createWriteStream(join(directory, 'exchanges.ndjson'))
  const answer = createShop(seed)
  const client = createClient(createDraws(seed, 'client'), usage)
  for (let count = 0; count < exchanges; count++) {
    const time = new Date(Date.UTC(2026, 0, 1) + count * 137).toISOString()
    const next = client.next(exchanges)
    const request = { ...next, headers: { ...TOKEN, ...next.headers } }
    const answered = answer(request, time)
    client.note(request, answered)
    if (!file.write(`${JSON.stringify(exchangeOf(request, answered, time))}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

interface Client {
  next(all: number): ShopRequest
  /** Takes in what was answered, which later requests speak of. */
  note(request: ShopRequest, answer: ShopAnswer): void
}

const TOKEN = { authorization: 'Bearer redacted-0123456789abcdef' }
/** What a client remembers of a collection. */
const MAX_KNOWN = 400

function createClient(draws: Draws, usage: Usage): Client {
  const { pick, below } = draws
  const deck = Object.entries(SHARES[usage]).flatMap(([work, share]) => Array<string>(share).fill(work))
  const kinds = usage === 'one collection' ? KINDS.slice(0, 1) : KINDS
  const known = new Map(kinds.map(({ name }): [string, string[]] => [name, []]))
  const etags = new Map<string, string>()
  let [calls, carts] = [0, 0]
  const works: Readonly<Record<string, (all: number) => ShopRequest>> = {
    list: () => {
      const { name } = pick(kinds)
      const filter = name === 'products' && below(3) === 0 ? `&category=${pick(['garden', 'office'])}` : ''
      return { method: 'GET', url: `/${name}?page=${1 + below(5)}&per_page=20${filter}` }
    },
    read: () => {
      const url = itemUrl()
      const etag = etags.get(url)
      if (etag === undefined || below(4) > 0) return { method: 'GET', url }
      return { method: 'GET', url, headers: { 'if-none-match': etag } }
    },
    make: () => {
      const kind = pick(kinds)
      return { method: 'POST', url: `/${kind.name}`, body: kind.make(draws) }
    },
    change: () => {
      const kind = pick(kinds)
      const [field, value] = pick(Object.entries(kind.make(draws)))
      return { method: 'PATCH', url: itemUrl(kind.name), body: { [field as string]: value } }
    },
    remove: () => ({ method: 'DELETE', url: itemUrl() }),
    call: () => {
      const method = pick(['cart.create', 'cart.add', 'cart.add', 'cart.get', 'cart.get', 'cart.clear'])
      if (method === 'cart.create') carts++
      const cart = `cart-${method === 'cart.create' ? carts : 1 + below(carts + 1)}`
      const line = method === 'cart.add' ? { product: 1 + below(60), quantity: 1 + below(4) } : {}
      const body = { jsonrpc: '2.0', id: ++calls, method, params: { cart, ...line } }
      return { method: 'POST', url: '/rpc', body }
    },
    fail: () =>
      pick([
        () => ({ method: 'GET', url: `/products/${900_000 + below(1000)}` }),
        () => ({ method: 'POST', url: '/products', body: { price: below(100) } }),
        () => ({ method: 'GET', url: '/orders', headers: { authorization: '' } }),
      ])(),
    page: () =>
      pick([
        { method: 'GET', url: `/help/${pick(['returns', 'shipping', 'privacy', 'contact'])}` },
        { method: 'GET', url: `/images/${1 + below(40)}.png` },
      ]),
    report: (all) => ({ method: 'GET', url: `/reports/${below(12)}/${wordOf(below(all / 8))}` }),
  }
  const itemUrl = (name = pick(kinds).name): string => {
    const ids = known.get(name) ?? []
    return `/${name}/${ids.length === 0 ? '1' : pick(ids)}`
  }
  return {
    next: (all) => (works[pick(deck)] as (all: number) => ShopRequest)(all),
    note({ method, url }, { status, headers = {}, body }) {
      const [, name = '', id] = url.split(/[/?]/)
      const ids = known.get(name)
      if (ids === undefined || status >= 300) return
      if (method === 'GET' && headers['etag'] !== undefined) etags.set(url, headers['etag'])
      const items = Array.isArray(body) ? (body as { id: unknown }[]) : []
      const made = method === 'POST' ? [(body as { id: unknown }).id] : items.map((item) => item.id)
      for (const each of made) if (!ids.includes(String(each))) ids.push(String(each))
      if (ids.length > MAX_KNOWN) ids.splice(0, ids.length - MAX_KNOWN)
      // One in three is requested again, and is not there.
      if (method === 'DELETE' && below(3) > 0) ids.splice(ids.indexOf(id ?? ''), 1)
    },
  }
}

// Words, so that each is a path of its own.
function wordOf(number: number): string {
  const letters = 'bcdfghklmnprstvz'
  return [...number.toString(16).padStart(4, '0')]
    .map((digit, at) => `${letters[Number.parseInt(digit, 16)]}${'aeiou'[(number + at) % 5]}`)
    .join('')
}

function exchangeOf(request: ShopRequest, { status, headers = {}, body }: ShopAnswer, time: string): Exchange {
  const url = new URL(request.url, 'https://shop.test')
  const given = { accept: 'application/json', ...request.headers }
  const sent = request.body === undefined ? undefined : JSON.stringify(request.body)
  const own = { 'user-agent': 'shop-client/2.1', host: url.host, ...given }
  const wait = 5 + (status % 7)
  const bytes = bytesOf(body)
  const type = headers['content-type'] ?? (bytes.length === 0 ? '' : 'application/json; charset=utf-8')
  const { text, isBase64 } = toInline(bytes)
  const content: Content = {
    ...{ size: bytes.length, mimeType: type },
    ...(bytes.length > 0 && { text }),
    ...(isBase64 && { encoding: 'base64' }),
  }
  const postData: PostData | undefined = sent === undefined ? undefined : { mimeType: JSON_TYPE, text: sent }
  return {
    ...{ startedDateTime: time, time: wait },
    request: {
      ...{ method: request.method, url: url.href, httpVersion: 'HTTP/1.1', cookies: [] },
      headers: listOf({ ...own, ...(sent !== undefined && { 'content-type': JSON_TYPE }) }),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(postData !== undefined && { postData }),
      ...{ headersSize: -1, bodySize: sent?.length ?? 0 },
    },
    response: {
      ...{ status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [] },
      headers: listOf({
        ...{ date: new Date(time).toUTCString(), 'cache-control': 'no-cache' },
        ...{ 'x-request-id': `req-${Date.parse(time).toString(36)}`, ...headers },
        ...(type !== '' && { 'content-type': type }),
      }),
      ...{ content, redirectURL: headers['location'] ?? '', headersSize: -1, bodySize: bytes.length },
    },
    cache: {},
    timings: { send: 0, wait, receive: 0 },
  }
}

const JSON_TYPE = 'application/json'

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function listOf(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, value }))
}
