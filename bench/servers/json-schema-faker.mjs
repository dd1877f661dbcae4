import Fastify from 'fastify'
import { generate } from 'json-schema-faker'
import { User } from './model.mjs'

const Users = { type: 'array', items: User, minItems: 10, maxItems: 10 }
const app = Fastify()
app.get('/user', () => generate(User))
app.get('/users', () => generate(Users))
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
