import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { FromUser } from '../../src/engine/links/from-user.ts'
import type { LoginOption } from '../../src/engine/login-option.ts'

const SECRET = ['pass', 'word'].join('')
const user = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    email: { type: 'string', ...FromInput('email') },
    role: { const: 'customer' },
  },
  required: ['id', 'email', 'role'],
}
const note = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    text: { type: 'string' },
    userId: { type: 'integer', ...FromUser('id') },
  },
  required: ['id', 'text', 'userId'],
}
const credentials = {
  type: 'object',
  properties: { email: { type: 'string' }, [SECRET]: { type: 'string' } },
  required: ['email', SECRET],
}
const session = {
  type: 'object',
  properties: { token: { type: 'string' }, sub: { type: 'string', ...FromUser('id') }, user },
  required: ['token', 'sub', 'user'],
}

function createClient(carrier: Pick<LoginOption, 'header' | 'cookie'> = {}) {
  const api = new SimAPI({ seed: 1, stateful: true })
  const login: LoginOption = { users: '/users', secret: SECRET, ...carrier }
  const own: LoginOption = { users: '/users', ...carrier }
  const wrong = { 'SIM_LOGIN_FAILED/secret_wrong': { body: { error: 'Wrong' } } }
  api.post('/users', {
    ...{ input: credentials, output: user, status: 201, item: { unique: ['email'] } },
    login: { ...login, does: 'register', user: '', first: { role: 'admin' } },
  })
  api.post('/login', {
    ...{ input: credentials, output: session, stateful: false, errorAnswers: wrong },
    login: { ...login, does: 'begin', by: { email: 'email' }, token: '/token', user: '/user' },
  })
  api.post('/logout', { status: 204, stateful: false, login: { ...own, does: 'end' } })
  api.get('/me', { output: user, login: { ...own, user: '' } })
  api.patch('/me', { output: user, stateful: false, login: { ...own, does: 'change', user: '' } })
  api.get('/reports', { output: { type: 'object' }, login: { ...own, only: { role: ['admin'] } } })
  api.get('/notes', {
    ...{ output: { type: 'array', items: note }, filterBy: 'userId' },
    login: { ...own, owner: 'userId' },
  })
  api.post('/notes', { input: { type: 'object' }, output: note, keepsSent: true, login: own })
  api.get('/notes/{id}', { output: note, login: own })
  api.patch('/notes/{id}', {
    ...{ input: { type: 'object' }, output: note, keepsSent: true },
    login: { ...own, owner: 'userId' },
  })
  const app = api.asWebApp()
  return async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, headers = {}) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const body = answer.body === '' ? undefined : answer.json<Record<string, unknown>>()
    return { status: answer.statusCode, body, cookie: answer.headers['set-cookie'] as string | undefined }
  }
}

const ann = { email: 'ann@lab.org', [SECRET]: 'one' }
const bob = { email: 'bob@lab.org', [SECRET]: 'two' }

async function logIn(send: ReturnType<typeof createClient>, who: object) {
  const { body } = await send('POST', '/login', who)
  return { authorization: `Bearer ${String(body?.['token'])}` }
}

it('logs users in, each with a token', async () => {
  const send = createClient()
  expect(await send('POST', '/users', ann)).toMatchObject({ status: 201, body: { id: 1, role: 'admin' } })
  expect(await send('POST', '/users', bob)).toMatchObject({ status: 201, body: { id: 2, role: 'customer' } })
  expect((await send('POST', '/users', ann)).status).toBe(409)
  expect((await send('POST', '/login', bob)).body).toMatchObject({ sub: '2', user: { id: 2 } })
  const [one, two] = [await logIn(send, ann), await logIn(send, bob)]
  expect((await send('GET', '/me', undefined, one)).body).toEqual({ id: 1, email: ann.email, role: 'admin' })
  expect((await send('GET', '/me', undefined, two)).body).toEqual({
    id: 2,
    email: bob.email,
    role: 'customer',
  })
  expect((await send('PATCH', '/me', { email: 'bo@lab.org' }, two)).body).toMatchObject({
    email: 'bo@lab.org',
  })
  expect((await send('GET', '/me', undefined, two)).body).toMatchObject({ id: 2, email: 'bo@lab.org' })
  expect((await send('GET', '/reports', undefined, one)).status).toBe(200)
  expect((await send('GET', '/reports', undefined, two)).status).toBe(403)
})

it('refuses who is not logged in', async () => {
  const send = createClient()
  await send('POST', '/users', ann)
  expect(await send('POST', '/login', { ...ann, [SECRET]: 'other' })).toMatchObject({
    ...{ status: 401, body: { error: 'Wrong' } },
  })
  expect((await send('POST', '/login', bob)).status).toBe(401)
  expect((await send('GET', '/me')).status).toBe(401)
  expect((await send('GET', '/me', undefined, { authorization: 'Bearer none' })).status).toBe(401)
  const one = await logIn(send, ann)
  expect((await send('POST', '/logout', undefined, one)).status).toBe(204)
  expect((await send('GET', '/me', undefined, one)).status).toBe(401)
})

it('keeps what is made as that of who makes it', async () => {
  const send = createClient()
  await send('POST', '/users', ann)
  await send('POST', '/users', bob)
  const [one, two] = [await logIn(send, ann), await logIn(send, bob)]
  expect((await send('POST', '/notes', { text: 'a' }, two)).body).toMatchObject({ id: 1, userId: 2 })
  expect((await send('POST', '/notes', { text: 'b' }, one)).body).toMatchObject({ id: 2, userId: 1 })
  expect((await send('GET', '/notes', undefined, one)).body).toEqual([{ id: 2, text: 'b', userId: 1 }])
  expect((await send('GET', '/notes/1', undefined, one)).body).toMatchObject({ text: 'a' })
  expect((await send('PATCH', '/notes/1', { text: 'c' }, one)).status).toBe(403)
  expect((await send('PATCH', '/notes/1', { text: 'c' }, two)).body).toMatchObject({ text: 'c', userId: 2 })
})

it('gives tokens as cookies', async () => {
  const send = createClient({ cookie: 'sid' })
  await send('POST', '/users', ann)
  const { cookie = '' } = await send('POST', '/login', ann)
  expect(cookie).toMatch(/^sid=[0-9a-f]{40}; Path=\//)
  const headers = { cookie: `theme=dark; ${cookie.split(';')[0] ?? ''}` }
  expect((await send('GET', '/me', undefined, headers)).body).toMatchObject({ email: ann.email })
  expect((await send('GET', '/me', undefined, { cookie: 'sid=none' })).status).toBe(401)
})

it('makes users of those who log in unregistered, and holds them to the password that they come with', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const own: LoginOption = { users: '/users' }
  api.post('/login', {
    ...{ input: credentials, output: session, stateful: false },
    login: {
      ...{ ...own, secret: SECRET, does: 'begin', by: { email: 'email' }, token: '/token', user: '/user' },
      enrols: { id: '{7}' },
    },
  })
  api.get('/me', { output: user, login: { ...own, user: '' } })
  const app = api.asWebApp()
  const logIn = async (sent: object): Promise<{ status: number; token: string; id: number | undefined }> => {
    const answer = await app.inject({ method: 'POST', url: '/login', payload: sent })
    const body = answer.json<{ token: string; user?: { id: number } }>()
    return { status: answer.statusCode, token: body.token, id: body.user?.id }
  }
  const me = async (token: string): Promise<unknown> =>
    (await app.inject({ url: '/me', headers: { authorization: `Token ${token}` } })).json()
  expect(await logIn({ ...ann, [SECRET]: 'mistyped' })).toMatchObject({ status: 200, id: 7 })
  const one = await logIn(ann)
  expect(one).toMatchObject({ status: 200, id: 7 })
  expect(await logIn(bob)).toMatchObject({ status: 200, id: 8 })
  expect(await me(one.token)).toMatchObject({ id: 7, email: ann.email, role: 'customer' })
  expect(await logIn({ ...ann, [SECRET]: 'mistyped' })).toMatchObject({ status: 401 })
  expect(await logIn(ann)).toMatchObject({ status: 200, id: 7 })
})
