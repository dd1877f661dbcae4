import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createWindows, rateLimit } from '../../plugins/rate-limit.ts'
import { sendError } from '../../src/gateway/reply.ts'

async function appWith(limit: number | undefined) {
  const clock = { ms: 0 }
  const app = Fastify()
  app.setErrorHandler(sendError)
  await app.register(rateLimit, {
    rules: (request) => (limit === undefined ? [] : [{ limit, key: request.url }]),
    now: () => clock.ms,
  })
  app.get('/*', () => 'in')
  const statusAt = async (ms: number, url = '/'): Promise<number> => {
    clock.ms = ms
    return (await app.inject(url)).statusCode
  }
  return { app, statusAt }
}

describe('rateLimit', () => {
  it('admits the limit in any one second, and does not count what it refused', async () => {
    const { statusAt } = await appWith(2)
    expect(await statusAt(0)).toBe(200)
    expect(await statusAt(900)).toBe(200)
    expect(await statusAt(950)).toBe(429)
    expect(await statusAt(999)).toBe(429)
    expect(await statusAt(1000)).toBe(200)
    expect(await statusAt(1899)).toBe(429)
    expect(await statusAt(1900)).toBe(200)
  })

  it('counts keys apart', async () => {
    const { statusAt } = await appWith(1)
    expect([await statusAt(0, '/a'), await statusAt(0, '/b'), await statusAt(0, '/a')]).toEqual([
      200, 200, 429,
    ])
  })

  it('tells the quota on admitted answers and refusals', async () => {
    const { app } = await appWith(2)
    const answers = [await app.inject('/'), await app.inject('/'), await app.inject('/')]
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['1', '0', '0'])
    const refusal = answers[2]
    expect(refusal?.json()).toEqual({ detail: 'Rate limit exceeded (simulated)' })
    expect(refusal?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '2',
      'ratelimit-reset': '1',
    })
  })

  it('tells whole seconds on a clock with fractions', async () => {
    const { app, statusAt } = await appWith(1)
    for (const ms of [1234.5678, 7919.1, 99_999.9999]) {
      await statusAt(ms)
      expect((await app.inject('/')).headers['ratelimit-reset']).toBe('1')
    }
  })

  it.for([[undefined], [0], [-1]] as const)('admits everything with the limit %j', async ([limit]) => {
    const { statusAt } = await appWith(limit)
    for (let i = 0; i < 20; i++) expect(await statusAt(0)).toBe(200)
  })

  it('admits at least one request a second with a limit below 1', async () => {
    const { statusAt } = await appWith(0.5)
    expect([await statusAt(0), await statusAt(0)]).toEqual([200, 429])
  })

  it('admits what is within each of several limits, and tells the tightest', async () => {
    const clock = { ms: 0 }
    const app = Fastify()
    app.setErrorHandler(sendError)
    await app.register(rateLimit, {
      rules: ({ url }) => [
        { limit: 3, key: 'all' },
        { limit: 2, windowMs: 10_000, key: url },
      ],
      now: () => clock.ms,
    })
    app.get('/*', () => 'in')
    const at = async (ms: number, url: string) => {
      clock.ms = ms
      const { statusCode, headers } = await app.inject(url)
      return [statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['retry-after']]
    }
    expect(await at(0, '/a')).toEqual([200, '2', '1', undefined])
    expect(await at(0, '/a')).toEqual([200, '2', '0', undefined])
    expect(await at(0, '/a')).toEqual([429, '2', '0', '10'])
    expect(await at(0, '/b')).toEqual([200, '3', '0', undefined])
    expect(await at(0, '/b')).toEqual([429, '3', '0', '1'])
    expect(await at(1000, '/b')).toEqual([200, '2', '0', undefined])
    expect(await at(10_000, '/a')).toEqual([200, '2', '1', undefined])
  })

  it('forgets the key that was not seen for longest when there are too many', () => {
    const windows = createWindows()
    for (const key of ['kept', 'forgotten', 'kept']) windows.set(key, [1])
    for (let i = 0; i < 99_999; i++) windows.set(String(i), [])
    expect([windows.get('kept'), windows.get('forgotten')]).toEqual([[1], []])
    windows.clear()
    expect(windows.get('kept')).toEqual([])
  })
})
