import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCommand } from '../../../src/recording/protocols/redis/commands.ts'
import { keysBefore } from '../../../src/recording/protocols/redis/learn.ts'
import type { Reply } from '../../../src/recording/protocols/redis/reply.ts'
import { Store } from '../../../src/recording/protocols/redis/store.ts'

// In order, since most change something.
it('runs commands as Redis 7.0 did', () => {
  const cases = JSON.parse(readFileSync(new URL('redis.json', import.meta.url), 'utf8')) as [string, Reply][]
  const store = new Store(new Map(), 0)
  const run = (line: string): Reply | undefined => {
    const [name = '', ...args] = line.split(' ')
    return runCommand(name, args, store)
  }
  for (const [line, reply] of cases) expect([line, run(line)]).toEqual([line, reply])
})

it('leaves what it does not know to others, and keys until their time is over', () => {
  const items = new Map()
  const run = (now: number, name: string, ...args: string[]): unknown =>
    runCommand(name, args, new Store(items, now))
  expect(run(0, 'XADD', 's', '*', 'a', '1')).toBeUndefined()
  run(0, 'SET', 'a', 'b', 'PX', '1500')
  expect(run(1000, 'PTTL', 'a')).toBe(500)
  expect(run(1499, 'GET', 'a')).toBe('b')
  expect(run(1500, 'GET', 'a')).toBeNull()
})

it('finds what keys were before they were changed', () => {
  const before = keysBefore([
    { name: 'GET', args: ['none'], reply: null },
    { name: 'SET', args: ['own', '1'], reply: [true, 'OK'] },
    { name: 'GET', args: ['own'], reply: '1' },
    { name: 'INCRBY', args: ['count', '5'], reply: 12 },
    { name: 'MGET', args: ['a', 'b', 'own'], reply: ['x', null, '1'] },
    { name: 'SET', args: ['a', 'y'], reply: [true, 'OK'] },
    { name: 'GET', args: ['a'], reply: 'y' },
    { name: 'HGETALL', args: ['hash'], reply: { name: 'Ann' } },
    { name: 'LRANGE', args: ['list', '0', '-1'], reply: ['m', 'n'] },
    { name: 'LRANGE', args: ['part', '0', '1'], reply: ['m', 'n'] },
    { name: 'SMEMBERS', args: ['set'], reply: ['m'] },
    { name: 'ZRANGE', args: ['scores', '0', '-1', 'WITHSCORES'], reply: ['m', '1.5'] },
  ])
  expect(before).toEqual([
    { key: 'count', type: 'string', value: '7' },
    { key: 'a', type: 'string', value: 'x' },
    { key: 'hash', type: 'hash', value: [['name', 'Ann']] },
    { key: 'list', type: 'list', value: ['m', 'n'] },
    { key: 'set', type: 'set', value: ['m'] },
    { key: 'scores', type: 'zset', value: [['m', 1.5]] },
  ])
})
