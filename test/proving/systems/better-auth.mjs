import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { createAuthClient } from 'better-auth/client'
import { toNodeHandler } from 'better-auth/node'
import { listenHere } from '../server.ts'

export const short = {
  checks:
    'a password that is too short cannot be learned, since passwords are hidden; what its sessions hold depends on the draws',
}

export async function start() {
  const auth = betterAuth({
    baseURL: 'http://127.0.0.1',
    secret: 'proving-'.repeat(6),
    trustedOrigins: ['*'],
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    user: { deleteUser: { enabled: true }, additionalFields: { city: { type: 'string', required: false } } },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: { disableOriginCheck: true, disableCSRFCheck: true },
  })
  const handle = toNodeHandler(auth)
  return listenHere(createServer((request, response) => void handle(request, response)))
}

const VALUES = {
  A: {
    people: [
      ['ann@lab.org', 'password1', 'Ann', 'Rome'],
      ['bob@mail.net', 'password2', 'Bob', 'Oslo'],
      ['cid@lab.org', 'password3', 'Cid', 'Bern'],
    ],
    login: [0, 1, 2],
    name: 'Annabel',
    twin: 1,
    none: 'nobody@lab.org',
    fresh: 'fresh-pass-1',
  },
  B: {
    people: [
      ['kim@home.fr', 'longenough', 'Kim', 'Paris'],
      ['lee@shop.io', 'wordpass9', 'Lee', 'Wien'],
    ],
    login: [1, 0],
    name: 'Kimberley',
    twin: 0,
    none: 'who@is.it',
    fresh: 'other-pass-2',
  },
}

const jars = new Map()

// As browsers keep cookies, for one origin.
function client(base) {
  const jar = new Map()
  const customFetchImpl = async (url, init = {}) => {
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
      if (value === '' || /max-age=0/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const made = createAuthClient({ baseURL: `${base}/api/auth`, fetchOptions: { customFetchImpl, retry: 0 } })
  jars.set(made, jar)
  return made
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const ok =
    (holds = () => true) =>
    ({ data, error }) =>
      !error && holds(data)
  const failed =
    (status, code) =>
    ({ error }) =>
      error?.status === status && (code === undefined || error.code === code)
  const people = []
  for (const [email, password, name, city] of v.people) {
    const c = client(base)
    const made = await check(
      'sign up',
      () => c.signUp.email({ email, password, name, city }),
      ok((d) => d.user.email === email && d.user.name === name && d.user.city === city && d.token),
    )
    people.push({ c, user: made?.data?.user })
  }
  const guest = client(base)
  const stranger = client(base)
  await check(
    'sign up twice',
    () => stranger.signUp.email({ email: v.people[v.twin][0], password: 'whatever1', name: 'Twin' }),
    failed(422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'),
  )
  await check(
    'sign up short',
    () => stranger.signUp.email({ email: v.none, password: which === 'A' ? 'short' : 'tiny', name: 'Zed' }),
    failed(400, 'PASSWORD_TOO_SHORT'),
  )
  await check(
    'sign up bad',
    () =>
      stranger.signUp.email({
        email: which === 'A' ? 'no mail' : 'nope',
        password: 'whatever1',
        name: 'Zed',
      }),
    failed(400),
  )
  for (const { c, user } of people)
    await check(
      'session',
      () => c.getSession(),
      ok((d) => d.user.id === user.id && d.user.email === user.email && d.session.userId === user.id),
    )
  await check(
    'session none',
    () => guest.getSession(),
    ok((d) => d === null),
  )
  const by = []
  for (const at of v.login) {
    by[at] = client(base)
    await check(
      'sign in',
      () => by[at].signIn.email({ email: v.people[at][0], password: v.people[at][1] }),
      ok((d) => d.user.id === people[at].user.id && d.user.name === v.people[at][2] && d.token),
    )
  }
  await check(
    'sign in wrong',
    () => guest.signIn.email({ email: v.people[0][0], password: 'wrong-' + which }),
    failed(401, 'INVALID_EMAIL_OR_PASSWORD'),
  )
  await check(
    'sign in none',
    () => guest.signIn.email({ email: v.none, password: v.people[0][1] }),
    failed(401, 'INVALID_EMAIL_OR_PASSWORD'),
  )
  for (const at of v.login)
    await check(
      'session',
      () => by[at].getSession(),
      ok((d) => d.user.id === people[at].user.id && d.user.name === v.people[at][2]),
    )
  await check(
    'sessions',
    () => by[0].listSessions(),
    ok((d) => d.length === 2 && d.every((s) => s.userId === people[0].user.id)),
  )
  await check('sessions none', () => guest.listSessions(), failed(401))
  await check(
    'update',
    () => by[0].updateUser({ name: v.name }),
    ok((d) => d.status === true),
  )
  await check('update none', () => guest.updateUser({ name: 'No' }), failed(401))
  await check(
    'session',
    () => by[0].getSession(),
    ok((d) => d.user.name === v.name && d.user.city === v.people[0][3]),
  )
  await check(
    'session',
    () => by[1].getSession(),
    ok((d) => d.user.name === v.people[1][2]),
  )
  await check(
    'update',
    () => by[1].updateUser({ city: 'Bonn' }),
    ok((d) => d.status === true),
  )
  await check(
    'session',
    () => people[1].c.getSession(),
    ok((d) => d.user.city === 'Bonn' && d.user.id === people[1].user.id),
  )
  await check(
    'password wrong',
    () => by[1].changePassword({ currentPassword: 'not-this-' + which, newPassword: v.fresh }),
    failed(400, 'INVALID_PASSWORD'),
  )
  await check(
    'password',
    () => by[1].changePassword({ currentPassword: v.people[1][1], newPassword: v.fresh }),
    ok((d) => d.user.id === people[1].user.id),
  )
  await check(
    'sign in old',
    () => guest.signIn.email({ email: v.people[1][0], password: v.people[1][1] }),
    failed(401, 'INVALID_EMAIL_OR_PASSWORD'),
  )
  const again = client(base)
  await check(
    'sign in',
    () => again.signIn.email({ email: v.people[1][0], password: v.fresh }),
    ok((d) => d.user.id === people[1].user.id),
  )
  for (const c of which === 'A' ? [by[0], people[2].c] : [people[0].c, by[0]]) {
    const kept = new Map(jars.get(c))
    await check(
      'sign out',
      () => c.signOut(),
      ok((d) => d.success === true),
    )
    for (const [name, value] of kept) jars.get(c).set(name, value)
    await check(
      'session ended',
      () => c.getSession(),
      ok((d) => d === null),
    )
  }
  await check(
    'sign out none',
    () => guest.signOut(),
    ok((d) => d.success === true),
  )
  await check(
    'session',
    () => again.getSession(),
    ok((d) => d.user.id === people[1].user.id),
  )
}
