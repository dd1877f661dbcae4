import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const Customer = { type: 'object', required: ['id'], properties: { id: text, name: text } }

it('has ids like the one that a path is described with, of which the first is that one', async () => {
  const id = { ...inPath('id'), examples: [{ name: 'default', value: 'cus_4f9Xk2aQ' }] }
  const app = statefulGatewayOf([
    described('GET', '/customers', [json(200, { type: 'array', items: Customer })]),
    described('GET', '/customers/{id}', [json(200, Customer)], { parameters: [id] }),
  ])
  open.push(app)
  const ids = (await app.inject('/customers')).json<{ id: string }[]>().map((each) => each.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toBe('cus_4f9Xk2aQ')
  for (const each of ids) expect(each).toMatch(/^cus_[0-9A-Za-z]{8}$/)
  expect((await app.inject('/customers/cus_4f9Xk2aQ')).statusCode).toBe(200)
})
