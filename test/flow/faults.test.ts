import { createServer, request } from 'node:http'
import { readFile } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { ChaosRule } from '../../src/state/chaos-rule.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const NOISE = Buffer.alloc(200_000, 'noise ')

interface Upstream {
  readonly url: string
  readonly requests: string[]
  /** Bodies that were cut off by who asked. */
  readonly broken: () => number
}

async function startUpstream(): Promise<Upstream> {
  const requests: string[] = []
  let broken = 0
  const server = createServer((asked, response) => {
    requests.push(`${asked.method} ${asked.url}`)
    response.once('close', () => {
      if (!response.writableFinished) broken++
    })
    response.setHeader('content-type', 'text/plain')
    if (asked.url === '/chunked') response.write(NOISE.subarray(0, 1000))
    if (asked.url !== '/endless') {
      response.end(NOISE)
      return
    }
    const write = (): void => {
      if (!response.destroyed) response.write(NOISE, write)
    }
    write()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, requests, broken: () => broken }
}

async function start(rule: ChaosRule, options: Partial<GatewayOptions> = {}) {
  const app = createGateway({
    ...new SimAPI({ seed: 1 }).gatewayOptions(),
    chaos: { rules: [rule] },
    ...options,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { app, url, port: (app.server.address() as AddressInfo).port }
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
  ] as const)('%s: the upstream is not asked', async ([fault, outcome]) => {
    const upstream = await startUpstream()
    const { url } = await start({ faults: { [fault]: 1 } }, { upstream: upstream.url })
    expect(await outcomeOf(`${url}/x`)).toBe(outcome)
    expect(upstream.requests).toEqual([])
  })

  it('truncate: half of a body of known length comes, and what is cut is not recorded', async () => {
    const upstream = await startUpstream()
    using folder = temporaryFolder({})
    const record = join(folder.path, 'recording')
    const { app, url } = await start(
      { requests: { to: 1 }, faults: { truncate: 1 } },
      { upstream: upstream.url, record },
    )
    expect(await outcomeOf(`${url}/x`)).toBe('ECONNRESET after 100000')
    expect(await outcomeOf(`${url}/x`)).toBe(NOISE.length)
    await app.close()
    expect((await readFile(join(record, 'exchanges.ndjson'), 'utf8')).trim().split('\n')).toHaveLength(1)
  })

  it('truncate: of a body of unknown length, the beginning comes', async () => {
    const upstream = await startUpstream()
    const { url } = await start({ faults: { truncate: 1 } }, { upstream: upstream.url })
    expect(await outcomeOf(`${url}/chunked`)).toMatch(/^ECONNRESET after \d+$/)
  })

  it('slow-body: the upstream is slowed down as well', async () => {
    const upstream = await startUpstream()
    const rule: ChaosRule = { faults: { 'slow-body': { rate: 1, bytesPerSecond: 10 } } }
    const { url } = await start(rule, { upstream: upstream.url })
    const leaving = new AbortController()
    const response = await fetch(`${url}/endless`, { signal: leaving.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const first = await reader.read()
    expect(first.value?.length).toBeLessThanOrEqual(10)
    leaving.abort()
    await expect.poll(() => upstream.broken()).toBe(1)
  })

  it('slow-body: all of it comes, by a clock that is advanced', async () => {
    const upstream = await startUpstream()
    const rule: ChaosRule = { faults: { 'slow-body': { rate: 1, bytesPerSecond: 100_000 } } }
    const { url } = await start(rule, { upstream: upstream.url })
    const outcome = outcomeOf(`${url}/x`)
    const state = { isDone: false }
    void outcome.then(() => (state.isDone = true))
    while (!state.isDone) {
      await fetch(`${url}/__sim/clock/advance`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"ms":1000}',
      })
    }
    expect(await outcome).toBe(NOISE.length)
  })

  it('hang: nothing comes, until the gateway closes', async () => {
    const upstream = await startUpstream()
    const { app, port } = await start({ faults: { hang: 1 } }, { upstream: upstream.url })
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(app.server, 'request')
    await new Promise(setImmediate)
    await Promise.all([once(socket, 'close'), app.close()])
    expect(chunks).toEqual([])
    expect(upstream.requests).toEqual([])
  })

  it('hold nobody whose client has left', async () => {
    const upstream = await startUpstream()
    const { url } = await start({ latency: 3_600_000 }, { upstream: upstream.url })
    const leaving = new AbortController()
    const answer = fetch(`${url}/x`, { signal: leaving.signal })
    const journal = async () =>
      (await (await fetch(`${url}/__sim/requests`)).json()) as { path: string; status?: number }[]
    const log = async () => ((await (await fetch(`${url}/__sim/chaos`)).json()) as { log: object[] }).log
    await expect.poll(async () => (await log()).length).toBe(1)
    leaving.abort()
    await expect(answer).rejects.toThrow('aborted')
    await expect.poll(async () => (await journal()).length).toBe(1)
    expect((await journal())[0]).not.toHaveProperty('status')
    expect(upstream.requests).toEqual([])
  })
})

describe('rate limits of chaos', () => {
  const statusOf = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(url, { headers })).status

  it('are shared by the requests of a bearer token', async () => {
    const upstream = await startUpstream()
    const rule: ChaosRule = { rateLimit: { requests: 1, perSeconds: 3600, by: 'token' } }
    const { url } = await start(rule, { upstream: upstream.url })
    const as = (token: string) => ({ authorization: `Bearer ${token}` })
    expect(await statusOf(`${url}/a`, as('one'))).toBe(200)
    expect(await statusOf(`${url}/b`, as('one'))).toBe(429)
    expect(await statusOf(`${url}/a`, as('two'))).toBe(200)
  })

  it('are shared by the requests of a client', async () => {
    const { app } = await start({ rateLimit: { requests: 1, perSeconds: 60, by: 'client' } })
    const statusFrom = async (remoteAddress: string, url: string) =>
      (await app.inject({ url, remoteAddress })).statusCode
    expect(await statusFrom('10.0.0.1', '/a')).toBe(404)
    expect(await statusFrom('10.0.0.1', '/b')).toBe(429)
    expect(await statusFrom('10.0.0.2', '/a')).toBe(404)
  })

  it('tell their quota, and hold beside a limit of the route', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', { rateLimit: 5 })
    const { app } = await start({ rateLimit: { requests: 2, perSeconds: 3600 } }, { engine: api.engine() })
    const answers = [await app.inject('/x'), await app.inject('/x'), await app.inject('/x')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
    expect(answers[2]?.headers).toMatchObject({ 'ratelimit-limit': '2', 'retry-after': '3600' })
  })
})
