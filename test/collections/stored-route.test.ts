import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { SimOptions } from '../../src/options/app-options.ts'
import { ComputedFrom } from '../../src/engine/links/computed-from.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { list, PageParams, PaginatedResponse } from '../../src/engine/schema/list.ts'

const UserInput = Type.Object({ name: Type.Optional(Type.String()), team: Type.Optional(Type.String()) })
const User = Type.Object(
  {
    self: Type.String(ComputedFrom(['id'], (id: string) => `/users/${id}`)),
    id: Type.String({ format: 'uuid' }),
    name: Type.String(FromInput('name')),
    team: Type.String(FromInput('team')),
    email: Type.String({ format: 'email' }),
  },
  { title: 'User' },
)
type Body = Record<string, unknown>

function clientOf(api: SimAPI) {
  const app = api.asWebApp()
  return async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const response = await app.inject({ method, url, ...(payload !== undefined && { payload }) })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json<Body>() }
  }
}

function users(options: SimOptions = {}, base = '/users', idName = 'id') {
  const api = new SimAPI({ seed: 1, stateful: true, ...options })
  api.get(base, { output: list(User) })
  api.post(base, { input: UserInput, output: User, status: 201 })
  api.get(`${base}/{${idName}}`, { output: User })
  api.put(`${base}/{${idName}}`, { input: UserInput, output: User })
  api.patch(`${base}/{${idName}}`, { input: UserInput, output: User })
  api.delete(`${base}/{${idName}}`)
  return { api, call: clientOf(api) }
}

describe('a stateful app', () => {
  it('lists nothing before anything is stored', async () => {
    const { call } = users()
    expect(await call('GET', '/users')).toEqual({ status: 200, body: [] })
  })

  it('stores what is put, and answers without a body where the route says so', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.put('/users/{id}', { input: UserInput, output: User, status: 201, emptyBody: true, keepsSent: true })
    api.get('/users/{id}', { output: User })
    const call = clientOf(api)
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    expect(await call('PUT', `/users/${id}`, { name: 'Ada' })).toEqual({ status: 201, body: undefined })
    expect((await call('GET', `/users/${id}`)).body).toMatchObject({ id, name: 'Ada' })
  })

  it('keeps what is sent but what it is to drop, and answers a second PUT with another status', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    const item = { drops: ['password'], again: 204 }
    const output = {
      type: 'object',
      properties: { id: { type: 'string' }, state: { const: 'new' } },
      required: ['state'],
    }
    api.put('/users/{id}', { output, status: 201, keepsSent: true, item })
    api.get('/users/{id}', { output })
    const call = clientOf(api)
    const put = (name: string) => call('PUT', '/users/ann', { name, password: 'x' })
    expect(await put('Ann')).toEqual({ status: 201, body: { id: 'ann', name: 'Ann', state: 'new' } })
    expect(await put('Anna')).toEqual({ status: 204, body: undefined })
    expect((await call('GET', '/users/ann')).body).toEqual({ id: 'ann', name: 'Anna', state: 'new' })
  })

  it('lists items in an order of its own where no parameter says another', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.get('/users', { output: list(User), select: { sort: 'by', sorted: '-name' } })
    api.post('/users', { input: UserInput, output: User })
    const call = clientOf(api)
    for (const name of ['Bo', 'Cy', 'Al']) await call('POST', '/users', { name })
    const names = async (url: string) =>
      ((await call('GET', url)).body as unknown as Body[]).map(({ name }) => name)
    expect(await names('/users')).toEqual(['Cy', 'Bo', 'Al'])
    expect(await names('/users?by=name')).toEqual(['Al', 'Bo', 'Cy'])
  })

  it('shows in lists the fields that are to be shown', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.get('/users', { output: list(User), select: { show: ['id', 'name'], filter: ['name'] } })
    api.post('/users', { input: UserInput, output: User })
    api.get('/users/{id}', { output: User })
    const call = clientOf(api)
    const { body } = await call('POST', '/users', { name: 'Ada' })
    for (const url of ['/users', '/users?name=Ada'])
      expect((await call('GET', url)).body).toEqual([{ id: body?.['id'], name: 'Ada' }])
    expect((await call('GET', `/users/${String(body?.['id'])}`)).body).toEqual(body)
  })

  it('reads back what was created, by id and in the list, in order', async () => {
    const { call } = users()
    const created = [
      await call('POST', '/users', { name: 'Ada' }),
      await call('POST', '/users', { name: 'Bob' }),
    ]
    expect(created.map(({ status, body }) => [status, body?.['name']])).toEqual([
      [201, 'Ada'],
      [201, 'Bob'],
    ])
    for (const { body } of created) {
      expect(await call('GET', `/users/${String(body?.['id'])}`)).toEqual({ status: 200, body })
    }
    expect((await call('GET', '/users')).body).toEqual(created.map(({ body }) => body))
  })

  it('keeps texts beyond ASCII as they came, also through a change', async () => {
    const { call } = users()
    const { body } = await call('POST', '/users', { name: 'Zoë "日本" 🦊' })
    expect(body?.['name']).toBe('Zoë "日本" 🦊')
    const path = `/users/${String(body?.['id'])}`
    expect((await call('PATCH', path, { team: 'é' })).body).toEqual({ ...body, team: 'é' })
    expect((await call('GET', '/users')).body).toEqual([{ ...body, team: 'é' }])
  })

  it('assigns different ids to equal requests, and the same ids under the same seed', async () => {
    const idsOf = async (seed: number): Promise<unknown[]> => {
      const { call } = users({ seed })
      const created = [
        await call('POST', '/users', { name: 'Ada' }),
        await call('POST', '/users', { name: 'Ada' }),
      ]
      return created.map(({ body }) => body?.['id'])
    }
    const [first, again, other] = [await idsOf(1), await idsOf(1), await idsOf(2)]
    expect(new Set(first).size).toBe(2)
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  it('computes fields from the assigned id', async () => {
    const { call } = users()
    const { body } = await call('POST', '/users', { name: 'Ada' })
    expect(body?.['self']).toBe(`/users/${String(body?.['id'])}`)
  })

  it('lists in an order of its own where a request says none', async () => {
    const namesIn = async (sorted: string, search = ''): Promise<unknown> => {
      const api = new SimAPI({ seed: 1, stateful: true })
      api.get('/users', { output: list(User), select: { sorted, sort: 'by' } })
      api.post('/users', { input: UserInput, output: User })
      const call = clientOf(api)
      for (const name of ['Bo', 'Cy', 'Ada']) await call('POST', '/users', { name })
      return ((await call('GET', `/users${search}`)).body as unknown as Body[]).map(({ name }) => name)
    }
    expect(await namesIn('-')).toEqual(['Ada', 'Cy', 'Bo'])
    expect(await namesIn('-name')).toEqual(['Cy', 'Bo', 'Ada'])
    expect(await namesIn('-', '?by=name')).toEqual(['Ada', 'Bo', 'Cy'])
  })

  it('assigns ids as a template says, which it counts on from', async () => {
    const made = async (ids: string, id: object = { type: 'string' }): Promise<unknown[]> => {
      const output = { type: 'object', properties: { id }, required: ['id'] }
      const api = new SimAPI({ seed: 1, stateful: true }).post('/users', { output, item: { ids } })
      const call = clientOf(api)
      return [(await call('POST', '/users')).body?.['id'], (await call('POST', '/users')).body?.['id']]
    }
    expect(await made('ord_{000099}')).toEqual(['ord_000099', 'ord_000100'])
    expect(await made('{7}', { type: 'integer' })).toEqual([7, 8])
    const [one, other] = await made('{red|blue}-{hex 6}{mixed 2}')
    expect([one, other]).toEqual(Array(2).fill(expect.stringMatching(/^(red|blue)-[0-9a-f]{6}\w{2}$/)))
    expect(one).not.toBe(other)
    await expect(made('plain')).rejects.toThrow(/ids is 'sent' or a template of ids/)
  })

  it('replaces with PUT, keeping the id of the path and the place in the list', async () => {
    const { call } = users()
    const ids: string[] = []
    for (const name of ['Ada', 'Bob']) ids.push(String((await call('POST', '/users', { name })).body?.['id']))
    const { status, body } = await call('PUT', `/users/${ids[0]}`, { name: 'Eve' })
    expect([status, body?.['id'], body?.['name']]).toEqual([200, ids[0], 'Eve'])
    expect(((await call('GET', '/users')).body as unknown as Body[]).map(({ id }) => id)).toEqual(ids)
  })

  it('adds with PUT what was not there', async () => {
    const { call } = users()
    const id = '6f1b7e1e-6a0f-4c3e-9d5e-0a8b8c9d0e1f'
    expect((await call('PUT', `/users/${id}`, { name: 'Eve' })).body).toMatchObject({
      id,
      name: 'Eve',
      self: `/users/${id}`,
    })
    expect((await call('GET', `/users/${id}`)).status).toBe(200)
  })

  it('refuses a PUT whose id is none of the model’s', async () => {
    const { call } = users()
    const { status, body } = await call('PUT', '/users/not-a-uuid', {})
    expect([status, (body as { detail: Body[] }).detail[0]?.['loc']]).toEqual([422, ['path', 'id']])
  })

  it('names the path parameter, as the route writes it, in the refusal of an id', async () => {
    const { call } = users({}, '/orgs/{org}/users', 'user_id')
    const { status, body } = await call('PUT', '/orgs/7/users/not-a-uuid', {})
    const [issue] = (body as { detail: Body[] }).detail
    expect([status, issue?.['loc'], issue?.['msg']]).toEqual([
      422,
      ['path', 'user_id'],
      "Value does not fit the id field 'id'",
    ])
  })

  it('overlays with PATCH what the request supplies, and nothing else', async () => {
    const { call } = users()
    const created = (await call('POST', '/users', { name: 'Ada', team: 'core' })).body
    const { status, body } = await call('PATCH', `/users/${String(created?.['id'])}`, { team: 'edge' })
    expect([status, body]).toEqual([200, { ...created, team: 'edge' }])
    expect((await call('GET', `/users/${String(created?.['id'])}`)).body).toEqual(body)
  })

  it('does not overlay defaults of the input model', async () => {
    const Patch = Type.Object({
      name: Type.String({ default: 'nobody' }),
      team: Type.Optional(Type.String()),
    })
    const { api } = users()
    api.patch('/people/{id}', { input: Patch, output: User })
    api.put('/people/{id}', { input: UserInput, output: User })
    const call = clientOf(api)
    const id = '6f1b7e1e-6a0f-4c3e-9d5e-0a8b8c9d0e1f'
    await call('PUT', `/people/${id}`, { name: 'Ada' })
    expect((await call('PATCH', `/people/${id}`, { team: 'core' })).body).toMatchObject({
      name: 'Ada',
      team: 'core',
    })
  })

  it('makes up no optional field with PATCH, and keeps those that are sent', async () => {
    const Note = Type.Object({ id: Type.Integer(), text: Type.String(), tag: Type.Optional(Type.String()) })
    const NoteInput = Type.Partial(Type.Object({ text: Type.String(), tag: Type.String() }))
    const First = Type.Object({ id: Type.Integer(), text: Type.Literal('a') })
    const api = new SimAPI({ seed: 1, stateful: true })
    api.post('/notes', { output: First })
    api.get('/notes/{id}', { output: Note })
    api.patch('/notes/{id}', { input: NoteInput, output: Note })
    const call = clientOf(api)
    expect((await call('POST', '/notes')).body).toEqual({ id: 1, text: 'a' })
    expect((await call('PATCH', '/notes/1', { text: 'b' })).body).toEqual({ id: 1, text: 'b' })
    expect((await call('PATCH', '/notes/1', { tag: 'c' })).body).toEqual({ id: 1, text: 'b', tag: 'c' })
    expect((await call('GET', '/notes/1')).body).toEqual({ id: 1, text: 'b', tag: 'c' })
  })

  it('answers DELETE with what its model says of the item, where the status has a body', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.post('/notes', { input: UserInput, output: User })
    api.delete('/notes/{id}', {
      output: Type.Object({ id: Type.String(), gone: Type.Literal(true) }),
      status: 200,
    })
    const call = clientOf(api)
    const id = String((await call('POST', '/notes', {})).body?.['id'])
    expect(await call('DELETE', `/notes/${id}`)).toEqual({ status: 200, body: { id, gone: true } })
    expect((await call('DELETE', `/notes/${id}`)).status).toBe(404)
  })

  it('removes with DELETE, once', async () => {
    const { call } = users()
    const id = String((await call('POST', '/users', {})).body?.['id'])
    expect(await call('DELETE', `/users/${id}`)).toEqual({ status: 204, body: undefined })
    expect((await call('GET', `/users/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/users/${id}`)).status).toBe(404)
  })

  it.for(['GET', 'PATCH', 'DELETE'] as const)(
    'answers %s of an absent item with 404, in detail where errors are verbose',
    async (method) => {
      expect(await users().call(method, '/users/7', method === 'PATCH' ? { name: 'x' } : undefined)).toEqual({
        status: 404,
        body: { detail: 'Not found' },
      })
      const { call } = users({ verboseErrors: true })
      expect((await call(method, '/users/7', method === 'PATCH' ? { name: 'x' } : undefined)).body).toEqual({
        detail: { detail: 'Not found', collection: '/users', id_field: 'id', id_value: '7' },
      })
    },
  )

  it('keeps nested collections apart, and finds the id by the last parameter', async () => {
    const { call } = users({}, '/orgs/{org}/users', 'user_id')
    const [seven, eight] = [
      await call('POST', '/orgs/7/users', { name: 'Ada' }),
      await call('POST', '/orgs/8/users', { name: 'Bob' }),
    ]
    const id = String(seven.body?.['id'])
    expect((await call('GET', '/orgs/7/users')).body).toEqual([seven.body])
    expect((await call('GET', '/orgs/8/users')).body).toEqual([eight.body])
    expect((await call('GET', `/orgs/7/users/${id}`)).body).toEqual(seven.body)
    expect((await call('GET', `/orgs/8/users/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/orgs/7/users/${id}`)).status).toBe(204)
  })

  it('matches an id parameter to the model’s field of that name', async () => {
    const Thing = Type.Object({ thing_key: Type.Integer(), id: Type.String() })
    const api = new SimAPI({ seed: 1, stateful: true })
    api
      .post('/things', { output: Thing })
      .get('/things/{thing_key}', { output: Thing })
      .get('/things', { output: list(Thing) })
    const call = clientOf(api)
    const created = [await call('POST', '/things'), await call('POST', '/things')]
    expect(created.map(({ body }) => body?.['thing_key'])).toEqual([1, 2])
    expect((await call('GET', '/things/2')).body).toEqual(created[1]?.body)
  })

  it('answers 409 for an id that is stored already, and keeps what was there', async () => {
    const Input = Type.Object({ id: Type.String(), name: Type.String() })
    const Named = Type.Object({ id: Type.String(FromInput('id')), name: Type.String(FromInput('name')) })
    const api = new SimAPI({ seed: 1, stateful: true })
    api.post('/named', { input: Input, output: Named }).get('/named', { output: list(Named) })
    const call = clientOf(api)
    await call('POST', '/named', { id: 'a', name: 'first' })
    expect((await call('POST', '/named', { id: 'a', name: 'second' })).status).toBe(409)
    expect((await call('GET', '/named')).body).toEqual([{ id: 'a', name: 'first' }])
  })

  it('assigns an id where the request gives an empty one', async () => {
    const Input = Type.Object({ id: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
    const Thing = Type.Object({ id: Type.String(FromInput('id')) })
    const api = new SimAPI({ seed: 1, stateful: true }).post('/things', { input: Input, output: Thing })
    const call = clientOf(api)
    const created = [
      await call('POST', '/things', { id: '' }),
      await call('POST', '/things', { id: null }),
      await call('POST', '/things', {}),
    ]
    const ids = created.map(({ body }) => body?.['id'])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('answers 507 past its bound, loses nothing, and takes more once an item is gone', async () => {
    const { call } = users({ store: { maxItems: 2 } })
    const ids: string[] = []
    for (let i = 0; i < 2; i++) ids.push(String((await call('POST', '/users', {})).body?.['id']))
    const { status, body } = await call('POST', '/users', {})
    expect([status, body?.['error']]).toEqual([507, 'StoreFull'])
    expect((await call('PUT', '/users/6f1b7e1e-6a0f-4c3e-9d5e-0a8b8c9d0e1f', {})).status).toBe(507)
    expect((await call('PUT', `/users/${ids[0]}`, {})).status).toBe(200)
    expect((await call('GET', '/users')).body).toHaveLength(2)
    await call('DELETE', `/users/${ids[0]}`)
    expect((await call('POST', '/users', {})).status).toBe(201)
  })

  it('pages over the store with the true total', async () => {
    const { api } = users()
    api.get('/pages', { input: PageParams, output: PaginatedResponse(User) })
    api.post('/pages', { input: UserInput, output: User })
    const call = clientOf(api)
    for (let i = 0; i < 25; i++) await call('POST', '/pages', { name: `user ${i}` })
    const { body } = await call('GET', '/pages?limit=10&offset=20')
    expect(body).toMatchObject({ total: 25, limit: 10, offset: 20 })
    expect((body as { items: Body[] }).items.map(({ name }) => name)).toEqual(
      [20, 21, 22, 23, 24].map((i) => `user ${i}`),
    )
    expect((await call('GET', '/pages?offset=30')).body).toMatchObject({ items: [], total: 25, offset: 30 })
  })

  it('filters the stored list', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.get('/users', { input: UserInput, output: list(User), filterBy: 'team' })
    api.get('/users/page', {
      input: Type.Object({ ...PageParams.properties, team: Type.Optional(Type.String()) }),
      output: PaginatedResponse(User),
      filterBy: 'team',
    })
    api.post('/users', { input: UserInput, output: User })
    api.post('/users/page', { input: UserInput, output: User })
    const call = clientOf(api)
    for (const path of ['/users', '/users/page']) {
      for (const team of ['core', 'edge', 'core']) await call('POST', path, { team })
    }
    expect((await call('GET', '/users?team=core')).body).toHaveLength(2)
    expect((await call('GET', '/users')).body).toHaveLength(3)
    expect((await call('GET', '/users/page?team=core&limit=1')).body).toMatchObject({
      total: 2,
      items: [{ team: 'core' }],
    })
  })

  it('stores nothing that response validation refuses', async () => {
    const Bad = Type.Object({ id: Type.String(), n: Type.Integer({ minimum: 5 }) })
    const api = new SimAPI({ seed: 1, stateful: true, validateResponses: true })
    api
      .get('/bad', { output: list(Bad) })
      .patch('/bad/{id}', { input: Type.Object({ n: Type.Integer() }), output: Bad })
    api.post('/bad', { output: Bad })
    const call = clientOf(api)
    const created = (await call('POST', '/bad')).body
    const { status, body } = await call('PATCH', `/bad/${String(created?.['id'])}`, { n: 1 })
    expect([status, body?.['error']]).toEqual([500, 'ResponseInvalid'])
    expect(body?.['detail']).toContain('PATCH /bad/{id}')
    expect((await call('GET', '/bad')).body).toEqual([created])
  })

  it('shares its store between the apps made of it, and clears it', async () => {
    const { api, call } = users()
    await call('POST', '/users', {})
    const other = clientOf(api)
    expect((await other('GET', '/users')).body).toHaveLength(1)
    api.clearStore('/elsewhere')
    expect((await other('GET', '/users')).body).toHaveLength(1)
    api.clearStore('/users')
    expect((await call('GET', '/users')).body).toEqual([])
    await call('POST', '/users', {})
    api.clearStore()
    expect((await call('GET', '/users')).body).toEqual([])
  })

  it('leaves routes alone that do not speak of items', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.get('/status', { output: Type.Object({ up: Type.Boolean() }) })
    api.get('/by-city/{city}', { output: list(User), listCount: 2 })
    api.delete('/cache')
    const call = clientOf(api)
    expect((await call('GET', '/status')).status).toBe(200)
    expect((await call('GET', '/by-city/Bern')).body).toHaveLength(2)
    expect((await call('DELETE', '/cache')).status).toBe(204)
  })
})
