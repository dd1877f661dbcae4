import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import Type from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SimAPI } from '../../src/api.ts'
import { openTunnel, rawAnswer, textOf, tlsThroughTunnel } from './raw-client.ts'
import {
  closeAll,
  closing,
  startGateway,
  startTlsUpstream,
  startUpstream,
  temporaryDirectory,
  upstreamAuthority,
  type Upstream,
} from './ways-in-setup.ts'

const directory = temporaryDirectory()
const caDirectory = join(directory, 'ca')
afterEach(closeAll)

/** Answers each message with itself, after a greeting with the URL that was asked for. */
function echo({ server }: Upstream): void {
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, incoming) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    socket.send(`${incoming.url} ${String(incoming.headers['x-mark'])}`)
  })
  closing.push(() => sockets.close())
}

async function converse(socket: WebSocket, path: string): Promise<void> {
  const [greeting] = (await once(socket, 'message')) as [Buffer]
  expect(greeting.toString()).toBe(`${path} yes`)
  for (const text of ['one', 'two', 'x'.repeat(300_000)]) {
    socket.send(text)
    const [answer] = (await once(socket, 'message')) as [Buffer]
    expect(answer.toString()).toBe(text)
  }
  socket.close(1000)
  const [code] = (await once(socket, 'close')) as [number]
  expect(code).toBe(1000)
}

const headers = { 'x-mark': 'yes' }

describe('a WebSocket', () => {
  it('passes in origin-form', async () => {
    const upstream = await startUpstream(() => {})
    echo(upstream)
    const { port } = await startGateway({ upstream: upstream.url })
    await converse(new WebSocket(`ws://127.0.0.1:${port}/chat?x=1`, { headers }), '/chat?x=1')
  })

  it('passes in absolute-form', async () => {
    const upstream = await startUpstream(() => {})
    echo(upstream)
    const { port } = await startGateway()
    const key = Buffer.alloc(16).toString('base64')
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path: `${upstream.url}/chat`,
        headers: {
          ...headers,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-key': key,
          'sec-websocket-version': '13',
        },
      })
      asked.once('error', reject)
      asked.once('upgrade', (_response, socket: Duplex, head: Buffer) => {
        const greet = (data: Buffer): void => {
          resolve(data.subarray(2).toString())
          socket.destroy()
        }
        if (head.length > 0) greet(head)
        else socket.once('data', greet)
      })
      asked.end()
    })
    expect(answer).toBe('/chat yes')
  })

  it('passes through a blind tunnel', async () => {
    const upstream = await startUpstream(() => {})
    echo(upstream)
    const { port } = await startGateway()
    const socket = await openTunnel(port, `127.0.0.1:${upstream.port}`)
    await converse(
      new WebSocket(`${upstream.url}/chat`, { createConnection: () => socket, headers }),
      '/chat',
    )
  })

  it('passes through an intercepted tunnel, with TLS on both sides', async () => {
    const authority = await upstreamAuthority(directory)
    const upstream = await startTlsUpstream(authority, () => {})
    echo(upstream)
    const { port } = await startGateway({
      tls: { intercept: ['*'], caDirectory },
      reach: { tls: { ca: authority.cert } },
    })
    const secure = await tlsThroughTunnel(caDirectory, port, `localhost:${upstream.port}`, {
      ALPNProtocols: ['http/1.1'],
    })
    const socket = new WebSocket(`wss://localhost:${upstream.port}/chat`, {
      createConnection: () => secure,
      headers,
    })
    await converse(socket, '/chat')
  })

  it('gets the answer of an upstream that speaks no WebSocket', async () => {
    const upstream = await startUpstream((_incoming, response) =>
      response.writeHead(426, { 'x-a': '1' }).end('no'),
    )
    const { port } = await startGateway({ upstream: upstream.url })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    expect([response.statusCode, response.headers['x-a'], await textOf(response)]).toEqual([426, '1', 'no'])
  })

  it('gets a named error where the upstream cannot be reached', async () => {
    const upstream = await startUpstream(() => {})
    upstream.server.close()
    const { port } = await startGateway({ upstream: upstream.url })
    const [, response] = (await once(new WebSocket(`ws://127.0.0.1:${port}/`), 'unexpected-response')) as [
      unknown,
      IncomingMessage,
    ]
    expect([response.statusCode, await textOf(response)]).toEqual([
      502,
      expect.stringContaining('UpstreamUnreachable'),
    ])
  })

  it('passes the plugins like any other request', async () => {
    const upstream = await startUpstream(() => {})
    echo(upstream)
    const { port } = await startGateway({ upstream: upstream.url, defaults: { bearerTokens: ['t'] } })
    const [, response] = (await once(new WebSocket(`ws://127.0.0.1:${port}/`), 'unexpected-response')) as [
      unknown,
      IncomingMessage,
    ]
    expect(response.statusCode).toBe(401)
  })

  it('ends at the upstream when the client leaves, and the other way round', async () => {
    const upstream = await startUpstream(() => {})
    const sockets = new WebSocketServer({ server: upstream.server })
    const { port } = await startGateway({ upstream: upstream.url })
    const arrived = once(sockets, 'connection') as Promise<[WebSocket]>
    const client = new WebSocket(`ws://127.0.0.1:${port}/`)
    const [server] = await arrived
    await once(client, 'open')
    client.terminate()
    await once(server, 'close')

    const again = once(sockets, 'connection') as Promise<[WebSocket]>
    const other = new WebSocket(`ws://127.0.0.1:${port}/`)
    other.on('error', () => {})
    const [second] = await again
    await once(other, 'open')
    second.terminate()
    await once(other, 'close')
  })
})

describe('an upgrade that is none', () => {
  it('leaves an offer of HTTP/2 without TLS aside, and reads the body that came with it', async () => {
    const upstream = await startUpstream((incoming, response) => {
      void textOf(incoming).then((text) => response.end(`${incoming.headers.upgrade} ${text}`))
    })
    const { port } = await startGateway({ upstream: upstream.url })
    const head =
      'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
    const answer = await rawAnswer(port, `POST / HTTP/1.1\r\n${head}Content-Length: 4\r\n\r\nbody`)
    expect(answer).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*undefined body$/is)
  })

  it('lets a declared route answer as ever', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', { output: Type.Object({ ok: Type.Literal(true) }) })
    const { port } = await startGateway({ engine: api.engine() })
    const answer = await rawAnswer(
      port,
      'GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*\{"ok":true\}$/is)
  })
})
