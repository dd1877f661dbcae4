import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startServer } from '../server.ts'

export const needs = ['eg']

const MANY = 'kinds of credentials differ by a field, lists are of plain texts, and apps go with their user'
export const short = { 'held out': MANY, checks: MANY, 'by rule': MANY }

const MODELS = ['applications', 'credentials', 'users']

/** What is beside the program, which npm installs for all. */
function installed() {
  const program = execFileSync('sh', ['-c', 'command -v eg'], { encoding: 'utf8' }).trim()
  return createRequire(realpathSync(program))
}

/** The admin API of Express Gateway, by its own client: users, apps, credentials, scopes. */
export function start(directory) {
  const main = installed().resolve('../lib/index.js')
  const config = join(directory, 'config')
  mkdirSync(join(config, 'models'), { recursive: true })
  for (const name of ['system.config.yml', ...MODELS.map((each) => `models/${each}.json`)])
    copyFileSync(join(main, '../config', name), join(config, name))
  return startServer(process.execPath, (port) => {
    writeFileSync(
      join(config, 'gateway.config.yml'),
      `admin: { port: ${port}, host: 127.0.0.1 }
apiEndpoints: { api: { host: '*' } }
serviceEndpoints: { backend: { url: 'http://localhost:9' } }
policies: [proxy]
pipelines: { first: { apiEndpoints: [api], policies: [{ proxy: { action: { serviceEndpoint: backend } } }] } }
`,
    )
    return ['-e', `require(${JSON.stringify(main)})().load(${JSON.stringify(config)}).run()`]
  })
}

const VALUES = {
  A: {
    users: [
      { username: 'ada', firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
      { username: 'grace', firstname: 'Grace', lastname: 'Hopper' },
      { username: 'alan', firstname: 'Alan', lastname: 'Turing', redirectUri: 'https://example.com/in' },
    ],
    apps: [
      [0, { name: 'notes', redirectUri: 'https://notes.example.com/' }],
      [0, { name: 'mail' }],
      [1, { name: 'compiler' }],
    ],
    change: { firstname: 'Augusta', email: 'augusta@example.com' },
    scopes: ['read', 'write'],
    more: 'admin',
    none: 'nobody',
    noId: 'b2f7c6de-0000-4000-8000-111122223333',
    badEmail: 'not an address',
    endpoint: ['shop', { host: 'shop.example.com', paths: ['/v1/*'] }],
    endpoint2: ['blog', { host: 'blog.example.com', paths: '/posts' }],
    service: ['stock', { url: 'https://stock.example.com' }],
  },
  B: {
    users: [
      { username: 'linus', firstname: 'Linus', lastname: 'Torvalds' },
      { username: 'margaret', firstname: 'Margaret', lastname: 'Hamilton', email: 'mh@example.org' },
      { username: 'edsger', firstname: 'Edsger', lastname: 'Dijkstra', email: 'ewd@example.org' },
      { username: 'barbara', firstname: 'Barbara', lastname: 'Liskov' },
    ],
    apps: [
      [1, { name: 'lander', redirectUri: 'https://lander.example.org/' }],
      [3, { name: 'types' }],
    ],
    change: { lastname: 'T.', email: 'linus@example.org' },
    scopes: ['list', 'pay', 'sell'],
    more: 'see',
    none: 'somebody',
    noId: '7c0d2b9a-1111-4111-9111-444455556666',
    badEmail: 'at home',
    endpoint: ['docs', { host: 'docs.example.org', paths: ['/a', '/b'] }],
    endpoint2: ['wiki', { host: 'wiki.example.org' }],
    service: ['bank', { url: 'https://bank.example.org' }],
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const c = installed()('../admin/index.js')({ baseUrl: base })
  const failed =
    (status, text = '') =>
    (_value, error) =>
      error?.status === status && (error.response?.text ?? '').includes(text)
  const names = (all, key) =>
    all
      .map((each) => each[key])
      .toSorted()
      .join()

  await check(
    'list users',
    () => c.users.list(),
    ({ users, nextKey }) => users.length === 0 && nextKey === 0,
  )
  const users = []
  for (const user of v.users)
    users.push(
      await check(
        'create user',
        () => c.users.create({ ...user }),
        (made) =>
          made.username === user.username &&
          made.email === user.email &&
          made.isActive === true &&
          made.id.length === 36 &&
          typeof made.createdAt === 'string',
      ),
    )
  await check(
    'create user again',
    () => c.users.create({ ...v.users[1] }),
    failed(409, 'username already exists'),
  )
  await check(
    'create user without name',
    () => c.users.create({ firstname: 'X', lastname: 'Y' }),
    failed(500, 'username'),
  )
  await check(
    'create user without lastname',
    () => c.users.create({ username: v.none, firstname: 'Y' }),
    failed(500, 'lastname'),
  )
  await check(
    'create user bad',
    () => c.users.create({ ...v.users[0], username: v.none, email: v.badEmail }),
    failed(500, 'email'),
  )
  for (const user of users)
    await check(
      'read user',
      () => c.users.info(user?.id),
      (read) => read.username === user.username && read.isActive === true,
    )
  await check(
    'read user by name',
    () => c.users.info(v.users[1].username),
    (read) => read.id === users[1].id,
  )
  await check('read no user', () => c.users.info(v.none), failed(404, `User not found: ${v.none}`))
  await check(
    'list users',
    () => c.users.list(),
    (all) => names(all.users, 'username') === names(v.users, 'username') && all.nextKey === 0,
  )
  await check(
    'change user',
    () => c.users.update(users[0]?.id, { ...v.change }),
    (user) => user.email === v.change.email && user.username === v.users[0].username,
  )
  await check(
    'change user wrong',
    () => c.users.update(users[1]?.id, { color: 'red' }),
    failed(500, 'invalid'),
  )
  await check('change no user', () => c.users.update(v.noId, { ...v.change }), failed(404, v.noId))
  await check(
    'read user',
    () => c.users.info(users[0]?.id),
    (user) => user.email === v.change.email && user.lastname === (v.change.lastname ?? v.users[0].lastname),
  )

  const apps = []
  for (const [owner, app] of v.apps)
    apps.push(
      await check(
        'create app',
        () => c.apps.create(users[owner]?.id, { ...app }),
        (made) => made.name === app.name && made.userId === users[owner].id && made.isActive === true,
      ),
    )
  await check(
    'create app for none',
    () => c.apps.create(v.noId, { name: 'x' }),
    failed(409, 'does not exist'),
  )
  await check('create app without name', () => c.apps.create(users[1]?.id, {}), failed(500, 'name'))
  for (const app of apps)
    await check(
      'read app',
      () => c.apps.info(app?.id),
      (read) => read.name === app.name && read.userId === app.userId,
    )
  await check(
    'read app by name',
    () => c.apps.info(apps[0]?.name),
    (read) => read.id === apps[0].id,
  )
  await check('read no app', () => c.apps.info(v.noId), failed(404, 'Application not found'))
  await check(
    'list apps',
    () => c.apps.list(),
    (all) => names(all.apps, 'name') === names(apps, 'name'),
  )
  await check(
    'change app',
    () => c.apps.update(apps[1]?.id, { redirectUri: 'https://example.com/x' }),
    (app) => app.redirectUri === 'https://example.com/x' && app.name === apps[1].name,
  )
  await check(
    'deactivate app',
    () => c.apps.deactivate(apps[0]?.id),
    ({ status }) => status === 'Deactivated',
  )
  await check(
    'read app off',
    () => c.apps.info(apps[0]?.id),
    ({ isActive }) => isActive === false,
  )
  await check(
    'deactivate app again',
    () => c.apps.deactivate(apps[0]?.id),
    ({ status }) => status === 'Inactive',
  )
  await check(
    'activate app',
    () => c.apps.activate(apps[0]?.id),
    ({ status }) => status === 'Activated',
  )
  await check(
    'read app',
    () => c.apps.info(apps[0]?.id),
    ({ isActive }) => isActive === true,
  )
  await check('activate no app', () => c.apps.activate(v.noId), failed(404))

  await check(
    'list scopes',
    () => c.scopes.list(),
    ({ scopes }) => scopes.length === 0,
  )
  await check('create scopes', () => c.scopes.create(v.scopes))
  await check('create scopes', () => c.scopes.create([v.more]))
  await check('create scopes again', () => c.scopes.create([v.scopes[0]]), failed(409))
  await check(
    'list scopes',
    () => c.scopes.list(),
    ({ scopes }) => scopes.toSorted().join() === [...v.scopes, v.more].toSorted().join(),
  )
  await check(
    'read scope',
    () => c.scopes.info(v.scopes[1]),
    ({ scope }) => scope === v.scopes[1],
  )
  await check('read no scope', () => c.scopes.info(v.none), failed(404, v.none))

  const key = await check(
    'create key',
    () => c.credentials.create(users[1]?.id, 'key-auth', { scopes: [v.scopes[0]] }),
    (made) => made.isActive === true && made.keyId !== undefined && made.scopes.join() === v.scopes[0],
  )
  await check(
    'create key',
    () => c.credentials.create(apps[1]?.id, 'key-auth', {}),
    (made) => made.keySecret !== undefined,
  )
  await check('create key for none', () => c.credentials.create(v.noId, 'key-auth', {}), failed(422, v.noId))
  await check(
    'create password',
    () => c.credentials.create(users[0]?.id, 'basic-auth', {}),
    (made) => made.isActive === true && made.password !== undefined,
  )
  await check(
    'create password again',
    () => c.credentials.create(users[0]?.id, 'basic-auth', {}),
    failed(500, 'already exist'),
  )
  await check(
    'list keys',
    () => c.credentials.list(users[1]?.id),
    ({ credentials }) => credentials.length === 1 && credentials[0].keyId === key.keyId,
  )
  await check(
    'list keys',
    () => c.credentials.list(users[2]?.id),
    ({ credentials }) => credentials.length === 0,
  )
  await check(
    'read key',
    () => c.credentials.info(key?.keyId, 'key-auth'),
    (read) => read.keyId === key.keyId && read.isActive === true,
  )
  await check('add scope', () => c.credentials.addScope(key?.keyId, 'key-auth', v.more))
  await check(
    'read key',
    () => c.credentials.info(key?.keyId, 'key-auth'),
    (read) => read.scopes.toSorted().join() === [v.scopes[0], v.more].toSorted().join(),
  )
  await check('remove scope', () => c.credentials.removeScope(key?.keyId, 'key-auth', v.scopes[0]))
  await check(
    'read key',
    () => c.credentials.info(key?.keyId, 'key-auth'),
    (read) => read.scopes.join() === v.more,
  )
  await check(
    'deactivate key',
    () => c.credentials.deactivate(key?.keyId, 'key-auth'),
    ({ status }) => status === 'Deactivated',
  )
  await check(
    'read key off',
    () => c.credentials.info(key?.keyId, 'key-auth'),
    (read) => read.isActive === false,
  )

  await check('delete scope', () => c.scopes.remove(v.more))
  await check('delete no scope', () => c.scopes.remove(v.none), failed(404))
  await check(
    'deactivate user',
    () => c.users.deactivate(users[2]?.id),
    ({ status }) => status === 'Deactivated',
  )
  await check(
    'read user off',
    () => c.users.info(users[2]?.id),
    ({ isActive }) => isActive === false,
  )
  await check('delete app', () => c.apps.remove(apps[0]?.id))
  await check('read deleted app', () => c.apps.info(apps[0]?.id), failed(404))
  await check('delete user', () => c.users.remove(users[v.apps.at(-1)[0]]?.id))
  await check('read deleted user', () => c.users.info(users[v.apps.at(-1)[0]]?.id), failed(404))
  await check('read app that went', () => c.apps.info(apps.at(-1)?.id), failed(404))
  await check('delete no user', () => c.users.remove(v.noId), failed(404))
  await check(
    'list users',
    () => c.users.list(),
    (all) => all.users.length === users.length - 1,
  )
  await check(
    'list apps',
    () => c.apps.list(),
    (all) => all.apps.length === apps.length - 2,
  )

  const e = c.config
  await check(
    'list endpoints',
    () => e.apiEndpoints.list(),
    (all) => Object.keys(all).join() === 'api',
  )
  for (const [name, endpoint] of [v.endpoint, v.endpoint2])
    await check('create endpoint', () => e.apiEndpoints.create(name, endpoint))
  await check(
    'list endpoints',
    () => e.apiEndpoints.list(),
    (all) => Object.keys(all).length === 3 && all[v.endpoint[0]].host === v.endpoint[1].host,
  )
  await check(
    'read endpoint',
    () => e.apiEndpoints.info(v.endpoint[0]),
    (read) => read.host === v.endpoint[1].host,
  )
  await check('read no endpoint', () => e.apiEndpoints.info(v.none), failed(404))
  await check('change endpoint', () =>
    e.apiEndpoints.update(v.endpoint[0], { ...v.endpoint[1], host: 'x.example.com' }),
  )
  await check(
    'read endpoint',
    () => e.apiEndpoints.info(v.endpoint[0]),
    (read) => read.host === 'x.example.com',
  )
  await check('delete endpoint', () => e.apiEndpoints.remove(v.endpoint[0]))
  await check('read no endpoint', () => e.apiEndpoints.info(v.endpoint[0]), failed(404))
  await check('create service', () => e.serviceEndpoints.create(...v.service))
  await check(
    'list services',
    () => e.serviceEndpoints.list(),
    (all) => all[v.service[0]].url === v.service[1].url,
  )
}
