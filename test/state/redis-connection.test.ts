import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { connect, type RedisConnection } from '../../src/state/redis/connection.ts'
import { defineScript } from '../../src/state/redis/scripts.ts'
import { hasRedis, startRedis, type RedisServer } from './redis-server.ts'

const setKey = defineScript('setKey', [], `return redis.call('SET', KEYS[1], ARGV[1])`)
const getKey = defineScript('getKey', ['no-writes'], `return redis.call('GET', KEYS[1])`)
const KEY = ['sim:{sim}:test']

const closing: { close?(): Promise<void>; stop?(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of closing.toReversed()) await (each.close?.() ?? each.stop?.())
})

async function start(...settings: Parameters<typeof startRedis>): Promise<RedisServer> {
  const server = await startRedis(...settings)
  closing.push(server)
  return server
}

async function open(...options: Parameters<typeof connect>): Promise<RedisConnection> {
  const connection = await connect(...options)
  closing.push(connection)
  return connection
}

function becomes(connection: RedisConnection, isUp: boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.follow((now) => {
      if (now !== isUp) return
      stop()
      resolve()
    })
    if (connection.isUp === isUp) resolve()
  })
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

describe.skipIf(!hasRedis)('a connection to the server of a shared state', () => {
  it('runs scripts over TCP and a Unix socket, and again after the server has forgotten them', async () => {
    const server = await start()
    for (const url of [server.url, server.unixUrl]) {
      const connection = await open({ url })
      expect(await connection.run(setKey, KEY, [url])).toBe('OK')
      server.cli('SCRIPT', 'FLUSH')
      expect(await connection.run(getKey, KEY, [])).toBe(url)
    }
  })

  it('names all reasons at once that a server cannot be used, and never a password', async () => {
    const server = await start({ args: ['--requirepass', 'hunter2', '--maxmemory-policy', 'allkeys-lru'] })
    const url = server.url.replace('//', '//:hunter2@')
    const more = (): Promise<readonly string[]> => Promise.resolve(['its CA is another'])
    await expect(connect({ url }, more)).rejects.toMatchObject({
      code: 'SIM_STATE_UNUSABLE',
      problems: [expect.stringContaining('allkeys-lru'), 'its CA is another'],
    })
    const wrong = connect({ url: url.replace('hunter2', 'hunter3') })
    await expect(wrong).rejects.toThrow(/^(?!.*hunter).*WRONGPASS/)
    await expect(connect({ url: 'redis://:hunter2@' })).rejects.toThrow(/^(?!.*hunter).*cannot be read/)
  })

  it('answers what was under way when the server was killed as uncertain, and the rest as unavailable', async () => {
    const server = await start({ aof: 'always' })
    const connection = await open({ url: server.url })
    await connection.run(setKey, KEY, ['kept'])
    server.pause()
    const under = [codeOf(connection.run(setKey, KEY, ['lost'])), codeOf(connection.run(getKey, KEY, []))]
    await new Promise(setImmediate)
    const down = becomes(connection, false)
    await server.kill()
    await down
    expect(await Promise.all(under)).toEqual(['SIM_STATE_UNCERTAIN', 'SIM_STATE_UNAVAILABLE'])
    await expect(connection.run(getKey, KEY, [])).rejects.toMatchObject({
      ...{ code: 'SIM_STATE_UNAVAILABLE', headers: { 'retry-after': '1' } },
    })
    await server.restart()
    await becomes(connection, true)
    expect(await connection.run(getKey, KEY, [])).toBe('kept')
  })

  it('goes on at once where a server that was paused goes on, and closes after two seconds without a word', async () => {
    const server = await start()
    const connection = await open({ url: server.url })
    server.pause()
    const began = performance.now()
    expect(await codeOf(connection.run(setKey, KEY, ['1']))).toBe('SIM_STATE_UNCERTAIN')
    expect(performance.now() - began).toBeLessThan(2500)
    server.resume()
    await becomes(connection, true)
    expect(await connection.run(setKey, KEY, ['2'])).toBe('OK')
  })

  it('asks nothing of a server that lost everything until the state begins anew, for all gateways', async () => {
    const server = await start()
    const one = await open({ url: server.url })
    const other = await open({ url: server.url })
    const born = one.born
    expect(other.born).toBe(born)
    await server.restart()
    await Promise.all([one, other].map((each) => lost(each)))
    expect(await codeOf(one.run(setKey, KEY, ['1']))).toBe('SIM_STATE_LOST')
    await one.begin()
    expect(await one.run(setKey, KEY, ['2'])).toBe('OK')
    await becomes(other, true)
    expect([await other.run(getKey, KEY, []), other.born]).toEqual(['2', one.born])
    expect(one.born).not.toBe(born)
  })

  it('is lost where what a check has seen is no longer there, unless that is to begin anew', async () => {
    const server = await start({ aof: 'always' })
    const one = await open({ url: server.url })
    const forgiving = await open({ url: server.url, lost: 'begin' })
    let seen: string | undefined = 'a session has fewer changes'
    one.watch({ find: () => Promise.resolve(seen), forget: () => (seen = undefined) })
    forgiving.watch({ find: () => Promise.resolve('a second'), forget: () => {} })
    await server.restart()
    await becomes(forgiving, true)
    await becomes(one, true)
    expect(seen).toBe(undefined)
  })

  it('names a server that is full and one that is only a replica, and goes on where that has passed', async () => {
    const server = await start({ maxmemory: '3mb' })
    const connection = await open({ url: server.url })
    const full = connection
      .run(setKey, KEY, ['x'.repeat(4_000_000)])
      .then(() => connection.run(setKey, KEY, ['1']))
    expect(await codeOf(full)).toBe('SIM_STATE_FULL')
    server.cli('CONFIG', 'SET', 'maxmemory', '0')
    server.cli('REPLICAOF', '127.0.0.1', '1')
    const down = becomes(connection, false)
    await expect(connection.run(setKey, KEY, ['1'])).rejects.toThrow(/READONLY/)
    // It is sent before the connection is left, and the server says that it was not done either.
    expect(await codeOf(connection.run(setKey, KEY, ['2']))).toBe('SIM_STATE_UNAVAILABLE')
    await down
    server.cli('REPLICAOF', 'NO', 'ONE')
    await becomes(connection, true)
    expect(await connection.run(setKey, KEY, ['1'])).toBe('OK')
  })

  it('says that nothing listens, and that what listens says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    await expect(connect({ url: `redis://:pw@127.0.0.1:${port}` })).rejects.toThrow(
      /nothing was heard for 2000 ms/,
    )
    silent.close()
    await expect(connect({ url: `redis://127.0.0.1:${port}` })).rejects.toThrow(/ECONNREFUSED/)
  })
})

async function lost(connection: RedisConnection): Promise<void> {
  await becomes(connection, false)
  await expect.poll(() => connection.lost, { interval: 10 }).toBe('it is empty')
}
