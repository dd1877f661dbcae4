import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { FromInput } from '../../src/index.ts'
import type { Answered } from '../control/ask.ts'
import { hasRedis, startRedis, type RedisServer, type RedisSettings } from '../state/redis-server.ts'
import { atEnd } from '../at-end.ts'
import { serve } from './kit.ts'

/** An answer of a gateway, and how long it took. */
interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  readonly body: Answered['body']
  readonly ms: number
}

/** Two gateways that share one server, and clients of them. */
interface Shared {
  readonly redis: RedisServer
  /** Sends a request to the gateways by turns. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  create(text?: string): Promise<Answer>
  /** Resolves with the first answer that is not of this code. */
  until(send: () => Promise<Answer>, isFit: (answer: Answer) => boolean): Promise<Answer>
}

async function share(settings: RedisSettings = {}, state: object = {}): Promise<Shared> {
  const redis = await startRedis(settings)
  atEnd(() => redis.stop())
  const open = (gateway: string) => {
    const api = new SimAPI({ seed: 42, stateful: true })
    const Note = Type.Object({ id: Type.Integer(), text: Type.String(FromInput('text')) })
    const Given = Type.Object({ text: Type.String() })
    api.post('/notes', { input: Given, output: Note, status: 201 })
    api.get('/notes', { output: Type.Array(Note) })
    api.delete('/notes/{id}', { input: Type.Object({ id: Type.Integer() }), status: 204 })
    api.get('/plain', { output: Type.Object({ text: Type.String() }), stateful: false })
    return serve(createGateway({ ...api.gatewayOptions(), state: { url: redis.unixUrl, gateway, ...state } }))
  }
  const gateways = [await open('one'), await open('two')]
  let turn = 0
  const ask: Shared['ask'] = async (method, path, body) => {
    const began = performance.now()
    const response = await fetch(`${gateways[turn++ % 2]?.url}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const text = await response.text()
    const value = text === '' ? undefined : JSON.parse(text)
    return {
      ...{ status: response.status, code: value?.code ?? value?.error, body: value },
      ...{ retryAfter: response.headers.get('retry-after'), ms: performance.now() - began },
    }
  }
  return {
    redis,
    ask,
    create: (text = 'here') => ask('POST', '/notes', { text }),
    async until(send, isFit) {
      for (;;) {
        const answer = await send()
        if (isFit(answer)) return answer
        await wait(10)
      }
    },
  }
}

const isDone = ({ status }: Answer): boolean => status < 300

describe.skipIf(!hasRedis)('gateways whose server of state', () => {
  it('is killed answer 503 and when to come again, go on without it where they can, and lose nothing', async () => {
    const { redis, ask, create, until } = await share({ aof: 'always' })
    for (const id of [1, 2]) expect((await create()).body.id).toBe(id)
    await redis.kill()
    const refused = await until(
      () => create(),
      ({ code }) => code === 'SIM_STATE_UNAVAILABLE',
    )
    expect(refused).toMatchObject({ status: 503, retryAfter: '1' })
    for (const _ of [1, 2]) {
      expect((await ask('GET', '/plain')).status).toBe(200)
      expect((await ask('GET', '/__sim/ready')).status).toBe(503)
      expect((await ask('GET', '/__sim/health')).body.state).toMatchObject({ reachable: false })
    }
    await redis.restart()
    expect((await until(() => create(), isDone)).body.id).toBe(3)
    expect((await until(() => ask('GET', '/notes'), isDone)).body).toHaveLength(3)
  })

  it('is away for longer than changes may take answer all that needs no state, also when it is back', async () => {
    const { redis, ask, create, until } = await share({ aof: 'always' })
    await redis.kill()
    const isBack = wait(2200).then(() => redis.restart())
    const done = new AbortController()
    const askAll = async (): Promise<string[]> => {
      const others: string[] = []
      while (!done.signal.aborted) {
        const { status, code } = await ask('GET', '/plain')
        if (status !== 200) others.push(`${status} ${code}`)
      }
      return others
    }
    const clients = [askAll(), askAll(), askAll(), askAll()]
    await isBack
    await until(() => create(), isDone)
    done.abort()
    expect((await Promise.all(clients)).flat()).toEqual([])
  })

  it('restarts empty answer 503 until one of them is reset, and give ids from the first again', async () => {
    const { redis, ask, create, until } = await share()
    for (const id of [1, 2, 3]) expect((await create()).body.id).toBe(id)
    await redis.restart()
    for (const _ of [1, 2]) {
      const lost = await until(
        () => create(),
        ({ code }) => code === 'SIM_STATE_LOST',
      )
      expect([lost.status, lost.retryAfter]).toEqual([503, null])
      expect((await ask('GET', '/plain')).status).toBe(200)
    }
    expect(redis.cli('--scan', '--pattern', '*:i:*')).toBe('')
    expect(await until(() => ask('POST', '/__sim/reset'), isDone)).toMatchObject({ status: 200 })
    expect((await until(() => create(), isDone)).body.id).toBe(1)
    expect((await until(() => create(), isDone)).body.id).toBe(2)
  })

  it('hangs answer 503 within 2.5 s, and go on at once when it does', async () => {
    const { redis, create, until } = await share()
    await create()
    redis.pause()
    const answers = await Promise.all([create(), create()])
    redis.resume()
    for (const { status, code, ms } of answers) {
      expect([status, code]).toEqual([503, 'SIM_STATE_UNCERTAIN'])
      expect(ms).toBeLessThan(2500)
    }
    expect((await until(() => create(), isDone)).status).toBe(201)
  })

  it('is full answer 507, go on with reads and removals, and store again after these', async () => {
    const { ask, create } = await share({ maxmemory: '8mb' }, { journal: 'off' })
    const long = 'x'.repeat(50_000)
    let stored = 0
    let answer = await create(long)
    for (; answer.status === 201; answer = await create(long)) stored++
    expect(answer).toMatchObject({ status: 507, code: 'SIM_STATE_FULL', retryAfter: null })
    expect((await ask('GET', '/notes')).body).toHaveLength(stored)
    for (let id = 1; id <= 8; id++) expect((await ask('DELETE', `/notes/${id}`)).status).toBe(204)
    expect((await create()).body.id).toBe(stored + 1)
  })

  it('is emptied by hand answer 503 after the first change that shows it', async () => {
    const { redis, ask, create, until } = await share()
    for (const id of [1, 2, 3, 4]) expect((await create()).body.id).toBe(id)
    redis.cli('FLUSHALL')
    for (const _ of [1, 2])
      expect(
        await until(
          () => create(),
          ({ code }) => code === 'SIM_STATE_LOST',
        ),
      ).toMatchObject({ status: 503 })
    expect(await until(() => ask('POST', '/__sim/reset'), isDone)).toMatchObject({ status: 200 })
    expect((await until(() => create(), isDone)).body.id).toBe(1)
  })

  it('forgets its scripts do not even notice', async () => {
    const { redis, create } = await share()
    for (const id of [1, 2, 3, 4]) {
      expect((await create()).body.id).toBe(id)
      redis.cli('SCRIPT', 'FLUSH')
    }
  })

  it.for([
    ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    [
      'NOREPLICAS',
      ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
      ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
    ],
  ] as const)('says %s name that, answer 503, and go on after it', async ([word, begin, end]) => {
    const { redis, create, until } = await share()
    await create()
    redis.cli(...begin)
    const refused = await until(
      () => create(),
      ({ body }) => String(body.detail).includes(word),
    )
    expect(refused).toMatchObject({ status: 503, code: 'SIM_STATE_UNAVAILABLE', retryAfter: '1' })
    redis.cli(...end)
    expect((await until(() => create(), isDone)).body.id).toBe(2)
  })

  it('says MISCONF, as it cannot write to its disk, name that, and answer 503', async () => {
    const { redis, create, until } = await share()
    await create()
    redis.cli('CONFIG', 'SET', 'save', '3600 1')
    rmSync(redis.folder, { recursive: true })
    redis.cli('BGSAVE')
    const refused = await until(
      () => create(),
      ({ status }) => status !== 201,
    )
    expect(refused).toMatchObject({ status: 503, code: 'SIM_STATE_UNAVAILABLE', retryAfter: '1' })
    expect(refused.body.detail).toContain('MISCONF')
    redis.cli('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no')
    expect((await until(() => create(), isDone)).status).toBe(201)
  })

  it('says LOADING, as it reads what it had, name that, and have it all after it', async () => {
    const { redis, create, until } = await share({
      aof: 'always',
      args: ['--key-load-delay', '8000', '--loading-process-events-interval-bytes', '1024'],
    })
    await create()
    redis.cli('EVAL', "for i = 1, 250 do redis.call('SET', 'x' .. i, string.rep('x', 2000)) end", '0')
    redis.cli('BGREWRITEAOF')
    await expect.poll(() => redis.cli('INFO', 'persistence')).toContain('aof_rewrite_in_progress:0')
    const again = redis.restart()
    const refused = await until(
      () => create(),
      ({ body }) => String(body.detail).includes('LOADING'),
    )
    expect(refused).toMatchObject({ status: 503, code: 'SIM_STATE_UNAVAILABLE', retryAfter: '1' })
    await again
    expect((await until(() => create(), isDone)).body.id).toBe(2)
  })
})
