import { expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const book = (id: string, tags: string[]) => ({ id, title: `on ${id}`, links: { tags: { data: tags } } })
const RECORDED: readonly Entry[] = [
  ...['b1', 'b2'].map((id): Entry => [
    'POST /books',
    { status: 201, body: { title: `on ${id}` }, response: { data: book(id, [`tag of ${id}`]) } },
  ]),
  ['GET /books/b1', { response: { data: book('b1', ['tag of b1']) } }],
  ['GET /books/b2', { response: { data: book('b2', ['tag of b2']) } }],
]
const read = (tags: string[]): Entry => ['GET /books/b2/links/tags', { response: { data: tags, version: 1 } }]

function routeOf(...entries: Entry[]): unknown {
  const { routes } = toRouteFile(inferRoutes(samplesOf(...RECORDED, ...entries))).document
  return Object.entries(routes as object).find(([key]) => key.endsWith('/tags'))?.[1]
}

it('are what the path below an item answers, where items have that', () => {
  expect(routeOf(read(['tag of b2']))).toMatchObject({
    item: { part: '/links/tags/data', answer: '/data' },
  })
  expect(routeOf(read(['tag of b1']))).not.toHaveProperty('item')
})

it('are shown as they are in the item then', async () => {
  const text = { type: 'string' }
  const model = {
    type: 'object',
    properties: { id: text, tags: { type: 'array', items: text } },
    required: ['id'],
  }
  const api = new SimAPI({ seed: 1, stateful: true })
  api.post('/books', { output: model, keepsSent: true, item: { ids: 'sent' } })
  api.get('/books/{id}', { output: model })
  const output = {
    type: 'object',
    properties: { data: {}, version: { const: 1 } },
    required: ['data', 'version'],
  }
  api.get('/books/{book}/tags', { output, item: { at: '/books/{book}', part: '/tags', answer: '/data' } })
  const app = api.asWebApp()
  await app.inject({ method: 'POST', url: '/books', payload: { id: 'b7', tags: ['x', 'y'] } })
  const at = async (url: string) => app.inject({ method: 'GET', url })
  expect((await at('/books/b7/tags')).json()).toEqual({ data: ['x', 'y'], version: 1 })
  expect((await at('/books/none/tags')).statusCode).toBe(404)
  await app.inject({ method: 'POST', url: '/books', payload: { id: 'b8' } })
  expect((await at('/books/b8')).json()).toEqual({ id: 'b8' })
  expect((await at('/books/b8/tags')).statusCode).toBe(404)
  expect((await at('/books/b7')).json()).toEqual({ id: 'b7', tags: ['x', 'y'] })
})
