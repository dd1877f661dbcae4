import { describe, expect, it } from 'vitest'
import { rateLimit } from '../../plugins/rate-limit.ts'
import { createLimiter } from '../../src/state/limiter.ts'
import { testPlan, testRoute, testSession } from './plan.ts'

function limited(limit: number | undefined, rules: Parameters<typeof testSession>[0] = []) {
  const session = testSession(rules)
  session.clock.freeze(0)
  const route = testRoute({ rateLimit: limit }, { countKey: ({ path }) => path })
  const send = testPlan([rateLimit], route, session)
  return async (ms: number, url = '/') => {
    session.clock.freeze(ms)
    return send({ url })
  }
}

describe('a rate limit', () => {
  it('admits as many in any one second, and does not count what it refused', async () => {
    const at = limited(2)
    const statuses = []
    for (const ms of [0, 900, 950, 999, 1000, 1899, 1900]) statuses.push((await at(ms)).status)
    expect(statuses).toEqual([200, 200, 429, 429, 200, 429, 200])
  })

  it('counts keys apart', async () => {
    const at = limited(1)
    expect([await at(0, '/a'), await at(0, '/b'), await at(0, '/a')].map(({ status }) => status)).toEqual([
      200, 200, 429,
    ])
  })

  it('states the quota on responses and refusals', async () => {
    const at = limited(2)
    const responses = [await at(0), await at(0), await at(0)]
    expect(responses.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['1', '0', '0'])
    const refusal = responses[2]
    expect(refusal?.text).toBe('{"detail":"Rate limit exceeded (simulated)"}')
    expect(refusal?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '2',
      'ratelimit-reset': '1',
    })
  })

  it('states whole seconds on a clock with fractions', async () => {
    const at = limited(1)
    for (const ms of [1234.5678, 7919.1, 99_999.9999]) {
      await at(ms)
      expect((await at(ms)).headers['ratelimit-reset']).toBe('1')
    }
  })

  it.for([[undefined], [0], [-1]] as const)('of %j adds no step', ([limit]) => {
    expect(rateLimit.plan(testRoute({ rateLimit: limit }), testSession())).toBeUndefined()
  })

  it('below 1 admits one request a second', async () => {
    const at = limited(0.5)
    expect([(await at(0)).status, (await at(0)).status]).toEqual([200, 429])
  })

  it('of a rule joins that of the route, and the tightest is stated', async () => {
    const at = limited(2, [{ name: 'all', rateLimit: { requests: 3, perSeconds: 10, by: 'client' } }])
    const quotaAt = async (ms: number, url: string) => {
      const { status, headers } = await at(ms, url)
      return [status, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['retry-after']]
    }
    expect(await quotaAt(0, '/a')).toEqual([200, '2', '1', undefined])
    expect(await quotaAt(0, '/a')).toEqual([200, '2', '0', undefined])
    expect(await quotaAt(0, '/a')).toEqual([429, '2', '0', '1'])
    expect(await quotaAt(0, '/b')).toEqual([200, '3', '0', undefined])
    expect(await quotaAt(1000, '/b')).toEqual([429, '3', '0', '9'])
    expect(await quotaAt(10_000, '/a')).toEqual([200, '2', '1', undefined])
  })
})

describe('a limiter', () => {
  it('forgets the key that was not seen for longest when there are too many', () => {
    const limiter = createLimiter()
    const admit = (key: string): boolean => limiter.admit([{ key, limit: 1, windowMs: 1000 }], 0).isAdmitted
    for (const key of ['kept', 'forgotten']) expect(admit(key)).toBe(true)
    expect(admit('kept')).toBe(false)
    for (let i = 0; i < 99_999; i++) admit(String(i))
    expect([admit('kept'), admit('forgotten')]).toEqual([false, true])
    limiter.clear()
    expect(admit('kept')).toBe(true)
  })

  it('admits no more than the limit in any window, however many come', () => {
    const limiter = createLimiter()
    const admitted: number[] = []
    for (let now = 0; now < 20_000; now += 3)
      if (limiter.admit([{ key: 'a', limit: 300, windowMs: 1000 }], now).isAdmitted) admitted.push(now)
    for (const [index, now] of admitted.entries())
      expect(now - (admitted[index - 300] ?? -1000)).toBeGreaterThanOrEqual(1000)
    expect(admitted.length).toBe(6000)
  })
})
