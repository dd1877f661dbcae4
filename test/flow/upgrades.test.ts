import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { atEnd } from '../at-end.ts'
import {
  gatewayTo,
  openFolder,
  startGateway,
  startIntercepting,
  startProxy,
  startUpstream,
  type Listening,
} from './kit.ts'
import { http2To, requestSocket, socketOver } from './http2-websocket.ts'
import { lastRequest, openTunnel, rawAnswer, requestText, textOf } from './raw-client.ts'

/** Answers each message with itself, after a greeting with the URL of the request. */
function echo({ server }: Pick<Listening, 'server'>): void {
  const sockets = new WebSocketServer({ server: server as never })
  sockets.on('connection', (socket, incoming) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    socket.send(`${incoming.url} ${String(incoming.headers['x-mark'])}`)
  })
  atEnd(() => sockets.close())
}

async function startEcho() {
  const upstream = await startUpstream(() => {})
  echo(upstream)
  return upstream
}

const headers = { 'x-mark': 'yes' }

const CLIENTS: readonly (readonly [entry: string, open: (path: string) => Promise<WebSocket>])[] = [
  [
    'in origin-form',
    async (path) => {
      const { port } = await startGateway({ upstream: (await startEcho()).url })
      return new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    },
  ],
  [
    'through a blind tunnel',
    async (path) => {
      const upstream = await startEcho()
      const socket = await openTunnel((await startProxy()).port, `127.0.0.1:${upstream.port}`)
      return new WebSocket(`${upstream.url}${path}`, { createConnection: () => socket, headers })
    },
  ],
  [
    'through an intercepted tunnel, with TLS on both sides',
    async (path) => {
      const { upstream, open } = await startIntercepting(() => {})
      echo(upstream)
      const secure = await open()
      const url = `wss://localhost:${upstream.port}${path}`
      return new WebSocket(url, { createConnection: () => secure, headers })
    },
  ],
]

/** Those of RFC 8441, by each entry of HTTP/2. */
const OVER_HTTP2: typeof CLIENTS = [
  [
    'over HTTP/2 without TLS',
    async (path) => {
      const { url } = await startGateway({ upstream: (await startEcho()).url })
      return socketOver(await http2To(url), path, headers)
    },
  ],
  [
    'over HTTP/2 in an intercepted tunnel, with TLS on both sides',
    async (path) => {
      const { upstream, open } = await startIntercepting(() => {})
      echo(upstream)
      return socketOver(await http2To(upstream.url, await open('h2')), path, headers)
    },
  ],
]

/** The answer to a handshake that opens no WebSocket. */
async function refusal(url: string): Promise<IncomingMessage> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  return response
}

describe('a WebSocket', () => {
  it.for([...CLIENTS, ...OVER_HTTP2])('passes %s', async ([, open]) => {
    const socket = await open('/chat?x=1')
    const [greeting] = (await once(socket, 'message')) as [Buffer]
    expect(greeting.toString()).toBe('/chat?x=1 yes')
    for (const text of ['one', 'two', 'x'.repeat(300_000)]) {
      socket.send(text)
      const [answer] = (await once(socket, 'message')) as [Buffer]
      expect(answer.toString()).toBe(text)
    }
    socket.close(1000)
    expect((await once(socket, 'close'))[0]).toBe(1000)
  })

  it('passes in absolute-form', async () => {
    const upstream = await startEcho()
    const { port } = await startProxy()
    const handshake = request({
      ...{ host: '127.0.0.1', port, path: `${upstream.url}/chat` },
      headers: {
        ...{ ...headers, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      },
    })
    const [, socket, head] = (await once(handshake.end(), 'upgrade')) as [unknown, Duplex, Buffer]
    const [greeting] = head.length > 0 ? [head] : ((await once(socket, 'data')) as [Buffer])
    expect(greeting.subarray(2).toString()).toBe('/chat yes')
    socket.destroy()
  })

  it('gets the answer of an upstream that speaks no WebSocket', async () => {
    const { url } = await gatewayTo((_incoming, response) =>
      response.writeHead(426, { 'x-a': '1' }).end('no'),
    )
    const response = await refusal(url)
    expect([response.statusCode, response.headers['x-a'], await textOf(response)]).toEqual([426, '1', 'no'])
  })

  it('gets a named error where the upstream cannot be reached', async () => {
    const { url, upstream } = await gatewayTo(() => {})
    upstream.stop()
    const response = await refusal(url)
    expect([response.statusCode, await textOf(response)]).toEqual([
      502,
      expect.stringContaining('UpstreamUnreachable'),
    ])
  })

  it('passes the plugins like any other request', async () => {
    const { url } = await startGateway({
      upstream: (await startEcho()).url,
      defaults: { bearerTokens: ['t'] },
    })
    expect((await refusal(url)).statusCode).toBe(401)
  })

  it('ends at the upstream when the client leaves, and the other way round', async () => {
    const { url, upstream } = await gatewayTo(() => {})
    const sockets = new WebSocketServer({ server: upstream.server })
    const connect = async (): Promise<readonly [client: WebSocket, server: WebSocket]> => {
      const arrived = once(sockets, 'connection') as Promise<[WebSocket]>
      const client = new WebSocket(url.replace('http', 'ws'))
      client.on('error', () => {})
      const [server] = await arrived
      await once(client, 'open')
      return [client, server]
    }
    const [client, left] = await connect()
    client.terminate()
    await once(left, 'close')

    const [other, server] = await connect()
    server.terminate()
    await once(other, 'close')
  })
})

describe('CONNECT over HTTP/2', () => {
  const open = async (options: Partial<GatewayOptions> = {}): Promise<ClientHttp2Session> =>
    http2To((await startProxy(options)).url)
  const answerTo = async (stream: ClientHttp2Stream): Promise<readonly [status: number, body: string]> => {
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
    return [headers[':status'], await textOf(stream)]
  }

  it('says that it takes WebSockets', async () => {
    expect((await open()).remoteSettings.enableConnectProtocol).toBe(true)
  })

  it('is answered as other requests are where no WebSocket is there', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', { output: Type.Object({ ok: Type.Literal(true) }) })
    const session = await open({ engine: api.engine() })
    expect(await answerTo(requestSocket(session, '/x'))).toEqual([200, '{"ok":true}'])
    const upstream = await startUpstream((_incoming, response) => response.writeHead(426).end('no'))
    const forwarding = await open({ upstream: upstream.url, defaults: { bearerTokens: ['t'] } })
    expect((await answerTo(requestSocket(forwarding, '/x')))[0]).toBe(401)
    const allowed = requestSocket(forwarding, '/x', { authorization: 'Bearer t' })
    expect(await answerTo(allowed)).toEqual([426, 'no'])
  })

  it('is 501 for a protocol that is not known', async () => {
    const session = await open()
    const stream = session.request({
      ...{ ':method': 'CONNECT', ':protocol': 'connect-udp', ':path': '/', ':scheme': 'http' },
    })
    expect((await answerTo(stream.end()))[0]).toBe(501)
  })

  it('opens tunnels, to servers and to here', async () => {
    const upstream = await startUpstream(({ url }, response) => response.end(`at ${url}`))
    const api = new SimAPI({ seed: 1, host: 'a.example' }).get('/x', { output: Type.Literal('here') })
    const session = await open({ engine: api.engine() })
    for (const [authority, answer] of [
      [`127.0.0.1:${upstream.port}`, 'at /x'],
      ['a.example:80', '"here"'],
    ] as const) {
      const stream = session.request({ ':method': 'CONNECT', ':authority': authority }, { endStream: false })
      stream.write(lastRequest('GET /x', authority.replace(/:80$/, '')))
      const [status, text] = await answerTo(stream)
      expect(status).toBe(200)
      expect(text).toContain(answer)
    }
    const refused = session.request({ ':method': 'CONNECT', ':authority': '169.254.169.254:80' })
    expect((await answerTo(refused))[0]).toBe(403)
  })

  it('asks proxy clients who they are', async () => {
    const session = await open({ proxyAuth: ['ada:secret'] })
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'a.example:80' })
    expect((await answerTo(stream))[0]).toBe(407)
  })

  it('ends at the upstream when the client leaves, and the other way round', async () => {
    const { url, upstream } = await gatewayTo(() => {})
    const sockets = new WebSocketServer({ server: upstream.server })
    const session = await http2To(url)
    const arrived = once(sockets, 'connection') as Promise<[WebSocket]>
    const stream = requestSocket(session, '/')
    await once(stream, 'response')
    const [left] = await arrived
    stream.close(8)
    await once(left, 'close')

    const next = once(sockets, 'connection') as Promise<[WebSocket]>
    const other = requestSocket(session, '/')
    await once(other, 'response')
    const [server] = await next
    server.terminate()
    await once(other, 'close')
  })

  it('is recorded and replayed as WebSockets of HTTP/1.1 are', async () => {
    const record = openFolder().path
    const upstream = await startEcho()
    const recorder = await startGateway({ upstream: upstream.url, record, modes: { mode: 'record' } })
    const talk = async (url: string): Promise<readonly string[]> => {
      const socket = socketOver(await http2To(url), '/chat', headers)
      const [greeting] = (await once(socket, 'message')) as [Buffer]
      socket.send('one')
      const [echoed] = (await once(socket, 'message')) as [Buffer]
      socket.close(1000)
      await once(socket, 'close')
      return [greeting.toString(), echoed.toString()]
    }
    const said = await talk(recorder.url)
    await recorder.app.close()
    const replayed = await startGateway({ recording: record, modes: { mode: 'replay' } })
    expect(await talk(replayed.url)).toEqual(said)
    const old = new WebSocket(`${replayed.url.replace('http', 'ws')}/chat`, { headers })
    expect(String((await once(old, 'message'))[0])).toBe(said[0])
    old.terminate()
  })
})

describe('an upgrade that is refused', () => {
  it('leaves an offer of HTTP/2 without TLS aside, and reads the body that came with it', async () => {
    const { port } = await gatewayTo((incoming, response) => {
      void textOf(incoming).then((text) => response.end(`${incoming.headers.upgrade} ${text}`))
    })
    const offer = requestText(
      'POST /',
      ...['Host: a', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'],
      ...['HTTP2-Settings: AAMAAABk', 'Content-Length: 4'],
    )
    const next = requestText('GET /next', 'Host: a', 'Connection: close')
    expect(await rawAnswer(port, `${offer}body${next}`)).toMatch(
      /^HTTP\/1.1 200 OK.*connection: keep-alive.*undefined body.*HTTP\/1.1 200 OK.*connection: close/is,
    )
  })

  it('ends the connection where the body that came with it is malformed', async () => {
    const { port } = await gatewayTo((incoming, response) => {
      void textOf(incoming).then((text) => response.end(text))
    })
    const offer = requestText(
      'POST /',
      ...['Host: a', 'Connection: upgrade', 'Upgrade: h2c', 'Transfer-Encoding: chunked'],
    )
    expect(await rawAnswer(port, `${offer}-1\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /)
  })

  it('lets a declared route answer as ever', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', { output: Type.Object({ ok: Type.Literal(true) }) })
    const { port } = await startGateway({ engine: api.engine() })
    const upgrade = requestText('GET /x', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket')
    expect(await rawAnswer(port, upgrade)).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*\{"ok":true\}$/is)
  })
})
