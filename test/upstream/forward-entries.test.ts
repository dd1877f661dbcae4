import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createAdapter } from 'sim-gateway/adapter'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { ConnectMiddleware } from '../../src/http/middleware.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { notes } from '../adapter/notes-adapter.ts'
import { rawAnswer } from '../flow/raw-client.ts'

const headOf = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a.example', ...headers, 'Connection: close', '', ''].join('\r\n')

/** Requests of every sort. */
const REQUESTS = [
  ...['/', '/short', '/long', '/chunked', '/empty', '/none', '/teapot', '/repeated', '/trailers', '/early'],
  ...['/slow-head', '/broken', '/refused', '/short?', '/short?a=b?', '//short', '/%zz', '/a%2Fb', '/short#x'],
  ...['/declared', '/declared?name=x', '/echo'],
]
  .map((target) => headOf(`GET ${target}`))
  .concat([
    headOf('HEAD /short'),
    headOf('OPTIONS /short'),
    headOf('POST /echo', 'Content-Length: 2') + 'hi',
    headOf(
      'GET /echo',
      'Accept: a',
      'X-Twice: 1',
      'x-twice: 2',
      'Cookie: a=b',
      'Cookie: c=d',
      'TE: trailers',
    ),
    headOf('GET /echo', 'Connection: x-own', 'X-Own: 1', 'Keep-Alive: 5', 'Proxy-Authorization: Basic eDp5'),
    headOf('GET /echo', 'User-Agent: one', 'User-Agent: two', 'Authorization: Bearer secret-of-mine'),
    headOf('GET /echo', 'x-sim-session: other'),
    headOf('GET /echo', 'Expect: 100-continue'),
    headOf('GET /echo', 'Host: b.example'),
    headOf('GET /echo', 'Upgrade: h2c', 'Connection: upgrade'),
    headOf('GET http://a.example/short'),
    'GET /short HTTP/1.0\r\n\r\n',
    'GET /short HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /short HTTP/1.1\r\nHost: a\r\n\r\nGET /chunked HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'GET /short HTTP/1.1\r\nHost: a\r\n\r\nno request at all\r\n\r\n',
  ])

let upstream: Server
let seen: string[]
let open: FastifyInstance[]

beforeEach(async () => {
  seen = []
  open = []
  upstream = createServer((request, response) => {
    const { method, url, rawHeaders } = request
    const headers = rawHeaders.filter((_, index) => !/^host$/i.test(rawHeaders[index - (index % 2)] ?? ''))
    seen.push(`${method} ${url} ${headers.join('|')}`)
    if (url === '/long') response.writeHead(200, { 'content-length': 300_000 }).end('x'.repeat(300_000))
    else if (url === '/chunked') {
      response.write('one')
      setImmediate(() => response.end('two'))
    } else if (url === '/empty') response.writeHead(200, { 'content-length': 0 }).end()
    else if (url === '/none') response.writeHead(204).end()
    else if (url === '/teapot') response.writeHead(418, 'Short and stout', ['X-Odd', '\xf8']).end('tea')
    else if (url === '/repeated')
      response
        .writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Connection', 'x-gone', 'X-Gone', '1'])
        .end()
    else if (url === '/trailers') {
      response.writeHead(200, { trailer: 'x-sum' })
      response.write('body')
      response.addTrailers({ 'x-sum': '4' })
      response.end()
    } else if (url === '/early') {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.end('late')
    } else if (url === '/slow-head') {
      response.writeHead(200, { 'content-length': 4 }).flushHeaders()
      setTimeout(() => response.end('body'), 20)
    } else if (url === '/broken') {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setTimeout(() => response.destroy(), 20)
    } else if (url === '/refused') request.socket.destroy()
    else response.end(`${method} ${url}`)
  })
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  await Promise.all(open.map((app) => app.close()))
  upstream.closeAllConnections()
  await new Promise((resolve) => void upstream.close(resolve))
})

interface Started {
  readonly port: number
  readonly url: string
}

async function start(options: Partial<GatewayOptions>, ownPort = 0): Promise<Started> {
  const api = new SimAPI({ seed: 7 })
  const Query = Type.Object({ name: Type.Optional(Type.String()) })
  api.get('/declared', { input: Query, output: Type.Object({ n: Type.Integer() }) })
  const { port } = upstream.address() as AddressInfo
  const app = createGateway({ ...api.gatewayOptions(), upstream: `http://127.0.0.1:${port}`, ...options })
  open.push(app)
  const url = await app.listen({ port: ownPort, host: '127.0.0.1' })
  return { url, port: (app.server.address() as AddressInfo).port }
}

const pass: ConnectMiddleware = (_request, _response, next) => next()

/** With a hook of a user, by which each response leaves another way. */
const HOOKED: Partial<GatewayOptions> = {
  middleware: [{ use: pass, options: undefined }],
}

async function ask(port: number, text: string): Promise<string> {
  return (await rawAnswer(port, text)).replace(/^Date: .*\r\n/gim, '')
}

async function journalOf({ url }: Started): Promise<unknown> {
  const requests = (await (await fetch(`${url}/__sim/requests?limit=1000`)).json()) as Record<
    string,
    unknown
  >[]
  return requests.map(({ time: _time, arrived_ms: _arrived, duration_ms: _duration, ...entry }) => entry)
}

async function countsOf({ url }: Started): Promise<string[]> {
  const text = await (await fetch(`${url}/__sim/metrics`)).text()
  return text.split('\n').filter((line) => /^sim_requests_total|_count/.test(line))
}

describe.each(['simulate', 'forward'] as const)('forwarding in mode %s, with hooks and without', (mode) => {
  it('sends the same, and responds with the same bytes', async () => {
    const hooked = await start({ ...HOOKED, modes: { mode } })
    const plain = await start({ modes: { mode } })
    for (const text of REQUESTS) {
      const answers: string[] = []
      const sent: string[][] = []
      for (const { port } of [plain, hooked]) {
        answers.push(await ask(port, text))
        sent.push(seen.splice(0))
      }
      expect([text, answers[1], sent[1]]).toEqual([text, answers[0], sent[0]])
    }
    expect(await journalOf(hooked)).toEqual(await journalOf(plain))
    const counts = await countsOf(plain)
    expect(counts.length).toBeGreaterThan(4)
    expect((await countsOf(hooked)).toSorted()).toEqual(counts.toSorted())
  })
})

describe('forwarding', () => {
  it('names an upstream that is not there', async () => {
    const gone = { upstream: 'http://127.0.0.1:9' }
    const [hooked, plain] = [await start({ ...HOOKED, ...gone }), await start(gone)]
    const expected = await ask(plain.port, headOf('GET /short'))
    expect(expected).toMatch(/^HTTP\/1.1 502 /)
    expect(await ask(hooked.port, headOf('GET /short'))).toBe(expected)
  })

  it('refuses to forward to itself', async () => {
    const refusals: string[] = []
    for (const options of [{}, HOOKED]) {
      const own = createServer().listen(0, '127.0.0.1')
      await once(own, 'listening')
      const { port } = own.address() as AddressInfo
      own.close()
      await once(own, 'close')
      const loop = await start({ ...options, upstream: `http://127.0.0.1:${port}` }, port)
      refusals.push((await ask(loop.port, headOf('GET /short'))).replaceAll(String(port), 'PORT'))
    }
    expect(refusals[0]).toContain('it is the gateway itself')
    expect(refusals[1]).toBe(refusals[0])
  })

  it.for(['forward', 'record'] as const)('records the same in mode %s', async (mode) => {
    const records: unknown[] = []
    for (const options of [{}, HOOKED]) {
      const directory = await mkdtemp(join(tmpdir(), 'sim-forward-'))
      const { port } = await start({ ...options, record: directory, modes: { mode } })
      for (const text of REQUESTS) await ask(port, text)
      await open.at(-1)?.close()
      const exchanges: unknown[] = []
      for await (const { startedDateTime: _at, time: _time, timings: _timings, ...rest } of readExchanges(
        directory,
      ))
        exchanges.push(
          JSON.stringify(rest, (key, value: unknown) => (key === '_chunks' ? undefined : value)).replaceAll(
            /[^"]* GMT/g,
            '',
          ),
        )
      expect(exchanges.length).toBeGreaterThan(20)
      records.push(exchanges)
      await rm(directory, { recursive: true })
    }
    expect(records[1]).toEqual(records[0])
  })

  it('leaves requests to the adapters that they are for', async () => {
    const adapter = createAdapter(notes)
    const mounts = [{ adapter, prefix: '/vendor' }]
    const { port } = await start({ ...HOOKED, adapters: mounts })
    expect(await ask(port, headOf('GET /vendor/v1/notes/a'))).toContain('{"id":"a","text":"first"}')
    expect(await ask(port, headOf('GET /short'))).toContain('GET /short')
    const forwarding = await start({ ...HOOKED, adapters: mounts, modes: { mode: 'forward' } })
    expect(await ask(forwarding.port, headOf('GET /vendor/short'))).toContain('GET /vendor/short')
  })

  it('leaves what is compared or replayed to its mode', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sim-forward-'))
    const first = await start({ ...HOOKED, record: directory })
    await ask(first.port, headOf('GET /short'))
    await open[0]?.close()
    const replaying = await start({ ...HOOKED, recording: directory, modes: { mode: 'replay' } })
    seen = []
    expect(await ask(replaying.port, headOf('GET /short'))).toContain('GET /short')
    expect(seen).toEqual([])
    const comparing = await start({ ...HOOKED, recording: directory, modes: { mode: 'diff' } })
    await ask(comparing.port, headOf('GET /chunked'))
    const drift = await (await fetch(`${comparing.url}/__sim/drift`)).json()
    expect(drift).toMatchObject({ exchanges: 1 })
    await rm(directory, { recursive: true })
  })

  it('leaves requests to chaos and to modes as long as there are some', async () => {
    const { port, url } = await start(HOOKED)
    const set = async (path: string, body: unknown): Promise<number> => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(body) })).status
    }
    const status = async (): Promise<string> => (await ask(port, headOf('GET /short'))).slice(9, 12)
    expect(await status()).toBe('200')
    expect(await set('/__sim/chaos', { rules: [{ errors: { rate: 1, codes: [503] } }] })).toBe(200)
    expect(await status()).toBe('503')
    expect(await set('/__sim/chaos', { rules: [] })).toBe(200)
    expect(await status()).toBe('200')
  })

  it('counts what it forwards, so that chaos afterwards draws as it would have', async () => {
    const hooked = await start(HOOKED)
    const plain = await start({})
    const rules = JSON.stringify({ rules: [{ errors: { rate: 0.5, codes: [503] } }] })
    const drawn: string[] = []
    for (const { port, url } of [hooked, plain]) {
      for (let i = 0; i < 5; i++) await ask(port, headOf('GET /short'))
      const headers = { 'content-type': 'application/json' }
      await fetch(`${url}/__sim/chaos`, { method: 'PUT', headers, body: rules })
      let statuses = ''
      for (let i = 0; i < 20; i++) statuses += (await ask(port, headOf('GET /short'))).slice(9, 10)
      drawn.push(statuses)
    }
    expect(drawn[0]).toMatch(/2.*5|5.*2/)
    expect(drawn[0]).toBe(drawn[1])
  })
})
