import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/state/redis/connection.ts'
import { SessionKeys } from '../../src/state/redis/session-keys.ts'
import { defineScript } from '../../src/state/redis/scripts.ts'
import { slotOf } from '../../src/state/redis/slot.ts'
import { openStateServer } from '../../src/state/redis/state-server.ts'
import { startCluster } from './redis-cluster.ts'
import { hasRedis, type RedisServer } from './redis-server.ts'

const setKey = defineScript('setKey', [], `return redis.call('SET', KEYS[1], ARGV[1])`)
const getKey = defineScript('getKey', ['no-writes'], `return redis.call('GET', KEYS[1])`)
const NAMESPACE = 'sim:{sim}'

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(String, (error: { code: string }) => error.code)

describe('the slot of a key', () => {
  it('is that of its hash tag, where it has one that is not empty', () => {
    expect([slotOf('123456789'), slotOf('foo'), slotOf('sim:{foo}:x')]).toEqual([12_739, 12_182, 12_182])
    expect(slotOf('{}foo')).not.toBe(slotOf('{}bar'))
  })
})

describe.skipIf(!hasRedis)('a state on a cluster', () => {
  it('has each session on one node, and finds one that has moved', async () => {
    const cluster = await startCluster(2)
    closing.push(() => cluster.stop())
    const [first, second] = cluster.primaries as [RedisServer, RedisServer]
    const connection = await connect({ url: cluster.url })
    closing.push(() => connection.close())
    const keys = Array.from(
      { length: 30 },
      (_, index) => new SessionKeys(NAMESPACE, `sessi\u00F6n ${index}`).session,
    )
    for (const key of keys) {
      expect(String(slotOf(key))).toBe(second.cli('CLUSTER', 'KEYSLOT', key))
      expect(await connection.run(setKey, [key], [key])).toBe('OK')
    }
    for (const { cli } of cluster.primaries) expect(Number(cli('DBSIZE'))).toBeGreaterThan(1)

    const key = keys.find((each) => first.cli('GET', each) === each) as string
    const slot = String(slotOf(key))
    const [from, to] = [first, second].map((each) => each.cli('CLUSTER', 'MYID')) as [string, string]
    second.cli('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from)
    first.cli('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to)
    first.cli('MIGRATE', '127.0.0.1', String(second.port), key, '0', '1000')
    // It is sent to the other node once.
    expect(await connection.run(setKey, [key], ['on its way'])).toBe('OK')
    expect(await connection.command(['GET', key], true)).toBe('on its way')
    second.cli('CLUSTER', 'SETSLOT', slot, 'NODE', to)
    first.cli('CLUSTER', 'SETSLOT', slot, 'NODE', to)
    expect(await connection.run(getKey, [key], [])).toBe('on its way')
    expect(second.cli('GET', key)).toBe('on its way')

    const server = await openStateServer(cluster.url, NAMESPACE)
    closing.push(() => server.close())
    expect(server.primaries).toHaveLength(2)
    await first.kill()
    await expect
      .poll(() => codeOf(connection.run(setKey, [key], ['x'])), { interval: 10 })
      .toBe('SIM_STATE_UNAVAILABLE')
    await expect(connection.run(getKey, [key], [])).rejects.toThrow(`127.0.0.1:${first.port}`)
  })
})
