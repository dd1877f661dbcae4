import { describe, expect, it } from 'vitest'
import { STATE_OPTIONS } from '../../src/options/state-options.ts'
import { readStateAddress } from '../../src/state/redis/address.ts'

const SENTINELS = 'redis+sentinel://sim:p%40ss@one:26380,[::1],three:26379/shop/2'

describe('the address of a shared state', () => {
  it('is a server, a socket, or sentinels with the name of the primary', () => {
    expect(readStateAddress('rediss://sim:p%40ss@host/3')).toEqual({
      ...{ text: 'rediss://host:6379', host: 'host', port: 6379, isSecure: true },
      ...{ username: 'sim', password: 'p@ss', database: 3 },
    })
    expect(readStateAddress('unix:///run/redis?db=1')).toEqual({
      ...{ text: 'unix:/run/redis', path: '/run/redis', isSecure: false, database: 1 },
    })
    expect(readStateAddress(SENTINELS)).toEqual({
      text: 'redis+sentinel://one:26380,[::1]:26379,three:26379/shop',
      ...{ isSecure: false, username: 'sim', password: 'p@ss', database: 2 },
      sentinels: {
        primary: 'shop',
        nodes: [
          { host: 'one', port: 26380 },
          { host: '::1', port: 26379 },
          { host: 'three', port: 26379 },
        ],
      },
    })
    expect(readStateAddress('rediss+sentinel://:secret@one/shop')).toMatchObject({
      ...{ isSecure: true, password: 'secret', database: 0 },
    })
  })

  it('is nodes of a cluster, which has one database', () => {
    const url = 'rediss+cluster://sim:secret@one:7000,two'
    expect(readStateAddress(url)).toEqual({
      ...{ text: 'rediss+cluster://one:7000,two:6379', isSecure: true, username: 'sim', password: 'secret' },
      ...{
        database: 0,
        cluster: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
        ],
      },
    })
  })

  it.each([
    'http://host',
    'redis+cluster://:hunter2@one:7000/1',
    'redis+cluster://:hunter2@one:7000,',
    'redis://',
    'unix:relative',
    'redis+sentinel://:hunter2@one:26379',
    'redis+sentinel://:hunter2@one:70000/shop',
    'redis+sentinel://:hunter2@one,,two/shop',
    'redis+sentinel://:hunter2@one:26379/shop/last',
    'redis+sentinel://:hunter2%@one:26379/shop',
    'redis+sentinel:hunter2',
  ])('is not %s, which is said without what may be a password', (url) => {
    expect(() => readStateAddress(url)).toThrow(/^(?!.*hunter)[^]*(redis:\/\/|%)/)
  })

  it('is an option in each of its forms', () => {
    const { url: option } = STATE_OPTIONS
    const judge = (url: string): readonly unknown[] => ('judge' in option ? option.judge(url) : [])
    for (const url of [
      SENTINELS,
      'rediss+sentinel://one/shop',
      'redis+cluster://one',
      'redis://h',
      'rediss://h',
      'unix:/run/redis',
    ])
      expect(judge(url)).toEqual([])
    expect(judge('redis+other://h')).toHaveLength(1)
  })
})
