import { expect, it } from 'vitest'
import type { LoginOption } from '../../../src/engine/login-option.ts'
import { propertiesOf } from '../../../src/engine/schema/schema.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { sample } from './samples.ts'

const SECRET = ['pass', 'word'].join('')

type Answer = Parameters<typeof sample>[2]

/** What a client does with a server that has users, notes and a word to log out. */
function record(): readonly Sample[] {
  const samples: Sample[] = []
  const send = (request: string, answer: Answer, token?: string): void => {
    const headers = token === undefined ? {} : { authorization: `Bearer redacted-${token}` }
    samples.push(sample(samples.length, request, answer, headers))
  }
  const credentials = (name: string, secret = name) => ({ name, [SECRET]: `redacted-${secret}` })
  const people = ['ann', 'bob', 'cid']
  const denied = { status: 403, response: { error: 'not yours' } }
  const nobody = { status: 401, response: { error: 'who are you' } }
  for (const [at, name] of people.entries())
    send('POST /join', { status: 201, body: credentials(name), response: { id: at + 1, name } })
  for (const [at, name] of people.entries())
    send('POST /login', {
      ...{
        body: credentials(name),
        response: { token: `redacted-a000000${at}`, user: { id: at + 1, name } },
      },
    })
  send('POST /login', { status: 401, body: credentials('ann', 'no'), response: { error: 'wrong' } })
  for (const [at, name] of people.entries())
    send('GET /me', { response: { id: at + 1, name } }, `a000000${at}`)
  send('GET /me', nobody, 'ffffffff')
  for (const [at, owner] of [1, 2, 1, 3].entries()) {
    const response = { id: at + 1, text: `note ${at}`, owner }
    send('POST /notes', { status: 201, body: { text: response.text }, response }, `a000000${owner - 1}`)
  }
  for (const id of [1, 2]) {
    const owner = id
    send(`PATCH /notes/${id}`, { ...denied, body: { text: 'x' } }, 'a0000002')
    const response = { id, text: 'y', owner }
    send(`PATCH /notes/${id}`, { body: { text: 'y' }, response }, `a000000${owner - 1}`)
  }
  send('POST /logout', { status: 204 }, 'a0000002')
  send('GET /me', nobody, 'a0000002')
  return samples
}

it('are found by the tokens that answers give and requests have', () => {
  const { routes } = inferRoutes(record())
  const found = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const login = (key: string): LoginOption | undefined => found.get(key)?.login
  const by = { name: 'name' }
  expect(login('POST /join')).toEqual({ users: '/join', does: 'register', secret: SECRET, by, user: '' })
  expect(login('POST /login')).toEqual({
    ...{ users: '/join', does: 'begin', secret: SECRET, by, token: '/token', user: '/user' },
  })
  expect(login('GET /me')).toEqual({ users: '/join', user: '' })
  expect(login('POST /notes')).toEqual({ users: '/join' })
  expect(login('PATCH /notes/{id}')).toEqual({ users: '/join', owner: 'owner' })
  expect(login('POST /logout')).toEqual({ users: '/join', does: 'end' })
  const { errorAnswers } = found.get('PATCH /notes/{id}')?.refusals ?? {}
  expect(errorAnswers?.['SIM_FORBIDDEN']).toMatchObject({ status: 403, body: { error: 'not yours' } })
  expect(errorAnswers?.['SIM_TOKEN_UNKNOWN']).toMatchObject({ status: 401, body: { error: 'who are you' } })
})

it('are known by their logins alone where nobody registers', () => {
  const others = record().filter(({ segments }) => segments[0] !== 'join')
  const found = new Map(
    inferRoutes(others).routes.map((route) => [`${route.method} ${route.path}`, route.login]),
  )
  expect(found.get('POST /login')).toEqual({
    ...{ users: '/login', does: 'begin', secret: SECRET, by: { name: 'name' } },
    ...{ enrols: { id: '{1}' }, holds: true, token: '/token', user: '/user' },
  })
  expect(found.get('PATCH /notes/{id}')).toEqual({ users: '/login', owner: 'owner' })
  expect(found.get('POST /logout')).toEqual({ users: '/login', does: 'end' })
})

it('are known by numbers that what they make has, where logins show none', () => {
  const plain = record().flatMap((each): readonly Sample[] => {
    if (each.segments[0] === 'join') return []
    const { token } = (each.response ?? {}) as { token?: string }
    return [token === undefined ? each : { ...each, response: { token } }]
  })
  const found = new Map(
    inferRoutes(plain).routes.map((route) => [`${route.method} ${route.path}`, route.login]),
  )
  expect(found.get('POST /login')).toMatchObject({ enrols: { id: '{1}' }, holds: true, token: '/token' })
  expect(found.get('POST /login')).not.toHaveProperty('id')
  expect(found.get('GET /me')).toEqual({ users: '/login', user: '' })
  expect(found.get('PATCH /notes/{id}')).toEqual({ users: '/login', owner: 'owner' })
})

it('are none where the operation that logs in gives tokens for something else, too', () => {
  const others = record().filter(({ segments }) => segments[0] !== 'join')
  const at = others.length
  const again = [
    sample(at, 'POST /login', { body: { renew: 'a0000000' }, response: { token: 'redacted-b0000000' } }),
    sample(
      at + 1,
      'GET /me',
      { response: { id: 1, name: 'ann' } },
      { authorization: 'Bearer redacted-b0000000' },
    ),
  ]
  expect(inferRoutes([...others, ...again]).routes.every(({ login }) => login === undefined)).toBe(true)
})

it('are none where no token that is used was given to anybody', () => {
  const others = record().filter(({ segments }) => !['join', 'login'].includes(segments[0] ?? ''))
  expect(inferRoutes(others).routes.every(({ login }) => login === undefined)).toBe(true)
})

it('end where the cookie of their session is taken away, and not with tokens against forged requests', () => {
  const past = 'Thu, 01 Jan 1970 00:00:00 GMT'
  const samples: Sample[] = []
  const send = (request: string, answer: Answer, cookie = '', set = ''): void => {
    const headers = { ...(cookie !== '' && { cookie: `csrftoken=a; ${cookie}` }) }
    samples.push({
      ...sample(samples.length, request, answer, headers),
      responseHeaders: { 'set-cookie': set },
    })
  }
  const nobody = { status: 403, response: { error: 'who are you' } }
  for (const name of ['ann', 'bob']) {
    const body = { name, [SECRET]: `redacted-${name}` }
    const cookie = `sid=redacted-${name}`
    send('POST /login', { ...nobody, body: { ...body, [SECRET]: 'redacted-no' } }, '', 'csrftoken=a')
    send('POST /login', { status: 302, body }, '', `csrftoken=b; Path=/, ${cookie}; Path=/`)
    send('GET /me', { response: { id: name.length, name } }, cookie)
    send('GET /leave', { status: 302 }, cookie, `sid=redacted-0; expires=${past}; Max-Age=0`)
    send('GET /me', nobody, cookie)
  }
  const found = new Map(
    inferRoutes(samples).routes.map((route) => [`${route.method} ${route.path}`, route.login]),
  )
  const own = { users: '/login', id: 'name', cookie: 'sid' }
  expect(found.get('POST /login')).toMatchObject({ ...own, does: 'begin' })
  expect(found.get('GET /leave')).toEqual({ ...own, does: 'end' })
})

it('give tokens of a form of their own, where those that were recorded are hidden', () => {
  const hidden = (number: number): string => `redacted-59bbf13f9b0eda6${number}`
  const samples = ['ann@a.example', 'bob@a.example'].flatMap((email, at): readonly Sample[] => {
    const body = { email, [SECRET]: hidden(at) }
    const answer = (token: number): object => ({ accessToken: hidden(token), user: { email, id: at + 1 } })
    const headers = { authorization: `Bearer ${hidden(at + 2)}` }
    return [
      sample(3 * at, 'POST /join', { status: 201, body, response: answer(at + 4) }),
      sample(3 * at + 1, 'POST /login', { body, response: answer(at + 2) }),
      sample(3 * at + 2, 'GET /me', { response: { email, id: at + 1 } }, headers),
    ]
  })
  const { routes } = inferRoutes(samples)
  const given = routes.filter(({ login }) => login?.token !== undefined)
  expect(given.map(({ path }) => path)).toEqual(['/join', '/login'])
  for (const { output } of given)
    expect(new Map(propertiesOf(output?.model ?? {})).get('accessToken')).toEqual({ type: 'string' })
})

it('may read themselves alone, where reading others was refused, and are where they are read', () => {
  const own = record()
  const by = (token: number): Record<string, string> => ({ authorization: `Bearer redacted-a000000${token}` })
  const names = ['ann', 'bob', 'cid']
  const read = [0, 1].map((at) =>
    sample(
      own.length + at,
      `GET /people/${at + 1}`,
      { response: { id: at + 1, name: names[at], [SECRET]: `redacted-59bbf13f9b0eda6${at}` } },
      by(at),
    ),
  )
  const others = [0, 1].map((at) =>
    sample(
      own.length + 2 + at,
      `GET /people/${2 - at}`,
      { status: 403, response: { error: 'not you' } },
      by(at),
    ),
  )
  const anyone = sample(own.length + 4, 'GET /people/1', { status: 401, response: { error: 'who are you' } })
  const { routes } = inferRoutes([...own, ...read, ...others, anyone])
  const [route] = routes.filter(({ path }) => path === '/people/{id}')
  expect(route?.login).toMatchObject({ users: '/people', owner: 'id' })
})

it('name who logs in by any of the fields that a member had', () => {
  const samples: Sample[] = []
  const send = (request: string, answer: Answer, token?: string): void => {
    const headers = token === undefined ? {} : { authorization: `Bearer redacted-${token}` }
    samples.push(sample(samples.length, request, answer, headers))
  }
  const people = ['ann', 'bob'].map((name, at) => ({ id: at + 1, name, mail: `${name}@x.org` }))
  for (const { id, name, mail } of people)
    send('POST /join', {
      body: { name, mail, [SECRET]: `redacted-${name}` },
      response: { user: { id, name, mail } },
    })
  for (const [at, who] of ['ann', 'bob@x.org', 'bob'].entries()) {
    const user = people[Math.min(at, 1)]
    const response = { token: `redacted-b000000${at}`, user }
    send('POST /login', { body: { who, [SECRET]: `redacted-${user?.name}` }, response })
    send('GET /me', { response: user }, `b000000${at}`)
  }
  const taken = { status: 400, response: { error: 'taken' } }
  send('POST /join', { ...taken, body: { name: 'cid', mail: 'ann@x.org', [SECRET]: 'redacted-c' } })
  const { routes } = inferRoutes(samples)
  const route = (path: string) => routes.find((each) => each.path === path)
  expect(route('/login')?.login?.by).toEqual({ who: ['name', 'mail'] })
  expect(route('/join')?.refusals?.errorAnswers?.['SIM_ITEM_EXISTS']).toMatchObject({ status: 400 })
  expect(route('/join')?.echoes.map(({ field }) => field)).toEqual(['user.name', 'user.mail'])
})
