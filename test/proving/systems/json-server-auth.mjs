import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const BIN = createRequire(import.meta.url).resolve('json-server-auth/dist/bin.js')

export function start(directory) {
  const db = join(directory, 'db.json')
  const rules = join(directory, 'rules.json')
  writeFileSync(db, JSON.stringify({ users: [], notes: [], posts: [] }))
  writeFileSync(rules, JSON.stringify({ users: 600, notes: 640, posts: 660 }))
  return startServer(process.execPath, (port) => [
    BIN,
    db,
    '--routes',
    rules,
    '--port',
    String(port),
    '--quiet',
  ])
}

const VALUES = {
  A: {
    people: [
      ['ann@lab.org', 'password1', { name: 'Ann', age: 31 }],
      ['bob@mail.net', 'password2', { name: 'Bob', age: 24 }],
      ['cid@lab.org', 'password3', { name: 'Cid', age: 55 }],
    ],
    notes: [
      [0, 'Buy milk'],
      [1, 'Call home'],
      [0, 'Sell car'],
      [2, 'Read more'],
    ],
    posts: [
      [1, 'First post'],
      [0, 'Second thoughts'],
      [2, 'Third time'],
    ],
    login: [0, 1, 2],
    title: 'Buy oat milk',
    bad: 'eyJhbGciOiJIUzI1NiJ9.bm90IGEgdG9rZW4.aaaa',
    none: 'nobody@lab.org',
    twin: 1,
  },
  B: {
    people: [
      ['kim@home.fr', 'longenough', { name: 'Kim', age: 40 }],
      ['lee@shop.io', 'wordpass', { name: 'Lee', age: 18 }],
    ],
    notes: [
      [1, 'Paint wall'],
      [0, 'Water roses'],
      [1, 'Sleep'],
    ],
    posts: [
      [0, 'Good morning'],
      [1, 'Good night'],
      [0, 'Again'],
      [1, 'And again'],
    ],
    login: [1, 0],
    title: 'Paint the wall',
    bad: 'abc',
    none: 'who@is.it',
    twin: 0,
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const c = jsonClient(base)
  const is =
    (status, holds = () => true) =>
    ({ s, b }) =>
      s === status && holds(b)
  const people = []
  for (const [email, password, more] of v.people)
    people.push(
      (
        await check(
          'register',
          () => c('POST', '/register', { email, password, ...more }),
          is(
            201,
            (b) =>
              b.accessToken &&
              b.user.email === email &&
              b.user.name === more.name &&
              b.user.id === people.length + 1 &&
              !('password' in b.user),
          ),
        )
      )?.b,
    )
  await check(
    'register twice',
    () => c('POST', '/register', { email: v.people[v.twin][0], password: 'whatever1', name: 'Twin', age: 3 }),
    is(400, (b) => b === 'Email already exists'),
  )
  await check(
    'register bad',
    () => c('POST', '/register', { email: 'not a mail', password: 'whatever1' }),
    is(400, (b) => b === 'Email format is invalid'),
  )
  await check(
    'register short',
    () => c('POST', '/register', { email: v.none, password: which === 'A' ? 'abc' : 'x1' }),
    is(400, (b) => b === 'Password is too short'),
  )
  await check(
    'register nothing',
    () => c('POST', '/register', {}),
    is(400, (b) => b === 'Email and password are required'),
  )
  const logins = []
  for (const at of v.login)
    logins[at] = (
      await check(
        'login',
        () => c('POST', '/login', { email: v.people[at][0], password: v.people[at][1] }),
        is(
          200,
          (b) => b.accessToken && b.user.id === people[at].user.id && b.user.name === v.people[at][2].name,
        ),
      )
    )?.b
  await check(
    'login wrong',
    () => c('POST', '/login', { email: v.people[0][0], password: 'wrong-' + which }),
    is(400, (b) => b === 'Incorrect password'),
  )
  await check(
    'login none',
    () => c('POST', '/login', { email: v.none, password: v.people[0][1] }),
    is(400, (b) => b === 'Cannot find user'),
  )
  const by = v.people.map((_p, at) =>
    jsonClient(base, { authorization: `Bearer ${logins[at]?.accessToken}` }),
  )
  const id = (at) => people[at]?.user.id
  for (const at of v.login)
    await check(
      'me',
      () => by[at]('GET', `/users/${id(at)}`),
      is(200, (b) => b.email === v.people[at][0] && b.id === id(at)),
    )
  await check('me other', () => by[1]('GET', `/users/${id(0)}`), is(403))
  await check(
    'me without',
    () => c('GET', `/users/${id(0)}`),
    is(401, (b) => b === 'Missing authorization header'),
  )
  await check(
    'me bad',
    () => jsonClient(base, { authorization: `Bearer ${v.bad}` })('GET', `/users/${id(1)}`),
    is(401),
  )
  await check(
    'change me',
    () => by[0]('PATCH', `/users/${id(0)}`, { age: which === 'A' ? 32 : 41 }),
    is(200, (b) => b.age === (which === 'A' ? 32 : 41) && b.email === v.people[0][0]),
  )
  await check('change other', () => by[1]('PATCH', `/users/${id(0)}`, { age: 7 }), is(403))
  await check(
    'me',
    () => by[0]('GET', `/users/${id(0)}`),
    is(200, (b) => b.age === (which === 'A' ? 32 : 41)),
  )
  const notes = []
  for (const [who, title] of v.notes)
    notes.push(
      (
        await check(
          'note',
          () => by[who]('POST', '/notes', { title, userId: id(who) }),
          is(201, (b) => b.title === title && b.userId === id(who)),
        )
      )?.b,
    )
  await check('note for other', () => by[0]('POST', '/notes', { title: 'Mine', userId: id(1) }), is(403))
  await check('note without', () => c('POST', '/notes', { title: 'None', userId: id(1) }), is(401))
  await check(
    'notes',
    () => by[0]('GET', '/notes'),
    is(200, (b) => b.length === v.notes.length),
  )
  await check('notes without', () => c('GET', '/notes'), is(401))
  for (const at of which === 'A' ? [0, 1] : [2, 0, 1])
    await check(
      'note read',
      () => by[0]('GET', `/notes/${notes[at]?.id}`),
      is(200, (b) => b.title === v.notes[at][1]),
    )
  const [owner] = v.notes[0]
  const other = owner === 0 ? 1 : 0
  await check(
    'note change',
    () => by[owner]('PATCH', `/notes/${notes[0]?.id}`, { title: v.title }),
    is(200, (b) => b.title === v.title && b.userId === id(owner)),
  )
  await check(
    'note change other',
    () => by[other]('PATCH', `/notes/${notes[0]?.id}`, { title: 'Stolen' }),
    is(403),
  )
  await check('note delete other', () => by[other]('DELETE', `/notes/${notes[0]?.id}`), is(403))
  await check(
    'note read',
    () => by[other]('GET', `/notes/${notes[0]?.id}`),
    is(200, (b) => b.title === v.title),
  )
  await check('note delete', () => by[owner]('DELETE', `/notes/${notes[0]?.id}`), is(200))
  await check(
    'notes',
    () => by[other]('GET', '/notes'),
    is(200, (b) => b.length === v.notes.length - 1),
  )
  const posts = []
  for (const [who, title] of v.posts)
    posts.push(
      (
        await check(
          'post',
          () => by[who]('POST', '/posts', { title, userId: id(who) }),
          is(201, (b) => b.title === title && b.userId === id(who)),
        )
      )?.b,
    )
  await check('post without', () => c('POST', '/posts', { title: 'None' }), is(401))
  await check('posts', () => c('GET', '/posts'), is(401))
  await check(
    'post read',
    () => by[0]('GET', `/posts/${posts[1]?.id}`),
    is(200, (b) => b.title === v.posts[1][1]),
  )
  await check(
    'posts of',
    () => by[0]('GET', `/posts?userId=${id(1)}`),
    is(200, (b) => b.length === v.posts.filter(([who]) => who === 1).length),
  )
  for (const at of which === 'A' ? [0, 1] : [3, 2]) {
    const [who] = v.posts[at]
    const not = who === 0 ? 1 : 0
    await check(
      'post change other',
      () => by[not]('PATCH', `/posts/${posts[at]?.id}`, { title: 'No' }),
      is(200, (b) => b.userId === id(who)),
    )
    await check(
      'post change',
      () => by[who]('PATCH', `/posts/${posts[at]?.id}`, { title: `Now ${at}` }),
      is(200, (b) => b.title === `Now ${at}`),
    )
  }
  const again = (
    await check(
      'login',
      () => c('POST', '/login', { email: v.people[1][0], password: v.people[1][1] }),
      is(200, (b) => b.user.id === id(1)),
    )
  )?.b
  await check(
    'me',
    () => jsonClient(base, { authorization: `Bearer ${again?.accessToken}` })('GET', `/users/${id(1)}`),
    is(200, (b) => b.email === v.people[1][0]),
  )
  await check(
    'me',
    () => jsonClient(base, { authorization: `Bearer ${people[0]?.accessToken}` })('GET', `/users/${id(0)}`),
    is(200, (b) => b.email === v.people[0][0]),
  )
}
