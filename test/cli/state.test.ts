import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { usersApi } from '../control/ask.ts'
import { temporaryDirectory } from '../recording/samples.ts'
import { hasRedis, startRedis, type RedisServer } from '../state/redis-server.ts'
import { simHere, type Printed } from './run-in-process.ts'

let redis: RedisServer
beforeAll(async () => {
  if (hasRedis) redis = await startRedis()
})
afterAll(() => redis?.stop())

const state = (name: string, ...args: readonly string[]): Promise<Printed> =>
  simHere('state', ...args, '--state', redis.url, '--name', name)

async function openGateway(name: string, gateway: string) {
  const app = createGateway({
    ...usersApi().gatewayOptions(),
    state: { url: redis.unixUrl, name, gateway },
  })
  onTestFinished(() => app.close())
  await app.ready()
  const ask = async (method: 'GET' | 'POST' | 'DELETE' | 'PUT', url: string, body?: object, session = '') => {
    const headers = { host: 'localhost', ...(session !== '' && { 'x-sim-session': session }) }
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    return answer.body === '' ? answer.statusCode : answer.json<Record<string, unknown>>()
  }
  return { app, ask }
}

describe.skipIf(!hasRedis)('sim state', () => {
  it('says what a server is like, and what may surprise', async () => {
    await openGateway('checked', 'one')
    const { code, stdout, stderr } = await state('checked', 'check')
    expect([code, stderr]).toEqual([0, ''])
    for (const text of [/^server +(Redis|Valkey) \d\S+ at redis:\/\/127/m, /noeviction/, /^round trip +\d/m])
      expect(stdout).toMatch(text)
    expect(stdout).toMatch(/^gateways +one \(version \d+\)$/m)
    expect(stdout).toMatch(/^warning +Nothing is written to disk/m)
  })

  it('names at once all that is unsafe, and never a password', async () => {
    const secret = 'hunter2-secret'
    const unsafe = await startRedis({
      aof: 'everysec',
      args: [
        ...['--maxmemory-policy', 'allkeys-lru'],
        ...['--user', 'sim', 'on', `>${secret}`, '~other*', '+@all', '-eval'],
      ],
    })
    onTestFinished(() => unsafe.stop())
    const url = unsafe.url.replace('//', `//sim:${secret}@`)
    const { code, stdout, stderr } = await simHere('state', 'check', '--state', url, '--json')
    expect(code).toBe(1)
    const { problems, persistence } = JSON.parse(stdout) as { problems: string[]; persistence: string }
    expect([problems.length, persistence]).toEqual([3, 'AOF everysec'])
    expect(stderr).toContain('maxmemory-policy allkeys-lru')
    expect(stderr).toContain('does not let this user run scripts')
    const wrong = await simHere('state', 'inspect', '--state', url.replace('sim:', 'sim:not-'))
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('WRONGPASS') as string })
    expect(`${stdout}${stderr}${wrong.stderr}`).not.toContain(secret)
  })

  it('names commands that the user may not use', async () => {
    const blind = await startRedis({
      args: ['--user', 'sim', 'on', 'nopass', '~*', '+@all', '-hgetall'],
    })
    onTestFinished(() => blind.stop())
    const { code, stderr } = await simHere('state', 'check', '--state', blind.url.replace('//', '//sim:x@'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not let this user run HGETALL on')])
  })

  it('saves and restores a session, whose gateways go on', async () => {
    const [one, two] = [await openGateway('saved', 'one'), await openGateway('saved', 'two')]
    const file = join(await temporaryDirectory(), 'store.json')
    for (const name of ['Ann', 'Bob "the\\n', 'Zoë 😀']) await one.ask('POST', '/users', { name })
    const before = await two.ask('GET', '/users')
    const saved = await state('saved', 'snapshot', '-o', file)
    expect(saved).toMatchObject({ code: 0, stderr: '' })
    expect(saved.stdout).toMatch(/^Wrote \d+ items of the session without a key to /)
    const { version, collections } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>
    expect(version).toBe(1)
    expect({ collections }).toMatchObject({
      collections: ((await one.ask('GET', '/__sim/snapshot')) as Record<string, unknown>)['collections'],
    })
    await one.ask('DELETE', '/users/1')
    await one.ask('POST', '/users', { name: 'Later' })
    expect((await state('saved', 'restore', file)).stdout).toMatch(/^Restored \d+ items/)
    expect(await one.ask('GET', '/users')).toEqual(before)
    expect(await two.ask('GET', '/users')).toEqual(before)
    // Ids go on after those of the snapshot, and what is new comes last.
    const added = (await two.ask('POST', '/users', { name: 'New' })) as { readonly id: number }
    const listed = (await one.ask('GET', '/users')) as unknown as { readonly id: number }[]
    expect(listed.at(-1)?.id).toBe(added.id)

    const restored = await state('saved', 'restore', file, '--session', 'w-1')
    expect(restored.stdout).toContain("session 'w-1'")
    expect(await one.ask('GET', '/users', undefined, 'w-1')).toEqual(before)
    expect((await state('saved', 'inspect')).stdout).toMatch(/^\(none\) +1 +\d+/m)
    expect((await state('saved', 'inspect', '--session', 'w-1')).stdout).toMatch(/^\/users +\d+ +\d+$/m)
  })

  it('leaves all as it is where a snapshot is not one', async () => {
    const { ask } = await openGateway('kept', 'one')
    await ask('POST', '/users', { name: 'Ann' })
    const before = await ask('GET', '/users')
    const file = join(await temporaryDirectory(), 'store.json')
    for (const [text, message] of [
      [
        '{"version":1,"collections":{"/users":{"assigned":1,"items":[["1",{"id":1}],["2"',
        'it ends too early',
      ],
      ['{"version":1,"collections":{"/users":{"assigned":1,"items":[["1",{}],[2,{}]]}}}', 'item 2 of /users'],
      ['{"version":2,"collections":{}}', 'its version is 2'],
      ['{"version":1,"collections":{"/users":{"items":[]}}}', 'how many ids'],
    ] as const) {
      writeFileSync(file, text)
      const { code, stderr } = await state('kept', 'restore', file)
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    }
    expect(await ask('GET', '/users')).toEqual(before)
    expect(redis.cli('--scan', '--pattern', 'sim:{kept/*}:a:*')).toBe('')
  })

  it('has sessions begin again on all gateways', async () => {
    const [one, two] = [await openGateway('reset', 'one'), await openGateway('reset', 'two')]
    const first = await one.ask('GET', '/users')
    for (const session of ['', 'w-1']) {
      await one.ask('POST', '/users', { name: 'Ann' }, session)
      await one.ask('PUT', '/__sim/chaos', { rules: [{ errors: { rate: 1 } }] }, session)
    }
    expect((await state('reset', 'reset', '--session', 'w-1')).stdout).toBe("Reset session 'w-1'\n")
    expect(await two.ask('GET', '/users', undefined, 'w-1')).toEqual(first)
    expect(await two.ask('GET', '/users')).not.toEqual(first)
    expect(await state('reset', 'reset', '--all')).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Reset 2 sessions\n',
    })
    for (const { ask } of [two, one]) expect(await ask('GET', '/users')).toEqual(first)
    expect(await one.ask('GET', '/__sim/health')).toMatchObject({ state: { behind: false } })
  })

  it('takes all away that has a name, once nobody uses it', async () => {
    const { app, ask } = await openGateway('gone', 'one')
    await openGateway('gone2', 'other')
    await ask('POST', '/users', { name: 'Ann' }, 'w-1')
    const { code, stderr } = await state('gone', 'clear')
    expect([code, stderr]).toEqual([2, expect.stringContaining('one uses gone: end them first')])
    await app.close()
    expect((await state('gone', 'clear')).stdout).toMatch(/^Took away \d+ keys of gone$/m)
    expect(redis.cli('--scan', '--pattern', 'sim:{gone[}/]*')).toBe('')
    expect(redis.cli('--scan', '--pattern', 'sim:{gone2}*')).not.toBe('')
  })

  it('wants to know where', async () => {
    expect(await simHere('state', 'check')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--state redis://127.0.0.1:6379, or SIM_STATE') as string,
    })
  })
})
