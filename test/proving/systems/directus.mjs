import { join } from 'node:path'
import {
  aggregate,
  authentication,
  createCollection,
  createDirectus,
  createItem,
  createItems,
  createRelation,
  createUser,
  deleteItem,
  deleteItems,
  deleteUser,
  readItem,
  readItems,
  readMe,
  readUser,
  readUsers,
  rest,
  staticToken,
  updateItem,
  updateItems,
  updateMe,
  updateUser,
} from '@directus/sdk'
import { runCommand, startServer } from '../server.ts'

// Directus, a headless CMS: npm install --global directus@11. It has over a thousand packages of its own.
export const needs = ['directus']
export const short = {
  'held out': 'counts by aggregate, fields of what an item links to, and refused passwords are not learned',
  checks: 'likewise, and changes of several items by a list of keys',
}

const ADMIN = { email: 'admin@example.com', password: 'a-password-of-admins' }

export async function start(directory) {
  const env = {
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(directory, 'db.sqlite'),
    SECRET: 'a secret of a test',
    HOST: '127.0.0.1',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    TELEMETRY: 'false',
    LOG_LEVEL: 'warn',
    SERVE_APP: 'false',
    WEBSOCKETS_ENABLED: 'false',
    STORAGE_LOCAL_ROOT: join(directory, 'uploads'),
  }
  await runCommand('directus', ['bootstrap'], { cwd: directory, env })
  // Directus takes its port from the environment alone.
  const server = await startServer('sh', (port) => ['-c', `PORT=${port} exec directus start`], {
    cwd: directory,
    env,
    isUp: async (url) => (await fetch(`${url}/server/ping`)).ok,
  })
  const client = createDirectus(server.url).with(authentication('json')).with(rest())
  await client.login(ADMIN.email, ADMIN.password)
  const field = (name, type, meta = {}) => ({
    field: name,
    type,
    meta,
    schema: { is_nullable: meta.required !== true },
  })
  const id = {
    field: 'id',
    type: 'integer',
    meta: { hidden: true },
    schema: { is_primary_key: true, has_auto_increment: true },
  }
  const uuid = { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } }
  await client.request(
    createCollection({
      collection: 'authors',
      schema: {},
      meta: {},
      fields: [uuid, field('name', 'string', { required: true }), field('country', 'string')],
    }),
  )
  await client.request(
    createCollection({
      collection: 'articles',
      schema: {},
      meta: {},
      fields: [
        id,
        field('title', 'string', { required: true }),
        field('status', 'string'),
        field('views', 'integer'),
        field('author', 'uuid'),
        field('date_created', 'timestamp', { special: ['date-created'] }),
        field('date_updated', 'timestamp', { special: ['date-updated'] }),
      ],
    }),
  )
  await client.request(
    createRelation({
      collection: 'articles',
      field: 'author',
      related_collection: 'authors',
      schema: {},
      meta: {},
    }),
  )
  client.stopRefreshing?.()
  return server
}

const has = (item, wanted) => Object.entries(wanted).every(([k, v]) => item[k] === v)
const failsWith = (code) => (_v, error) => error?.errors?.[0]?.extensions?.code === code
const column = (items, name) => items.map((each) => each[name]).join()

export async function session(base, which, check) {
  const client = createDirectus(base).with(authentication('json')).with(rest())
  const A = which === 'A'
  await check(
    'bad login',
    () => client.login(ADMIN.email, A ? 'wrong' : 'false'),
    failsWith('INVALID_CREDENTIALS'),
  )
  await check(
    'login',
    () => client.login(ADMIN.email, ADMIN.password),
    (got) => got.access_token && got.refresh_token,
  )
  await steps(client, A, check)
  await check('logout', () => client.logout())
  const other = createDirectus(base).with(staticToken('none-of-theirs')).with(rest())
  await check('bad token', () => other.request(readItems('articles')), failsWith('INVALID_CREDENTIALS'))
  client.stopRefreshing?.()
}

async function steps(client, A, check) {
  const send = (name, command, isRight) => check(name, () => client.request(command), isRight)
  const author = (item) =>
    send('add author', createItem('authors', item), (got) => has(got, item) && got.id.length === 36)
  const article = (item) =>
    send('add article', createItem('articles', item), (got) => has(got, item) && got.id > 0)
  const articles = (query, name, wanted) =>
    send('articles', readItems('articles', query), (got) => column(got, name) === wanted.join())
  await send('me', readMe(), (got) => got.email === ADMIN.email)
  await articles({}, 'title', [])
  const authors = []
  for (const item of A
    ? [
        { name: 'Ann', country: 'de' },
        { name: 'Bob', country: 'fr' },
      ]
    : [
        { name: 'Zoe', country: 'it' },
        { name: 'Yan', country: 'it' },
        { name: 'Xia', country: 'cn' },
      ])
    authors.push(await author(item))
  const of = (at) => authors[at]?.id
  const made = []
  for (const item of A
    ? [
        { title: 'One', status: 'draft', views: 3, author: of(0) },
        { title: 'Two', status: 'published', views: 10, author: of(0) },
        { title: 'Three', status: 'published', views: 7, author: of(1) },
        { title: 'Four', status: 'archived', views: 1, author: null },
      ]
    : [
        { title: 'Alpha', status: 'published', views: 20, author: of(2) },
        { title: 'Beta', status: 'draft', views: 5, author: of(0) },
        { title: 'Gamma', status: 'draft', views: 9, author: of(0) },
        { title: 'Delta', status: 'published', views: 2, author: of(1) },
        { title: 'Epsilon', status: 'archived', views: 4, author: null },
      ])
    made.push(await article(item))
  await send(
    'add without',
    createItem('articles', { status: 'draft', views: A ? 1 : 2 }),
    failsWith('FAILED_VALIDATION'),
  )
  await send(
    'read',
    readItem('articles', made[A ? 1 : 3]?.id ?? 0),
    (got) => got.title === (A ? 'Two' : 'Delta') && got.date_created,
  )
  await send(
    'read',
    readItem('articles', made[A ? 0 : 4]?.id ?? 0),
    (got) => got.title === (A ? 'One' : 'Epsilon'),
  )
  await send('read none', readItem('articles', A ? 99 : 77), failsWith('FORBIDDEN'))
  await send(
    'read fields',
    readItem('articles', made[A ? 2 : 1]?.id ?? 0, { fields: ['title', 'views'] }),
    (got) => Object.keys(got).toSorted().join() === 'title,views' && got.views === (A ? 7 : 5),
  )
  await send(
    'read with author',
    readItem('articles', made[A ? 2 : 0]?.id ?? 0, { fields: ['title', { author: ['name', 'country'] }] }),
    (got) => got.author.name === (A ? 'Bob' : 'Xia'),
  )
  await articles(
    {},
    'title',
    A ? ['One', 'Two', 'Three', 'Four'] : ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'],
  )
  await articles({ sort: ['-views'] }, 'views', A ? [10, 7, 3, 1] : [20, 9, 5, 4, 2])
  await articles(
    { sort: ['title'] },
    'title',
    A ? ['Four', 'One', 'Three', 'Two'] : ['Alpha', 'Beta', 'Delta', 'Epsilon', 'Gamma'],
  )
  await articles(
    { filter: { status: { _eq: A ? 'published' : 'draft' } } },
    'title',
    A ? ['Two', 'Three'] : ['Beta', 'Gamma'],
  )
  await articles(
    { filter: { views: { _gt: A ? 5 : 4 } } },
    'title',
    A ? ['Two', 'Three'] : ['Alpha', 'Beta', 'Gamma'],
  )
  await articles({ limit: 2, page: 1 }, 'title', A ? ['One', 'Two'] : ['Alpha', 'Beta'])
  await articles({ limit: 2, page: 2 }, 'title', A ? ['Three', 'Four'] : ['Gamma', 'Delta'])
  await articles({ limit: A ? 3 : 2, offset: 1 }, 'title', A ? ['Two', 'Three', 'Four'] : ['Beta', 'Gamma'])
  await articles(
    { fields: ['id', 'title'], sort: ['-id'] },
    'title',
    A ? ['Four', 'Three', 'Two', 'One'] : ['Epsilon', 'Delta', 'Gamma', 'Beta', 'Alpha'],
  )
  await send(
    'count',
    aggregate('articles', { aggregate: { count: '*' } }),
    (got) => Number(got[0].count) === (A ? 4 : 5),
  )
  await send(
    'update',
    updateItem('articles', made[A ? 0 : 2]?.id ?? 0, { views: A ? 30 : 31 }),
    (got) => got.views === (A ? 30 : 31) && got.date_updated,
  )
  await send(
    'update',
    updateItem('articles', made[A ? 3 : 1]?.id ?? 0, { status: 'published' }),
    (got) => got.status === 'published',
  )
  await send(
    'update none',
    updateItem('articles', A ? 98 : 76, { status: 'published' }),
    (got) => got.id === undefined,
  )
  await send(
    'update many',
    updateItems('articles', [made[0]?.id ?? 0, made[1]?.id ?? 0], { views: A ? 50 : 60 }),
    (got) => column(got, 'views') === (A ? '50,50' : '60,60'),
  )
  await articles(
    { filter: { status: { _eq: 'published' } } },
    'title',
    A ? ['Two', 'Three', 'Four'] : ['Alpha', 'Beta', 'Delta'],
  )
  await send(
    'add many',
    createItems(
      'articles',
      A
        ? [
            { title: 'Five', views: 1 },
            { title: 'Six', views: 2 },
          ]
        : [
            { title: 'Zeta', views: 3 },
            { title: 'Eta', views: 6 },
          ],
    ),
    (got) => column(got, 'title') === (A ? 'Five,Six' : 'Zeta,Eta'),
  )
  await send('delete', deleteItem('articles', made[A ? 2 : 0]?.id ?? 0))
  await send('read none', readItem('articles', made[A ? 2 : 0]?.id ?? 0), failsWith('FORBIDDEN'))
  await send('delete many', deleteItems('articles', [made[A ? 0 : 3]?.id ?? 0, made[A ? 1 : 4]?.id ?? 0]))
  await articles({}, 'title', A ? ['Four', 'Five', 'Six'] : ['Beta', 'Gamma', 'Zeta', 'Eta'])
  await send('no collection', readItems(A ? 'nothing' : 'nowhere'), failsWith('FORBIDDEN'))
  const user = {
    email: A ? 'ann@x.org' : 'zoe@y.net',
    password: 'secret-of-one',
    first_name: A ? 'Ann' : 'Zoe',
  }
  const added = await send(
    'add user',
    createUser(user),
    (got) => got.email === user.email && got.password === '**********',
  )
  await send(
    'add user again',
    createUser({ email: user.email, password: 'p' }),
    failsWith('RECORD_NOT_UNIQUE'),
  )
  await send('users', readUsers({ fields: ['email'] }), (got) => got.length === 2)
  await send('read user', readUser(added?.id ?? ''), (got) => got.first_name === user.first_name)
  await send(
    'update user',
    updateUser(added?.id ?? '', { last_name: A ? 'Lee' : 'Orr' }),
    (got) => got.last_name === (A ? 'Lee' : 'Orr'),
  )
  await send(
    'update me',
    updateMe({ first_name: A ? 'Root' : 'Boss' }),
    (got) => got.first_name === (A ? 'Root' : 'Boss'),
  )
  await send('me', readMe(), (got) => got.first_name === (A ? 'Root' : 'Boss'))
  await send('delete user', deleteUser(added?.id ?? ''))
  await send('users', readUsers({ fields: ['email'] }), (got) => got.length === 1)
}
