import Fastify from 'fastify'
import { CONSTANT, CONSTANTS, Query, User } from './model.mjs'

const app = Fastify()
const buffer = Buffer.from(JSON.stringify(CONSTANTS))
const one = { querystring: Query, response: { 200: User } }
const ten = { querystring: Query, response: { 200: { type: 'array', items: User } } }
app.get('/user', { schema: one }, async () => CONSTANT)
app.get('/users', { schema: ten }, async () => CONSTANTS)
app.get('/buffer', async (_request, reply) => reply.type('application/json').send(buffer))
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
