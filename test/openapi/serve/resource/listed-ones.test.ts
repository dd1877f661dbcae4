import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, gatewayOf, inPath, json, response, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

interface Account {
  readonly id: number
  readonly name: string
}

const text = { type: 'string' }
const Account: Schema = {
  type: 'object',
  title: 'Account',
  required: ['id', 'name', 'owner'],
  properties: { id: { type: 'integer' }, name: text, owner: text },
}
const accounts = { type: 'array', items: Account }
const wrapped: Schema = { type: 'object', required: ['account'], properties: { account: accounts } }
const id = { parameters: [inPath('accountId', { type: 'integer' })] }
const routesWith = (answer: Schema) => [
  described('GET', '/accounts', [json(200, answer)]),
  described('POST', '/accounts', [json(201, Account)], {
    takes: { type: 'object', properties: { name: text } },
  }),
  described('GET', '/accounts/{accountId}', [json(200, answer)], id),
  described('DELETE', '/accounts/{accountId}', [response(204)], id),
]
const accountsOf = (body: unknown): Account[] =>
  Array.isArray(body) ? (body as Account[]) : (body as { account: Account[] }).account

describe('the path of an item that answers a list', () => {
  it.each([[accounts], [wrapped]])('has that item alone', async (answer) => {
    const app = gatewayOf(routesWith(answer))
    open.push(app)
    const all = accountsOf((await app.inject('/accounts')).json())
    expect(all.length).toBeGreaterThan(2)
    for (const account of all.slice(0, 3))
      expect(accountsOf((await app.inject(`/accounts/${account.id}`)).json())).toEqual([account])
  })

  it.each([[accounts], [wrapped]])('has what was made, until it is removed', async (answer) => {
    const app = statefulGatewayOf(routesWith(answer), { stateful: true })
    open.push(app)
    const made = (
      await app.inject({ method: 'POST', url: '/accounts', payload: { name: 'Ada' } })
    ).json<Account>()
    const url = `/accounts/${made.id}`
    expect(accountsOf((await app.inject(url)).json())).toEqual([made])
    expect(accountsOf((await app.inject('/accounts')).json())).toContainEqual(made)
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(204)
    expect((await app.inject(url)).statusCode).toBe(404)
    expect(accountsOf((await app.inject('/accounts')).json())).not.toContainEqual(made)
  })

  it.each([[accounts], [wrapped]])('has what was made with an answer of that kind', async (answer) => {
    const routes = routesWith(answer).filter(({ method }) => method !== 'POST')
    const posted = described('POST', '/accounts', [json(201, answer)], {
      takes: { type: 'object', properties: { name: text } },
    })
    const app = statefulGatewayOf([...routes, posted], { stateful: true })
    open.push(app)
    const response = await app.inject({ method: 'POST', url: '/accounts', payload: { name: 'Ada' } })
    const [made, ...others] = accountsOf(response.json())
    expect([response.statusCode, made?.name, others]).toEqual([201, 'Ada', []])
    expect(accountsOf((await app.inject(`/accounts/${made?.id}`)).json())).toEqual([made])
    expect(accountsOf((await app.inject('/accounts')).json())).toContainEqual(made)
  })

  it.each([[accounts], [wrapped]])('is there when what made it answered a list', async (answer) => {
    const posted = described('POST', '/accounts', [json(201, answer)], {
      takes: { type: 'object', properties: { name: text } },
    })
    const app = statefulGatewayOf(
      [
        described('GET', '/accounts', [json(200, answer)]),
        described('GET', '/accounts/{accountId}', [json(200, Account)], id),
        posted,
      ],
      { stateful: true },
    )
    open.push(app)
    const response = await app.inject({ method: 'POST', url: '/accounts', payload: { name: 'Ada' } })
    const [made, ...others] = accountsOf(response.json())
    expect([made?.name, others]).toEqual(['Ada', []])
    expect((await app.inject(`/accounts/${made?.id}`)).json()).toEqual(made)
    expect(accountsOf((await app.inject('/accounts')).json())).toContainEqual(made)
  })

  it('has several where it names what they have in common', async () => {
    const app = statefulGatewayOf([
      described('GET', '/accounts', [json(200, accounts)]),
      described('GET', '/accounts/{owner}', [json(200, accounts)]),
    ])
    open.push(app)
    expect((await app.inject('/accounts/nobody')).statusCode).toBe(200)
  })

  it('is what its example says, where it has one', async () => {
    const [ada, bob] = [
      { id: 7, name: 'Ada', owner: 'x' },
      { id: 8, name: 'Bob', owner: 'y' },
    ]
    const app = gatewayOf([
      described('GET', '/accounts', [json(200, wrapped, { all: { account: [ada, bob] } })]),
      described('GET', '/accounts/{accountId}', [json(200, wrapped, { one: { account: [ada] } })], id),
    ])
    open.push(app)
    expect((await app.inject('/accounts/7')).json()).toEqual({ account: [ada] })
    expect((await app.inject('/accounts/8')).json()).toEqual({ account: [bob] })
  })
})

describe('a list at a path that ends in a parameter', () => {
  const Message = { ...Account, title: 'Message' }
  const log = inPath('logId')
  const one = { parameters: [log, inPath('id', { type: 'integer' })] }
  const routes = [
    described('GET', '/messages/{logId}', [json(200, { type: 'array', items: Message })], {
      parameters: [log],
    }),
    described('POST', '/messages/{logId}', [json(201, Message)], {
      parameters: [log],
      takes: { type: 'object', properties: { name: text } },
    }),
    described('GET', '/messages/{logId}/{id}', [json(200, Message)], one),
    described('DELETE', '/messages/{logId}/{id}', [response(204)], one),
  ]

  it('is of the items that have paths below it', async () => {
    const app = gatewayOf(routes)
    open.push(app)
    const messages = (await app.inject('/messages/main')).json<Account[]>()
    expect(messages.length).toBeGreaterThan(2)
    for (const message of messages.slice(0, 3))
      expect((await app.inject(`/messages/main/${message.id}`)).json()).toEqual(message)
  })

  it('has what is made there, and not what was deleted', async () => {
    const app = statefulGatewayOf(routes)
    open.push(app)
    const [first] = (await app.inject('/messages/main')).json<Account[]>()
    const made = await app.inject({ method: 'POST', url: '/messages/main', payload: { name: 'Ada' } })
    await app.inject({ method: 'DELETE', url: `/messages/main/${first?.id}` })
    const ids = (await app.inject('/messages/main')).json<Account[]>().map((each) => each.id)
    expect(ids).toContain(made.json<Account>().id)
    expect(ids).not.toContain(first?.id)
    expect((await app.inject(`/messages/main/${first?.id}`)).statusCode).toBe(404)
  })
})

it('is the item that an answer holds as its response', async () => {
  const held = {
    type: 'object',
    required: ['status', 'response'],
    properties: { status: text, response: Account },
  }
  const app = gatewayOf([
    described('GET', '/accounts', [json(200, { ...held, properties: { status: text, response: accounts } })]),
    described('GET', '/accounts/{accountId}', [json(200, held)], id),
  ])
  open.push(app)
  const [, second] = (await app.inject('/accounts')).json<{ response: Account[] }>().response
  const shown = (await app.inject(`/accounts/${second?.id}`)).json<{ response: Account }>()
  expect(shown.response).toEqual(second)
})

describe.each([
  ['a wrapper by its usual name in other letters', { Data: Account, ErrorCode: { type: 'integer' } }],
  [
    'the one of the listed kind beside others',
    { duration: text, import_task: Account, by: { type: 'object' } },
  ],
  ['what is called as the parameter', { accountId: Account }],
])('the path of an item that answers %s', (_, properties: Record<string, Schema>) => {
  const names = Object.keys(properties)
  it('has the item of the list there', async () => {
    const answer: Schema = { type: 'object', required: names, properties }
    const listed: Schema = {
      type: 'object',
      required: ['Data'],
      properties: { Data: { type: 'array', items: Account } },
    }
    const app = gatewayOf([
      described('GET', '/accounts', [json(200, listed)]),
      described('GET', '/accounts/{accountId}', [json(200, answer)], id),
    ])
    open.push(app)
    const [, second] = (await app.inject('/accounts')).json<{ Data: Account[] }>().Data
    const shown = (await app.inject(`/accounts/${second?.id}`)).json<Record<string, unknown>>()
    expect(Object.values(shown)).toContainEqual(second)
  })
})
