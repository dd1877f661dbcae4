import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../../../src/simulation/engine.ts'
import type { RouteDefinition } from '../../../../src/engine/route.ts'
import { createMemoryStore } from '../../../../src/state/memory-store.ts'
import { described, gatewayOf, header, inPath, json, query, response } from '../describing.ts'

type Entry = Record<string, unknown>

const $ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const integer = { type: 'integer' }
const date = { type: 'string', format: 'date-time' }
const User = {
  type: 'object',
  required: ['id', 'name', 'role'],
  properties: { id: integer, name: { type: 'string' }, role: { enum: ['a', 'b'] }, born: date },
}
const Post = {
  type: 'object',
  required: ['id', 'title', 'userId'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    title: { type: 'string' },
    userId: integer,
    reviewer: $ref('User'),
  },
}
const Comment = {
  type: 'object',
  required: ['n', 'text'],
  properties: {
    n: integer,
    text: { type: 'string' },
    postId: { type: 'string' },
    likedBy: { type: 'array', items: $ref('User') },
  },
}
const $defs = { User, Post, Comment }
const one = (name: string) => ({ ...$ref(name), $defs })
const many = (name: string) => ({ type: 'array', items: $ref(name), $defs })
const id = (name: string, model: Entry = integer) => ({ parameters: [inPath(name, model)] })
const uuid = { type: 'string', format: 'uuid' }
const paged = {
  type: 'object',
  required: ['data', 'total', 'has_more'],
  properties: { data: { type: 'array', items: $ref('User') }, total: integer, has_more: { type: 'boolean' } },
  $defs,
}

const ROUTES: readonly RouteDefinition[] = [
  described('GET', '/users', [json(200, paged)], {
    parameters: [
      query('page', integer),
      query('limit', integer),
      query('role', { type: 'string' }),
      query('born_after', date),
      query('sort', { type: 'string' }),
      query('q', { type: 'string' }),
    ],
  }),
  described('GET', '/users/{id}', [json(200, one('User')), json(404, { const: 'none' })], id('id')),
  described('DELETE', '/users/{id}', [response(204)], id('id')),
  described('PATCH', '/users/{id}', [json(200, one('User'))], { ...id('id'), takes: { type: 'object' } }),
  described('GET', '/users/{user}/posts', [json(200, many('Post'))], id('user')),
  described('POST', '/users/{user}/posts', [json(201, one('Post'))], {
    ...id('user'),
    takes: { type: 'object' },
  }),
  described('GET', '/posts', [json(200, many('Post'))], { parameters: [query('userId', integer)] }),
  described('GET', '/posts/{post}', [json(200, one('Post'))], id('post', uuid)),
  described('GET', '/posts/{post}/reviewer', [json(200, one('User'))], id('post', uuid)),
  described('GET', '/posts/{postId}/comments', [json(200, many('Comment'))], id('postId', uuid)),
  described('GET', '/posts/{postId}/comments/{n}', [json(200, one('Comment'))], {
    parameters: [inPath('postId', uuid), inPath('n', integer)],
  }),
  described('GET', '/me', [json(200, { ...User, title: 'User' })]),
]

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function start(options: Partial<EngineOptions> = {}, routes = ROUTES) {
  const app = gatewayOf(routes, options)
  open.push(app)
  return async (path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET', payload?: Entry) => {
    const { statusCode, body } = await app.inject({ method, url: path, ...(payload && { payload }) })
    return { status: statusCode, body: (body === '' ? undefined : JSON.parse(body)) as never }
  }
}

const STORED = { validateResponses: true, stateful: true }

describe('the items of a description', () => {
  it.for([{}, STORED])(
    'are the same in lists, by their ids, within others and below them: %o',
    async (options) => {
      const get = start({ ...options, ...(options === STORED && { store: createMemoryStore() }) })
      const users: Entry[] = (await get('/users?limit=50')).body['data']
      expect(users.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect((await get('/users/7')).body).toEqual(users[6])
      expect(users).toContainEqual((await get('/me')).body)

      const posts: Entry[] = (await get('/posts')).body
      for (const { reviewer, userId } of posts)
        expect(users).toContainEqual(reviewer ?? users[Number(userId) - 1])
      const [post = {}] = posts
      expect((await get(`/posts/${String(post['id'])}`)).body).toEqual(post)
      expect((await get(`/posts/${String(post['id'])}/reviewer`)).body).toEqual(post['reviewer'])
      const ofUser = posts.filter(({ userId }) => userId === post['userId'])
      expect((await get(`/users/${String(post['userId'])}/posts`)).body).toEqual(ofUser)
      expect((await get(`/posts?userId=${String(post['userId'])}`)).body).toEqual(ofUser)

      const below = `/posts/${String(post['id'])}/comments`
      const comments: Entry[] = (await get(below)).body
      expect(comments.every(({ postId }) => postId === post['id'])).toBe(true)
      expect((await get(`${below}/3`)).body).toEqual(comments[2])
    },
  )

  it('are filtered, searched, sorted and counted by the parameters of a list', async () => {
    const get = start()
    const { data: all }: { data: Entry[] } = (await get('/users?limit=50')).body
    const some = all
      .filter(({ role }) => role === 'b')
      .toSorted((a, b) => (String(a['name']) < String(b['name']) ? 1 : -1))
    expect((await get('/users?role=b&sort=-name&limit=2&page=2')).body).toEqual({
      data: some.slice(2, 4),
      total: some.length,
      has_more: some.length > 4,
    })
    const born = all.map((each) => String(each['born'])).toSorted()[9] ?? ''
    expect((await get(`/users?born_after=${born}`)).body).toMatchObject({ total: 10 })
    const name = String(all[4]?.['name'])
    expect((await get(`/users?q=${encodeURIComponent(name)}`)).body).toMatchObject({ data: [{ name }] })
  })

  it('are of whatever id is requested where nothing is stored, and else 404', async () => {
    const body = { id: 999 }
    expect(await start()('/users/999')).toMatchObject({ status: 200, body })
    const get = start({ stateful: true, store: createMemoryStore() })
    expect(await get('/users/999')).toEqual({ status: 404, body: 'none' })
    // Things may lie below an item that nobody has seen, but not below one that is gone.
    expect((await get('/users/999/posts')).status).toBe(200)
    await get('/users/2', 'DELETE')
    expect((await get('/users/2/posts')).status).toBe(404)
  })

  it('are changed in every list, and named by nothing once they are gone', async () => {
    const send = start({ ...STORED, store: createMemoryStore() })
    const before: Entry[] = (await send('/posts')).body
    const made = await send('/users/2/posts', 'POST', { title: 'New' })
    expect(made).toMatchObject({ status: 201, body: { title: 'New', userId: 2 } })
    expect((await send('/posts')).body).toHaveLength(before.length + 1)
    expect((await send('/users/2/posts')).body).toContainEqual(made.body)

    const { reviewer } = before.find((each) => each['reviewer'] !== undefined) ?? {}
    const { id: reviewerId } = reviewer as { id: number }
    await send(`/users/${reviewerId}`, 'PATCH', { name: 'Renamed' })
    const renamed: Entry[] = (await send('/posts')).body
    expect(
      renamed.filter((each) => (each['reviewer'] as Entry | undefined)?.['name'] === 'Renamed'),
    ).not.toEqual([])
    expect((await send(`/users/${reviewerId}`, 'DELETE')).status).toBe(204)
    const after: Entry[] = (await send('/posts')).body
    const named = after.flatMap(({ userId, reviewer: each }) => [userId, (each as Entry | undefined)?.['id']])
    expect(named).not.toContain(reviewerId)
  })

  it('take what the body of an operation has, though they show it as read-only', async () => {
    const address = { type: 'object', properties: { id: integer, host: { ...integer, readOnly: true } } }
    const send = start({ ...STORED, store: createMemoryStore() }, [
      described('GET', '/addresses/{id}', [json(200, address)], id('id')),
      described('POST', '/addresses', [json(201, address)], {
        takes: { type: 'object', properties: { host: integer } },
      }),
      described('PATCH', '/addresses/{id}', [json(200, address)], { ...id('id'), takes: address }),
    ])
    const { body } = await send('/addresses', 'POST', { host: 7 })
    expect(body).toMatchObject({ host: 7 })
    const path = `/addresses/${String(body['id'])}`
    expect((await send(path, 'PATCH', { host: 8 })).body).toEqual(body)
    expect((await send(path)).body).toEqual(body)
  })

  it('are those of a list that says who requested it', async () => {
    const Filter = {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    }
    const page = {
      type: 'object',
      required: ['username', 'items'],
      properties: { username: { type: 'string' }, items: { type: 'array', items: Filter } },
    }
    const send = start({}, [
      described('GET', '/filters', [json(200, page)]),
      described('GET', '/filters/{filterId}', [json(200, Filter)], id('filterId', { type: 'string' })),
    ])
    const [filter]: Entry[] = (await send('/filters')).body['items']
    expect((await send(`/filters/${String(filter?.['id'])}`)).body).toEqual(filter)
  })

  it('are named by whatever their ids are called', async () => {
    const System = { type: 'object', required: ['symbol'], properties: { symbol: { type: 'string' } } }
    const Ship = {
      type: 'object',
      required: ['id', 'systemSymbol'],
      properties: { id: integer, systemSymbol: { type: 'string' } },
    }
    const send = start({}, [
      described('GET', '/systems', [json(200, { type: 'array', items: System })]),
      described('GET', '/systems/{symbol}', [json(200, System)], id('symbol', { type: 'string' })),
      described('GET', '/ships', [json(200, { type: 'array', items: Ship })]),
      described('GET', '/ships/{id}', [json(200, Ship)], id('id')),
    ])
    const symbols = ((await send('/systems')).body as Entry[]).map(({ symbol }) => symbol)
    const ships: Entry[] = (await send('/ships')).body
    expect(ships.filter(({ systemSymbol }) => !symbols.includes(systemSymbol))).toEqual([])
  })

  it('are related to each other as JSON:API has it', async () => {
    const identifier = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const held = (properties: Entry, required = Object.keys(properties)) => ({
      type: 'object',
      required,
      properties,
    })
    const Account = held({ id: { type: 'string' }, attributes: held({ name: { type: 'string' } }) })
    const Payment = held({
      ...{ id: { type: 'string' }, links: held({ self: { type: 'string' } }) },
      relationships: held({ account: held({ data: identifier }) }),
    })
    const listOf = (model: Entry) => held({ data: { type: 'array', items: model } })
    const send = start({}, [
      described('GET', '/accounts', [json(200, listOf(Account))]),
      described('GET', '/accounts/{id}', [json(200, held({ data: Account }))], id('id', { type: 'string' })),
      described('GET', '/payments', [json(200, listOf(Payment))], { origins: ['https://pay.example'] }),
      described('GET', '/payments/{id}', [json(200, held({ data: Payment }))], {
        ...id('id', { type: 'string' }),
        origins: ['https://pay.example'],
      }),
    ])
    const accounts: Entry[] = (await send('/accounts')).body['data']
    const payments: { id: string; links: Entry; relationships: { account: { data: { id: string } } } }[] = (
      await send('/payments')
    ).body['data']
    const ids = accounts.map((each) => each['id'])
    expect(payments.filter(({ relationships }) => !ids.includes(relationships.account.data.id))).toEqual([])
    expect(payments.map(({ links }) => links['self'])).toEqual(
      payments.map((each) => `http://localhost:80/payments/${each.id}`),
    )
  })

  it('are none where nothing fits their model, and others that could name them are there all the same', async () => {
    const Ghost = {
      ...{ type: 'object', required: ['id', 'x'] },
      ...{ properties: { id: integer }, additionalProperties: false },
    }
    const Hunter = { type: 'object', required: ['id'], properties: { id: integer, ghost_id: integer } }
    const send = start({}, [
      described('GET', '/ghosts', [json(200, { type: 'array', items: Ghost })]),
      described('GET', '/ghosts/{id}', [json(200, Ghost)], id('id')),
      described('GET', '/hunters', [json(200, { type: 'array', items: Hunter })]),
      described('GET', '/hunters/{id}', [json(200, Hunter)], id('id')),
    ])
    expect(await send('/ghosts')).toEqual({ status: 200, body: [] })
    const [hunter]: Entry[] = (await send('/hunters')).body
    expect((await send('/hunters/1')).body).toEqual(hunter)
  })

  it('are more than an example of a list with further pages, which is the first of them', async () => {
    const list = [{ id: 5, name: 'Rex', role: 'a' }]
    const app = gatewayOf([
      described('GET', '/users', [json(200, many('User'), { usual: list }, [header('Link')])], {
        parameters: [query('page', integer)],
      }),
      described('GET', '/users/{id}', [json(200, one('User'))], id('id')),
    ])
    const first = await app.inject('/users')
    expect(first.json()).toEqual(list)
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(first.headers['link'])) ?? []
    const [second] = (await app.inject(next)).json<Entry[]>()
    expect((await app.inject(`/users/${String(second?.['id'])}`)).json()).toEqual(second)
    await app.close()
  })

  it('are as the examples of a path have them that shows items of another, each by its own id', async () => {
    const list = [
      { id: 5, name: 'Rex', role: 'a' },
      { id: 6, name: 'Tom', role: 'b' },
    ]
    const both = [...id('team').parameters, inPath('id', integer)]
    const get = start({}, [
      described('GET', '/users', [json(200, many('User'))]),
      described('GET', '/users/{id}', [json(200, one('User'))], id('id')),
      described('GET', '/teams/{team}/users', [json(200, many('User'), { usual: list })], id('team')),
      described('GET', '/teams/{team}/users/{id}', [json(200, one('User'), { usual: list[0] })], {
        parameters: both,
      }),
    ])
    for (const each of list) expect((await get(`/teams/1/users/${each.id}`)).body).toEqual(each)
    expect((await get('/teams/1/users/99')).body).toEqual({ ...list[0], id: 99 })
    expect((await get('/teams/1/users/7')).body).toEqual((await get('/users/7')).body)
  })

  it('have ids that their paths take, however a field shows one', async () => {
    const version = { type: 'string', 'x-sim-said': { examples: ['1.0.0'], defaults: [] } }
    const model = { type: 'object', required: ['version'], properties: { version } }
    const pattern = String.raw`^\d+\.\d+\.\d+$`
    const get = start({}, [
      described('GET', '/versions', [json(200, { type: 'array', items: model })]),
      described('GET', '/versions/{version}', [json(200, model)], id('version', { type: 'string', pattern })),
    ])
    const all: Entry[] = (await get('/versions')).body
    expect(all.length).toBeGreaterThan(1)
    expect(all.map((each) => String(each['version'])).filter((each) => !/^[\d.]+$/.test(each))).toEqual([])

    const text = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
    const send = start({}, [
      described('GET', '/services', [json(200, { type: 'array', items: text })]),
      described('DELETE', '/services/{id}', [response(204)], id('id', { type: 'string' })),
      described('GET', '/services/{id}', [json(200, text)], id('id')),
    ])
    const [, second]: Entry[] = (await send('/services')).body
    expect(await send('/services/2')).toEqual({ status: 200, body: second })
  })

  it('are those of the examples first, whose list is answered as it is', async () => {
    const list = [
      { id: 5, name: 'Rex', role: 'a' },
      { id: 9, name: 'Tom', role: 'b' },
    ]
    const routes = [
      described('GET', '/users', [json(200, many('User'), { usual: list })]),
      described(
        'GET',
        '/users/{id}',
        [json(200, one('User'), { usual: { id: 9, name: 'Tom', role: 'b' } })],
        id('id'),
      ),
    ]
    const get = start({}, routes)
    expect((await get('/users')).body).toEqual(list)
    expect((await get('/users/5')).body).toMatchObject({ id: 5, name: 'Rex' })
    expect((await get('/users/9')).body).toEqual(list[1])
    expect((await get('/users/11')).body).toEqual({ id: 11, name: 'Tom', role: 'b' })
  })

  it('are those of a list in an envelope of an envelope, with pages and counts', async () => {
    const inner = { total: integer, items: { type: 'array', items: $ref('User') } }
    const outer = {
      code: integer,
      data: { type: 'object', required: ['total', 'items'], properties: inner },
    }
    const model = { type: 'object', required: ['code', 'data'], properties: outer, $defs }
    const get = start({}, [
      described('GET', '/users', [json(200, model)], {
        parameters: [query('page', integer), query('limit', integer)],
      }),
      described('GET', '/users/{id}', [json(200, one('User'))], id('id')),
    ])
    const { data }: { data: { items: Entry[] } } = (await get('/users?page=2&limit=3')).body
    const all: { data: { items: Entry[] } } = (await get('/users?limit=50')).body
    const { items } = all.data
    expect(data).toEqual({ total: items.length, items: items.slice(3, 6) })
    expect((await get(`/users/${String(items[3]?.['id'])}`)).body).toEqual(items[3])
  })

  it('are as the example of their path, with what it does not name, and without what it does not say', async () => {
    const own = {
      type: 'object',
      properties: { id: integer, team: { type: 'string' }, name: { type: 'string' } },
    }
    const example = { data: { name: 'Rex', more: 1 }, beside: true }
    const model = { type: 'object', properties: { data: own } }
    const member = { parameters: [...id('team', { type: 'string' }).parameters, inPath('id', integer)] }
    const name = { type: 'object', properties: { name: { type: 'string' }, size: integer } }
    const get = start({}, [
      described('GET', '/teams/{team}/members/{id}', [json(200, model, { usual: example })], member),
      described(
        'GET',
        '/policies/{name}',
        [json(200, name, { usual: { name: 'first', size: 3 } })],
        id('name', { type: 'string', enum: ['default'] }),
      ),
    ])
    expect((await get('/teams/red/members/7')).body).toEqual(example)
    expect((await get('/policies/default')).body).toEqual({ name: 'default', size: 3 })
  })

  it('have ids of the type of each path that shows them', async () => {
    const proposal = { type: 'object', properties: { id: { type: 'string' }, index: integer } }
    const within = { $defs: { Proposal: proposal } }
    const model = { $ref: '#/$defs/Proposal', ...within }
    const example = { usual: { id: 'p-1', index: 1 } }
    const get = start({}, [
      described('GET', '/proposals', [json(200, { type: 'array', items: $ref('Proposal'), ...within })]),
      described('GET', '/proposals/{id}', [json(200, model, example)], id('id', { type: 'string' })),
      described('GET', '/proposals/{hash}/{index}', [json(200, model, example)], {
        parameters: [...id('hash', { type: 'string' }).parameters, inPath('index', integer)],
      }),
    ])
    expect((await get('/proposals/abc/42')).body).toEqual({ id: 'p-1', index: 42 })
  })
})
