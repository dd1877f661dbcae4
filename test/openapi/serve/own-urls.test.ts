import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { RouteDefinition } from '../../../src/engine/route.ts'
import type { EngineOptions } from '../../../src/simulation/engine.ts'
import { createMemoryStore } from '../../../src/state/memory-store.ts'
import { described, gatewayOf, inPath, json, query } from './describing.ts'

const SERVER = 'https://api.example.com'
const uri = (example: string) => ({
  type: 'string',
  format: 'uri',
  'x-sim-said': { examples: [example], defaults: [] },
})
const Pet = {
  type: 'object',
  required: ['id', 'url', 'toys_url', 'photo', '_links'],
  properties: {
    id: { type: 'integer' },
    url: uri(`${SERVER}/v1/pets/7`),
    toys_url: {
      type: 'string',
      'x-sim-said': { examples: [`${SERVER}/v1/pets/7/toys{/toy}`], defaults: [] },
    },
    photo: uri(`${SERVER}/photos/7.png`),
    _links: {
      type: 'object',
      required: ['self'],
      properties: {
        self: {
          type: 'object',
          required: ['href'],
          properties: { href: { type: 'string', format: 'uri' } },
        },
      },
    },
  },
}
const Toys = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } }
const id = inPath('petId', { type: 'integer' })
const origins = [SERVER]

const strict = { ...uri(`${SERVER}/v1/pets`), format: 'url' }

const ROUTES: readonly RouteDefinition[] = [
  described('GET', '/v1/pets', [json(200, { type: 'array', items: Pet })], {
    origins,
    parameters: [query('limit', { type: 'integer' })],
  }),
  described('POST', '/v1/pets', [json(201, Pet)], { origins, takes: { type: 'object' } }),
  described('GET', '/v1/pets/{petId}', [json(200, Pet)], {
    ...{ origins, basePath: '/v1', otherBasePaths: ['/beta'] },
    parameters: [id],
  }),
  described('GET', '/v1/pets/{petId}/toys', [json(200, Toys)], { origins, parameters: [id] }),
  described(
    'GET',
    '/v1/home',
    [
      json(
        200,
        {},
        {
          usual: {
            ...{
              pets: `${SERVER}/v1/pets?limit=2`,
              docs: `${SERVER}/docs`,
              other: 'https://example.org/v1/pets',
              pet: `${SERVER}/beta/pets/7`,
              more: `${SERVER}:443/v1/pets?offset=2`,
              plain: 'http://api.example.com/v1/pets',
              elsewhere: `${SERVER}:8443/v1/pets`,
            },
            ...{ root: SERVER, said: `see "${SERVER}/v1/pets"` },
          },
        },
      ),
    ],
    { origins },
  ),
  described(
    'GET',
    '/v1/strict',
    [json(200, { type: 'object', required: ['pets'], properties: { pets: strict } })],
    { origins },
  ),
  described(
    'GET',
    '/v1/strict/{petId}',
    [json(200, { type: 'object', required: ['pets'], properties: { pets: uri(`${SERVER}/v1/pets`) } })],
    { origins, parameters: [id] },
  ),
  described(
    'GET',
    '/v1/entry',
    [json(200, { type: 'object', required: ['pets'], properties: { pets: uri(`${SERVER}/v1/pets`) } })],
    { origins },
  ),
]

interface Shown {
  readonly id: number
  readonly url: string
  readonly toys_url: string
  readonly photo: string
  readonly _links: { readonly self: { readonly href: string } }
}

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function start(options: Partial<EngineOptions> = {}) {
  const app = gatewayOf(ROUTES, options)
  open.push(app)
  return app
}

describe('URLs of the described server', () => {
  it.for([{}, { stateful: true, store: createMemoryStore() }])(
    'name the item that has them, and lead back to where its request came to: %o',
    async (options) => {
      const app = start(options)
      const { body } = await app.inject({ url: '/v1/pets', headers: { host: '127.0.0.1:8123' } })
      const pets = JSON.parse(body) as Shown[]
      expect(pets.length).toBeGreaterThan(2)
      for (const pet of pets.slice(0, 3)) {
        const own = `http://127.0.0.1:8123/v1/pets/${pet.id}`
        expect([pet.url, pet.toys_url, pet._links.self.href]).toEqual([own, `${own}/toys{/toy}`, own])
        expect(pet.photo).toBe(`${SERVER}/photos/7.png`)
        const again = await app.inject({
          url: new URL(pet.url).pathname,
          headers: { host: '127.0.0.1:8123' },
        })
        expect([again.statusCode, again.json()]).toEqual([200, pet])
      }
      const elsewhere = await app.inject({ url: '/v1/pets/2', headers: { host: 'sim.test' } })
      expect(elsewhere.json<Shown>().url).toBe('http://sim.test/v1/pets/2')
      for (const host of ['sim.test', '127.0.0.1:8123']) {
        const all = (await app.inject({ url: '/v1/pets', headers: { host } })).json<Shown[]>()
        expect(all.map(({ url }) => url)).toEqual(all.map((pet) => `http://${host}/v1/pets/${pet.id}`))
      }
    },
  )

  it('are those of the item that a request made', async () => {
    const app = start({ stateful: true, store: createMemoryStore() })
    const made = (await app.inject({ method: 'POST', url: '/v1/pets', payload: {} })).json<Shown>()
    expect(made.url).toMatch(new RegExp(`^http://[^/]+/v1/pets/${made.id}$`))
    expect((await app.inject(new URL(made._links.self.href).pathname)).json()).toEqual(made)
  })

  it('are in examples, too, unless nothing of the description is there', async () => {
    const app = start()
    for (const host of ['sim.test', 'sim.test', 'other.test'])
      expect((await app.inject({ url: '/v1/home', headers: { host } })).json()).toEqual({
        ...{
          pets: `http://${host}/v1/pets?limit=2`,
          docs: `${SERVER}/docs`,
          pet: `http://${host}/beta/pets/7`,
          more: `http://${host}/v1/pets?offset=2`,
          plain: `http://${host}/v1/pets`,
          elsewhere: `${SERVER}:8443/v1/pets`,
          other: 'https://example.org/v1/pets',
        },
        ...{ root: SERVER, said: `see "${SERVER}/v1/pets"` },
      })
    const entry = await app.inject({ url: '/v1/entry', headers: { host: 'sim.test' } })
    expect(entry.json()).toEqual({ pets: 'http://sim.test/v1/pets' })
    expect((await app.inject('/v1/strict')).json()).toEqual({ pets: `${SERVER}/v1/pets` })
    expect((await app.inject('/v1/strict/7')).json()).toEqual({ pets: `${SERVER}/v1/pets` })
  })
})
