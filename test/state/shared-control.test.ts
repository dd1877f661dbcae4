import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { StateOptions } from '../../src/state/state-options.ts'
import { agreedSeed } from '../../src/state/redis/open-state.ts'
import { askOf, usersApi, type Asking } from '../control/ask.ts'
import { hasRedis, startRedis, type RedisServer } from './redis-server.ts'

interface Gateway extends Asking {
  readonly name: string
}

const as = (session: string) => ({ headers: { 'x-sim-session': session } })

let redis: RedisServer
let names = 0
beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
})
afterAll(() => redis?.stop())

async function open(
  name: string,
  gateway: string,
  options: Partial<GatewayOptions> = {},
  state: Partial<StateOptions> = {},
  api = usersApi(),
): Promise<Gateway> {
  const app = createGateway({
    ...api.gatewayOptions(),
    ...options,
    state: { url: redis.unixUrl, name, gateway, ...state },
  })
  onTestFinished(() => app.close())
  await app.ready()
  return { app, name: gateway, ask: askOf(app) }
}

async function openThree(
  options: Partial<GatewayOptions> = {},
): Promise<readonly [Gateway, Gateway, Gateway]> {
  const name = `t${++names}`
  return [await open(name, 'a', options), await open(name, 'b', options), await open(name, 'c', options)]
}

// By how much two gateways may be apart at most.
async function clockErrorMs(gateways: readonly Gateway[]): Promise<number> {
  const texts = await Promise.all(gateways.map(({ ask }) => ask('GET', '/__sim/metrics')))
  const errors = texts.map(({ body }) => Number(/^sim_state_clock_error_seconds (\S+)/m.exec(body)?.[1]))
  return 2000 * Math.max(...errors)
}

describe.skipIf(!hasRedis)('three gateways of one state', () => {
  it('have chaos in force everywhere when it was set, and name who has it', async () => {
    const all = await openThree()
    const [a, b, c] = all
    for (const each of all) expect((await each.ask('GET', '/users', undefined, as('s'))).status).toBe(200)
    const set = await b.ask(
      'PUT',
      '/__sim/chaos',
      { rules: [{ errors: { rate: 1, codes: [418] } }] },
      as('s'),
    )
    expect(set.headers).toMatchObject({ 'x-sim-state-gateways': 'b, a, c', 'x-sim-state-version': '1' })
    expect(set.headers['x-sim-state-behind']).toBeUndefined()
    for (const each of all) expect((await each.ask('GET', '/users', undefined, as('s'))).status).toBe(418)
    expect((await a.ask('GET', '/users')).status).toBe(200)
    // Who comes later has it as well.
    const late = await open(`t${names}`, 'd')
    expect((await late.ask('GET', '/users', undefined, as('s'))).status).toBe(418)
    const { body } = await c.ask('GET', '/__sim/chaos', undefined, as('s'))
    expect(body.log).toHaveLength(4)
  })

  it('verify, list and number what any of them answered, in the order in which it came', async () => {
    const all = await openThree()
    const [a, b, c] = all
    for (let index = 0; index < 30; index++) {
      await all[index % 3]?.ask('GET', `/users?page=${index}`, undefined, as('s'))
      // Those that are closer than their clocks may be wrong have no order.
      await wait(await clockErrorMs(all))
    }
    const requests = Array.from({ length: 30 }, (_, index) => ({
      method: 'GET',
      path: '/users',
      query: { page: String(index) },
      exactly: 1,
    }))
    for (const each of all) {
      const { status, body } = await each.ask('POST', '/__sim/verify', { requests, in_order: true }, as('s'))
      expect([status, body.verified]).toEqual([200, true])
    }
    const listed = await b.ask('GET', '/__sim/requests?since=20', undefined, as('s'))
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21])
    const every = await b.ask('GET', '/__sim/requests', undefined, as('s'))
    const one = every.body.find(({ gateway }: { gateway: string }) => gateway === 'c')
    const same = await a.ask('GET', `/__sim/requests/${one.id}`, undefined, as('s'))
    expect(same.body).toEqual(one)
    expect((await c.ask('GET', `/__sim/requests/${one.id}/explain`, undefined, as('s'))).status).toBe(200)
    expect(await a.ask('GET', `/__sim/requests/${one.id}/explain`, undefined, as('s'))).toMatchObject({
      status: 421,
      body: { code: 'SIM_REQUEST_ELSEWHERE', gateway: 'c' },
    })
    expect((await b.ask('DELETE', '/__sim/requests', undefined, as('s'))).body).toEqual({ removed: 30 })
    for (const each of all)
      expect((await each.ask('GET', '/__sim/requests', undefined, as('s'))).body).toEqual([])
    await a.ask('GET', '/users', undefined, as('s'))
    expect((await b.ask('GET', '/__sim/requests', undefined, as('s'))).body[0].id).toBe(31)
  })

  it('have one clock, the same overrides and seed, and one reset', async () => {
    const all = await openThree()
    const [a, b, c] = all
    await b.ask('GET', '/__sim/clock')
    await a.ask('POST', '/__sim/clock/freeze', { at: '2030-01-01T00:00:00.000Z' })
    await b.ask('POST', '/__sim/clock/advance', { ms: 1500 })
    for (const each of all)
      expect((await each.ask('GET', '/__sim/clock')).body).toEqual({
        now: '2030-01-01T00:00:01.500Z',
        frozen: true,
      })
    await c.ask('POST', '/__sim/overrides', { method: 'GET', path: '/users', status: 202, text: 'there' })
    for (const each of all) expect((await each.ask('GET', '/users')).status).toBe(202)
    await b.ask('POST', '/__sim/reset', { seed: 99 })
    for (const each of all) {
      expect((await each.ask('GET', '/__sim/clock')).body.frozen).toBe(false)
      expect((await each.ask('GET', '/__sim/overrides')).body).toEqual([])
      expect((await each.ask('GET', '/__sim/health')).body).toMatchObject({
        seed: 99,
        state: { gateway: each.name, reachable: true, behind: false, gateways: ['a', 'b', 'c'] },
      })
      expect((await each.ask('GET', '/users')).status).toBe(200)
    }
    const { body } = await a.ask('GET', '/__sim/requests')
    expect(body).toHaveLength(3)
  })
})

describe.skipIf(!hasRedis)('sessions of gateways that share a state', () => {
  it('count, store and are ended for all of them, by request and past the most', async () => {
    const [a, b, c] = await openThree({ sessions: { max: 2 } })
    const ids: number[] = []
    for (const each of [a, b, c, a])
      ids.push((await each.ask('POST', '/users', { name: each.name }, as('s'))).body.id)
    expect(ids).toEqual([1, 2, 3, 4])
    expect((await c.ask('GET', '/__sim/store', undefined, as('s'))).body).toEqual({ '/users': 4 })
    await a.ask('POST', '/__sim/overrides', { path: '/users', status: 202, times: 2 }, as('s'))
    const statuses: number[] = []
    for (const each of [a, b, c]) statuses.push((await each.ask('GET', '/users', undefined, as('s'))).status)
    expect(statuses).toEqual([202, 202, 200])
    const { body: listed } = await b.ask('GET', '/__sim/sessions')
    expect(listed).toEqual([
      { key: '', seed: 7, requests: 0 },
      { key: 's', seed: 7, requests: 7 },
    ])
    expect((await b.ask('DELETE', '/__sim/sessions/s')).body).toEqual({ ended: 's' })
    expect((await a.ask('DELETE', '/__sim/sessions/s')).status).toBe(404)
    expect((await c.ask('GET', '/users', undefined, as('s'))).body).toEqual([])
    expect((await b.ask('GET', '/__sim/requests', undefined, as('s'))).body).toHaveLength(1)
    for (const [index, key] of ['k', 'l', 'm'].entries())
      await [a, b, c][index]?.ask('POST', '/users', { name: key }, as(key))
    const keysOf = async () =>
      (await a.ask('GET', '/__sim/sessions')).body.map(({ key }: { key: string }) => key)
    await expect.poll(keysOf).toEqual(['', 'm', 'l'])
    expect((await a.ask('GET', '/users', undefined, as('k'))).body).toEqual([])
  })

  it('give an override as often as it says to requests that come at once', async () => {
    const all = await openThree()
    await all[0].ask('POST', '/__sim/overrides', { path: '/users', status: 202, times: 2 })
    const answers = await Promise.all(
      all.flatMap((each) => Array.from({ length: 4 }, () => each.ask('GET', '/users'))),
    )
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(2)
  })

  it('end when none of the gateways was requested for so long', async () => {
    const [a, b] = await openThree({ sessions: { idleSeconds: 0.4 } })
    await a.ask('POST', '/users', { name: 'kept' }, as('s'))
    for (let index = 0; index < 6; index++) {
      await new Promise((done) => setTimeout(done, 100))
      expect((await b.ask('GET', '/users', undefined, as('s'))).body).toHaveLength(1)
    }
    const keysOf = async () =>
      (await a.ask('GET', '/__sim/sessions')).body.map(({ key }: { key: string }) => key)
    await expect.poll(keysOf).toEqual([''])
    expect((await a.ask('GET', '/users', undefined, as('s'))).body).toEqual([])
  })
})

describe.skipIf(!hasRedis)('a gateway that shares its state', () => {
  it('is refused where its app is another, unless that is adopted', async () => {
    const name = `t${++names}`
    await open(name, 'a')
    await expect(open(name, 'b', {}, {}, usersApi(8))).rejects.toThrow('--state-app adopt')
    const adopted = await open(name, 'c', {}, { app: 'adopt' }, usersApi(8))
    expect((await adopted.ask('GET', '/__sim/health')).status).toBe(200)
  })

  it('follows the mode that another was given', async () => {
    const [a, b] = await openThree()
    await a.ask('PUT', '/__sim/modes', { mode: 'forward' })
    expect((await b.ask('GET', '/__sim/modes')).body.mode).toBe('forward')
  })

  it('measures what it has to do with the state, and what all sessions hold', async () => {
    const [a, b] = await openThree()
    for (const key of ['one', 'two']) await a.ask('POST', '/users', { name: 'x' }, as(key))
    const measured = async () => (await b.ask('GET', '/__sim/metrics')).body as string
    // One that came later is known from the next time on that the others say they are there.
    await expect.poll(measured).toMatch(/^sim_state_gateways 3$/m)
    const text = await measured()
    expect(text).toMatch(/^sim_state_up 1$/m)
    expect(text).toMatch(/^sim_state_calls_total\{script="beat"\} [1-9]/m)
    expect(text).toMatch(/^sim_sessions 3$/m)
    expect(text).toMatch(/^sim_store_items 2$/m)
  })

  it('agrees with all others on a seed that was drawn', async () => {
    const options = { url: redis.unixUrl, name: `t${++names}` }
    const [one, other] = await Promise.all([agreedSeed(options, 5), agreedSeed(options, 6)])
    expect([5, 6]).toContain(one)
    expect(other).toBe(one)
  })

  it('keeps its journal to itself, and says whose it is, where that is off', async () => {
    const name = `t${++names}`
    const [a, b] = [
      await open(name, 'a', {}, { journal: 'off' }),
      await open(name, 'b', {}, { journal: 'off' }),
    ]
    await a.ask('GET', '/users')
    const journal = await b.ask('GET', '/__sim/requests')
    expect([journal.body, journal.headers['x-sim-state-gateway']]).toEqual([[], 'b'])
    expect((await a.ask('GET', '/__sim/requests')).body).toHaveLength(1)
  })
})
