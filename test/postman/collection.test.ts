import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCollection } from '../../src/postman/collection.ts'
import { toOpenApi } from '../../src/postman/to-openapi.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { validateTarget } from '../../src/loaders/validate-target.ts'
import { createClient, type Client } from '../../src/testing/index.ts'

const FILE = join(import.meta.dirname, 'shop.postman_collection.json')
const SIGNED = { authorization: 'Bearer t' }

async function open(options: object = {}): Promise<Client> {
  const { api } = await loadApi(FILE, 'served', undefined, { options: { seed: 1, ...options } })
  return createClient(api)
}

it('gives the answer that was saved for a request, by its path, its body or its GraphQL', async () => {
  await using client = await open()
  const read = async (path: string): Promise<unknown> => {
    const response = await client.get(path, { headers: SIGNED })
    return [response.status, await response.json()]
  }
  expect(await read('/v1/users/2')).toEqual([200, { id: 2, name: 'Bo' }])
  expect(await read('/v1/users/999')).toEqual([404, { message: 'no such user' }])
  // Of whom nothing was saved: somebody who was, and not that there is nobody.
  expect(await read('/v1/users/7')).toMatchObject([200, { id: 1 }])
  const login = async (user: string): Promise<unknown> => {
    const body = new URLSearchParams({ user })
    const response = await client.fetch('/v1/login', { method: 'POST', headers: { 'x-key': 'k' }, body })
    return [response.status, await response.text()]
  }
  expect(await login('ada')).toEqual([200, 'welcome ada'])
  expect(await login('mallory')).toEqual([401, ''])
  const query = '{ shop {\n name } }'
  const graph = await client.post('/v1/graphql', { json: { query } })
  expect(await graph.json()).toEqual({ data: { shop: { name: 'Corner' } } })
})

it('follows headers that name a saved answer, and fills in what each has anew, by the seed', async () => {
  await using client = await open()
  const get = (headers: Record<string, string>): Promise<Response> =>
    client.get('/v1/users/1', { headers: { ...SIGNED, ...headers } })
  expect((await get({ 'x-mock-response-code': '404' })).status).toBe(404)
  expect((await get({ 'x-mock-response-code': '404', accept: 'text/html' })).status).toBe(404)
  expect(await (await get({ 'x-mock-response-name': 'Bo' })).json()).toMatchObject({ name: 'Bo' })
  expect(await (await get({ prefer: 'example=Bo' })).json()).toMatchObject({ name: 'Bo' })
  expect(await (await get({ 'x-mock-response-id': 'r-1' })).json()).toMatchObject({ name: 'Ada' })
  expect((await get({ 'x-mock-response-name': 'Zoe' })).status).toBeGreaterThanOrEqual(400)
  const first = await get({})
  expect(first.headers.get('x-shop')).toBe('Corner')
  const { request } = (await first.json()) as { request: string }
  expect(request).toMatch(/^[\da-f]{8}-/)
  expect(await (await get({})).json()).toMatchObject({ request })
  await using other = await open({ seed: 2 })
  const drawn = await other.get('/v1/users/1', { headers: SIGNED })
  expect(((await drawn.json()) as { request: string }).request).not.toBe(request)
})

it('wants the credentials that the nearest folder says, and makes answers where none is saved', async () => {
  await using client = await open()
  expect((await client.get('/v1/users/2')).status).toBe(401)
  expect((await client.fetch('/v1/login', { method: 'POST', headers: SIGNED })).status).toBe(401)
  const made = await client.post('/v1/users', { headers: SIGNED, json: { name: 'Cy', age: 30 } })
  expect([made.status, await made.json()]).toMatchObject([
    201,
    { id: expect.any(Number) as number, name: expect.any(String) as string },
  ])
})

it('keeps what it is sent with --stateful, where requests are of a collection and its items', async () => {
  await using client = await open({ stateful: true })
  const made = await client.post('/v1/users', { headers: SIGNED, json: { name: 'Cy' } })
  const { id } = (await made.json()) as { id: number }
  expect(await (await client.get(`/v1/users/${id}`, { headers: SIGNED })).json()).toMatchObject({
    id,
    name: 'Cy',
  })
})

it('says what it found, and what is not simulated', async () => {
  const { document, notes } = await loadApi(FILE, 'served')
  expect(document).toBe('Postman collection 2.1, 4 requests')
  expect(notes).toEqual(['request without a saved answer: POST /v1/users'])
})

it('says once which requests have no saved answer, however many they are', () => {
  const item = Array.from({ length: 20 }, (_, at) => ({
    name: `R${at}`,
    request: { method: 'GET', url: `https://api.example.com/a${at}` },
  }))
  const { notes } = toOpenApi(readCollection({ info: { name: 'Many' }, item }))
  expect(notes).toEqual([
    '20 requests without a saved answer: GET /a0, GET /a1, GET /a2, GET /a3, GET /a4, and 15 more',
  ])
})

it('serves what is below the host of a base URL, also where that leaves the scheme open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sim-postman-'))
  const collection = {
    info: { name: 'Open', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'baseUrl', value: '//api.example.com/v1' }],
    item: [{ name: 'Teams', request: { method: 'GET', url: { host: ['{{baseUrl}}'], path: ['teams'] } } }],
  }
  writeFileSync(join(folder, 'open.json'), JSON.stringify(collection))
  const { api } = await loadApi('open.json', 'served', folder)
  expect(Object.keys(api.openapi().paths ?? {})).toEqual(['/v1/teams'])
})

it('names what is of a wrong type, and where, and serves the rest', async () => {
  const answer = { code: 200, header: [], body: '{"a":1}' }
  const item = [
    { name: 'a', request: { method: 'GET', url: 'http://x/a', header: null }, response: [answer, null] },
    { name: 'b', request: { method: 5, url: { path: 5 } }, response: [{ code: 99999, body: {} }] },
    { name: 'c', request: 'http://x/c', response: 'none' },
    { name: 'd', item: [5, { name: 'e' }] },
    { name: 'f', item: {} },
  ]
  const directory = mkdtempSync(join(tmpdir(), 'sim-postman-'))
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  writeFileSync(join(directory, 'a.json'), JSON.stringify({ info: { name: 'a', schema }, item }, null, 1))
  const { problems } = await validateTarget('a.json', directory)
  expect(problems.map(({ message }) => message.replace(/; it is passed over$/, ''))).toEqual([
    'a.json:20: item.0.response.1: must be a saved answer, not null',
    'a.json:26: item.1.request.method: must be a text, not 5',
    'a.json:28: item.1.request.url.path: must be a list or a text, not 5',
    'a.json:33: item.1.response.0.code: must be a status of 100 to 599, not 99999',
    'a.json:34: item.1.response.0.body: must be a text, not {}',
    'a.json:41: item.2.response: must be a list, not "none"',
    'a.json:46: item.3.item.0: must be a request or a folder, not 5',
    'a.json:47: item.3.item.1.request: must be a request, not nothing',
    'a.json:54: item.4.item: must be a list, not {}',
  ])
  const { api } = await loadApi('a.json', 'served', directory)
  await using client = createClient(api)
  expect(await (await client.get('/a')).json()).toEqual({ a: 1 })
})
