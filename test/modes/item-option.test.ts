import { afterEach, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import { createGateway } from '../../src/gateway.ts'

const apps: ReturnType<typeof createGateway>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

const Pod: Schema = {
  type: 'object',
  required: ['metadata', 'spec'],
  properties: {
    metadata: {
      type: 'object',
      required: ['uid', 'name'],
      properties: { uid: { type: 'integer' }, name: { type: 'string' } },
    },
    spec: { type: 'object', properties: { size: { type: 'integer' } } },
  },
}
const Wrapped: Schema = { type: 'object', required: ['data'], properties: { data: Pod } }
const NewPod: Schema = {
  type: 'object',
  properties: { metadata: { type: 'object' }, spec: { type: 'object' } },
}
const inBody = (input: Schema): Schema => ({ type: 'object', properties: { pod: input } })

async function serve(
  keepsSent: boolean,
): Promise<(method: string, path: string, body?: object) => Promise<unknown>> {
  const api = new SimAPI({ seed: 5, stateful: true })
  const item = { id: '/metadata/uid', merges: ['metadata'] }
  const wrapped = { ...item, answer: '/data', body: '/pod' }
  api.route('POST', '/pods', { input: NewPod, output: Pod, item, keepsSent })
  api.route('GET', '/pods/{uid}', { output: Pod, item })
  api.route('PATCH', '/pods/{uid}', { input: NewPod, output: Pod, item, keepsSent })
  api.route('POST', '/wrapped', { input: inBody(NewPod), output: Wrapped, item: wrapped, keepsSent })
  api.route('GET', '/wrapped/{uid}', { output: {}, item: wrapped })
  api.route('PATCH', '/wrapped/{uid}', { input: inBody(NewPod), output: Wrapped, item: wrapped, keepsSent })
  const app = createGateway(api.gatewayOptions())
  apps.push(app)
  const base = await app.listen({ port: 0 })
  return async (method, path, body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${base}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
}

it.each([true, false])(
  'assigns deep ids of the model, and changes parts of an item (keeps sent: %s)',
  async (keeps) => {
    const send = await serve(keeps)
    const made = await send('POST', '/pods', { metadata: { name: 'a' }, spec: { size: 3 } })
    expect(made).toMatchObject({ metadata: { uid: 1, name: expect.any(String) } })
    expect(await send('GET', '/pods/1')).toEqual(made)
    const { metadata } = made as { metadata: object }
    expect(await send('PATCH', '/pods/1', { metadata: { name: 'b' } })).toEqual({
      ...(made as object),
      metadata: { ...metadata, name: 'b' },
    })
    expect(await send('PATCH', '/pods/1', { metadata: { uid: 9 } })).toMatchObject({
      metadata: { uid: 1, name: 'b' },
    })
  },
)

it('finds items within the body of requests, and answers with them in an envelope', async () => {
  const send = await serve(true)
  const made = await send('POST', '/wrapped', { pod: { metadata: { name: 'a' }, spec: { size: 3 } } })
  expect(made).toEqual({ data: { metadata: { uid: 1, name: 'a' }, spec: { size: 3 } } })
  // Though nothing is known of what is around it.
  expect(await send('GET', '/wrapped/1')).toEqual(made)
  expect(await send('PATCH', '/wrapped/1', { pod: { spec: { size: 4 } } })).toEqual({
    data: { metadata: { uid: 1, name: 'a' }, spec: { size: 4 } },
  })
})

it.each([
  ['first', [404, 412, 422]],
  [undefined, [422, 422, 422]],
] as const)(
  'looks for an item and its state before what is sent, where that is said: %s',
  async (finds, statuses) => {
    const api = new SimAPI({ seed: 5, stateful: true })
    const Note: Schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
    const input: Schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
    const etag = { match: true }
    api.route('GET', '/notes/{id}', { output: Note, etag })
    api.route('PATCH', '/notes/{id}', { input, output: Note, etag, item: { ...(finds && { finds }) } })
    api.seedStore('/notes', [{ id: 1 }])
    const app = createGateway(api.gatewayOptions())
    apps.push(app)
    const base = await app.listen({ port: 0 })
    const change = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
      const init = {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      }
      return (await fetch(base + path, init)).status
    }
    const answered = [
      await change('/notes/7'),
      await change('/notes/1', { 'if-match': '"x"' }),
      await change('/notes/1'),
    ]
    expect(answered).toEqual(statuses)
  },
)

it('refuses a second item with a value that only one may have, and writes ids where items repeat them', async () => {
  const text = { type: 'string' }
  const User: Schema = {
    type: 'object',
    required: ['id', 'name', 'meta'],
    properties: { id: text, name: text, meta: { type: 'object', properties: { href: text, kind: text } } },
  }
  const api = new SimAPI({ seed: 5, stateful: true })
  const item = { unique: ['name'], repeats: { '/meta/href': '/users/{id}' } }
  api.post('/users', {
    input: { type: 'object', properties: { name: text } },
    output: User,
    item,
    keepsSent: true,
  })
  api.put('/users/{id}', { input: { type: 'object', properties: { name: text } }, output: User, item })
  const app = createGateway(api.gatewayOptions())
  apps.push(app)
  const send = (method: 'POST' | 'PUT', url: string, name: string) =>
    app.inject({ method, url, payload: { name } })
  const made = (await send('POST', '/users', 'ann')).json<{ id: string }>()
  expect(made).toMatchObject({ name: 'ann', meta: { href: `/users/${made.id}` } })
  expect([
    (await send('POST', '/users', 'ann')).statusCode,
    (await send('POST', '/users', 'bob')).statusCode,
  ]).toEqual([409, 200])
  expect((await send('PUT', '/users/u7', 'cyd')).json()).toMatchObject({ meta: { href: '/users/u7' } })
})
