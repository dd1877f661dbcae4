import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { Limits } from '../../src/http/limits.ts'
import { fetchFrom, gatewayTo, openFolder, startGateway, startUpstream, type Served } from './kit.ts'
import { lastRequest, rawAnswer, requestText, textOf } from './raw-client.ts'

describe('the limits of a server', () => {
  const start = async (limits: Limits): Promise<number> =>
    (await startGateway({ engine: new SimAPI({ seed: 1 }).post('/x').engine(), limits })).port
  const long = (length: number): string => lastRequest('GET /', 'a', `X: ${'x'.repeat(length)}`)

  it('refuse a header that is too long with 431', async () => {
    const port = await start({ maxHeaderBytes: 1000 })
    expect(await rawAnswer(port, long(2000))).toMatch(/^HTTP\/1\.1 431 /)
    expect(await rawAnswer(port, lastRequest('GET /'))).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('let a longer header in where they are wider', async () => {
    const port = await start({ maxHeaderBytes: 100_000 })
    expect(await rawAnswer(port, long(50_000))).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('end a connection whose header does not come to its end', async () => {
    const port = await start({ headerTimeoutMs: 100 })
    expect(await rawAnswer(port, 'GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('leave a body all the time it takes', async () => {
    const socket = connect(await start({ headerTimeoutMs: 50 }), '127.0.0.1')
    socket.write(lastRequest('POST /x', 'a', 'Content-Length: 2'))
    setTimeout(() => socket.write('{}'), 300)
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a client that closes its side once it has sent its request', () => {
  const SLOW_MS = 600
  const directory = openFolder().path
  const left: string[] = []
  let upstream: string
  beforeAll(async () => {
    const { url } = await startUpstream((request, response) => {
      response.once('close', () => {
        if (!response.writableEnded) left.push(request.url ?? '')
      })
      if (request.url === '/slow') setTimeout(() => response.end('slow'), SLOW_MS)
      else if (request.url === '/events')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      else if (request.url !== '/never') setImmediate(() => response.end('quick'))
    })
    upstream = url
  })
  const start = async (options: Partial<GatewayOptions> = {}): Promise<number> =>
    (await startGateway({ upstream, ...options })).port

  /** Sends a request and closes that side at once. */
  const send = (port: number, path: string, version = '1.1'): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(`GET ${path} HTTP/${version}\r\nHost: x\r\n\r\n`)
    return textOf(socket)
  }

  it.for([{}, { record: directory }])(
    'gets its response from an upstream, however long it takes, with %j',
    async (options) => {
      const port = await start(options)
      expect(await send(port, '/quick')).toMatch(/^HTTP\/1.1 200 OK[^]*quick/)
      const slow = await send(port, '/slow')
      expect(slow.replaceAll('HTTP/1.1 102 Processing\r\n\r\n', '')).toMatch(/^HTTP\/1.1 200 OK[^]*slow/)
      expect(await send(port, '/slow', '1.0')).toMatch(/^HTTP\/1.1 200 OK[^]*slow$/)
    },
  )

  it('gets what was recorded', async () => {
    const port = await start({ recording: directory, modes: { mode: 'replay' } })
    expect(await send(port, '/slow')).toMatch(/^HTTP\/1.1 200 OK[^]*slow/)
  })

  it('is not taken for one that has left, whose request to the upstream is given up', async () => {
    const port = await start()
    for (const path of ['/never', '/events']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(requestText(`GET ${path}`, 'Host: x'))
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
      await expect.poll(() => left).toContain(path)
    }
  })
})

describe('what the gateway forwards without reading it', () => {
  let gateway: Served
  beforeAll(async () => {
    gateway = await gatewayTo((request, response) => {
      const type = request.headers['content-type'] ?? 'none'
      void textOf(request).then((text) => response.end(`${request.method} ${type} ${text}`))
    })
  })

  it.for([
    ['QUERY', [], '', 'none'],
    ['QUERY', [], 'select', 'none'],
    ['QUERY', ['content-type: text/sql'], 'select', 'text/sql'],
    ['POST', [], 'bytes', 'none'],
    ['POST', ['content-type:'], 'bytes', 'none'],
    ['POST', ['content-type: nonsense'], 'bytes', 'nonsense'],
    ['PUT', ['content-type: a/b; c'], 'bytes', 'a/b; c'],
    ['PATCH', ['content-type: */*'], 'bytes', '*/*'],
    ['DELETE', [], 'bytes', 'none'],
    ['PROPFIND', [], 'bytes', 'none'],
    ['M-SEARCH', [], '', 'none'],
  ] as const)('is %s with %j and the body %j', async ([method, headers, body, type]) => {
    const head = lastRequest(`${method} /x`, 'x', `content-length: ${body.length}`, ...headers)
    const answer = await rawAnswer(gateway.port, head + body)
    expect(answer).toContain('HTTP/1.1 200')
    expect(answer).toMatch(new RegExp(`${method} ?(${type.replace(/[*/]/g, '\\$&')})? ${body}`))
  })

  it('is a chunked body without a content type', async () => {
    const head = lastRequest('POST /x', 'x', 'transfer-encoding: chunked')
    expect(await rawAnswer(gateway.port, head, '2\r\nhi\r\n0\r\n\r\n')).toContain('POST none hi')
  })

  it('is refused for a declared route only by the route itself', async () => {
    const app = new SimAPI({ seed: 1 }).post('/x', {}).asWebApp()
    const { statusCode } = await app.inject({ method: 'POST', url: '/x', payload: Buffer.from('{}') })
    expect(statusCode).toBe(200)
  })
})

describe('a client that leaves with requests in a pipeline', () => {
  it('ends all of them with the upstream, though only the first has begun to be answered', async () => {
    const begun: string[] = []
    const left: string[] = []
    const seen = new EventEmitter()
    const { port } = await gatewayTo(({ url = '' }, response) => {
      begun.push(url)
      response.once('close', () => {
        left.push(url)
        if (left.length === 3) seen.emit('left')
      })
      if (begun.length === 3) seen.emit('begun')
    })
    const socket = connect(port, '127.0.0.1')
    const begins = once(seen, 'begun')
    const leaves = once(seen, 'left')
    socket.write(['/1', '/2', '/3'].map((path) => requestText(`GET ${path}`, 'Host: a')).join(''))
    await begins
    socket.destroy()
    await leaves
    expect(left.toSorted((a, b) => a.localeCompare(b))).toEqual(['/1', '/2', '/3'])
  })
})

it('has a hundred safe requests of a connection under way at most, and answers all in their order', async () => {
  const held: ServerResponse[] = []
  let isHolding = true
  const { port, url } = await gatewayTo((request, response) => {
    if (isHolding && request.url !== '/other') held.push(response)
    else response.end(request.url)
  })
  const paths = Array.from({ length: 3000 }, (_, index) => `/${index}`)
  const socket = connect(port, '127.0.0.1')
  socket.write(paths.map((path) => requestText(`GET ${path}`, 'Host: a')).join(''))
  await expect.poll(() => held.length).toBeGreaterThan(90)
  await fetchFrom(`${url}/other`)
  expect(held.length).toBeLessThanOrEqual(101)
  isHolding = false
  for (const response of held) response.end(response.req.url)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await expect.poll(() => answer.endsWith('/2999')).toBe(true)
  expect(answer.match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(paths)
  socket.destroy()
})
