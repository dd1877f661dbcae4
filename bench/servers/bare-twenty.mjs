import Fastify from 'fastify'
import { CONSTANT, Query, User } from './model.mjs'

const app = Fastify()
for (let route = 0; route < 20; route++)
  app.get(`/users${route}`, { schema: { querystring: Query, response: { 200: User } } }, async () => CONSTANT)
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
