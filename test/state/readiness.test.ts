import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readiness } from '../../src/control/health.ts'
import { createLeaving } from '../../src/control/leaving.ts'
import { createGateway } from '../../src/gateway.ts'
import type { StateHealth } from '../../src/state/shared-state.ts'
import { open, usersApi } from '../control/ask.ts'
import { serve } from '../flow/kit.ts'
import { hasRedis, startRedis } from './redis-server.ts'

const TOKEN = 'correct-horse'
const PATH = '/__sim/ready'

describe('/__sim/ready', () => {
  it('is open to whoever asks, who gets the status alone', async () => {
    const { ask } = open({ control: { adminToken: TOKEN } })
    const stranger = await ask('GET', PATH, undefined, { remoteAddress: '10.1.2.3' })
    expect([stranger.status, stranger.body]).toEqual([200, ''])
    const authorization = `Bearer ${TOKEN}`
    const known = await ask('GET', PATH, undefined, { headers: { authorization } })
    expect([known.status, known.body]).toEqual([200, { status: 'ready' }])
    for (const path of ['/__sim/health', `${PATH}/`, '/__sim/s/a/__sim/routes'])
      expect((await ask('GET', path, undefined, { remoteAddress: '10.1.2.3' })).status).toBe(401)
    expect((await ask('POST', PATH, {}, { remoteAddress: '10.1.2.3' })).status).toBe(401)
  })

  it('is 503 for a gateway that lacks what others have changed', async () => {
    const health = { gateway: 'a', reachable: true, behind: true } as StateHealth
    const { response } = await readiness({
      ...{ recorders: { all: () => [] } as never, mustRecord: false },
      state: { health: () => health } as never,
      leaving: createLeaving(),
    })
    expect(response).toMatchObject({ status: 503, body: expect.anything() as unknown })
    expect(JSON.parse(Buffer.from(response.body ?? '').toString())).toMatchObject({
      code: 'SIM_STATE_BEHIND',
    })
  })

  it('is 503 before a gateway ends, until who looks again and again has seen that', async () => {
    const gateway = await serve(createGateway(usersApi().gatewayOptions()))
    const look = async (): Promise<number> => (await fetch(`${gateway.url}${PATH}`)).status
    expect([await look(), await look()]).toEqual([200, 200])
    const closing = gateway.app.close()
    const users = await fetch(`${gateway.url}/users`)
    expect([await look(), users.status]).toEqual([503, 200])
    await closing
    await expect(look()).rejects.toThrow('fetch failed')
  })

  it('is nothing to wait for where nobody looks, or did so once', async () => {
    let now = 0
    const leaving = createLeaving(() => now)
    leaving.looked('1.2.3.4')
    await leaving.begin()
    expect(leaving.hasBegun).toBe(true)
    leaving.looked('::1')
    now += 1000
    leaving.looked('::1')
    now += 60_000
    await leaving.begin()
  })

  it.skipIf(!hasRedis)('says whether the shared state can be used, while health goes on', async () => {
    const redis = await startRedis({ aof: 'everysec', args: ['--requirepass', 'first'] })
    onTestFinished(() => redis.stop())
    const cli = (password: string, ...args: readonly string[]): string =>
      redis.cli('--no-auth-warning', '-a', password, ...args)
    const url = redis.url.replace('//', '//:first@')
    const app = createGateway({
      ...usersApi().gatewayOptions(),
      ...{ state: { url, gateway: 'one' }, control: { adminToken: TOKEN } },
    })
    onTestFinished(() => app.close())
    await app.ready()
    const get = (path: string) =>
      app.inject({ url: path, headers: { host: 'localhost', authorization: `Bearer ${TOKEN}` } })
    const becomes = async (status: number, code?: string, says = ''): Promise<unknown> => {
      for (;;) {
        const answer = await get(PATH)
        const body = answer.json<{ readonly code?: string }>()
        if (answer.statusCode === status && body.code === code && answer.body.includes(says)) return body
        await wait(10)
      }
    }
    expect(await becomes(200)).toEqual({ status: 'ready' })
    await redis.kill()
    expect(await becomes(503, 'SIM_STATE_UNAVAILABLE')).toMatchObject({ status: 'not ready' })
    const stranger = await app.inject({ url: PATH })
    expect([stranger.statusCode, stranger.body, stranger.headers['x-sim-code']]).toEqual([
      ...[503, ''],
      'SIM_STATE_UNAVAILABLE',
    ])
    const health = await get('/__sim/health')
    expect([health.statusCode, health.json()]).toMatchObject([
      200,
      { state: { gateway: 'one', reachable: false } },
    ])
    await redis.restart()
    expect(await becomes(200)).toEqual({ status: 'ready' })
    expect((await get('/__sim/health')).json()).toMatchObject({
      state: {
        engine: expect.stringMatching(/^(Redis|Valkey) \d/) as string,
        reachable: true,
        gateways: ['one'],
        behind: false,
      },
    })
    cli('first', 'CONFIG', 'SET', 'requirepass', 'second')
    cli('second', 'CLIENT', 'KILL', 'TYPE', 'normal')
    const reason =
      /^The shared state cannot be used: redis:\/\/127\S+: WRONGPASS .* ACL SETUSER default >password$/
    expect(await becomes(503, 'SIM_STATE_UNAVAILABLE', 'WRONGPASS')).toMatchObject({
      reasons: [expect.stringMatching(reason)],
    })
    cli('second', 'ACL', 'SETUSER', 'default', '>first')
    expect(await becomes(200)).toEqual({ status: 'ready' })
    cli('first', 'FLUSHALL')
    await redis.restart()
    expect(await becomes(503, 'SIM_STATE_LOST')).toMatchObject({ reasons: [expect.stringContaining('lost')] })
  })
})
