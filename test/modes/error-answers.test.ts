import { afterEach, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import type { RouteOptions } from '../../src/index.ts'

const apps: ReturnType<typeof createGateway>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function serve(declare: (api: SimAPI) => void): Promise<string> {
  const api = new SimAPI({ stateful: true })
  declare(api)
  const app = createGateway(api.gatewayOptions())
  apps.push(app)
  return app.listen({ port: 0 })
}

const ITEM: RouteOptions['output'] = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const send = (method: string, name: string): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name }),
})

it.each([
  ['PUT', 'replace'],
  ['POST', 'change'],
] as const)('refuses a %s to an item that must exist, and changes one that does', async (method, does) => {
  const base = await serve((api) => {
    api.route('POST', '/users', { output: ITEM, keepsSent: true })
    api.route('GET', '/users/{id}', { output: ITEM })
    api.route(method, '/users/{id}', { output: ITEM, keepsSent: true, item: { does } })
  })
  const { id } = (await (await fetch(`${base}/users`, send('POST', 'Ann'))).json()) as { id: number }
  expect((await fetch(`${base}/users/${id + 5}`, send(method, 'Bo'))).status).toBe(404)
  expect((await fetch(`${base}/users/${id + 5}`)).status).toBe(404)
  expect((await fetch(`${base}/users/${id}`, send(method, 'Cy'))).status).toBe(200)
  expect(await (await fetch(`${base}/users/${id}`)).json()).toMatchObject({ id, name: 'Cy' })
})

it('keeps headers of an error beside those of its answer, and values of the request as they are', async () => {
  const base = await serve((api) =>
    api.route('GET', '/users/{id}', {
      output: ITEM,
      errorAnswers: {
        SIM_ITEM_NOT_FOUND: {
          headers: { 'content-type': 'text/plain', 'x-path': '{path}' },
          text: '{method} {id} {other}',
        },
      },
    }),
  )
  const answer = await fetch(`${base}/users/%7Bpath%7D?q=1`)
  expect(answer.headers.get('x-path')).toBe('/users/%7Bpath%7D')
  expect(await answer.text()).toBe('GET {path} {other}')
})

it('answers a path that no route has as the app says whose routes are nearest to it', async () => {
  const form = (api: string): RouteOptions => ({
    errorAnswers: { SIM_ROUTE_NOT_FOUND: { body: { [api]: 'No {method} {path}, none of {id}' } } },
  })
  const base = await serve((api) => {
    api.route('GET', '/shop/users', { output: ITEM, ...form('shop') })
    api.route('GET', '/blog/posts', { output: ITEM, ...form('blog') })
  })
  const answer = await fetch(`${base}/blog/ghosts?page=1`, { method: 'DELETE' })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toEqual({ blog: 'No DELETE /blog/ghosts, none of ghosts' })
  expect(await (await fetch(`${base}/other`)).json()).toEqual({ shop: 'No GET /other, none of other' })
})

it('tags what it answers, and compares what requests name with what they would get', async () => {
  const etag = { weak: true, match: true }
  const base = await serve((api) => {
    api.route('POST', '/users', { output: ITEM, keepsSent: true, etag })
    api.route('GET', '/users/{id}', { output: ITEM, etag })
    api.route('PATCH', '/users/{id}', { output: ITEM, keepsSent: true, etag })
    api.route('DELETE', '/users/{id}', { etag })
  })
  const made = await fetch(`${base}/users`, send('POST', 'Ann'))
  const { id } = (await made.json()) as { id: number }
  const tag = made.headers.get('etag') ?? ''
  const statusOf = async (method: string, headers: Record<string, string>): Promise<number> => {
    const init = method === 'PATCH' ? send(method, 'Bo') : { method }
    const all = { 'content-type': 'application/json', ...headers }
    return (await fetch(`${base}/users/${id}`, { ...init, headers: all })).status
  }
  expect(tag).toMatch(/^W\/"/)
  expect(await statusOf('GET', { 'if-none-match': tag })).toBe(304)
  expect(await statusOf('PATCH', { 'if-match': tag })).toBe(200)
  expect(await statusOf('GET', { 'if-none-match': tag })).toBe(200)
  expect(await statusOf('PATCH', { 'if-match': tag })).toBe(412)
  expect(await statusOf('DELETE', { 'if-match': tag })).toBe(412)
  expect(await statusOf('DELETE', {})).toBe(204)
  expect(await statusOf('DELETE', { 'if-match': tag })).toBe(404)
})
