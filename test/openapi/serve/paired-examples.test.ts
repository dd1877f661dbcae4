import { expect, it } from 'vitest'
import type { Parameter } from '../../../src/engine/operation.ts'
import {
  described,
  gatewayOf,
  inPath,
  json,
  media,
  query,
  response,
  statefulGatewayOf,
} from './describing.ts'

const shown = (parameter: Parameter, examples: Record<string, unknown>): Parameter => ({
  ...parameter,
  examples: media(undefined, examples).examples,
})
const region = shown(inPath('region'), { west: 'west', nowhere: 'atlantis' })
const weather = { type: 'object', properties: { temp: { type: 'number' } } }
const forecast = described(
  'GET',
  '/forecast/{region}',
  [
    json(200, weather, { north: { temp: -1.5 }, west: { temp: 12.2 } }),
    response(404, { 'text/plain': media({ type: 'string' }, { nowhere: 'Choose another region' }) }),
  ],
  {
    parameters: [
      region,
      shown(query('unit', { type: 'string' }), { west: 'C' }),
      query('day', { type: 'integer' }),
    ],
  },
)

it('answers a request that is an example with the example of the same name', async () => {
  const app = gatewayOf([forecast])
  const answers = [
    '/forecast/west?unit=C',
    '/forecast/west',
    '/forecast/east',
    '/forecast/west?unit=C&day=2',
  ].map(async (url) => (await app.inject(url)).json<{ temp: number }>().temp)
  expect(await Promise.all(answers)).toEqual([12.2, -1.5, -1.5, -1.5])
  await app.close()
})

it('fails as the example of a failure does, in a form that the client takes', async () => {
  const app = gatewayOf([forecast])
  const failed = await app.inject('/forecast/atlantis')
  expect([failed.statusCode, failed.body, failed.headers['preference-applied']]).toEqual([
    404,
    'Choose another region',
    undefined,
  ])
  const other = await app.inject({ url: '/forecast/atlantis', headers: { accept: 'application/json' } })
  expect(other.statusCode).toBe(200)
  await app.close()
})

it('keeps to success where only failures have names of requests, and where another answer is preferred', async () => {
  const login = described('POST', '/login', [json(200, weather), json(401, weather, { bad: { temp: 1 } })], {
    body: {
      required: true,
      content: new Map([['application/json', media({ type: 'object' }, { bad: { user: 'x' } })]]),
    },
  })
  const app = gatewayOf([login, forecast])
  expect((await app.inject({ method: 'POST', url: '/login', payload: { user: 'x' } })).statusCode).toBe(200)
  const named = await app.inject({ url: '/forecast/west?unit=C', headers: { prefer: 'example=north' } })
  expect(named.json()).toEqual({ temp: -1.5 })
  await app.close()
})

it('passes over an example that its schema refuses', async () => {
  const body = media({ type: 'object' }, { later: { async: true } })
  const move = described('PUT', '/move', [json(202, { type: 'object', properties: {} }, { later: null })], {
    body: { required: true, content: new Map([['application/json', body]]) },
  })
  const app = gatewayOf([move])
  const moved = await app.inject({ method: 'PUT', url: '/move', payload: { async: true } })
  expect([moved.statusCode, moved.json()]).toEqual([202, {}])
  await app.close()
})

it('compares a body as it was sent, also with an example that is its text', async () => {
  const body = media(
    { type: 'object', properties: { user: { type: 'string' }, role: { default: 'a' } } },
    {
      good: '{"user": "ada"}',
      bad: { user: 'eve' },
    },
  )
  const login = described(
    'POST',
    '/login',
    [
      json(200, { properties: { token: {} } }, { good: '{"token": 1}' }),
      json(401, {}, { bad: { why: 'no' } }),
    ],
    { body: { required: true, content: new Map([['application/json', body]]) } },
  )
  const app = gatewayOf([login])
  const sent = async (payload: object): Promise<unknown> => {
    const { statusCode, body: answer } = await app.inject({ method: 'POST', url: '/login', payload })
    return [statusCode, JSON.parse(answer)]
  }
  expect(await sent({ user: 'ada' })).toEqual([200, { token: 1 }])
  expect(await sent({ user: 'eve' })).toEqual([401, { why: 'no' }])
  expect(await sent({ user: 'eve', more: 1 })).toEqual([200, { token: 1 }])
  await app.close()
})

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const pets = [
  described('GET', '/pets', [json(200, { type: 'array', items: pet })]),
  described(
    'GET',
    '/pets/{id}',
    [json(200, pet, { one: { id: 1, name: 'Zaza' }, two: { id: 2, name: 'Tigresse' } })],
    {
      parameters: [shown(inPath('id', { type: 'integer' }), { one: 1, two: 2 })],
    },
  ),
]

it.each([
  ['read', gatewayOf],
  ['stored', statefulGatewayOf],
])(
  'shows each item that has an example as that, also in its list, where items are %s',
  async (_name, open) => {
    const app = open(pets)
    expect((await app.inject('/pets/2')).json()).toEqual({ id: 2, name: 'Tigresse' })
    expect((await app.inject('/pets')).json<unknown[]>().slice(0, 2)).toEqual([
      { id: 1, name: 'Zaza' },
      { id: 2, name: 'Tigresse' },
    ])
    await app.close()
  },
)
