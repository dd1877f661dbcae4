import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = [
  'uvicorn',
  '/usr/lib/python3/dist-packages/fastapi',
  '/usr/lib/python3/dist-packages/sqlalchemy',
]

const SERVERS = join(import.meta.dirname, '../servers')

export function start(directory) {
  const args = ['--app-dir', SERVERS, 'fastapi_tutorial:app', '--host', '127.0.0.1']
  return startServer('uvicorn', (port) => [...args, '--port', String(port)], {
    env: { DB: join(directory, 'db.sqlite'), PYTHONDONTWRITEBYTECODE: '1' },
  })
}

export async function session(base, which, check) {
  const api = jsonClient(base)
  const is = (s) => (answer) => answer.s === s
  const A = which === 'A'
  const users = []
  for (const email of A
    ? ['ann@x.org', 'bob@x.org', 'cyd@x.org']
    : ['zoe@y.net', 'yan@y.net', 'xia@y.net', 'wim@y.net'])
    users.push(
      await check(
        'create user',
        () => api('POST', '/users/', { email, password: 'secret' + email.length }),
        ({ s, b }) => s === 200 && b.email === email && b.is_active === true && b.items.length === 0,
      ),
    )
  await check(
    'create taken',
    () => api('POST', '/users/', { email: A ? 'bob@x.org' : 'xia@y.net', password: 'p' }),
    ({ s, b }) => s === 400 && b.detail === 'Email already registered',
  )
  await check(
    'create short',
    () => api('POST', '/users/', A ? { email: 'd@x.org' } : { email: 'e@y.net' }),
    ({ s, b }) => s === 422 && b.detail[0].loc[1] === 'password',
  )
  if (A)
    await check(
      'create short',
      () => api('POST', '/users/', { password: 'k' }),
      ({ s, b }) => s === 422 && b.detail[0].loc[1] === 'email',
    )
  await check(
    'create empty',
    () => api('POST', '/users/', {}),
    ({ s, b }) => s === 422 && b.detail.length === 2,
  )
  const id = (at) => users[at]?.b.id
  await check(
    'read',
    () => api('GET', `/users/${id(A ? 0 : 3)}`),
    ({ s, b }) => s === 200 && b.email === (A ? 'ann@x.org' : 'wim@y.net'),
  )
  await check(
    'read none',
    () => api('GET', `/users/${A ? 99 : 412}`),
    ({ s, b }) => s === 404 && b.detail === 'User not found',
  )
  await check(
    'read bad',
    () => api('GET', `/users/${A ? 'foo' : 'bar'}`),
    ({ s, b }) => s === 422 && b.detail[0].type === 'type_error.integer',
  )
  const add = (of, item, name = 'add item') =>
    check(
      name,
      () => api('POST', `/users/${id(of)}/items/`, item),
      ({ s, b }) =>
        s === 200 &&
        b.title === item.title &&
        b.owner_id === id(of) &&
        b.description === (item.description ?? null),
    )
  if (A) {
    await add(0, { title: 'Lamp', description: 'bright' })
    await add(1, { title: 'Desk' })
    await add(0, { title: 'Chair', description: 'soft' })
  } else {
    await add(3, { title: 'Kite' })
    await add(2, { title: 'Boat', description: 'wet' })
    await add(3, { title: 'Drum', description: 'loud' })
    await add(3, { title: 'Harp' })
  }
  await check('add short', () => api('POST', `/users/${id(1)}/items/`, { description: 'none' }), is(422))
  const last = A ? 0 : 3
  await check(
    'read with items',
    () => api('GET', `/users/${id(last)}`),
    ({ b }) => b.items.length === (A ? 2 : 3) && b.items[1].title === (A ? 'Chair' : 'Drum'),
  )
  await check(
    'items',
    () => api('GET', '/items/'),
    ({ b }) => b.length === (A ? 3 : 4) && b[1].title === (A ? 'Desk' : 'Boat'),
  )
  await check(
    'items page',
    () => api('GET', `/items/?skip=${A ? 1 : 2}&limit=${A ? 1 : 2}`),
    ({ b }) => b.length === (A ? 1 : 2) && b[0].title === (A ? 'Desk' : 'Drum'),
  )
  await check(
    'users',
    () => api('GET', '/users/'),
    ({ b }) => b.length === (A ? 3 : 4) && b[last].items.length === (A ? 2 : 3),
  )
  await check(
    'users page',
    () => api('GET', `/users/?skip=${A ? 1 : 2}`),
    ({ b }) => b.length === 2,
  )
  await check(
    'users limit',
    () => api('GET', `/users/?limit=${A ? 2 : 1}`),
    ({ b }) => b.length === (A ? 2 : 1),
  )
  await check(
    'bad skip',
    () => api('GET', `/users/?skip=${A ? 'x' : 'many'}`),
    ({ s, b }) => s === 422 && b.detail[0].loc[1] === 'skip',
  )
}
