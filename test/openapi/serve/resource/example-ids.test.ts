import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, inPath, json, response, statefulGatewayOf } from '../describing.ts'

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

it('has another value for each item in an id that its path does not name it by', async () => {
  const shown = { type: 'integer', 'x-sim-said': { examples: [42], defaults: [] } }
  const Account = { type: 'object', required: ['id', 'name'], properties: { id: shown, name: text } }
  const app = statefulGatewayOf([
    described('GET', '/accounts', [json(200, { type: 'array', items: Account })]),
    described('GET', '/accounts/{name}', [json(200, Account)], { parameters: [inPath('name')] }),
  ])
  open.push(app)
  const accounts = (await app.inject('/accounts')).json<{ id: number; name: string }[]>()
  expect(accounts[0]?.id).toBe(42)
  expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length)
  for (const each of accounts)
    expect((await app.inject(`/accounts/${each.name}`)).json<{ id: number }>().id).toBe(each.id)
})

it('finds what the example of a list shows with an id that its path answers under another name', async () => {
  const Pool = { type: 'object', properties: { name: text } }
  const One = { type: 'object', properties: { pool_name: text, ips: { type: 'array', items: text } } }
  const pools = [{ name: 'marketing' }, { name: 'transactional' }]
  const name = { parameters: [inPath('pool_name')] }
  const app = statefulGatewayOf(
    [
      described('GET', '/pools', [json(200, { type: 'array', items: Pool }, { all: pools })]),
      described('GET', '/pools/{pool_name}', [json(200, One)], name),
      described('DELETE', '/pools/{pool_name}', [response(204)], name),
    ],
    { stateful: true },
  )
  open.push(app)
  const list = async () => (await app.inject('/pools')).json<object[]>()
  expect(await list()).toEqual(pools)
  expect((await app.inject('/pools/marketing')).json()).toMatchObject({ pool_name: 'marketing' })
  expect((await app.inject({ method: 'DELETE', url: '/pools/marketing' })).statusCode).toBe(204)
  expect(await list()).toEqual([{ name: 'transactional' }])
})

it('knows an item by its id, where the path calls it as one of its texts is called', async () => {
  const said = { ...text, 'x-sim-said': { examples: ['Great work!'], defaults: [] } }
  const Comment = { type: 'object', required: ['id', 'comment'], properties: { comment: said, id: text } }
  const app = statefulGatewayOf([
    described('GET', '/comments', [json(200, { type: 'array', items: Comment })]),
    described('GET', '/comments/{comment}', [json(200, Comment)], { parameters: [inPath('comment')] }),
  ])
  open.push(app)
  const comments = (await app.inject('/comments')).json<{ id: string; comment: string }[]>()
  expect(new Set(comments.map(({ comment }) => comment))).toEqual(new Set(['Great work!']))
  expect((await app.inject(`/comments/${comments[1]?.id}`)).json()).toEqual(comments[1])
})
