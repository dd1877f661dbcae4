import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { EmbedsOption } from '../../src/engine/embeds-option.ts'
import { list, Paged } from '../../src/engine/schema/list.ts'

const text = { type: 'string' }
const item = { type: 'object', properties: { id: text, name: text } }
const COMMENTS = { at: '/comments', by: 'post', list: true }
const POST = { at: '/posts', by: 'id', from: 'post', fields: ['id'] }

function appWith(embeds: { readonly posts: EmbedsOption; readonly comments: EmbedsOption }) {
  const api = new SimAPI({ seed: 1, stateful: true })
  const data = { type: 'object', properties: { data: { type: 'array', items: item } } }
  api.get('/posts', { output: Paged(data), item: { embeds: { ...embeds.posts, from: '/data' } } })
  api.get('/posts/{id}', { output: item, item: { embeds: embeds.posts }, select: { fields: 'fields' } })
  api.get('/comments/{id}', { output: item, item: { embeds: embeds.comments } })
  api.seedStore('/posts', [
    { id: 'a', name: 'first' },
    { id: 'b', name: 'second' },
  ])
  api.seedStore('/comments', [
    { id: 'x', name: 'fine', post: 'a' },
    { id: 'y', name: 'good', post: 'a' },
    { id: 'z', name: 'lost', post: 'gone' },
  ])
  return api.asWebApp()
}

it('answers items with those that refer to them, and that they refer to, as the query names them', async () => {
  const app = appWith({
    posts: { parameter: '_embed', members: { comments: COMMENTS } },
    comments: { parameter: 'populate', always: true, members: { post: POST } },
  })
  const get = async (url: string): Promise<unknown> => (await app.inject(url)).json<unknown>()
  const [x, y] = ['x', 'y'].map((id) => ({ id, name: id === 'x' ? 'fine' : 'good', post: 'a' }))
  expect(await get('/posts/a')).toEqual({ id: 'a', name: 'first' })
  expect(await get('/posts/a?_embed=likes')).toEqual({ id: 'a', name: 'first' })
  expect(await get('/posts/a?_embed=likes,comments')).toEqual({ id: 'a', name: 'first', comments: [x, y] })
  expect(await get('/posts/a?_embed[comments][fields][0]=post')).toEqual({
    id: 'a',
    name: 'first',
    comments: [
      { id: 'x', post: 'a' },
      { id: 'y', post: 'a' },
    ],
  })
  expect(await get('/posts/a?_embed[comments]=false')).toEqual({ id: 'a', name: 'first' })
  expect(await get('/posts?_embed=comments')).toMatchObject({
    data: [{ comments: [x, y] }, { id: 'b', comments: [] }],
  })
  expect(await get('/comments/x')).toEqual({ id: 'x', name: 'fine', post: { id: 'a' } })
  expect(await get('/comments/x?populate=true')).toMatchObject({ post: { id: 'a' } })
  expect(await get('/comments/x?populate=false')).toEqual(x)
  expect(await get('/posts/b?_embed=comments&fields=id')).toEqual({ id: 'b' })
  expect(await get('/comments/z')).toEqual({ id: 'z', name: 'lost', post: 'gone' })
})

it('reads which members are named from a parameter that is JSON, or has brackets', async () => {
  const app = appWith({
    posts: { parameter: 'filter.include', members: { comments: COMMENTS } },
    comments: { parameter: 'filter.include', members: { post: POST } },
  })
  const get = async (url: string): Promise<unknown> => (await app.inject(url)).json<unknown>()
  const whole = { id: 'x', name: 'fine', post: { id: 'a' } }
  for (const text of ['{"include":"post"}', '{"include":["likes","post"]}'])
    expect(await get(`/comments/x?filter=${encodeURIComponent(text)}`)).toEqual(whole)
  expect(await get('/comments/x?filter[include]=post')).toEqual(whole)
  expect(await get(`/comments/x?filter=${encodeURIComponent('{"limit":3}')}`)).toMatchObject({ post: 'a' })
})

it('finds those that items name by their ids, in the order of these', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const embeds = { members: { post: POST, others: { at: '/posts', by: 'id', from: 'others', list: true } } }
  const model = { type: 'object', properties: { id: text, name: text } }
  api.get('/posts/{id}', { output: model })
  api.get('/comments', { output: list(item), item: { embeds } })
  const posts = Array.from({ length: 9 }, (_, at) => ({ id: `p${at}`, name: `post ${at}` }))
  api.seedStore('/posts', posts)
  api.seedStore('/comments', [{ id: 'x', name: 'fine', post: 'p3', others: ['p7', 'gone', 'p1'] }])
  const listed = (await api.asWebApp().inject('/comments')).json<unknown>()
  expect(listed).toEqual([{ id: 'x', name: 'fine', post: { id: 'p3' }, others: [posts[7], posts[1]] }])
})

it('answers items with what is below their paths, and with null where what they refer to is not there', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const comments = { at: '/posts/{post_id}/comments', by: 'post_id', list: true, fields: ['name'] }
  const author = { at: '/authors', by: 'id', from: 'author', orNull: true }
  api.get('/posts/{id}', { output: item, item: { embeds: { members: { comments, writer: author } } } })
  api.get('/posts/{post_id}/comments', { output: { type: 'array', items: item } })
  api.get('/authors/{id}', { output: item })
  api.seedStore('/authors', [{ id: 'm', name: 'Mia' }])
  api.seedStore('/posts', [
    { id: 'a', name: 'first', author: 'm' },
    { id: 'b', name: 'second', author: null },
  ])
  api.seedStore('/posts/a/comments', [{ id: 'x', name: 'fine' }])
  const app = api.asWebApp()
  const get = async (url: string): Promise<unknown> => (await app.inject(url)).json<unknown>()
  expect(await get('/posts/a')).toMatchObject({ comments: [{ name: 'fine' }], writer: { name: 'Mia' } })
  expect(await get('/posts/b')).toMatchObject({ comments: [], writer: null })
})

it('answers members that parameters of their own name', async () => {
  const app = appWith({
    posts: { parameter: '_embed', members: { comments: COMMENTS } },
    comments: { parameter: '_embed', members: { post: { ...POST, parameter: '_expand' } } },
  })
  const get = async (url: string): Promise<unknown> => (await app.inject(url)).json<unknown>()
  expect(await get('/comments/x?_embed=post')).toMatchObject({ post: 'a' })
  expect(await get('/comments/x?_expand=post')).toMatchObject({ post: { id: 'a' } })
})
