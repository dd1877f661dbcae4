import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get as getSecurely } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { ChaosRule } from '../../src/engine/chaos-rule.ts'
import {
  caDirectory,
  fetchFrom,
  gatewayTo,
  openFolder,
  post,
  responseTo,
  startGateway,
  startProxy,
  tlsTo,
} from './kit.ts'
import { textOf } from './raw-client.ts'

const NOISE = Buffer.alloc(200_000, 'noise ')

/** A gateway with a rule, in front of an upstream that sends noise. */
async function start(rule: ChaosRule, options: Partial<GatewayOptions> = {}) {
  const requests: string[] = []
  let broken = 0
  const gateway = await gatewayTo(
    ({ method, url }, response) => {
      requests.push(`${method} ${url}`)
      response.once('close', () => {
        if (!response.writableFinished) broken++
      })
      response.setHeader('content-type', 'text/plain')
      if (url === '/chunked') response.write(NOISE.subarray(0, 1000))
      if (url !== '/endless') {
        response.end(NOISE)
        return
      }
      const write = (): void => {
        if (!response.destroyed) response.write(NOISE, write)
      }
      write()
    },
    { chaos: { rules: [rule] }, ...options },
  )
  /** How many bodies were cut off by who requested them. */
  return { ...gateway, requests, broken: () => broken }
}

/** How a request ended: its error's code, or how much of its body came. */
async function outcomeOf(url: string): Promise<string | number> {
  return new Promise((resolve) => {
    let size = 0
    request(url, (response) => {
      response.on('data', (chunk: Buffer) => (size += chunk.length))
      response.once('end', () => resolve(size))
      response.once('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} after ${size}`))
    })
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end()
  })
}

describe('faults of forwarded requests', () => {
  it.for([
    ['reset', 'ECONNRESET'],
    ['empty', 'ECONNRESET'],
    ['garbage', 'HPE_INVALID_CONSTANT'],
  ] as const)('%s: the upstream gets no request', async ([fault, outcome]) => {
    const { url, requests } = await start({ faults: { [fault]: 1 } })
    expect(await outcomeOf(`${url}/x`)).toBe(outcome)
    expect(requests).toEqual([])
  })

  it('truncate: half of a body of known length comes, and what is cut is not recorded', async () => {
    const record = join(openFolder().path, 'recording')
    const { app, url } = await start({ requests: { to: 1 }, faults: { truncate: 1 } }, { record })
    expect(await outcomeOf(`${url}/x`)).toBe('ECONNRESET after 100000')
    expect(await outcomeOf(`${url}/x`)).toBe(NOISE.length)
    await app.close()
    expect((await readFile(join(record, 'exchanges.ndjson'), 'utf8')).trim().split('\n')).toHaveLength(1)
  })

  it('truncate: of a body of unknown length, the beginning comes', async () => {
    const { url } = await start({ faults: { truncate: 1 } })
    expect(await outcomeOf(`${url}/chunked`)).toMatch(/^ECONNRESET after \d+$/)
  })

  it('slow-body: the upstream is slowed down as well', async () => {
    const { url, broken } = await start({ faults: { 'slow-body': { rate: 1, bytesPerSecond: 10 } } })
    const leaving = new AbortController()
    const response = await fetch(`${url}/endless`, { signal: leaving.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const first = await reader.read()
    expect(first.value?.length).toBeLessThanOrEqual(10)
    leaving.abort()
    await expect.poll(() => broken()).toBe(1)
  })

  it('slow-body: all of it comes, by a clock that is advanced', async () => {
    const { url } = await start({ faults: { 'slow-body': { rate: 1, bytesPerSecond: 100_000 } } })
    const outcome = outcomeOf(`${url}/x`)
    const state = { isDone: false }
    void outcome.then(() => (state.isDone = true))
    while (!state.isDone) await post(`${url}/__sim/clock/advance`, { ms: 1000 })
    expect(await outcome).toBe(NOISE.length)
  })

  it('hang: nothing comes, until the gateway closes', async () => {
    const { app, port, requests } = await start({ faults: { hang: 1 } })
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(app.server, 'request')
    await new Promise(setImmediate)
    await Promise.all([once(socket, 'close'), app.close()])
    expect(chunks).toEqual([])
    expect(requests).toEqual([])
  })

  it('hold nobody whose client has left', async () => {
    const { url, requests } = await start({ latency: 3_600_000 })
    const leaving = new AbortController()
    const answer = fetch(`${url}/x`, { signal: leaving.signal })
    const journal = async (): Promise<object[]> => (await fetchFrom(`${url}/__sim/requests`)).body
    await expect.poll(async () => (await fetchFrom(`${url}/__sim/chaos`)).body.log.length).toBe(1)
    leaving.abort()
    await expect(answer).rejects.toThrow('aborted')
    await expect.poll(async () => (await journal()).length).toBe(1)
    expect((await journal())[0]).not.toHaveProperty('status')
    expect(requests).toEqual([])
  })
})

describe('rate limits of chaos', () => {
  it('are shared by the requests of a bearer token', async () => {
    const { url } = await start({ rateLimit: { requests: 1, perSeconds: 3600, by: 'token' } })
    const statusOf = async (path: string, token: string): Promise<number> =>
      (await fetchFrom(`${url}${path}`, { authorization: `Bearer ${token}` })).status
    expect(await statusOf('/a', 'one')).toBe(200)
    expect(await statusOf('/b', 'one')).toBe(429)
    expect(await statusOf('/a', 'two')).toBe(200)
  })

  it('are shared by the requests of a client', async () => {
    const rule: ChaosRule = { rateLimit: { requests: 1, perSeconds: 60, by: 'client' } }
    const { app } = await startGateway({ chaos: { rules: [rule] } })
    const statusFrom = async (remoteAddress: string, url: string) =>
      (await app.inject({ url, remoteAddress })).statusCode
    expect(await statusFrom('10.0.0.1', '/a')).toBe(404)
    expect(await statusFrom('10.0.0.1', '/b')).toBe(429)
    expect(await statusFrom('10.0.0.2', '/a')).toBe(404)
  })

  it('send their quota, and hold beside a limit of the route', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', { rateLimit: 5 })
    const rule: ChaosRule = { rateLimit: { requests: 2, perSeconds: 3600 } }
    const { app } = await startGateway({ engine: api.engine(), chaos: { rules: [rule] } })
    const answers = [await app.inject('/x'), await app.inject('/x'), await app.inject('/x')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
    expect(answers[2]?.headers).toMatchObject({ 'ratelimit-limit': '2', 'retry-after': '3600' })
  })
})

/** How an exchange ended: with all of its body, part of it, or a broken connection. */
type Ending = 'whole' | 'part' | 'broken'

async function endingOf(exchange: Promise<AsyncIterable<unknown>>): Promise<Ending> {
  let body
  try {
    body = await exchange
  } catch {
    return 'broken'
  }
  const text = await textOf(body).catch(() => '')
  return text.length > 1_000 ? 'whole' : 'part'
}

describe.for<readonly [string, ...Ending[]]>([
  ['reset', 'broken', 'part'],
  ['empty', 'broken', 'part'],
  ['truncate', 'part', 'broken'],
  ['garbage', 'broken', 'part'],
  ['slow-body', 'whole'],
])('the fault %s in a tunnel that ends here', ([fault, ...expected]) => {
  const start = async () => {
    const output = Type.Object({ text: Type.Literal('x'.repeat(1_000)) })
    const api = new SimAPI({ seed: 1 }).get('/x', { output }).get('/right', { output: Type.Literal(1) })
    const rules = [{ match: { path: '/x' }, faults: { [fault]: 1 } }]
    const tls = { caDirectory: caDirectory() }
    const { port } = await startProxy({ engine: api.engine(), tls, chaos: { rules } })
    return (protocol: string) => tlsTo(port, 'api.example.com:443', { ALPNProtocols: [protocol] })
  }

  it('happens over HTTP/1.1', async () => {
    const open = await start()
    const secure = await open('http/1.1')
    const sent = getSecurely('https://api.example.com/x', { createConnection: () => secure })
    expect(expected).toContain(await endingOf(responseTo(sent)))
  })

  it('happens over HTTP/2, and the gateway goes on', async () => {
    const open = await start()
    const secure = await open('h2')
    const over = connectHttp2('https://api.example.com', { createConnection: () => secure })
    over.on('error', () => {})
    const stream = over.request({ ':path': '/x' })
    // A stream that its server cancels just closes.
    const closed = once(stream, 'close').then(() => Promise.reject(new Error('closed')))
    closed.catch(() => {})
    const answered = Promise.race([once(stream, 'response'), closed]).then(() => stream)
    expect(expected).toContain(await endingOf(answered))
    over.destroy()

    const next = await open('h2')
    const again = connectHttp2('https://api.example.com', { createConnection: () => next })
    expect(await textOf(again.request({ ':path': '/right' }))).toBe('1')
    again.destroy()
  })
})
