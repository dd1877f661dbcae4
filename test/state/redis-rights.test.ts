import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/state/redis/connection.ts'
import { TRIED } from '../../src/state/redis/rights.ts'
import { atEnd } from '../at-end.ts'
import { hasRedis, startRedis } from './redis-server.ts'

const FOLDER = new URL('../../src/state/redis/', import.meta.url)
/** Commands that do not name keys, some of which may be refused, and those of other servers. */
const ELSEWHERE = [
  'INFO',
  'EVAL',
  'EVALSHA',
  'WAIT',
  'ROLE',
  'SENTINEL',
  'CLUSTER',
  'ASKING',
  'CONFIG',
  'PING',
]

describe('the commands that a user of a shared state is tried with', () => {
  it('are all that gateways use', () => {
    const source = readdirSync(FOLDER)
      .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
      .join('\n')
    const used = source.matchAll(/(?:redis\.p?call\(|(?:command|send)\(\[\s*(?:\.\.\.\[)?)'([A-Z]+)'/g)
    const names = new Set([...used].map(([, name = '']) => name).filter((name) => !ELSEWHERE.includes(name)))
    expect([...names].toSorted()).toEqual([...new Set(TRIED.map((each) => each.split(' ', 1)[0]))].toSorted())
  })
})

describe.skipIf(!hasRedis)('a user of a shared state', () => {
  it('is refused where it may not use single commands or keys, with what it lacks', async () => {
    const users = [
      'all ~sim:{shop* +@read +@write +@scripting +info +time',
      'lacks ~sim:{shop* +@all -zadd -xadd -hincrby',
      'common ~sim:{shop}:* +@all',
      'reads %R~sim:{shop* +@all',
      'evals ~sim:{shop* +@all -evalsha',
    ]
    const redis = await startRedis({
      args: users.flatMap((user) => [
        '--user',
        ...user.replace(' ', ' on >hunter2 resetchannels ').split(' '),
      ]),
    })
    atEnd(() => redis.stop())
    const problemsOf = async (user: string): Promise<readonly string[]> => {
      try {
        const connection = await connect({
          url: redis.url.replace('//', `//${user}:hunter2@`),
          name: 'shop',
        })
        await connection.close()
        return []
      } catch (error) {
        expect(error).toMatchObject({ code: 'SIM_STATE_UNUSABLE' })
        return (error as { problems: readonly string[] }).problems
      }
    }
    expect(await problemsOf('all')).toEqual([])
    expect(await problemsOf('lacks')).toEqual([
      expect.stringMatching(/does not let this user run HINCRBY, ZADD, XADD on sim:\{shop\}:\*: /),
      expect.stringMatching(/does not let this user run HINCRBY, ZADD, XADD on sim:\{shop\/a\}:\*: /),
    ])
    expect(await problemsOf('common')).toEqual([expect.stringMatching(/on sim:\{shop\/a\}:\*: .*NOPERM/)])
    expect(await problemsOf('reads')).toHaveLength(2)
    expect(await problemsOf('evals')).toEqual([
      expect.stringMatching(/scripts on sim:\{shop\}:\*: .*NOPERM.*evalsha/),
      expect.stringMatching(/scripts on sim:\{shop\/a\}:\*: .*NOPERM.*evalsha/),
    ])
    expect(redis.cli('KEYS', '*').replace(/^sim:\{shop\}:born$/, '')).toBe('')
  })
})
