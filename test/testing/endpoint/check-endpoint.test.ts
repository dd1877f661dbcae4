import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { createRoute, type RouteDefinition } from '../../../src/engine/route.ts'
import { createClient } from '../../../src/testing/client.ts'
import { checkEndpoint, createItem } from '../../../src/testing/endpoint/check-endpoint.ts'
import { describeRoute, type Endpoint } from '../../../src/testing/endpoint/endpoint.ts'

const Named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const User = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}

function endpointOf(route: RouteDefinition, more: Partial<Endpoint> = {}): Endpoint {
  return { ...describeRoute(route), routes: [route], pathParams: {}, invariants: {}, numRuns: 20, ...more }
}

describe('checkEndpoint', () => {
  it('finds the item of a stateful route that it created first, and shows both requests when that fails', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.post('/users', { input: Named, output: User }).get('/users/{id}', { output: User })
    const [creation, route] = api.routes
    const client = createClient(api)
    const open = () => {
      api.clearStore()
      return client
    }
    const stored = { creation, byId: true }
    const statuses = new Set<number>()
    const note = { note: ({ response }: { response: Response }) => void statuses.add(response.status) }
    await checkEndpoint(endpointOf(route!, { stored, invariants: note }), open)
    expect(statuses).toEqual(new Set([200]))

    const failing = checkEndpoint(endpointOf(route!, { stored, invariants: { never: () => false } }), open)
    await expect(failing).rejects.toThrow(
      /Reproduce with curl:\ncurl -i -X POST 'http:\/\/127\.0\.0\.1:8000\/users' .*--data-raw '\{"name":""\}'\ncurl -i 'http:\/\/127\.0\.0\.1:8000\/users\/\d+'\n\nOr JavaScript:\nawait fetch.*\nawait fetch/s,
    )
    expect(api.store.collection('/users').size).toBe(1)
  })

  it('lets an item that cannot be created be absent', async () => {
    const route = createRoute('GET', '/users/{id}', {})
    const absent = { fetch: () => Promise.resolve(new Response(null, { status: 404 })) }
    await checkEndpoint(endpointOf(route, { stored: { creation: undefined, byId: true } }), () => absent)
    await expect(checkEndpoint(endpointOf(route), () => absent)).rejects.toThrow('the status 404')
  })

  it('sends as many requests as are wanted, each by the sender that is opened for it', async () => {
    const sent: string[] = []
    let opened = 0
    const open = () => {
      opened++
      return { fetch: async (url: unknown) => (sent.push(String(url)), new Response('{}')) }
    }
    await checkEndpoint(
      endpointOf(createRoute('GET', '/a', {}), { numRuns: 7, baseUrl: 'http://h/base' }),
      open,
    )
    expect([opened, sent.length, sent[0]]).toEqual([7, 7, 'http://h/base/a'])
  })

  it('passes on what goes wrong before a request is sent', async () => {
    const route = createRoute('GET', '/a', {})
    await expect(
      checkEndpoint(endpointOf(route), () => Promise.reject(new TypeError('not open'))),
    ).rejects.toThrow(new TypeError('not open'))
  })
})

const creation = createRoute('POST', '/orgs/{o}/users', {
  input: { type: 'object', properties: { name: { type: 'string' } } },
  bearerTokens: ['t'],
})
const drawn = { input: { name: 'Ada' }, texts: { o: 'drawn' } }

function storedEndpoint(path: string, byId: boolean): Endpoint {
  const route = describeRoute(createRoute('GET', path, {}))
  return {
    ...route,
    headers: { 'x-a': 'b' },
    routes: [],
    pathParams: {},
    invariants: {},
    stored: { creation, byId },
  }
}
const answering = (status: number, body: unknown) => ({
  fetch: () => Promise.resolve(new Response(JSON.stringify(body), { status })),
})

describe('createItem', () => {
  it('creates an item below the same path and takes its id', async () => {
    const params = { org: 'x/1', id: 'drawn' }
    const created = await createItem(
      storedEndpoint('/orgs/{org}/users/{id}', true),
      drawn,
      params,
      answering(201, { id: 7 }),
    )
    expect(created).toEqual({
      params: { id: '7' },
      mayBeAbsent: false,
      requests: [
        {
          method: 'POST',
          url: 'http://127.0.0.1:8000/orgs/x%2F1/users',
          headers: { 'content-type': 'application/json', authorization: 'Bearer t', 'x-a': 'b' },
          body: '{"name":"Ada"}',
        },
      ],
    })
  })

  it.for([
    [{ user: 'u', id: 'i' }, 'u'],
    [{ id: 'i' }, 'i'],
  ] as const)('takes the id of %j', async ([body, id]) => {
    const path = '/orgs/{org}/users/{user}'
    const created = await createItem(
      storedEndpoint(path, true),
      drawn,
      { org: 'o', user: 'u' },
      answering(200, body),
    )
    expect(created.params).toEqual({ user: id })
  })

  it('creates an item for a list, which needs no id', async () => {
    const created = await createItem(
      storedEndpoint('/orgs/{org}/users', false),
      drawn,
      { org: 'o' },
      answering(200, null),
    )
    expect(created).toMatchObject({ params: {}, mayBeAbsent: false, requests: [{ method: 'POST' }] })
  })

  it.for([
    [503, { id: 1 }],
    [200, { id: '..' }],
    [200, { id: { a: 1 } }],
    [200, []],
  ] as const)('leaves the item absent when %i %j comes of it', async ([status, body]) => {
    const path = '/orgs/{org}/users/{id}'
    const created = await createItem(
      storedEndpoint(path, true),
      drawn,
      { org: 'o', id: 'i' },
      answering(status, body),
    )
    expect(created).toEqual({ params: {}, requests: [], mayBeAbsent: true })
  })

  it('does nothing for a route without a store, or without a creator', async () => {
    const never = { fetch: () => Promise.reject(new Error('sent')) }
    const { stored: _stored, ...without } = storedEndpoint('/a/{id}', true)
    expect(await createItem(without, undefined, {}, never)).toMatchObject({ mayBeAbsent: false })
    const lonely = { ...without, stored: { creation: undefined, byId: true } }
    expect(await createItem(lonely, undefined, {}, never)).toMatchObject({ requests: [], mayBeAbsent: true })
  })

  it('says which request got no answer', async () => {
    const broken = { fetch: () => Promise.reject(new Error('refused')) }
    await expect(
      createItem(storedEndpoint('/orgs/{o}/users', false), drawn, { o: '1' }, broken),
    ).rejects.toThrow('no item could be created by POST /orgs/{o}/users: refused')
  })
})
