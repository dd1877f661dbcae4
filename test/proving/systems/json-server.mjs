import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startServer } from '../server.ts'

const BIN = createRequire(import.meta.url).resolve('json-server/lib/cli/bin.js')

export function start(directory) {
  const articles = Array.from({ length: 23 }, (_, at) => ({
    id: at + 1,
    title: `Article ${at + 1}`,
    writer: ['dora', 'emil', 'finn'][at % 3],
    reads: at * 11,
    live: at % 5 !== 0,
  }))
  const notes = Array.from({ length: 24 }, (_, at) => ({
    id: at + 1,
    text: `Note ${at}`,
    articleId: 1 + (at % 8),
  }))
  const site = { name: 'example', plan: 'basic' }
  const file = join(directory, 'db.json')
  writeFileSync(file, JSON.stringify({ articles, notes, site }))
  return startServer(process.execPath, (port) => [
    BIN,
    '--port',
    String(port),
    '--host',
    '127.0.0.1',
    '--quiet',
    file,
  ])
}

const VALUES = {
  A: {
    ids: [1, 2, 5, 8],
    pages: [1, 2, 3],
    writer: 'dora',
    none: 777,
    title: 'New',
    q: 'Article 1',
    of: [1, 2, 3],
  },
  B: {
    ids: [3, 11, 16, 22],
    pages: [2, 1, 3],
    writer: 'finn',
    none: 666,
    title: 'Fresh',
    q: 'Article 2',
    of: [5, 6, 8],
  },
}

export async function session(base, which, check) {
  const { ids, pages, writer, none, title, q, of } = VALUES[which]
  const call = async (path, method = 'GET', value) => {
    const response = await fetch(base + path, {
      method,
      ...(value !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  await check(
    'list',
    () => call('/articles'),
    ({ body }) => body.length === 23,
  )
  for (const id of ids)
    await check(
      'read',
      () => call(`/articles/${id}`),
      ({ status, body }) => status === 200 && body.id === id,
    )
  await check(
    'read none',
    () => call(`/articles/${none}`),
    ({ status }) => status === 404,
  )
  for (const page of pages)
    await check(
      'page',
      () => call(`/articles?_page=${page}&_limit=8`),
      ({ body, headers }) => {
        return (
          body.length === (page === 3 ? 7 : 8) &&
          body[0].id === (page - 1) * 8 + 1 &&
          headers.get('x-total-count') === '23'
        )
      },
    )
  await check(
    'filter',
    () => call(`/articles?writer=${writer}`),
    ({ body }) => body.length > 6 && body.every((each) => each.writer === writer),
  )
  await check(
    'sort',
    () => call('/articles?_sort=reads&_order=desc&_limit=3'),
    ({ body }) => body.length === 3 && body[0].reads > body[2].reads,
  )
  await check(
    'search',
    () => call(`/articles?q=${encodeURIComponent(q)}`),
    ({ body }) => body.length > 0,
  )
  for (const id of of)
    await check(
      'children',
      () => call(`/articles/${id}/notes`),
      ({ body }) => body.length === 3 && body.every((each) => each.articleId === id),
    )
  const made = []
  for (const part of ['one', 'two', 'three']) {
    const name = `${title} ${part}`
    const created = await check(
      'create',
      () => call('/articles', 'POST', { title: name, writer }),
      ({ status, body }) => {
        return status === 201 && body.title === name && body.id > 23
      },
    )
    made.push(created?.body?.id)
  }
  for (const id of made)
    await check(
      'read created',
      () => call(`/articles/${id}`),
      ({ body }) => body.writer === writer && body.id === id,
    )
  await check(
    'replace',
    () => call(`/articles/${made[0]}`, 'PUT', { title: 'Other', writer }),
    ({ body }) => body.title === 'Other',
  )
  await check(
    'change',
    () => call(`/articles/${made[1]}`, 'PATCH', { reads: 4 }),
    ({ body }) => body.reads === 4 && body.writer === writer,
  )
  await check(
    'read changed',
    () => call(`/articles/${made[1]}`),
    ({ body }) => body.reads === 4,
  )
  await check(
    'delete',
    () => call(`/articles/${made[2]}`, 'DELETE'),
    ({ status }) => status === 200,
  )
  await check(
    'read deleted',
    () => call(`/articles/${made[2]}`),
    ({ status }) => status === 404,
  )
  await check(
    'delete none',
    () => call(`/articles/${none}`, 'DELETE'),
    ({ status }) => status === 404,
  )
  await check(
    'singleton',
    () => call('/site'),
    ({ body }) => body.name === 'example',
  )
  await check(
    'list all',
    () => call('/articles'),
    ({ body }) => body.length === 25,
  )
}
