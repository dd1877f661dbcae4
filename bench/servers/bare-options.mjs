// What an ordinary user of Fastify writes for the same; BENCH_ROW names the option.
import bearerAuth from '@fastify/bearer-auth'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import { setTimeout as wait } from 'node:timers/promises'
import * as model from './model.mjs'

const app = Fastify()
const one = { querystring: model.Query, response: { 200: model.User } }
const ten = { querystring: model.Query, response: { 200: { type: 'array', items: model.User } } }
const posted = { body: model.NewUser, response: { 201: model.User } }

const answerUser = async () => model.CONSTANT
const answerPost = async ({ body: { name, email, age } }, reply) => {
  reply.code(201)
  return { ...model.CONSTANT, name, email, age }
}
const failSometimes = async (_request, reply) => {
  if (Math.random() < model.SHARE) await reply.code(500).send({ detail: 'Simulated failure' })
}
const failAlways = async (_request, reply) => reply.code(500).send({ detail: 'Simulated failure' })
const RULE = { methods: ['GET', 'POST'], path: /^\/users?$/ }
const waitSometimes = async (request) => {
  const [path] = request.url.split('?', 1)
  if (!RULE.methods.includes(request.method) || !RULE.path.test(path)) return
  if (Math.random() < model.SHARE) await wait(model.WAIT_MS)
}
const sessions = new Map()
const joinSession = async (request) => {
  const key = request.headers['x-sim-session'] ?? ''
  let session = sessions.get(key)
  if (session === undefined) sessions.set(key, (session = { key, requests: 0 }))
  session.requests++
  request.session = session
}

const ROWS = {
  plain: () => app.get('/user', { schema: one }, answerUser),
  list: () => app.get('/users', { schema: ten }, async () => model.CONSTANTS),
  async bearer() {
    await app.register(bearerAuth, { keys: [model.TOKEN] })
    app.get('/user', { schema: one }, answerUser)
  },
  async 'rate-limit'() {
    await app.register(rateLimit, { max: model.REQUESTS_PER_SECOND, timeWindow: 1000 })
    app.get('/user', { schema: one }, answerUser)
  },
  'error-rate': () => app.get('/user', { schema: one, preHandler: failSometimes }, answerUser),
  errors: () => app.get('/user', { schema: one, preHandler: failAlways }, answerUser),
  'latency-rule': () => app.get('/user', { schema: one, preHandler: waitSometimes }, answerUser),
  session() {
    app.decorateRequest('session', null)
    app.get('/user', { schema: one, onRequest: joinSession }, answerUser)
  },
  post: () => app.post('/users', { schema: posted }, answerPost),
  async all() {
    app.decorateRequest('session', null)
    await app.register(bearerAuth, { keys: [model.TOKEN] })
    await app.register(rateLimit, { max: model.REQUESTS_PER_SECOND, timeWindow: 1000 })
    const hooks = { onRequest: joinSession, preHandler: [waitSometimes, failSometimes] }
    app.post('/users', { schema: posted, ...hooks }, answerPost)
  },
  hook() {
    app.addHook('onRequest', (_request, _reply, done) => done())
    app.get('/user', { schema: one }, answerUser)
  },
  openapi() {
    const schema = { params: model.UserId, querystring: model.Query, response: { 200: model.User } }
    app.get('/v1/users/:id', { schema }, answerUser)
  },
  stateful() {
    const [users, order] = [new Map(), []]
    const add = (user) => {
      users.set(user.id, user)
      order.push(user)
      return user
    }
    for (let id = 1; id <= model.STORED_USERS; id++) add({ ...model.CONSTANT, id })
    const find = (id, reply) => {
      const user = users.get(id)
      if (user === undefined) reply.code(404)
      return user
    }
    const stored = { 200: model.StoredUser }
    const page = {
      type: 'object',
      properties: {
        items: { type: 'array', items: model.StoredUser },
        total: { type: 'integer' },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
      },
    }
    app.post(
      '/users',
      { schema: { body: model.NewUser, response: { 201: model.StoredUser } } },
      async ({ body: { name, email, age } }, reply) => {
        reply.code(201)
        return add({ id: order.length + 1, name, email, age, created_at: new Date().toISOString() })
      },
    )
    app.get(
      '/users',
      { schema: { querystring: model.Page, response: { 200: page } } },
      async ({ query: { limit, offset } }) => ({
        items: order.slice(offset, offset + limit),
        total: order.length,
        limit,
        offset,
      }),
    )
    app.get(
      '/users/:id',
      { schema: { params: model.UserId, response: stored } },
      async ({ params: { id } }, reply) => find(id, reply) ?? { detail: 'Not found' },
    )
    app.patch(
      '/users/:id',
      { schema: { params: model.UserId, body: model.UserChange, response: stored } },
      async ({ params: { id }, body: { name, email, age } }, reply) => {
        const user = find(id, reply)
        if (user === undefined) return { detail: 'Not found' }
        if (name !== undefined) user.name = name
        if (email !== undefined) user.email = email
        if (age !== undefined) user.age = age
        return user
      },
    )
  },
}

await ROWS[process.env.BENCH_ROW]()
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
