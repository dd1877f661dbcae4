import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const SERVER = join(import.meta.dirname, '../servers/loopback-users.mjs')

export function start() {
  return startServer(process.execPath, (port) => [SERVER, String(port)])
}

const VALUES = {
  A: {
    people: [['ann', 'ann@lab.org', 'password1'], ['bob', 'bob@mail.net', 'password2'], ['cid', 'cid@lab.org', 'password3']],
    notes: [[0, 'Buy milk'], [1, 'Call home', true], [0, 'Sell car'], [2, 'Read more']],
    login: [0, 1, 2],
    text: 'Buy oat milk',
    bad: 'notoken',
    twin: 1,
  },
  B: {
    people: [['kim', 'kim@home.fr', 'longenough'], ['lee', 'lee@shop.io', 'wordpass']],
    notes: [[1, 'Paint wall'], [0, 'Water roses'], [1, 'Sleep'], [1, 'Wake up', true]],
    login: [1, 0],
    text: 'Paint the wall',
    bad: 'unknown-token-1',
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
  const failed = (status, code) => is(status, (b) => b.error.statusCode === status && b.error.code === code)
  const people = []
  for (const [username, email, password] of v.people)
    people.push((await check('register', () => c('POST', '/api/Members', { username, email, password, name: username.toUpperCase() }), is(200, (b) => b.email === email && b.username === username && b.id === people.length + 1 && !('password' in b))))?.b)
  await check('register twice', () => c('POST', '/api/Members', { username: 'other', email: v.people[v.twin][1], password: 'whatever1' }), is(422, (b) => b.error.name === 'ValidationError' && b.error.details.messages.email[0] === 'Email already exists'))
  await check('register without', () => c('POST', '/api/Members', { username: 'other' + which }), is(422))
  const logins = []
  for (const at of v.login)
    logins[at] = (await check('login', () => c('POST', '/api/Members/login', { email: v.people[at][1], password: v.people[at][2] }), is(200, (b) => b.id && b.ttl === 1209600 && b.userId === people[at].id)))?.b
  await check('login by name', () => c('POST', '/api/Members/login', { username: v.people[0][0], password: v.people[0][2] }), is(200, (b) => b.userId === people[0].id))
  await check('login wrong', () => c('POST', '/api/Members/login', { email: v.people[0][1], password: 'wrong-' + which }), failed(401, 'LOGIN_FAILED'))
  await check('login none', () => c('POST', '/api/Members/login', { email: 'nobody@x.yz', password: 'wrong' }), failed(401, 'LOGIN_FAILED'))
  await check('login nothing', () => c('POST', '/api/Members/login', {}), failed(400, 'USERNAME_EMAIL_REQUIRED'))
  const by = v.people.map((_p, at) => jsonClient(base, { authorization: logins[at]?.id }))
  const id = (at) => people[at]?.id
  for (const at of v.login) await check('me', () => by[at]('GET', `/api/Members/${id(at)}`), is(200, (b) => b.email === v.people[at][1] && b.id === id(at)))
  await check('me other', () => by[1]('GET', `/api/Members/${id(0)}`), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('me without', () => c('GET', `/api/Members/${id(0)}`), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('me bad', () => jsonClient(base, { authorization: v.bad })('GET', `/api/Members/${id(0)}`), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('change me', () => by[0]('PATCH', `/api/Members/${id(0)}`, { name: 'New ' + which }), is(200, (b) => b.name === 'New ' + which && b.email === v.people[0][1]))
  await check('change other', () => by[1]('PATCH', `/api/Members/${id(0)}`, { name: 'Stolen' }), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('me', () => by[0]('GET', `/api/Members/${id(0)}`), is(200, (b) => b.name === 'New ' + which))
  await check('notes none', () => by[1]('GET', '/api/Notes'), is(200, (b) => b.length === 0))
  const notes = []
  for (const [who, text, done] of v.notes)
    notes.push((await check('note', () => by[who]('POST', '/api/Notes', { text, ...(done && { done }) }), is(200, (b) => b.text === text && b.ownerId === id(who) && b.done === (done ?? false) && b.id === notes.length + 1)))?.b)
  await check('note without token', () => c('POST', '/api/Notes', { text: 'None' }), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('note bad token', () => jsonClient(base, { authorization: v.bad })('POST', '/api/Notes', { text: 'None' }), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('note without text', () => by[0]('POST', '/api/Notes', { done: true }), is(422, (b) => b.error.details.messages.text[0] === "can't be blank"))
  await check('notes', () => by[0]('GET', '/api/Notes'), is(200, (b) => b.length === v.notes.length && b.every((note, at) => note.ownerId === id(v.notes[at][0]))))
  await check('notes without', () => c('GET', '/api/Notes'), failed(401, 'AUTHORIZATION_REQUIRED'))
  for (const at of which === 'A' ? [0, 1] : [3, 0]) await check('note read', () => by[1]('GET', `/api/Notes/${notes[at]?.id}`), is(200, (b) => b.text === v.notes[at][1] && b.ownerId === id(v.notes[at][0])))
  await check('note none', () => by[0]('GET', `/api/Notes/${which === 'A' ? 99 : 1234}`), failed(404, 'MODEL_NOT_FOUND'))
  for (const at of which === 'A' ? [0, 1] : [1, 0]) {
    const [who] = v.notes[at]
    const not = who === 0 ? 1 : 0
    await check('note change other', () => by[not]('PATCH', `/api/Notes/${notes[at]?.id}`, { text: 'Stolen' }), failed(401, 'AUTHORIZATION_REQUIRED'))
    await check('note change', () => by[who]('PATCH', `/api/Notes/${notes[at]?.id}`, { text: v.text, done: true }), is(200, (b) => b.text === v.text && b.done === true && b.ownerId === id(who)))
  }
  await check('note read', () => by[0]('GET', `/api/Notes/${notes[0]?.id}`), is(200, (b) => b.text === v.text))
  const [owner] = v.notes[2]
  const other = owner === 0 ? 1 : 0
  await check('note delete other', () => by[other]('DELETE', `/api/Notes/${notes[2]?.id}`), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('note delete without', () => c('DELETE', `/api/Notes/${notes[2]?.id}`), failed(401, 'AUTHORIZATION_REQUIRED'))
  await check('note delete', () => by[owner]('DELETE', `/api/Notes/${notes[2]?.id}`), is(200, (b) => b.count === 1))
  await check('notes', () => by[1]('GET', '/api/Notes'), is(200, (b) => b.length === v.notes.length - 1))
  for (const at of which === 'A' ? [1, 2] : [0]) {
    await check('logout', () => by[at]('POST', '/api/Members/logout'), is(204))
    await check('me after logout', () => by[at]('GET', `/api/Members/${id(at)}`), failed(401, 'AUTHORIZATION_REQUIRED'))
    await check('note after logout', () => by[at]('POST', '/api/Notes', { text: 'Late' }), failed(401, 'AUTHORIZATION_REQUIRED'))
  }
  const again = (await check('login', () => c('POST', '/api/Members/login', { email: v.people[1][1], password: v.people[1][2] }), is(200, (b) => b.userId === id(1))))?.b
  await check('me', () => jsonClient(base, { authorization: again?.id })('GET', `/api/Members/${id(1)}`), is(200, (b) => b.email === v.people[1][1]))
  const still = which === 'A' ? 0 : 1
  await check('me', () => by[still]('GET', `/api/Members/${id(still)}`), is(200, (b) => b.email === v.people[still][1]))
}
