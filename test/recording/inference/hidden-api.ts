import Fastify, { type FastifyInstance } from 'fastify'

/** An API of 12 routes that inference is to find out, with fields that only sometimes repeat what was requested. */
export function createHiddenApi(): FastifyInstance {
  const app = Fastify()
  let next = 100
  const random = generator(7)
  const users = new Map<number, Record<string, unknown>>()
  for (let id = 1; id <= 8; id++)
    users.set(id, userOf(id, { name: `User ${id}`, role: id % 3 ? 'member' : 'admin' }))
  // Decoys: equal to a value of the request about every other time.
  const sometimes = (value: unknown, other: unknown): unknown => (random() < 0.5 ? value : other)

  app.get('/users', ({ query }) => {
    const { role, limit = '5' } = query as Record<string, string>
    return [...users.values()]
      .filter((user) => role === undefined || user['role'] === role)
      .slice(0, Number(limit))
  })
  app.post('/users', (request, reply) => {
    const body = request.body as Record<string, unknown>
    const user = userOf(next++, body)
    users.set(user['id'] as number, user)
    return reply.code(201).send(user)
  })
  app.get('/users/:id', (request, reply) => {
    const user = users.get(Number((request.params as { id: string }).id))
    return user ?? reply.code(404).send({ detail: 'Not found' })
  })
  app.patch('/users/:id', (request, reply) => {
    const user = users.get(Number((request.params as { id: string }).id))
    if (user === undefined) return reply.code(404).send({ detail: 'Not found' })
    return Object.assign(user, request.body)
  })
  app.delete('/users/:id', (request, reply) => {
    const deleted = users.delete(Number((request.params as { id: string }).id))
    return deleted ? reply.code(204).send() : reply.code(404).send({ detail: 'Not found' })
  })
  app.get('/search', ({ query }) => {
    const { q = '', lang = 'en' } = query as Record<string, string>
    return {
      query: q,
      language: lang,
      results: Array.from({ length: 3 }, (_, index) => ({
        title: `${q} ${index}`,
        topic: sometimes(q, 'other'),
        locale: sometimes(lang, 'fr'),
        score: Math.round(random() * 100) / 100,
      })),
      suggestion: sometimes(q, 'nothing'),
    }
  })
  app.get('/reports/:day', ({ params }) => {
    const { day } = params as { day: string }
    return { day, views: Math.floor(random() * 1000), previous: sometimes(day, '2020-01-01') }
  })
  app.get('/events', ({ query }) => {
    const { start_date: start = '2026-01-01', end_date: end = '2026-12-31' } = query as Record<string, string>
    const [low, high] = [Date.parse(start), Date.parse(end)]
    return Array.from({ length: 4 }, (_, index) => ({
      id: `e${index}`,
      at: new Date(low + Math.floor(random() * (high - low))).toISOString(),
      created_at: new Date(Date.parse('2019-01-01') + Math.floor(random() * 1e11)).toISOString(),
    }))
  })
  app.get('/orgs/:org/members', ({ params, query }) => {
    const { org } = params as { org: string }
    const { team = 'core' } = query as Record<string, string>
    return [1, 2].map((index) => ({
      org,
      team,
      login: `m${index}`,
      rank: index,
      home: sometimes(org, 'elsewhere'),
    }))
  })
  app.post('/quotes', ({ body, headers }) => {
    const { symbol, quantity } = body as { symbol: string; quantity: number }
    const price = Math.round(random() * 10_000) / 100
    const tenant = headers['x-tenant'] ?? 'none'
    return { symbol, quantity, tenant, price, lot: sometimes(quantity, 1), market: sometimes(symbol, 'XNYS') }
  })
  app.get('/products/:sku', (request, reply) => {
    const { sku } = request.params as { sku: string }
    if (sku === 'sold-out') return reply.code(410).send({ detail: 'Gone' })
    return { sku, price: Math.round(random() * 1000) / 10, stock: Math.floor(random() * 50) }
  })
  app.get('/status', () => ({ ok: true, version: '1.4.2' }))
  return app
}

function userOf(id: number, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    id,
    name: body['name'],
    role: body['role'] ?? 'member',
    email: `user${id}@example.com`,
    created_at: '2026-01-31T10:00:00Z',
  }
}

function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
