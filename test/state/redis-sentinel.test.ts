import { afterAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/state/redis/connection.ts'
import { defineScript } from '../../src/state/redis/scripts.ts'
import { openStateServer } from '../../src/state/redis/state-server.ts'
import { freePort } from '../free-port.ts'
import { PRIMARY, startSentinels } from './redis-sentinels.ts'
import { hasRedis, startRedis } from './redis-server.ts'

const setKey = defineScript('setKey', [], `return redis.call('SET', KEYS[1], ARGV[1])`)
const KEY = ['sim:{sim}:test']

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

describe.skipIf(!hasRedis)('a state whose primary sentinels name', () => {
  it('is found by any of them, and again where another server becomes the primary', async () => {
    const args = ['--user', 'sim', 'on', '>hunter2', '~*', '+@all', '--repl-diskless-sync-delay', '0']
    const [one, other] = await Promise.all([startRedis({ args }), startRedis({ args })])
    closing.push(
      () => one.stop(),
      () => other.stop(),
    )
    // A day is never over here: it is the test that says which server is the primary.
    const sentinels = await startSentinels(one.port, 1, 86_400_000)
    closing.push(() => sentinels.stop())
    const nobody = `127.0.0.1:${await freePort()}`
    const url = (name: string): string => `redis+sentinel://sim:hunter2@${nobody},${sentinels.hosts}/${name}`

    await expect(connect({ url: url('other') })).rejects.toThrow(
      new RegExp(`^(?!.*hunter).*ECONNREFUSED ${nobody}; ${sentinels.hosts} knows no primary called other`),
    )
    const connection = await connect({ url: url(PRIMARY) })
    closing.push(() => connection.close())
    expect(await connection.run(setKey, KEY, ['1'])).toBe('OK')

    other.cli('REPLICAOF', '127.0.0.1', String(one.port))
    await expect.poll(() => other.cli('GET', KEY[0] as string), { interval: 10 }).toBe('1')
    other.cli('REPLICAOF', 'NO', 'ONE')
    one.cli('REPLICAOF', '127.0.0.1', String(other.port))
    await expect(connection.run(setKey, KEY, ['2'])).rejects.toThrow(
      new RegExp(`^(?!.*hunter).*/${PRIMARY} \\(primary 127.0.0.1:${one.port}\\): READONLY`),
    )
    // The sentinel still names the one of before, which names the other.
    await expect.poll(() => codeOf(connection.run(setKey, KEY, ['3'])), { interval: 5 }).toBe('OK')
    expect(other.cli('GET', KEY[0] as string)).toBe('3')
    one.cli('REPLICAOF', '127.0.0.1', String(await freePort()))
    other.cli('CLIENT', 'KILL', 'TYPE', 'normal')
    await expect
      .poll(() => codeOf(connection.run(setKey, KEY, ['3'])), { interval: 5 })
      .toMatch('ECONNREFUSED')
    sentinels.cli('SENTINEL', 'REMOVE', PRIMARY)
    sentinels.cli('SENTINEL', 'MONITOR', PRIMARY, '127.0.0.1', String(other.port), '1')
    await expect.poll(() => connection.isUp, { interval: 10 }).toBe(true)
    expect(await connection.run(setKey, KEY, ['4'])).toBe('OK')
    expect(other.cli('GET', KEY[0] as string)).toBe('4')

    const server = await openStateServer(url(PRIMARY), 'sim:{sim}')
    expect(server.text).toMatch(new RegExp(`^redis\\+sentinel://.*\\(primary 127.0.0.1:${other.port}\\)$`))
    await server.close()
  })

  it('is left before another takes its place by hand, so that nothing is written where it is lost', async () => {
    const args = ['--repl-diskless-sync-delay', '0']
    const [one, other] = await Promise.all([startRedis({ args }), startRedis({ args })])
    closing.push(
      () => one.stop(),
      () => other.stop(),
    )
    other.cli('REPLICAOF', '127.0.0.1', String(one.port))
    await expect.poll(() => one.cli('INFO', 'replication')).toMatch('state=online')
    const sentinels = await startSentinels(one.port, 1, 86_400_000)
    closing.push(() => sentinels.stop())
    await expect.poll(() => sentinels.cli('SENTINEL', 'REPLICAS', PRIMARY)).toMatch('slave-priority\n100')
    const connection = await connect({ url: `redis+sentinel://${sentinels.hosts}/${PRIMARY}` })
    closing.push(() => connection.close())

    let stored = 0
    sentinels.cli('SENTINEL', 'FAILOVER', PRIMARY)
    await expect
      .poll(
        async () => {
          const reply = await codeOf(connection.run(setKey, KEY, [stored + 1]))
          if (reply === 'OK') expect(other.cli('GET', KEY[0] as string)).toBe(String(++stored))
          return stored > 0 && one.cli('ROLE').startsWith('master') && other.cli('ROLE').startsWith('master')
        },
        { interval: 5 },
      )
      .toBe(true)
  })
})

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(String, (error: unknown) => String(error))
