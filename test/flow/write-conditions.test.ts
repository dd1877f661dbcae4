import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { serve, serveDescription } from './kit.ts'

const redis = sharedRedis()
const etag = { match: true }
const JSON_TYPE = { 'content-type': 'application/json' }

const Doc = Type.Object({ id: Type.String(), by: Type.Optional(Type.Integer()) })

function docs(): SimAPI {
  const api = new SimAPI({ seed: 7, stateful: true })
  api.route('GET', '/docs/{id}', { output: Doc, etag })
  api.route('PUT', '/docs/{id}', { input: Doc, output: Doc, etag })
  api.route('PATCH', '/docs/{id}', { input: Type.Partial(Doc), output: Doc, etag })
  api.route('DELETE', '/docs/{id}', { etag })
  return api
}

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'docs', version: '1' },
  'x-sim-etag': etag,
  paths: {
    '/docs/{id}': Object.fromEntries(
      ['get', 'put', 'patch', 'delete'].map((method) => {
        const content = { 'application/json': { schema: Doc } }
        const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
        const takes = method.startsWith('p') && { requestBody: { content } }
        const responses =
          method === 'delete' ? { 204: { description: '' } } : { 200: { description: '', content } }
        return [method, { parameters, ...takes, responses }]
      }),
    ),
  },
}

type Send = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  by?: number,
) => Promise<Response>

const sendTo =
  (urls: readonly string[]): Send =>
  (method, path, headers, by = 0) =>
    fetch(`${urls[by % urls.length]}${path}`, {
      method,
      headers: { ...JSON_TYPE, ...headers },
      ...(method.startsWith('P') && { body: JSON.stringify({ id: path.slice(6), by }) }),
    })

it.each([
  ['declared', async () => (await serve(createGateway(docs().gatewayOptions()))).url],
  ['described', () => serveDescription(JSON.stringify(DESCRIPTION), { stateful: true })],
])('changes what is there only where it is as the request says: %s', async (_, open) => {
  const send = sendTo([await open()])
  const statusOf = async (...args: Parameters<Send>): Promise<number> => (await send(...args)).status
  const none = { 'if-none-match': '*' }
  const some = { 'if-match': '*' }
  expect(await statusOf('PUT', '/docs/a', some)).toBe(412)
  expect(await statusOf('PUT', '/docs/a', { 'if-match': '"x"' })).toBe(412)
  expect(await statusOf('PATCH', '/docs/a', some)).toBe(404)
  expect(await statusOf('DELETE', '/docs/a', some)).toBe(404)
  expect(await statusOf('GET', '/docs/a')).toBe(404)
  expect((await send('PUT', '/docs/a', none)).ok).toBe(true)
  const tagNow = async (): Promise<string> => (await send('GET', '/docs/a')).headers.get('etag') ?? ''
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect(await statusOf(method, '/docs/a', none)).toBe(412)
  const list = `"x", W/${await tagNow()}`
  expect(await statusOf('PATCH', '/docs/a', { 'if-none-match': list })).toBe(412)
  expect(await statusOf('PATCH', '/docs/a', { 'if-none-match': '"x", "y"' })).toBe(200)
  expect(await statusOf('PATCH', '/docs/a', some)).toBe(200)
  expect(await statusOf('PATCH', '/docs/a', { 'if-match': `"x", ${await tagNow()}` })).toBe(200)
  expect(await statusOf('DELETE', '/docs/a', { 'if-match': '"x", "y"' })).toBe(412)
  expect(await statusOf('GET', '/docs/a', none)).toBe(304)
  expect(await statusOf('DELETE', '/docs/a', some)).toBe(204)
  expect((await send('PUT', '/docs/a', none)).ok).toBe(true)
})

it('names in an answer without a body the ETag that a GET gets then', async () => {
  const api = new SimAPI({ seed: 7, stateful: true })
  const written = { etag: { match: true, written: true } }
  api.route('GET', '/docs/{id}', { output: Doc, etag: { weak: true } })
  api.route('PUT', '/docs/{id}', { input: Doc, output: Doc, status: 204, emptyBody: true, ...written })
  const send = sendTo([(await serve(createGateway(api.gatewayOptions()))).url])
  const first = await send('PUT', '/docs/a', { 'if-none-match': '*' }, 1)
  const tag = first.headers.get('etag')
  expect([first.status, tag?.slice(0, 3)]).toEqual([204, 'W/"'])
  expect((await send('GET', '/docs/a')).headers.get('etag')).toBe(tag)
  const second = await send('PUT', '/docs/a', { 'if-match': tag ?? '' }, 2)
  expect([second.status, second.headers.get('etag') === tag]).toEqual([204, false])
  expect((await send('PUT', '/docs/a', { 'if-match': tag ?? '' }, 3)).status).toBe(412)
})

it('has one of several make an item at once', async () => {
  const { url } = await serve(createGateway(docs().gatewayOptions()))
  await expectOne(sendTo([url]))
})

describe.skipIf(!hasRedis)('three gateways of one state', () => {
  it('have one of several make an item at once', async () => {
    const { unixUrl } = await redis.server()
    const all = await Promise.all(
      ['a', 'b', 'c'].map((gateway) => {
        const state = { url: unixUrl, name: 'conditions', gateway }
        return serve(createGateway({ ...docs().gatewayOptions(), state }))
      }),
    )
    await expectOne(sendTo(all.map(({ url }) => url)))
  })
})

async function expectOne(send: Send): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, by) => send('PUT', '/docs/a', { 'if-none-match': '*' }, by + 1)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 412)).toHaveLength(8)
  const first = answers.find(({ ok }) => ok)
  expect(await (await send('GET', '/docs/a')).json()).toEqual(await first?.json())
}
