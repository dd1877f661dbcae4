import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { SAID, type Schema } from '../../../../src/engine/schema/schema.ts'
import { described, gatewayOf, json, response, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const bare: Schema = { type: 'object' }
const first = { id: 41, name: 'Banner', approved: true }
const second = { id: 42, name: 'Sidebar', approved: false }
const routes = [
  described('GET', '/ads', [json(200, { type: 'array' }, { all: [first, second] })]),
  described('POST', '/ads', [json(201, bare, { made: { ...second, id: 43 } })], {
    takes: { type: 'object', properties: { name: text, approved: { type: 'boolean' } } },
  }),
  described('GET', '/ads/{id}', [json(200, bare, { one: second })]),
  described('DELETE', '/ads/{id}', [response(204)]),
]

it('knows items by examples alone, where their schema names no fields', async () => {
  const app = gatewayOf(routes)
  open.push(app)
  const ask = async (url: string): Promise<unknown> => (await app.inject(url)).json()
  expect(await ask('/ads')).toEqual([first, second])
  expect([await ask('/ads/42'), await ask('/ads/41')]).toEqual([second, first])
})

it('stores what is sent of such items', async () => {
  const app = statefulGatewayOf(routes, { stateful: true })
  open.push(app)
  const payload = { name: 'New', approved: true }
  const made = (await app.inject({ method: 'POST', url: '/ads', payload })).json<{ id: number }>()
  expect(made).toMatchObject(payload)
  const url = `/ads/${made.id}`
  expect((await app.inject(url)).json()).toEqual(made)
  expect((await app.inject('/ads')).json()).toEqual([first, second, made])
  expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await app.inject(url)).statusCode).toBe(404)
})

it('has what only the list says of the fields of its items', async () => {
  const said = { ...text, [SAID]: { examples: ['12 High Street'], defaults: [] } }
  const itemWith = (address: Schema): Schema => ({
    type: 'object',
    required: ['id', 'address'],
    properties: { id: text, address },
  })
  const app = gatewayOf([
    described('GET', '/shops', [json(200, { type: 'array', items: itemWith(said) })]),
    described('GET', '/shops/{id}', [json(200, itemWith(text))]),
  ])
  open.push(app)
  const [shop] = (await app.inject('/shops')).json<{ id: string; address: string }[]>()
  expect(shop?.address).toBe('12 High Street')
  expect((await app.inject(`/shops/${shop?.id}`)).json()).toEqual(shop)
})

it('leaves what an example of an item says of the one above as it is, where that is the one of the path', async () => {
  const User = { type: 'object', properties: { username: text, admin: { type: 'boolean' } } }
  const List = { type: 'object', properties: { id: text, title: text, user: User } }
  const ann = { username: 'ann', admin: true }
  const said = { id: 'l', title: 'Films', user: { username: 'ann', admin: false } }
  const app = gatewayOf([
    described('GET', '/users/{username}', [json(200, User, { one: ann })]),
    described('GET', '/users/{username}/lists/{id}', [json(200, List, { one: said })]),
  ])
  open.push(app)
  const ask = async (url: string): Promise<unknown> => (await app.inject(url)).json()
  expect(await ask('/users/ann')).toEqual(ann)
  expect(await ask('/users/ann/lists/m')).toEqual({ ...said, id: 'm' })
  expect(await ask('/users/bob/lists/m')).toMatchObject({ id: 'm', user: { username: 'bob' } })
})

it('shows of an item what the example of its model has beside its fields', async () => {
  const example = { id: 'a', name: 'Line 1', updated_at: '2025-10-15T13:52:39Z' }
  const Line = {
    type: 'object',
    properties: { id: text, name: text },
    [SAID]: { examples: [example], defaults: [] },
  }
  const app = gatewayOf([
    described('GET', '/lines', [json(200, { type: 'array', items: Line })]),
    described('GET', '/lines/{id}', [json(200, Line)]),
  ])
  open.push(app)
  const lines = (await app.inject('/lines')).json<{ id: string }[]>()
  expect(lines).toEqual(lines.map(({ id }) => ({ ...example, id })))
  expect((await app.inject(`/lines/${lines[0]?.id}`)).json()).toEqual(lines[0])
})

it('shows an item as the first of its examples that is one', async () => {
  const File = { type: 'object', properties: { path: text, size: { type: 'integer' } } }
  const directory = [{ path: 'a/b', size: 1 }]
  const file = { path: 'README.md', size: 5362 }
  const app = gatewayOf([
    described('GET', '/repos/{repo}/contents/{path}', [
      json(200, { oneOf: [{ type: 'array', items: File }, File] }, { directory, file }),
    ]),
  ])
  open.push(app)
  expect((await app.inject('/repos/r/contents/x')).json()).toEqual({ ...file, path: 'x' })
})
