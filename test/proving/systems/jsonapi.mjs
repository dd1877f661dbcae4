import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const SERVER = join(import.meta.dirname, '../servers/jsonapi.mjs')

export function start() {
  return startServer(process.execPath, (port) => [SERVER, String(port)])
}

const VALUES = {
  A: {
    people: [
      ['Ada Byron', 'ada@example.com', 36],
      ['Grace Hopper', 'grace@example.com', 85],
      ['Alan Turing', 'alan@example.com', 41],
    ],
    tags: ['science', 'history'],
    articles: [
      ['On engines', 'They compute.', 0],
      ['On compilers', 'They translate.', 1],
      ['On machines', 'They halt.', 2],
      ['On notes', 'They explain.', 0],
      ['On bugs', 'They fly.', 1],
    ],
    none: '9e4cf0c4-5b0f-4ad5-8f9e-1b4de0f1a001',
    title: 'On engines, revised',
  },
  B: {
    people: [
      ['Kay McNulty', 'kay@example.org', 24],
      ['Joan Clarke', 'joan@example.org', 30],
    ],
    tags: ['music', 'travel', 'food'],
    articles: [
      ['Of trains', 'They run.', 1],
      ['Of ships', 'They sail.', 0],
      ['Of tea', 'It is hot.', 1],
      ['Of songs', 'They are sung.', 0],
    ],
    none: '0d1c3a9b-77aa-4f7e-9a53-cf1f29b5c777',
    title: 'Of fast trains',
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const c = jsonClient(`${base}/rest`, { accept: 'application/vnd.api+json' })
  const create = async (type, attributes, relationships) =>
    (
      await check(
        `create ${type}`,
        () => c('POST', `/${type}`, { data: { type, attributes, ...(relationships && { relationships }) } }),
        ({ s, b }) =>
          s === 201 &&
          b.data.type === type &&
          Object.entries(attributes).every(([k, x]) => b.data.attributes[k] === x) &&
          b.data.links.self.endsWith(`/${type}/${b.data.id}`),
      )
    )?.b?.data?.id
  const titles = (b) => b.data.map(({ attributes }) => attributes.title).join()
  await check(
    'none yet',
    () => c('GET', '/articles'),
    ({ s, b }) => s === 200 && b.data.length === 0 && b.meta.page.total === 0,
  )
  const people = []
  for (const [name, email, age] of v.people) people.push(await create('people', { name, email, age }))
  const tags = []
  for (const name of v.tags) tags.push(await create('tags', { name }))
  const articles = []
  for (const [i, [title, content, who]] of v.articles.entries())
    articles.push(
      await create(
        'articles',
        { title, content, views: i * 10, status: i % 2 === 0 ? 'draft' : 'published' },
        {
          author: { data: { type: 'people', id: people[who] } },
          tags: { data: [{ type: 'tags', id: tags[i % tags.length] }] },
        },
      ),
    )
  await check(
    'create bad',
    () => c('POST', '/articles', { data: { type: 'articles', attributes: { title: 'no content' } } }),
    ({ s, b }) => s === 403 && b.errors[0].code === 'EINVALID',
  )
  await check(
    'create bad email',
    () => c('POST', '/people', { data: { type: 'people', attributes: { name: 'x', email: 'no' } } }),
    ({ s, b }) => s === 403 && b.errors.length > 0,
  )
  for (const i of which === 'A' ? [0, 2] : [1, 3, 0])
    await check(
      'read',
      () => c('GET', `/articles/${articles[i]}`),
      ({ s, b }) =>
        s === 200 &&
        b.data.id === articles[i] &&
        b.data.attributes.title === v.articles[i][0] &&
        b.data.relationships.author.data.id === people[v.articles[i][2]] &&
        b.data.relationships.author.links.self.includes(articles[i]),
    )
  for (const i of which === 'A' ? [1, 3] : [2, 0])
    await check(
      'read with author',
      () => c('GET', `/articles/${articles[i]}?include=author,tags`),
      ({ s, b }) =>
        s === 200 &&
        b.data.id === articles[i] &&
        b.included.length === 2 &&
        b.included.some((x) => x.type === 'people' && x.attributes.name === v.people[v.articles[i][2]][0]) &&
        b.included.some((x) => x.type === 'tags' && x.id === tags[i % tags.length]),
    )
  await check(
    'list',
    () => c('GET', '/articles'),
    ({ s, b }) => s === 200 && b.data.length === articles.length && b.meta.page.total === articles.length,
  )
  await check(
    'list with authors',
    () => c('GET', '/articles?include=author'),
    ({ s, b }) =>
      s === 200 &&
      b.data.length === articles.length &&
      b.included.length === new Set(v.articles.map(([, , who]) => who)).size,
  )
  await check(
    'sorted',
    () => c('GET', '/articles?sort=title'),
    ({ b }) =>
      titles(b) ===
      v.articles
        .map(([t]) => t)
        .toSorted()
        .join(),
  )
  await check(
    'sorted down',
    () => c('GET', '/articles?sort=-views'),
    ({ b }) =>
      titles(b) ===
      v.articles
        .map(([t]) => t)
        .toReversed()
        .join(),
  )
  for (const status of which === 'A' ? ['draft', 'published'] : ['published', 'draft'])
    await check(
      'filter',
      () => c('GET', `/articles?filter[status]=${status}`),
      ({ b }) =>
        titles(b) ===
        v.articles
          .filter((_, i) => (i % 2 === 0 ? 'draft' : 'published') === status)
          .map(([t]) => t)
          .join(),
    )
  for (const bound of which === 'A' ? [10, 20] : [0, 15])
    await check(
      'filter by views',
      () => c('GET', `/articles?filter[views]=>${bound}`),
      ({ b }) =>
        titles(b) ===
        v.articles
          .filter((_, i) => i * 10 > bound)
          .map(([t]) => t)
          .join(),
    )
  for (const i of which === 'A' ? [0, 1] : [1])
    await check(
      'filter by author',
      () => c('GET', `/articles?filter[author]=${people[i]}`),
      ({ b }) =>
        titles(b) ===
        v.articles
          .filter(([, , who]) => who === i)
          .map(([t]) => t)
          .join(),
    )
  for (const [limit, offset] of which === 'A'
    ? [
        [2, 0],
        [2, 2],
        [2, 4],
      ]
    : [
        [3, 0],
        [3, 3],
      ])
    await check(
      'page',
      () => c('GET', `/articles?page[limit]=${limit}&page[offset]=${offset}`),
      ({ b }) =>
        titles(b) ===
          v.articles
            .slice(offset, offset + limit)
            .map(([t]) => t)
            .join() &&
        b.meta.page.total === articles.length &&
        (b.links.next !== undefined) === offset + limit < articles.length,
    )
  await check(
    'fields',
    () => c('GET', '/articles?fields[articles]=title'),
    ({ b }) => titles(b) === v.articles.map(([t]) => t).join() && b.data[0].attributes.content === undefined,
  )
  await check(
    'author of',
    () => c('GET', `/articles/${articles[1]}/author`),
    ({ s, b }) => s === 200 && b.data.attributes.name === v.people[v.articles[1][2]][0],
  )
  await check(
    'relationship',
    () => c('GET', `/articles/${articles[0]}/relationships/tags`),
    ({ s, b }) => s === 200 && b.data[0].id === tags[0],
  )
  await check(
    'articles of',
    () => c('GET', `/people/${people[0]}/articles`),
    ({ s, b }) =>
      s === 200 &&
      titles(b) ===
        v.articles
          .filter(([, , who]) => who === 0)
          .map(([t]) => t)
          .join(),
  )
  await check(
    'add tag',
    () => c('POST', `/articles/${articles[0]}/relationships/tags`, { data: { type: 'tags', id: tags[1] } }),
    ({ s, b }) => s === 201 && b.data.length === 2,
  )
  await check(
    'tagged',
    () => c('GET', `/articles/${articles[0]}`),
    ({ b }) => b.data.relationships.tags.data.map((x) => x.id).join() === [tags[0], tags[1]].join(),
  )
  await check(
    'remove tag',
    () => c('DELETE', `/articles/${articles[0]}/relationships/tags`, { data: { type: 'tags', id: tags[0] } }),
    ({ s, b }) => s === 200 && b.data.length === 1,
  )
  await check(
    'change',
    () =>
      c('PATCH', `/articles/${articles[0]}`, {
        data: { type: 'articles', id: articles[0], attributes: { title: v.title } },
      }),
    ({ s, b }) =>
      s === 200 && b.data.attributes.title === v.title && b.data.attributes.content === v.articles[0][1],
  )
  await check(
    'change author',
    () =>
      c('PATCH', `/articles/${articles[1]}/relationships/author`, {
        data: { type: 'people', id: people[0] },
      }),
    ({ s, b }) => s === 200 && b.data.id === people[0],
  )
  await check(
    'changed',
    () => c('GET', `/articles/${articles[0]}`),
    ({ b }) => b.data.attributes.title === v.title,
  )
  await check(
    'change bad',
    () =>
      c('PATCH', `/articles/${articles[2]}`, {
        data: { type: 'articles', id: articles[2], attributes: { status: 'lost' } },
      }),
    ({ s }) => s === 403,
  )
  await check(
    'read none',
    () => c('GET', `/articles/${v.none}`),
    ({ s, b }) => s === 404 && b.errors[0].detail.includes(v.none),
  )
  await check(
    'read none of people',
    () => c('GET', `/people/${v.none}`),
    ({ s, b }) => s === 404 && b.errors[0].detail.includes(v.none),
  )
  await check(
    'no such type',
    () => c('GET', `/${which === 'A' ? 'ghosts' : 'spirits'}`),
    ({ s, b }) => s === 404 && b.errors[0].code === 'ENOTFOUND',
  )
  await Promise.all(
    (which === 'A' ? [3, 4] : [2, 3]).map((i) =>
      check(
        'delete',
        () => c('DELETE', `/articles/${articles[i]}`),
        ({ s }) => s === 204,
      ),
    ),
  )
  await check(
    'deleted',
    () => c('GET', `/articles/${articles[3]}`),
    ({ s, b }) => s === 404 && b.errors[0].status === '404',
  )
  await check(
    'delete again',
    () => c('DELETE', `/articles/${articles[3]}`),
    ({ s }) => s === 404,
  )
  await check(
    'list after',
    () => c('GET', '/articles'),
    ({ b }) => b.data.length === articles.length - 2 && b.data[0].attributes.title === v.title,
  )
}
