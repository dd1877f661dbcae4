import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { startServer } from '../server.ts'

const BIN = join(dirname(createRequire(import.meta.url).resolve('json-server-1/package.json')), 'lib/bin.js')

export function start(directory) {
  const posts = Array.from({ length: 25 }, (_, at) => ({
    id: String(at + 1),
    title: `Post ${at + 1}`,
    author: { name: ['ann', 'bob', 'cid'][at % 3] },
    views: (at * 37) % 100,
    draft: at % 4 === 0,
  }))
  const comments = Array.from({ length: 30 }, (_, at) => ({
    id: String(at + 1),
    text: `Comment ${at}`,
    postId: String(1 + (at % 10)),
  }))
  const file = join(directory, 'db.json')
  writeFileSync(file, JSON.stringify({ posts, comments, profile: { name: 'typicode', plan: 'free' } }))
  return startServer(process.execPath, (port) => [BIN, file, '--port', String(port), '--host', '127.0.0.1'], {
    cwd: directory,
  })
}
const VALUES = {
  A: {
    ids: ['1', '2', '5'],
    none: '777',
    pages: [1, 2, 3],
    author: 'ann',
    gt: 50,
    word: 'Post 1',
    in: '1,2,3',
    embed: ['2', '3'],
    title: 'New',
  },
  B: {
    ids: ['3', '11', '22'],
    none: '888',
    pages: [2, 1, 3],
    author: 'cid',
    gt: 80,
    word: 'Post 2',
    in: '4,7,9,21',
    embed: ['7', '5'],
    title: 'Fresh',
  },
}
export async function session(base, which, check) {
  const v = VALUES[which]
  const call = async (path, method = 'GET', value) => {
    const response = await fetch(base + path, {
      method,
      ...(value !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      }),
    })
    const text = await response.text()
    // The server reads its file anew after it has written it.
    if (method !== 'GET') await new Promise((done) => setTimeout(done, 200))
    let body = text
    try {
      body = JSON.parse(text)
    } catch {}
    return { status: response.status, headers: response.headers, body }
  }
  await check(
    'list',
    () => call('/posts'),
    ({ body }) => body.length === 25,
  )
  await check(
    'list comments',
    () => call('/comments'),
    ({ body }) => body.length === 30,
  )
  for (const id of v.ids)
    await check(
      'read',
      () => call(`/posts/${id}`),
      ({ status, body }) => status === 200 && body.id === id,
    )
  await check(
    'read none',
    () => call(`/posts/${v.none}`),
    ({ status }) => status === 404,
  )
  for (const page of v.pages)
    await check(
      'page',
      () => call(`/posts?_page=${page}&_per_page=8`),
      ({ body }) =>
        body.data.length === (page === 3 ? 8 : 8) &&
        body.items === 25 &&
        body.pages === 4 &&
        body.data[0].id === String((page - 1) * 8 + 1),
    )
  await check(
    'last page',
    () => call(`/posts?_page=4&_per_page=8`),
    ({ body }) => body.data.length === 1 && body.next === null,
  )
  await check(
    'page size',
    () => call(`/posts?_page=2&_per_page=${which === 'A' ? 10 : 5}`),
    ({ body }) => body.data.length === (which === 'A' ? 10 : 5) && body.pages === (which === 'A' ? 3 : 5),
  )
  await check(
    'filter',
    () => call(`/posts?author.name=${v.author}`),
    ({ body }) =>
      body.length === (which === 'A' ? 9 : 8) && body.every((each) => each.author.name === v.author),
  )
  await check(
    'compare',
    () => call(`/posts?views:gt=${v.gt}`),
    ({ body }) => body.length > 0 && body.every((each) => each.views > v.gt),
  )
  await check(
    'between',
    () => call(`/posts?views:gte=${v.gt - 40}&views:lt=${v.gt}`),
    ({ body }) => body.length > 0 && body.every((each) => each.views >= v.gt - 40 && each.views < v.gt),
  )
  await check(
    'in',
    () => call(`/posts?id:in=${v.in}`),
    ({ body }) => body.length === 0,
  )
  await check(
    'contains',
    () => call(`/posts?title:contains=${encodeURIComponent(v.word)}`),
    ({ body }) => body.length === (which === 'A' ? 11 : 7),
  )
  await check(
    'sort',
    () => call(`/posts?_sort=-views`),
    ({ body }) => body.length === 25 && body[0].views >= body[1].views && body[1].views >= body[24].views,
  )
  await check(
    'sort by two',
    () => call(which === 'A' ? '/posts?_sort=author.name,-views' : '/posts?_sort=draft,-views'),
    ({ body }) => body.length === 25,
  )
  await check(
    'sorted page',
    () => call(`/posts?_sort=views&_page=${which === 'A' ? 1 : 2}&_per_page=5`),
    ({ body }) => body.data.length === 5 && body.data[0].views <= body.data[1].views,
  )
  for (const id of v.embed)
    await check(
      'embed one',
      () => call(`/posts/${id}?_embed=comments`),
      ({ body }) => body.id === id && body.comments.length === 3,
    )
  for (const id of v.embed)
    await check(
      'embed parent',
      () => call(`/comments/${id}?_embed=post`),
      ({ body }) => body.post.id === body.postId,
    )
  await check(
    'embed all',
    () => call('/posts?_embed=comments'),
    ({ body }) => body.length === 25 && body[0].comments.length === 3 && body[20].comments.length === 0,
  )
  const where =
    which === 'A'
      ? { or: [{ views: { gt: 90 } }, { author: { name: { eq: 'bob' } } }] }
      : { or: [{ views: { lt: 10 } }, { author: { name: { eq: 'cid' } } }] }
  await check(
    'where',
    () => call(`/posts?_where=${encodeURIComponent(JSON.stringify(where))}`),
    ({ body }) =>
      body.length > 3 &&
      body.every((e) =>
        which === 'A' ? e.views > 90 || e.author.name === 'bob' : e.views < 10 || e.author.name === 'cid',
      ),
  )
  const made = []
  for (const part of ['one', 'two', 'three']) {
    const title = `${v.title} ${part}`
    const created = await check(
      'create',
      () => call('/posts', 'POST', { title, views: 3, author: { name: v.author } }),
      ({ status, body }) => status === 201 && body.title === title && typeof body.id === 'string',
    )
    made.push(created?.body?.id)
  }
  const note = await check(
    'create comment',
    () => call('/comments', 'POST', { text: v.title, postId: made[0] }),
    ({ status, body }) => status === 201 && body.postId === made[0],
  )
  await check(
    'embed one',
    () => call(`/posts/${made[0]}?_embed=comments`),
    ({ body }) => body.comments.length === 1,
  )
  for (const id of made)
    await check(
      'read created',
      () => call(`/posts/${id}`),
      ({ body }) => body.id === id && body.views === 3,
    )
  await check(
    'replace',
    () => call(`/posts/${made[0]}`, 'PUT', { title: 'Other', views: 9 }),
    ({ body }) => body.title === 'Other' && body.author === undefined && body.id === made[0],
  )
  await check(
    'change',
    () => call(`/posts/${made[1]}`, 'PATCH', { views: 4 }),
    ({ body }) => body.views === 4 && body.author.name === v.author,
  )
  await check(
    'read changed',
    () => call(`/posts/${made[1]}`),
    ({ body }) => body.views === 4,
  )
  await check(
    'change none',
    () => call(`/posts/${v.none}`, 'PATCH', { views: 4 }),
    ({ status }) => status === 404,
  )
  await check(
    'delete',
    () => call(`/posts/${made[2]}`, 'DELETE'),
    ({ status }) => status === 200,
  )
  await check(
    'read deleted',
    () => call(`/posts/${made[2]}`),
    ({ status }) => status === 404,
  )
  await check(
    'delete none',
    () => call(`/posts/${v.none}`, 'DELETE'),
    ({ status }) => status === 404,
  )
  await check(
    'delete dependents',
    () => call(`/posts/${made[0]}?_dependent=comments`, 'DELETE'),
    ({ status }) => status === 200,
  )
  await check(
    'read dependent',
    () => call(`/comments/${note?.body?.id}`),
    ({ status }) => status === 404,
  )
  await check(
    'singleton',
    () => call('/profile'),
    ({ body }) => body.name === 'typicode',
  )
  await check(
    'change singleton',
    () => call('/profile', 'PATCH', { plan: which === 'A' ? 'pro' : 'gold' }),
    ({ body }) => body.name === 'typicode' && body.plan === (which === 'A' ? 'pro' : 'gold'),
  )
  await check(
    'list all',
    () => call('/posts'),
    ({ body }) => body.length === 26,
  )
}
