import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { assignedIds } from '../../../../src/openapi/serve/resource/items-above.ts'
import { described, inPath, json, response, statefulGatewayOf } from '../describing.ts'

type Entry = Record<string, unknown>

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const integer = { type: 'integer' }
const Post = {
  type: 'object',
  required: ['id', 'title', 'comment_count'],
  properties: {
    id: { ...integer, readOnly: true },
    title: { type: 'string' },
    comment_count: { ...integer, readOnly: true, examples: [3] },
  },
}
const Comment = {
  type: 'object',
  required: ['n', 'text'],
  properties: { n: { ...integer, readOnly: true }, text: { type: 'string' } },
}
const Like = { type: 'object', required: ['id'], properties: { id: { ...integer, readOnly: true } } }
const listOf = (items: Entry) => ({ type: 'array', items })
const ofPost = { parameters: [inPath('postId', integer)] }
const ofComment = { parameters: [inPath('postId', integer), inPath('n', integer)] }
const ROUTES = [
  described('GET', '/posts', [json(200, listOf(Post))]),
  described('POST', '/posts', [json(201, Post)], { takes: { type: 'object' } }),
  described('GET', '/posts/{postId}', [json(200, Post), response(404)], ofPost),
  described('DELETE', '/posts/{postId}', [response(204), response(404)], ofPost),
  described('GET', '/posts/{postId}/stats', [json(200, { type: 'object' }), response(404)], ofPost),
  described('GET', '/posts/{postId}/comments', [json(200, listOf(Comment))], ofPost),
  described('POST', '/posts/{postId}/comments', [json(201, Comment)], {
    ...ofPost,
    takes: { type: 'object' },
  }),
  described('GET', '/posts/{postId}/comments/{n}', [json(200, Comment), response(404)], ofComment),
  described('DELETE', '/posts/{postId}/comments/{n}', [response(204), response(404)], ofComment),
  described('GET', '/posts/{postId}/comments/{n}/likes', [json(200, listOf(Like))], ofComment),
  described('GET', '/posts/{postId}/comments/{n}/likes/{id}', [json(200, Like), response(404)], {
    parameters: [...ofComment.parameters, inPath('id', integer)],
  }),
]

function start() {
  const app = statefulGatewayOf(ROUTES, { stateful: true })
  open.push(app)
  return async (path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: Entry) => {
    const { statusCode, body } = await app.inject({ method, url: path, ...(payload && { payload }) })
    return (statusCode < 300 && body !== '' ? JSON.parse(body) : statusCode) as never
  }
}

it('that requests make have nothing below them until it is made', async () => {
  const ask = start()
  expect(await ask('/posts/21/comments')).toHaveLength(20)
  expect(await ask('/posts', 'POST', { title: 'new' })).toEqual({ id: 21, title: 'new', comment_count: 0 })
  expect(await ask('/posts/21/comments')).toEqual([])
  expect(await ask('/posts/21/comments/1')).toBe(404)
  expect(await ask('/posts/21/comments', 'POST', { text: 'first' })).toEqual({ n: 1, text: 'first' })
  expect(await ask('/posts/21/comments')).toEqual([{ n: 1, text: 'first' }])
  expect(await ask('/posts/21/comments/1/likes')).toEqual([])
})

it('that were removed have nothing below them, whoever made them and whatever it is', async () => {
  const ask = start()
  await ask('/posts', 'POST', { title: 'new' })
  const below = ['/posts/2/comments', '/posts/2/stats', '/posts/21/comments', '/posts/21/stats']
  const statuses = (): Promise<unknown[]> => Promise.all(below.map((path) => ask(path)))
  expect(await statuses()).toEqual([expect.any(Array), {}, [], {}])
  await ask('/posts/2', 'DELETE')
  await ask('/posts/21', 'DELETE')
  expect(await statuses()).toEqual([404, 404, 404, 404])
  expect(await ask('/posts/22/stats')).toEqual({})
})

it('count what is below them', async () => {
  const ask = start()
  const count = async (): Promise<unknown> => (await ask('/posts/2'))['comment_count']
  expect(await count()).toBe(20)
  await ask('/posts/2/comments/7', 'DELETE')
  expect(await count()).toBe(19)
  await ask('/posts/2/comments', 'POST', { text: 'one' })
  await ask('/posts/2/comments', 'POST', { text: 'two' })
  expect(await count()).toBe(21)
  expect((await ask('/posts'))[1]['comment_count']).toBe(21)
  expect((await ask('/posts'))[0]['comment_count']).toBe(20)
})

it('that were made and removed are known by ids that are made once', () => {
  const made: number[] = []
  const ids = assignedIds((_path, ordinal) => {
    made.push(ordinal)
    return { value: `id ${ordinal}`, ordinal }
  })
  expect(ids('/posts', 20, 23)).toEqual(new Map([20, 21, 22].map((ordinal) => [`id ${ordinal}`, ordinal])))
  expect(ids('/posts', 20, 22).get('id 21')).toBe(21)
  expect(ids('/posts', 21, 24).get('id 23')).toBe(23)
  expect(made).toEqual([20, 21, 22, 23])
  // Of what is long past nothing is kept.
  expect(ids('/posts', 20_000, 20_001).size).toBe(1)
  expect(ids('/others', 0, 1).size).toBe(1)
})
