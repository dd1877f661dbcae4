import { once } from 'node:events'
import { get, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get as getSecurely } from 'node:https'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  gatewayTo,
  getStream,
  responseTo,
  startGateway,
  startIntercepting,
  startProxy,
  startUpstream,
} from './kit.ts'
import { lastRequest, openTunnel, rawAnswer, textOf } from './raw-client.ts'

/** Starts a server and a gateway, and gives the answer to GET / through it as a stream. */
type Open = (listener: RequestListener) => Promise<Readable>

const ENTRIES: readonly { readonly entry: string; readonly open: Open }[] = [
  {
    entry: 'in origin-form',
    open: async (listener) => getStream((await gatewayTo(listener)).url),
  },
  {
    entry: 'in absolute-form',
    async open(listener) {
      const { url } = await startUpstream(listener)
      const { port } = await startProxy()
      return responseTo(get({ host: '127.0.0.1', port, path: `${url}/`, agent: false }))
    },
  },
  {
    entry: 'through a blind tunnel',
    async open(listener) {
      const upstream = await startUpstream(listener)
      const socket = await openTunnel((await startProxy()).port, `127.0.0.1:${upstream.port}`)
      return responseTo(get(upstream.url, { createConnection: () => socket }))
    },
  },
  {
    entry: 'through a tunnel that ends here',
    async open(listener) {
      const { upstream, open } = await startIntercepting(listener)
      const socket = await open()
      return responseTo(getSecurely(upstream.url, { createConnection: () => socket }))
    },
  },
  {
    entry: 'over HTTP/2 in a tunnel that ends here',
    async open(listener) {
      const { upstream, open } = await startIntercepting(listener)
      const secure = await open('h2')
      const session = connectHttp2(upstream.url, { createConnection: () => secure })
      const stream = session.request({ ':path': '/' })
      stream.once('close', () => session.destroy())
      await once(stream, 'response')
      return stream
    },
  },
]

/** Writes as much as is taken, and counts it. */
function fillResponse(response: ServerResponse, count: (bytes: number) => void = () => {}): void {
  const fill = (): void => {
    do count(65_536)
    while (response.write(Buffer.alloc(65_536)))
    response.once('drain', fill)
  }
  response.on('error', () => {})
  fill()
}

describe.for(ENTRIES)('a stream $entry', ({ open }) => {
  it('brings each event as it comes, before the stream ends', async () => {
    let write: (text: string) => void = () => {}
    const stream = await open((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      write = (text) => response.write(text)
    })
    for (const event of ['data: one\n\n', 'data: two\n\n']) {
      write(event)
      expect(String((await once(stream, 'data'))[0])).toBe(event)
    }
    stream.destroy()
  })

  it('is as slow at the upstream as its client reads it', async () => {
    let written = 0
    const stream = await open((_incoming, response) => fillResponse(response, (bytes) => (written += bytes)))
    stream.pause()
    let seen = -1
    // What sockets and streams hold fills up within a few rounds, and then nothing more is written.
    for (let rounds = 0; rounds < 100 && seen !== written; rounds++) {
      seen = written
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(written).toBe(seen)
    expect(written).toBeLessThan(64 * 1024 * 1024)
    stream.destroy()
  })

  it.for<[string, (response: ServerResponse) => unknown]>([
    ['after the beginning', (response) => response.write('first')],
    ['in the middle of much', (response) => fillResponse(response)],
  ])('ends at the upstream when its client leaves %s', async ([, write]) => {
    let closed: () => void = () => {}
    const left = new Promise<void>((resolve) => (closed = resolve))
    const stream = await open((_incoming, response) => {
      response.once('close', closed)
      write(response)
    })
    await once(stream, 'data')
    stream.destroy()
    await expect(left).resolves.toBeUndefined()
  })
})

describe('1,000 connections that are slow', () => {
  it('do not stop a fast one', async () => {
    const { port } = await gatewayTo((incoming, response) => {
      if (incoming.url === '/fast') response.end('fast')
      else response.write('slow')
    })
    const slow = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        // Half of them never finish what they send; the others get an answer that never ends.
        socket.write(`GET /slow HTTP/1.1\r\nHost: a\r\n${index % 2 === 0 ? 'X-Part: ' : '\r\n'}`)
        if (index % 2 === 1) await once(socket, 'data')
        return socket
      }),
    )
    const response = await responseTo(request({ host: '127.0.0.1', port, path: '/fast', agent: false }).end())
    expect(await textOf(response)).toBe('fast')
    for (const socket of slow) socket.destroy()
  })
})

describe('forwarding', () => {
  it('ends the upstream request when the client leaves before the answer', async () => {
    let arrived: (response: ServerResponse) => void = () => {}
    const reached = new Promise<ServerResponse>((resolve) => (arrived = resolve))
    const { url } = await gatewayTo((_request, response) => arrived(response))
    const client = get(url)
    client.on('error', () => {})
    const unanswered = await reached
    client.destroy()
    await once(unanswered, 'close')
    expect(unanswered.headersSent).toBe(false)
  })

  it('keeps duplicate headers, their order and the case of their names', async () => {
    const { url } = await gatewayTo((incoming, response) => {
      const echoed = incoming.rawHeaders.filter((_, index, all) => all[index - (index % 2)] === 'X-Twice')
      response.writeHead(200, ['Set-Cookie', 'a=1', 'X-Odd', 'ø', 'Set-Cookie', 'b=2'])
      response.end(Buffer.from(JSON.stringify(echoed)))
    })
    const response = await getStream(url, ['Host', 'x', 'X-Twice', 'one', 'X-Twice', 'two'])
    expect(JSON.parse(await textOf(response))).toEqual(['X-Twice', 'one', 'X-Twice', 'two'])
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(response.rawHeaders).toContain('Set-Cookie')
    expect(response.headers['x-odd']).toBe('ø')
  })

  it('drops hop-by-hop headers both ways, with those that Connection names', async () => {
    const { url } = await gatewayTo((incoming, response) => {
      const headers = { 'x-private': '1', 'proxy-authenticate': 'Basic' }
      response.writeHead(200, { connection: 'close, x-private', ...headers })
      response.end(Object.keys(incoming.headers).toSorted().join())
    })
    const response = await getStream(url, {
      ...{ connection: 'x-hop', 'x-hop': '1', 'proxy-authorization': 'Basic x' },
      ...{ te: 'trailers', 'x-kept': '1' },
    })
    expect((await textOf(response)).split(',')).toEqual(['connection', 'host', 'te', 'via', 'x-kept'])
    expect(response.headers).not.toHaveProperty('x-private')
    expect(response.headers).not.toHaveProperty('proxy-authenticate')
  })

  it('names the upstream in Host', async () => {
    const { url, upstream } = await gatewayTo((incoming, response) => response.end(incoming.headers.host))
    expect(await textOf(await getStream(url))).toBe(`127.0.0.1:${upstream.port}`)
  })

  it('passes trailers', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(200, { trailer: 'x-digest' })
      response.write('body')
      response.addTrailers({ 'x-digest': 'abc' })
      response.end()
    })
    const response = await getStream(url)
    expect(await textOf(response)).toBe('body')
    expect(response.trailers).toEqual({ 'x-digest': 'abc' })
  })

  it('passes early hints', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('body')
    })
    const client = get(url)
    const [[information], response] = (await Promise.all([
      once(client, 'information'),
      responseTo(client),
    ])) as [[{ statusCode: number; headers: { link?: string } }], IncomingMessage]
    expect([information.statusCode, information.headers.link]).toEqual([103, '</style.css>; rel=preload'])
    expect(await textOf(response)).toBe('body')
  })

  it('passes the body of Expect: 100-continue', async () => {
    const { url } = await gatewayTo(
      (incoming, response) => void textOf(incoming).then((text) => response.end(text)),
    )
    const client = request(url, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '4' },
    })
    client.flushHeaders()
    await once(client, 'continue')
    client.end('body')
    expect(await textOf(await responseTo(client))).toBe('body')
  })

  it.for(['GET', 'PROPFIND', 'REPORT', 'OPTIONS', 'DELETE'])('passes the body of %s', async (method) => {
    const { url } = await gatewayTo((incoming, response) => {
      void textOf(incoming).then((text) => response.end(`${incoming.method} ${text}`))
    })
    const client = request(url, { method, headers: { 'content-length': '4' } })
    expect(await textOf(await responseTo(client.end('body')))).toBe(`${method} body`)
  })

  it('passes an answer that comes before the body was read', async () => {
    const { url } = await gatewayTo((_request, response) => response.writeHead(413).end('too large'))
    const client = request(url, { method: 'POST' })
    client.on('error', () => {})
    const answered = responseTo(client)
    for (let i = 0; i < 80; i++) client.write(Buffer.alloc(65_536))
    client.end()
    const response = await answered
    expect([response.statusCode, await textOf(response)]).toEqual([413, 'too large'])
  })

  it('breaks off towards the client where the upstream broke off', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.socket?.destroy())
    })
    await expect(textOf(await getStream(url))).rejects.toThrow(/aborted/)
  })

  it('reuses its connections to the upstream', async () => {
    let connections = 0
    const { url, upstream } = await gatewayTo((_request, response) => response.end('ok'))
    upstream.server.on('connection', () => connections++)
    for (let i = 0; i < 20; i++) await (await fetch(url)).text()
    expect(connections).toBe(1)
  })

  it.for(['/a//b/../c', '/%7Eme/%2F', '/%ff/%', '/x?', '/x?a=1&a=2&b=%20+'])(
    'keeps the path %s as the client wrote it, below the path of the upstream',
    async (path) => {
      const { url } = await startUpstream((incoming, response) => response.end(incoming.url))
      const { port } = await startGateway({ upstream: `${url}/base/` })
      const answer = await rawAnswer(port, lastRequest(`GET ${path}`))
      expect(answer).toContain(`\r\n\r\n`)
      expect(answer).toContain(`/base${path}`)
    },
  )
})
