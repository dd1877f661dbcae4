import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'

type Body = Record<string, unknown>

function clientOf(api: SimAPI) {
  const app = api.asWebApp()
  return async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const response = await app.inject({ method, url, ...(payload !== undefined && { payload }) })
    return { body: response.json<Body>() }
  }
}

it('begins with items that fit the route which stores them, whatever others say at its path', async () => {
  const list = { type: 'object', properties: { text: { type: 'array' } }, required: ['text'] }
  const output = { type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } } }
  const api = new SimAPI({ seed: 1, stateful: true })
  api.get('/{folder}', { output: list, stateful: false })
  const made = { ...output, properties: { ...output.properties, text: { const: null } } }
  api.post('/{folder}', { output: made, item: { id: '/name' } })
  api.get('/{folder}/{name}', { output })
  api.seedStore('/notes', [{ name: 'a.txt', text: 'one' }])
  expect((await clientOf(api)('GET', '/notes/a.txt')).body).toEqual({ name: 'a.txt', text: 'one' })
})

it('keeps what a member further down has besides, of those that it is to merge', async () => {
  const part = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })
  const author = {
    ...part('link'),
    properties: { link: { const: '/author' }, data: part('id') },
    required: ['link'],
  }
  const links = { type: 'object', properties: { author }, required: ['author'] }
  const output = {
    type: 'object',
    properties: { id: { type: 'string' }, links },
    required: ['id', 'links'],
  }
  const api = new SimAPI({ seed: 1, stateful: true })
  const item = { merges: ['links', 'links/author'] }
  api.post('/books', { output, keepsSent: true, item })
  api.patch('/books/{id}', { output, keepsSent: true, item })
  const call = clientOf(api)
  const made = (await call('POST', '/books', { links: { author: { data: { id: 'a' } } } })).body
  expect(made).toMatchObject({ links: { author: { link: '/author', data: { id: 'a' } } } })
  const changed = await call('PATCH', `/books/${String(made?.['id'])}`, {
    links: { author: { data: { id: 'b' } } },
  })
  expect(changed.body).toEqual({ ...made, links: { author: { link: '/author', data: { id: 'b' } } } })
})
