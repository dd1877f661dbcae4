import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { startCatalogUpstream } from './catalog-upstream.ts'
import { openFolder, openSim, send } from './kit.ts'
import { shapeOf } from './shape-of.ts'
import { runSim, type SimResult } from './sim-process.ts'

/** An answer as a client sees it. */
interface Seen {
  readonly request: string
  readonly status: number
  readonly type: string
  /** Path of the `Location`, without the origin. */
  readonly location: string | undefined
  readonly links: readonly string[]
  readonly total: string | undefined
  /** JSON, or the bytes in base64. */
  readonly body: unknown
}

/** Sends requests to one server; all that it answered is kept, in order. */
interface Client {
  readonly seen: readonly Seen[]
  ask(request: string, body?: object): Promise<Seen>
}

function createClient(origin: string): Client {
  const seen: Seen[] = []
  return {
    seen,
    async ask(request, body) {
      const [method = '', path = ''] = request.split(' ')
      const answer = await send(method, `${origin}${path}`, body)
      const { headers, bytes } = answer
      const type = headers.get('content-type') ?? ''
      const isJson = type.startsWith('application/json')
      const location = headers.get('location') ?? undefined
      const given = {
        request,
        status: answer.status,
        type: isJson ? 'application/json' : type,
        location: location && new URL(location, origin).pathname,
        links: [...(headers.get('link') ?? '').matchAll(/rel="(next)"/g)].map(([, name = '']) => name),
        total: headers.get('x-total-count') ?? undefined,
        body: bytes.length === 0 || isJson ? answer.body : bytes.toString('base64'),
      }
      seen.push(given)
      return given
    },
  }
}

const field = ({ body }: Seen, name: string): string => String((body as Record<string, unknown>)[name])

type Session = (client: Client) => Promise<void>

/** What is recorded. */
async function recordedSession({ ask }: Client): Promise<void> {
  for (const page of [1, 2, 3, 4, 5]) await ask(`GET /v1/products?page=${page}`)
  await ask('GET /v1/products')
  await ask('GET /v1/products?page=2&per_page=10')
  const first = await ask('GET /v1/events')
  const second = await ask(`GET /v1/events?cursor=${encodeURIComponent(field(first, 'next_cursor'))}`)
  await ask(`GET /v1/events?cursor=${encodeURIComponent(field(second, 'next_cursor'))}`)
  await ask('GET /v1/events?limit=6')
  for (const page of [1, 2, 3]) await ask(`GET /v1/logs?page=${page}`)
  for (const kind of ['sales', 'stock', 'staff', 'sales', 'stock']) await ask(`GET /v1/reports/${kind}`)
  await ask('GET /v1/reports/weather')
  for (const lang of ['?lang=de', '?lang=fr', '', '?lang=de', '?lang=fr', ''])
    await ask(`GET /v1/labels${lang}`)
  await ask('GET /v1/products.csv')
  for (const lang of ['en', 'de']) await ask(`GET /v1/terms/${lang}`)
  await ask('GET /logo.png')
  const orders: string[] = []
  for (const quantity of [1, 2, 5]) {
    const order = await ask('POST /v1/orders', { product: `p-${quantity}`, quantity })
    orders.push(field(order, 'id'))
  }
  for (const id of orders) await ask(`GET /v1/orders/${id}`)
  await ask(`DELETE /v1/orders/${orders[1]}`)
  await ask(`GET /v1/orders/${orders[1]}`)
  for (const name of ['a', 'b', 'c']) await ask('POST /v1/exports', { name })
  for (const theme of ['dark', 'light', 'dark']) await ask('PUT /v1/settings', { theme })
  for (const id of orders) await ask(`GET /v1/go/${id}`)
  await ask('GET /docs')
  await ask('HEAD /v1/products.csv')
}

/** What is not recorded: other pages, sizes and orders. */
async function unseenSession({ ask }: Client): Promise<void> {
  for (const request of ['?page=3&per_page=4', '?per_page=20', '?page=2&per_page=20', '?page=99'])
    await ask(`GET /v1/products${request}`)
  let page = await ask('GET /v1/events?limit=3')
  while (field(page, 'next_cursor') !== 'null')
    page = await ask(`GET /v1/events?limit=3&cursor=${encodeURIComponent(field(page, 'next_cursor'))}`)
  await ask('GET /v1/logs')
  for (const kind of ['staff', 'weather', 'stock']) await ask(`GET /v1/reports/${kind}`)
  for (const lang of ['', '?lang=fr', '?lang=en']) await ask(`GET /v1/labels${lang}`)
  const order = await ask('POST /v1/orders', { product: 'p-9', quantity: 9 })
  await ask(`GET /v1/orders/${field(order, 'id')}`)
  await ask(`GET /v1/go/${field(order, 'id')}`)
  await ask(`DELETE /v1/orders/${field(order, 'id')}`)
  await ask(`DELETE /v1/orders/${field(order, 'id')}`)
  await ask('GET /v1/orders/1')
  await ask('POST /v1/exports', { name: 'd' })
  await ask('PUT /v1/settings', { theme: 'blue' })
  await ask('GET /v1/terms/de')
  await ask('GET /logo.png')
}

/** What is to be alike; the words of a failure do not count, and neither does the text of a token. */
function kindOf({ request, status, type, location, links, total, body }: Seen): unknown {
  const isOk = status < 400
  return {
    request: request.replace(/cursor=[^&]+/, 'cursor='),
    status,
    links,
    total,
    ...(isOk && { type, location, body: type === 'application/json' ? shapeOf(body) : body }),
  }
}

// Cursors are the server's own.
function withoutCursor(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body ?? null, (key, value: unknown) => (key === 'next_cursor' ? 0 : value)),
  )
}

describe('a recording of pages, kinds, files and creations, made into routes', () => {
  const folder = openFolder().path
  let made: SimResult
  let live: readonly Seen[]
  let liveUnseen: readonly Seen[]

  const play = async (url: string, session: Session): Promise<readonly Seen[]> => {
    const client = createClient(url)
    await session(client)
    return client.seen
  }
  const simulate = async (session: Session): Promise<readonly Seen[]> => {
    const simulated = await openSim(['run', 'mock/routes.yaml', '--seed', '3'], folder)
    const seen = await play(simulated.url, session)
    expect(await simulated.stop()).toBe(0)
    return seen
  }
  // Ids that are made differ, and so do the addresses that hold them.
  const plain = (seen: Seen | undefined): string =>
    seen === undefined ? '' : JSON.stringify(kindOf(seen)).replace(/(\/(orders|go))\/\d+/g, '$1/0')

  beforeAll(async () => {
    const upstream = await startCatalogUpstream()
    const gateway = await openSim(['proxy', '--upstream', upstream.url, '--record', 'recorded'], folder)
    live = await play(gateway.url, recordedSession)
    await gateway.stop()
    liveUnseen = await play((await startCatalogUpstream()).url, unseenSession)
    made = await runSim(['fixtures', 'from', 'recorded', '-o', 'mock'], folder)
  })

  it('passes validation, as routes and as a description', async () => {
    const said = made.stderr.split('\n').filter((line) => line !== '' && !line.includes('exchanges proven'))
    expect([made.code, said]).toEqual([0, []])
    for (const target of ['mock/routes.yaml', 'mock/openapi.yaml']) {
      const { code, stdout, stderr } = await runSim(['validate', target], folder)
      expect(`${code} ${stdout} ${stderr}`).toMatch(/^0 OK: 16 routes, \d+ links\n $/)
    }
  })

  it('answers the recorded session as the server did: statuses, types, headers, files and pages', async () => {
    const simulated = await simulate(recordedSession)
    expect(simulated.map(plain)).toEqual(live.map(plain))
    for (const [index, { request, body, status }] of live.entries()) {
      if (status >= 300 || /orders/.test(request)) continue
      expect({ request, body: withoutCursor(simulated[index]?.body) }).toEqual({
        request,
        body: withoutCursor(body),
      })
    }
  })

  it('answers most of a session that it never saw as the server did', async () => {
    const simulated = await simulate(unseenSession)
    const differing = liveUnseen.filter((seen, index) => plain(seen) !== plain(simulated[index]))
    const count = liveUnseen.length - differing.length
    process.stdout.write(
      `unseen session of a catalog: ${count} of ${liveUnseen.length} answered as the server did` +
        `${differing.map(({ request }) => `, not ${request}`).join('')}\n`,
    )
    expect(simulated.length).toBe(liveUnseen.length)
    expect(count / liveUnseen.length).toBeGreaterThanOrEqual(0.9)
  })

  it('describes them so that the description serves the same files and reports', async () => {
    const { url } = await openSim(['run', 'mock/openapi.yaml', '--seed', '3'], folder)
    const client = createClient(url)
    for (const request of ['GET /logo.png', 'GET /v1/products.csv', 'GET /v1/reports/stock']) {
      const { type, body } = live.find((seen) => seen.request === request) as Seen
      expect(await client.ask(request)).toMatchObject({ request, type, body })
    }
  })

  it('gives out addresses that lead to what was created', async () => {
    const { url } = await openSim(['run', 'mock/routes.yaml', '--seed', '3'], folder)
    const client = createClient(url)
    const { location, body } = await client.ask('POST /v1/orders', { product: 'p-4', quantity: 4 })
    expect((await client.ask(`GET ${location}`)).body).toEqual(body)
  })

  it('reports pages and answers from fixtures', async () => {
    const report = await readFile(join(folder, 'mock/REPORT.md'), 'utf8')
    expect(report).toContain('| `GET /v1/products` | `page`, `per_page` |')
    expect(report).toContain('| `GET /v1/events` | `cursor`, `limit` |')
    expect(report).toContain('| `GET /v1/reports/{kind}` | path `kind` | 3 |')
    expect(report).toContain('| `GET /v1/labels` | query `lang` | 2 |')
    expect(report).toContain('text/csv')
  })
})
