import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { createRoute, type RouteDefinition } from '../../../src/engine/route.ts'
import { createClient } from '../../../src/testing/client.ts'
import { checkEndpoint } from '../../../src/testing/endpoint/check-endpoint.ts'
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
