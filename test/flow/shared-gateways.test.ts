import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasRedis, startRedis, type RedisServer } from '../state/redis-server.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, send, spawnSim, type Answer } from './kit.ts'
import type { SimServer } from './sim-process.ts'

let redis: RedisServer
let names = 0
beforeAll(async () => {
  if (hasRedis) redis = await startRedis({ aof: 'always' })
})
afterAll(() => redis?.stop())

const APP = `routes:
  GET /ping:
    output: { ok: boolean }
`

const STORE = `options: { stateful: true }
models:
  NewUser: { type: object, required: [name], properties: { name: { type: string } } }
  User:
    type: object
    required: [id, name]
    properties: { id: { type: integer }, name: { type: string, x-sim-link: { fromInput: name } } }
routes:
  POST /users: { input: { $ref: '#/models/NewUser' }, output: { $ref: '#/models/User' }, status: 201 }
`

async function startGateways(count: number): Promise<readonly SimServer[]> {
  const { path } = openFolder({ 'app.yaml': APP })
  const name = `f${++names}`
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      spawnSim(
        [
          ...['run', 'app.yaml', '--seed', '1', '--state', redis.unixUrl],
          ...['--state-name', name, '--state-gateway', 'abc'.charAt(index)],
        ],
        path,
      ),
    ),
  )
}

const ask = (server: SimServer | undefined, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, `${server?.url}${path}`, body)

describe.skipIf(!hasRedis)('gateways of one state', () => {
  it('name one that hangs, which answers nothing until it has what it lacks', async () => {
    const [a, b] = await startGateways(2)
    expect((await ask(b, 'GET', '/ping')).status).toBe(200)
    b?.process.kill('SIGSTOP')
    atEnd(() => b?.process.kill('SIGCONT'))
    const set = await ask(a, 'PUT', '/__sim/chaos', { rules: [{ errors: { rate: 1, codes: [418] } }] })
    expect(Object.fromEntries(set.headers)).toMatchObject({
      'x-sim-state-gateways': 'a',
      'x-sim-state-behind': 'b',
    })
    expect((await ask(a, 'GET', '/ping')).status).toBe(418)
    await wait(600)
    b?.process.kill('SIGCONT')
    const statuses = new Set<number>()
    for (let status = 0; status !== 418; statuses.add(status)) status = (await ask(b, 'GET', '/ping')).status
    expect([...statuses].every((status) => status === 503 || status === 418)).toBe(true)
    expect((await ask(b, 'GET', '/__sim/health')).body.state).toMatchObject({ behind: false, version: 1 })
  })

  it('say of one that is lost from the moment on from which nobody waits for it', async () => {
    const [a] = await startGateways(1)
    const [key = ''] = redis.cli('KEYS', `*{f${names}}:gw`).split('\n')
    for (const lost of [1, 2, 3, 4]) {
      redis.cli('HSET', key, `gone-${lost}`, `instance-${lost} 0 1 -`)
      const { body } = await ask(a, 'POST', '/__sim/verify', { requests: [{ path: '/ping', exactly: 0 }] })
      expect(body).toMatchObject({ verified: true, lost_gateways: lost })
    }
  })

  it('verify without one that was killed once it counts as lost, and say so', async () => {
    const [a, b] = await startGateways(2)
    await ask(a, 'GET', '/ping')
    await ask(b, 'GET', '/ping')
    const verify = () => ask(a, 'POST', '/__sim/verify', { requests: [{ path: '/ping', at_least: 1 }] })
    expect((await verify()).body).toEqual({ verified: true, counts: [2], dropped: 0 })
    b?.process.kill('SIGKILL')
    let answer = await verify()
    expect(answer).toMatchObject({ status: 503, body: { code: 'SIM_STATE_PARTIAL' } })
    while (answer.status === 503) answer = await verify()
    expect(answer.body).toEqual({ verified: true, counts: [2], dropped: 0, lost_gateways: 1 })
    await ask(a, 'DELETE', '/__sim/requests')
    await ask(a, 'GET', '/ping')
    expect((await verify()).body).toEqual({ verified: true, counts: [1], dropped: 0 })
  })

  it('are the workers of one command, each by its number, with one store and one control plane', async () => {
    const { path } = openFolder({ 'app.yaml': STORE })
    const state = ['--state', redis.unixUrl, '--state-name', `f${++names}`, '--state-gateway', 'w']
    const server = await spawnSim(['run', 'app.yaml', '--workers', '2', ...state], path)
    const created = await Promise.all(
      Array.from({ length: 40 }, () => ask(server, 'POST', '/users', { name: 'x' })),
    )
    const ids = created.map(({ body }) => Number(body.id))
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect((await ask(server, 'GET', '/__sim/store')).body).toEqual({ '/users': 40 })
    const living = async () => (await ask(server, 'GET', '/__sim/health')).body.state.gateways.toSorted()
    await expect.poll(living).toEqual(['w-1', 'w-2'])
    const requests = [{ method: 'POST', path: '/users', exactly: 40 }]
    expect((await ask(server, 'POST', '/__sim/verify', { requests })).body.verified).toBe(true)
  })

  it('keep what came while the server was gone, and have all changes of before when it is back', async () => {
    const [a, b] = await startGateways(2)
    await ask(a, 'POST', '/__sim/clock/freeze', { at: '2030-01-01T00:00:00.000Z' })
    await ask(b, 'GET', '/ping')
    await redis.kill()
    for (const each of [a, b, a]) expect((await ask(each, 'GET', '/ping')).status).toBe(200)
    expect((await ask(a, 'POST', '/__sim/clock/advance', { ms: 1 })).body.code).toBe('SIM_STATE_UNAVAILABLE')
    expect((await ask(a, 'GET', '/__sim/clock')).body.now).toBe('2030-01-01T00:00:00.000Z')
    await redis.restart()
    let moved = await ask(b, 'POST', '/__sim/clock/advance', { ms: 5 })
    while (moved.status === 503) moved = await ask(b, 'POST', '/__sim/clock/advance', { ms: 5 })
    for (const each of [a, b])
      expect((await ask(each, 'GET', '/__sim/clock')).body.now).toBe('2030-01-01T00:00:00.005Z')
    const { body } = await ask(a, 'POST', '/__sim/verify', { requests: [{ path: '/ping', exactly: 4 }] })
    expect(body).toMatchObject({ verified: true, counts: [4] })
  })
})
