import Type from 'typebox'
import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list, PageParams, PaginatedResponse } from '../../src/engine/schema/list.ts'

it('pages and filters by fields that items have, from when the first one has them', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const Thing = Type.Object({ id: Type.Integer(), color: Type.Optional(Type.String()) })
  api.get('/things', { input: PageParams, output: PaginatedResponse(Thing), select: { filter: 'any' } })
  api.put('/things/{id}', { input: Thing, output: Thing, keepsSent: true })
  const app = api.asWebApp()
  const put = (id: number, more = {}) =>
    app.inject({ method: 'PUT', url: `/things/${id}`, payload: { id, ...more } })
  const found = async () => (await app.inject('/things?color=red&limit=2&offset=1')).json<unknown>()

  for (const id of [1, 2, 3, 4]) await put(id)
  expect(await found()).toMatchObject({ items: [{ id: 2 }, { id: 3 }], total: 4 })
  for (const id of [2, 5]) await put(id, { color: 'red' })
  expect(await found()).toMatchObject({ items: [{ id: 5 }], total: 2 })
})

it('shows the fields that are named within the member that holds them', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const output = { type: 'object', properties: { id: { type: 'string' }, attributes: { type: 'object' } } }
  api.get('/things', { output: list(output), select: { fields: 'fields[things]' } })
  api.seedStore('/things', [{ id: 'a', attributes: { name: 'Ann', age: 3 } }])
  const response = await api.asWebApp().inject('/things?fields[things]=name')
  expect(response.json()).toEqual([{ id: 'a', attributes: { name: 'Ann' } }])
})

it.each([
  ['name,home.city', { name: 'Ann', home: { city: 'Rome' } }],
  ['tags.name', { tags: [{ name: 'x' }] }],
  ['*', { id: 'a', name: 'Ann', home: { city: 'Rome', zip: '1' }, tags: [{ name: 'x', by: 2 }] }],
])('shows of an item no more than %s names', async (fields, shown) => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const output = { type: 'object', properties: { id: { type: 'string' } } }
  const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
  api.get('/things/{id}', { input, output, select: { fields: 'fields' } })
  const home = { city: 'Rome', zip: '1' }
  api.seedStore('/things', [{ id: 'a', name: 'Ann', home, tags: [{ name: 'x', by: 2 }] }])
  await using app = api.asWebApp()
  expect((await app.inject(`/things/a?fields=${fields}`)).json()).toEqual(shown)
})

it('refuses a sort by a field that no item has, and no other parameter that is called like it', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const output = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
  const select = { filter: 'any', sort: 'sort', order: 'sort_dir', sorted: '-', known: true } as const
  api.get('/things', { output: list(output), select })
  api.seedStore('/things', [{ id: 'a', name: 'x' }])
  await using app = api.asWebApp()
  const statuses = ['sort=name&sort_dir=asc', 'sort_key=name&sort_dir=asc', 'sort=color'].map(
    async (query) => (await app.inject(`/things?${query}`)).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 422])
})

it('refuses parameters that are called like no field, where the route is strict', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const box = Type.Object({ id: Type.Integer(), size: Type.Integer() })
  api.post('/boxes', { output: box, keepsSent: true })
  const input = Type.Object({ populate: Type.Optional(Type.String()) })
  api.get('/boxes', { input, output: list(box), select: { filter: 'any', strict: true } })
  const app = api.asWebApp()
  await app.inject({ method: 'POST', url: '/boxes', payload: { size: 3 } })
  const get = async (url: string): Promise<unknown> => (await app.inject(url)).json<unknown>()
  expect(await get('/boxes?size=4&populate=all')).toEqual([])
  expect(await get('/boxes?weight=4')).toMatchObject({ detail: [{ type: 'extra_forbidden', input: '4' }] })
})
