import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { ScenarioStep } from '../../src/engine/error-case.ts'
import { createSessions, applySession, type Unkeyed } from '../../src/state/sessions.ts'
import { createRedactor } from '../../src/recording/redaction/redactor.ts'
import { open, usersApi } from '../control/ask.ts'

const as = (session: string) => ({ headers: { 'x-sim-session': session } })

describe('a session', () => {
  it('has a store of its own that begins with what was there at first', async () => {
    const api = usersApi()
    api.seedStore('/users', [{ id: 1, name: 'first' }])
    const { ask } = open({}, api)
    await ask('POST', '/users', { name: 'mine' }, as('a'))
    await ask('POST', '/users', { name: 'theirs' })
    const namesOf = async (session: string) =>
      (await ask('GET', '/users', undefined, as(session))).body.map(({ id }: { id: number }) => id)
    expect(await namesOf('a')).toEqual([1, 2])
    expect(await namesOf('')).toEqual([1, 2])
    expect(await namesOf('b')).toEqual([1])
    expect(api.store.collection('/users').size).toBe(2)
  })

  it('has scenarios, counters, rate limits and a journal of its own', async () => {
    const api = new SimAPI({ seed: 1 })
    api.get('/report', {
      scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })],
      rateLimit: 2,
    })
    const { ask } = open({}, api)
    const statusOf = async (session: string) => (await ask('GET', '/report', undefined, as(session))).status
    expect([await statusOf('a'), await statusOf('a'), await statusOf('a')]).toEqual([503, 200, 429])
    expect(await statusOf('b')).toBe(503)
    const journalOf = async (session: string) =>
      (await ask('GET', '/__sim/requests', undefined, as(session))).body.map(({ id }: { id: number }) => id)
    expect([await journalOf('a'), await journalOf('b'), await journalOf('')]).toEqual([[3, 2, 1], [4], []])
  })

  it('has a clock, chaos and a seed of its own', async () => {
    const { ask } = open()
    await ask('POST', '/__sim/clock/freeze', { at: '2030-01-01T00:00:00Z' }, as('a'))
    await ask('PUT', '/__sim/chaos', { rules: [{ errors: { rate: 1 } }] }, as('a'))
    expect((await ask('GET', '/users', undefined, as('a'))).status).toBe(500)
    expect((await ask('GET', '/users', undefined, as('b'))).status).toBe(200)
    expect((await ask('GET', '/__sim/clock', undefined, as('b'))).body.frozen).toBe(false)
    await ask('POST', '/__sim/reset', { seed: 5 }, as('a'))
    expect((await ask('GET', '/__sim/health', undefined, as('a'))).body.seed).toBe(5)
    expect((await ask('GET', '/__sim/health', undefined, as('b'))).body.seed).toBe(7)
  })

  it('meets the same chaos as another of the same seed', async () => {
    const { ask } = open({ chaos: { rules: [{ errors: { rate: 0.5 } }] } })
    const run = async (session: string) => {
      const statuses: number[] = []
      for (let i = 0; i < 20; i++) statuses.push((await ask('GET', '/users', undefined, as(session))).status)
      return statuses
    }
    expect(await run('a')).toEqual(await run('b'))
  })

  it('gets the same content as all others', async () => {
    const { ask } = open()
    const created = async (session: string) => (await ask('POST', '/users', { name: 'x' }, as(session))).body
    expect(await created('a')).toEqual(await created('b'))
  })

  it('is named by a prefix of the path too, which is not part of the request', async () => {
    const { ask } = open()
    await ask('POST', '/__sim/s/a/users', { name: 'mine' })
    expect((await ask('GET', '/users', undefined, as('a'))).body).toHaveLength(1)
    expect((await ask('GET', '/__sim/s/a/users?x=1')).body).toHaveLength(1)
    expect((await ask('GET', '/__sim/s/a/__sim/store')).body).toEqual({ '/users': 1 })
    expect((await ask('GET', '/__sim/s/a/__sim/requests')).body[0].url).toBe('/users?x=1')
    expect((await ask('GET', '/users')).body).toEqual([])
  })

  it.for(['with space', 'a, b', 'x'.repeat(129), 'ä'])('cannot be called %s', async (key) => {
    const { ask } = open()
    const { status, body } = await ask('GET', `/__sim/s/${encodeURIComponent(key)}/users`)
    expect([status, body.code]).toEqual([400, 'SIM_SESSION_KEY_INVALID'])
  })

  it('is ended on request, and begins anew', async () => {
    const { ask } = open()
    await ask('POST', '/users', { name: 'mine' }, as('a'))
    expect((await ask('GET', '/__sim/sessions')).body).toEqual([
      { key: '', seed: 7, requests: 0 },
      { key: 'a', seed: 7, requests: 1 },
    ])
    expect((await ask('DELETE', '/__sim/sessions/a')).body).toEqual({ ended: 'a' })
    expect((await ask('DELETE', '/__sim/sessions/a')).status).toBe(404)
    expect((await ask('GET', '/users', undefined, as('a'))).body).toEqual([])
  })

  it('ends when it was not used for a while', () => {
    let now = 0
    const sessions = createSessions({
      ...{ seed: 1, store: undefined },
      chaos: [],
      redactor: createRedactor(),
      idleSeconds: 60,
      now: () => now,
    })
    const [own, first] = [sessions.of(''), sessions.of('a')]
    now = 59_000
    expect(sessions.of('a')).toBe(first)
    now += 59_000
    expect(sessions.of('a')).toBe(first)
    now += 61_000
    expect(sessions.of('a')).not.toBe(first)
    expect(sessions.of('')).toBe(own)
  })

  it('ends when there are too many others that were used later', async () => {
    const { ask } = open({ sessions: { max: 2 } })
    for (const session of ['a', 'b', 'a', 'c']) await ask('POST', '/users', { name: 'x' }, as(session))
    const keys = (await ask('GET', '/__sim/sessions')).body.map(({ key }: { key: string }) => key)
    expect(keys.toSorted()).toEqual(['', 'a', 'c'])
    expect((await ask('GET', '/users')).body).toEqual([])
  })
})

function request(path: string, session?: string, user?: string): Unkeyed {
  return { path, user, headers: session === undefined ? {} : { 'x-sim-session': session } }
}

describe('the key of a session', () => {
  it.for([
    ['/x', undefined, undefined, '', '/x'],
    ['/x', 'a', undefined, 'a', '/x'],
    ['/x', undefined, 'ada', 'ada', '/x'],
    ['/x', '', 'ada', 'ada', '/x'],
    ['/x', 'a', 'ada', 'a', '/x'],
    ['/__sim/s/b/x/y', 'a', 'ada', 'b', '/x/y'],
    ['/__sim/s/b', undefined, undefined, 'b', '/'],
    ['/__sim/s/b/', undefined, undefined, 'b', '/'],
    ['/__sim/s/a%3Ab/%20', undefined, undefined, 'a:b', '/%20'],
    ['/__sim/s/', 'a', undefined, 'a', '/__sim/s/'],
    ['/__sim/store', 'a', undefined, 'a', '/__sim/store'],
  ] as const)('of %s with header %s and user %s is %s', ([path, header, user, key, rest]) => {
    const keyed = request(path, header, user)
    expect([applySession(keyed), keyed.path]).toEqual([key, rest])
  })

  it.for([
    ['/x', 'a b'],
    ['/x', 'a, b'],
    ['/x', 'x'.repeat(129)],
    ['/__sim/s/a%2Fb/x', undefined],
    ['/__sim/s/%FF/x', undefined],
  ] as const)('is refused where it cannot be: %s, %s', ([path, header]) => {
    expect(() => applySession(request(path, header))).toThrow('cannot be the key of a session')
  })
})
