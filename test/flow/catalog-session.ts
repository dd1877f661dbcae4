/** An answer as a client sees it. */
export interface Seen {
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

/** Asks one server; all that it answered is kept, in order. */
export interface Client {
  readonly seen: readonly Seen[]
  ask(request: string, body?: object): Promise<Seen>
}

/** A client that follows no redirect. */
export function createClient(origin: string): Client {
  const seen: Seen[] = []
  return {
    seen,
    async ask(request, body) {
      const [method = '', path = ''] = request.split(' ')
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const type = response.headers.get('content-type') ?? ''
      const isJson = type.startsWith('application/json')
      const location = response.headers.get('location') ?? undefined
      const answer: Seen = {
        request,
        status: response.status,
        type: isJson ? 'application/json' : type,
        location: location && new URL(location, origin).pathname,
        links: [...(response.headers.get('link') ?? '').matchAll(/rel="(next)"/g)].map(
          ([, name]) => name ?? '',
        ),
        total: response.headers.get('x-total-count') ?? undefined,
        body: bytes.length === 0 ? undefined : isJson ? JSON.parse(String(bytes)) : bytes.toString('base64'),
      }
      seen.push(answer)
      return answer
    },
  }
}

const field = ({ body }: Seen, name: string): string => String((body as Record<string, unknown>)[name])

/** What is recorded. */
export async function recordedSession({ ask }: Client): Promise<void> {
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
export async function unseenSession({ ask }: Client): Promise<void> {
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
