import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['webdis', 'redis-server']

/** Redis behind Webdis: a command and its arguments are the segments of the path. */
export async function start(directory) {
  const redis = await startServer('redis-server', (port) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory],
  ])
  const webdis = await startServer('webdis', (port) => {
    const file = join(directory, 'webdis.json')
    const config = {
      redis_host: '127.0.0.1',
      redis_port: Number(new URL(redis.url).port),
      http_host: '127.0.0.1',
      http_port: port,
      threads: 1,
      daemonize: false,
      database: 0,
      logfile: join(directory, 'webdis.log'),
    }
    writeFileSync(file, JSON.stringify(config))
    return [file]
  })
  return {
    url: webdis.url,
    stop: async () => {
      await webdis.stop()
      await redis.stop()
    },
  }
}

const A = {
  key: 'greeting',
  text: 'hello',
  list: 'jobs',
  items: ['one', 'two', 'three'],
  hash: 'user:1',
  by: 5,
}
const B = { key: 'title', text: 'A long day', list: 'mails', items: ['x', 'y'], hash: 'user:7', by: 12 }
const FIELDS = { A: { name: 'Ann', city: 'Rome' }, B: { name: 'Bob', city: 'Oslo', age: '33' } }

export async function session(base, which, check) {
  const send = jsonClient(base)
  const v = which === 'A' ? A : B
  const fields = FIELDS[which]
  /** A command, and what it must give. */
  const run = (command, args, isRight) =>
    check(
      command,
      () => send('GET', `/${[command, ...args].map((arg) => encodeURIComponent(arg)).join('/')}`),
      ({ s, b }) => s === 200 && isRight(b[command]),
    )
  const texts = async () => {
    await run('GET', [v.key], (value) => value === null)
    await run('SET', [v.key, v.text], ([isDone, text]) => isDone && text === 'OK')
    await run('GET', [v.key], (value) => value === v.text)
    await run('EXISTS', [v.key], (value) => value === 1)
    await run('STRLEN', [v.key], (value) => value === v.text.length)
    await run('APPEND', [v.key, '!!'], (value) => value === v.text.length + 2)
    await run('GET', [v.key], (value) => value === `${v.text}!!`)
    await run('TYPE', [v.key], (value) => value[1] === 'string')
    await run('TTL', [v.key], (value) => value === -1)
    await run('DEL', [v.key], (value) => value === 1)
    await run('DEL', [v.key], (value) => value === 0)
    await run('EXISTS', [v.key], (value) => value === 0)
  }
  const counts = async () => {
    await run('INCR', ['hits'], (value) => value === 1)
    await run('INCR', ['hits'], (value) => value === 2)
    await run('INCRBY', ['hits', String(v.by)], (value) => value === 2 + v.by)
    await run('DECR', ['hits'], (value) => value === 1 + v.by)
    await run('GET', ['hits'], (value) => value === String(1 + v.by))
    await run('INCR', [v.list], ([isDone, text]) => isDone === false && text.startsWith('WRONGTYPE'))
  }
  const lists = async () => {
    for (const [index, item] of v.items.entries())
      await run('RPUSH', [v.list, item], (value) => value === index + 1)
    await run('LLEN', [v.list], (value) => value === v.items.length)
    await run('LRANGE', [v.list, '0', '-1'], (value) => value.join() === v.items.join())
    await run('LINDEX', [v.list, '1'], (value) => value === v.items[1])
    await run('LPOP', [v.list], (value) => value === v.items[0])
    await run('LRANGE', [v.list, '0', '-1'], (value) => value.join() === v.items.slice(1).join())
  }
  const hashes = async () => {
    for (const [name, value] of Object.entries(fields))
      await run('HSET', [v.hash, name, value], (count) => count === 1)
    await run('HGET', [v.hash, 'city'], (value) => value === fields.city)
    await run('HGET', [v.hash, 'none'], (value) => value === null)
    await run('HLEN', [v.hash], (value) => value === Object.keys(fields).length)
    await run('HGETALL', [v.hash], (value) => JSON.stringify(value) === JSON.stringify(fields))
    await run('HDEL', [v.hash, 'city'], (value) => value === 1)
    await run('HEXISTS', [v.hash, 'city'], (value) => value === 0)
    await run('NOPE', [v.hash], ([isDone, text]) => isDone === false && text.includes('unknown command'))
  }
  for (const part of which === 'A' ? [texts, lists, counts, hashes] : [hashes, lists, texts, counts])
    await part()
}
