import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { getIntrospectionQuery, buildClientSchema, printSchema } from 'graphql'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'

let app: FastifyInstance

beforeAll(async () => {
  const { api } = await loadApi(join(import.meta.dirname, 'shop.graphql'), 'served', undefined, {
    options: { seed: 1 },
  })
  const chaos = { rules: [{ match: { operation: 'mutation.archive*' }, errors: { rate: 1, codes: [503] } }] }
  app = createGateway({ ...api.gatewayOptions(), chaos, defaults: { bearerTokens: ['t'] } })
  await app.ready()
})
afterAll(() => app.close())

interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly query?: Record<string, string>
  readonly payload?: unknown
  readonly headers?: Record<string, string>
}

async function sendTyped({
  method = 'POST',
  query,
  payload,
  headers,
}: Sent): Promise<[status: number, body: unknown, type?: string]> {
  const response = await app.inject({
    ...{ method, url: '/graphql', headers: { authorization: 'Bearer t', ...headers } },
    ...(query !== undefined && { query }),
    ...(payload !== undefined && { payload: payload as object }),
  })
  return [response.statusCode, response.json(), String(response.headers['content-type'])]
}

async function send(sent: Sent): Promise<[status: number, body: unknown]> {
  const [status, body] = await sendTyped(sent)
  return [status, body]
}

const OWN = { accept: 'application/graphql-response+json' }

it('answers with the statuses of GraphQL over HTTP, by the media type that the client knows', async () => {
  const wrong = { payload: { query: '{ nothing }' } }
  const error = {
    message: 'Cannot query field "nothing" on type "Query".',
    locations: [{ line: 1, column: 3 }],
  }
  expect(await sendTyped(wrong)).toMatchObject([200, { errors: [error] }, 'application/json; charset=utf-8'])
  expect(await sendTyped({ ...wrong, headers: OWN })).toMatchObject([
    400,
    { errors: [error] },
    `${OWN.accept}; charset=utf-8`,
  ])
  expect((await send({ payload: { query: '{ usersCount }' }, headers: { accept: 'image/png' } }))[0]).toBe(
    406,
  )
  expect((await send({ payload: '{', headers: { 'content-type': 'application/json' } }))[0]).toBe(400)
  expect((await send({ payload: 'x', headers: { 'content-type': 'text/plain' } }))[0]).toBe(415)
  expect((await send({ payload: {} }))[0]).toBe(400)
  const mutation = 'mutation { deleteUser(id: 1) }'
  expect((await send({ method: 'GET', query: { query: mutation } }))[0]).toBe(405)
  const variables = {
    payload: { query: 'query($id: ID!) { user(id: $id) { id } }', variables: {} },
    headers: OWN,
  }
  expect(await send(variables)).toMatchObject([
    400,
    { errors: [{ message: expect.stringContaining('$id') as string }] },
  ])
})

it('takes queries by GET, lists of requests, and directives, fragments and variables with defaults', async () => {
  const query =
    `query One($id: ID! = 3, $more: Boolean = false) { user(id: $id) { ...Names email @include(if: $more) } }
    query Two { usersCount } fragment Names on User { id name @skip(if: $more) }`.replace(
      '@skip(if: $more)',
      '',
    )
  const [, one] = await send({ method: 'GET', query: { query, operationName: 'One' } })
  expect(one).toEqual({ data: { user: { id: '3', name: expect.any(String) as string } } })
  expect(
    await send({ payload: [{ query, operationName: 'Two' }, { query: '{ __typename }' }] }),
  ).toMatchObject([200, [{ data: { usersCount: 10 } }, { data: { __typename: 'Query' } }]])
})

it('decodes a request as its content encoding says', async () => {
  const payload = gzipSync(JSON.stringify({ query: '{ __typename }' }))
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  expect(await send({ payload, headers })).toMatchObject([200, { data: { __typename: 'Query' } }])
})

it('is introspected as the schema that it was given', async () => {
  const [, body] = await send({ payload: { query: getIntrospectionQuery() } })
  const { data } = body as { data: Parameters<typeof buildClientSchema>[0] }
  expect(printSchema(buildClientSchema(data))).toContain('createUser(input: CreateUser!): User!')
})

it('is under the policies of all routes, in the form that clients of GraphQL read', async () => {
  expect(
    await send({ payload: { query: '{ usersCount }' }, headers: { authorization: 'none' } }),
  ).toMatchObject([401, { errors: [{ extensions: { code: 'SIM_UNAUTHORIZED' } }] }])
  expect((await send({ payload: { query: 'mutation { archivePost(id: 1) { id } }' } }))[0]).toBe(503)
  expect(
    (await send({ payload: { query: 'mutation { updateUser(id: 1, input: { name: "x" }) { id } }' } }))[0],
  ).toBe(200)
})

it.for([
  ['levels', `{ user(id: 1) { ${'friends { '.repeat(40)} id ${'} '.repeat(40)} } }`, 'levels deep'],
  ['aliases', `{ ${Array.from({ length: 501 }, (_, at) => `a${at}: usersCount`).join(' ')} }`, 'aliases'],
  ['fields', `{ ${'usersCount '.repeat(2_001)} }`, '2000 fields'],
  ['tokens', `{ ${'usersCount '.repeat(20_000)} }`, 'token'],
  [
    'answers',
    `{ users { ${'friends { posts { author { '.repeat(7)} id ${'} } } '.repeat(7)} } }`,
    '30000 fields',
  ],
  [
    'fragments',
    `{ ...A } ${Array.from({ length: 20 }, (_, at) => `fragment ${letter(at)} on Query { ${`...${letter(at + 1)} `.repeat(4)} }`).join(' ')} fragment ${letter(20)} on Query { usersCount }`,
    '2000 fields',
  ],
] as const)('refuses too many %s in good time', async ([, query, message]) => {
  const started = performance.now()
  const [, body] = await send({ payload: { query } })
  expect(JSON.stringify(body).slice(0, 300)).toContain(message)
  expect(performance.now() - started).toBeLessThan(5_000)
})

function letter(at: number): string {
  return String.fromCharCode(65 + at)
}

async function answerOf(schema: string, query: string): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'sim-graphql-'))
  writeFileSync(join(folder, 'served.graphql'), schema)
  const { api } = await loadApi('served.graphql', 'served', folder, { options: { seed: 1 } })
  const served = createGateway(api.gatewayOptions())
  const answer = (await served.inject({ method: 'POST', url: '/graphql', payload: { query } })).json<object>()
  await served.close()
  return answer
}

it('has plain values in a connection of them', async () => {
  const schema = `
    type Query { tags(first: Int!): TagConnection! }
    type TagConnection { edges: [TagEdge!]! nodes: [String!]! pageInfo: PageInfo! }
    type TagEdge { cursor: String! node: String! }
    type PageInfo { hasNextPage: Boolean! }`
  const query = '{ tags(first: 2) { nodes edges { cursor node } pageInfo { hasNextPage } } }'
  expect(await answerOf(schema, query)).not.toHaveProperty('errors')
})

it.for([
  ['by what is changed', 'order: Order!', 'note: String'],
  ['among those that may hold it', 'note: String', 'lines: [OrderLine!]!'],
])('answers a mutation with the owner of what it changed, found %s', async ([, ofLine, ofOrder]) => {
  const schema = `
    type Query { order(id: ID!): Order orderLine(id: ID!): OrderLine }
    type Order { id: ID! ${ofOrder} }
    type OrderLine { id: ID! quantity: Int! ${ofLine} }
    type OrderError { message: String! }
    union OrderResult = Order | OrderError
    type Mutation {
      adjustOrderLine(orderLineId: ID!, quantity: Int!): OrderResult!
      removeAllOrderLines: OrderResult!
    }`
  const query = `mutation {
    adjustOrderLine(orderLineId: 2, quantity: 5) { ... on Order { id } }
    removeAllOrderLines { __typename }
  }`
  expect(await answerOf(schema, query)).toEqual({
    data: {
      adjustOrderLine: { id: expect.stringMatching(/^\d+$/) as string },
      removeAllOrderLines: { __typename: 'Order' },
    },
  })
})

it('has several objects that each hold a list, and keeps what is sent of them', async () => {
  const schema = `
    type Query { product(id: ID!): Product }
    type Product { id: ID! features: [Feature!]! tags: [String!]! }
    type Feature { name: String! options: [Option!]! }
    type Option { id: ID! }
    input FeatureInput { name: String! }
    input TagInput { text: String! }
    type Mutation { updateProduct(id: ID!, features: [FeatureInput!], tags: TagInput): Product! }`
  const query = '{ product(id: 1) { features { name options { id } } } }'
  const feature = { name: expect.any(String) as string, options: expect.any(Array) as unknown[] }
  expect(await answerOf(schema, query)).toEqual({
    data: { product: { features: expect.arrayContaining([feature]) as unknown[] } },
  })
  const sent = 'features: [{ name: "a" }, { name: "b" }], tags: { text: "of another form" }'
  expect(
    await answerOf(schema, `mutation { updateProduct(id: 1, ${sent}) { features { name } tags } }`),
  ).toEqual({
    data: {
      updateProduct: { features: [{ name: 'a' }, { name: 'b' }], tags: expect.any(Array) as unknown[] },
    },
  })
})

it('takes an id for that of a new object only where a mutation makes one and does no more', async () => {
  const schema = `
    type Query { order(id: ID!): Order }
    type Order { id: ID! note: String submittedAt: String }
    type Mutation {
      createOrder(id: ID!, note: String): Order!
      submitOrder(id: ID!, note: String): Order!
      createRefundForOrder(id: ID!, note: String): Order!
    }`
  const answer = await answerOf(
    schema,
    `mutation {
      submitOrder(id: 1, note: "a") { id note }
      createRefundForOrder(id: 2, note: "b") { id note }
    }`,
  )
  expect(answer).toEqual({
    data: { submitOrder: { id: '1', note: 'a' }, createRefundForOrder: { id: '2', note: 'b' } },
  })
  expect(await answerOf(schema, 'mutation { createOrder(id: 1) { id } }')).toMatchObject({
    errors: [{ extensions: { code: 'CONFLICT' } }],
  })
})
