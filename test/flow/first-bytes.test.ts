import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { createAuthority, createIssuer } from '../../src/http/certificates.ts'
import { atEnd } from '../at-end.ts'
import { caDirectory, serve, startProxy, startUpstream, type Served } from './kit.ts'
import { lastRequest, openTunnel, rawAnswer, textOf } from './raw-client.ts'
import { createGateway } from '../../src/gateway.ts'

const HEADER_TIMEOUT_MS = 100

let gateway: Served
let hasty: Served
let ca: string

beforeAll(async () => {
  const upstream = await startUpstream(({ method, url, headers }, response) =>
    response.end(`${method} ${url} ${headers.via}`),
  )
  gateway = await startProxy({
    upstream: upstream.url,
    targets: { proxy: true, upstreams: [{ host: 'a.example', url: upstream.url }] },
    tls: { caDirectory: caDirectory(), intercept: ['*'] },
  })
  hasty = await startProxy({ limits: { headerTimeoutMs: HEADER_TIMEOUT_MS } })
  ca = (await openAuthority(caDirectory())).cert
})

/** TLS with the gateway itself. */
async function openTls(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connectTls({ port: gateway.port, host: '127.0.0.1', ca, ...options })
  atEnd(() => socket.destroy())
  await once(socket, 'secureConnect')
  return socket
}

/** What a request over HTTP/2 is answered. */
async function answerOver(socket: Duplex): Promise<string> {
  const session = connectHttp2('http://a.example', { createConnection: () => socket })
  atEnd(() => session.destroy())
  return textOf(session.request({ ':path': '/x' }))
}

async function answerTo(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  return textOf(socket)
}

describe('one port', () => {
  it('has HTTP/2 without TLS, also where its preface comes in pieces', async () => {
    expect(await answerOver(connect(gateway.port, '127.0.0.1'))).toBe('GET /x 2.0 sim')

    const slow = connect({ port: gateway.port, host: '127.0.0.1', noDelay: true })
    slow.write('PR')
    slow.write('I * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    slow.write(Buffer.from('000000040000000000', 'hex'))
    const [settings] = (await once(slow, 'data')) as [Buffer]
    expect([settings[3], settings[4]]).toEqual([4, 0])
    slow.destroy()
  })

  it('has HTTP/2 in a tunnel that ends here', async () => {
    expect(await answerOver(await openTunnel(gateway.port, 'a.example:80'))).toBe('GET /x 2.0 sim')
  })

  it('reads methods that begin as the preface of HTTP/2 does', async () => {
    const answer = await rawAnswer(gateway.port, 'P', lastRequest('ROPFIND /x'))
    expect(answer).toMatch(/^HTTP\/1.1 200 .*PROPFIND \/x 1.1 sim/s)
  })

  it.for([
    ['h2', 'a name', 'shop.test'],
    ['h2', 'its address', undefined],
    ['http/1.1', 'a name', 'shop.test'],
    ['http/1.1', 'its address', undefined],
  ] as const)('has TLS with %s, by %s', async ([protocol, , servername]) => {
    const socket = await openTls({
      ALPNProtocols: [protocol],
      ...(servername === undefined ? {} : { servername }),
    })
    expect(socket.alpnProtocol).toBe(protocol)
    expect(socket.getPeerCertificate().subjectaltname).toBe(
      servername === undefined ? 'IP Address:127.0.0.1' : `DNS:${servername}`,
    )
    if (protocol === 'h2') expect(await answerOver(socket)).toBe('GET /x 2.0 sim')
    else expect(await answerTo(socket, lastRequest('GET /x'))).toContain('GET /x 1.1 sim')
  })

  it('is a proxy over TLS, whose tunnels have TLS of their own', async () => {
    const socket = await openTls({ ALPNProtocols: ['http/1.1'] })
    const opening = request({
      ...{ method: 'CONNECT', path: 'a.example:443' },
      createConnection: () => socket,
    })
    const [, tunnel] = (await once(opening.end(), 'connect')) as [unknown, Socket]
    const secure = connectTls({ socket: tunnel, ca, servername: 'a.example', ALPNProtocols: ['http/1.1'] })
    expect(await answerTo(secure, lastRequest('GET /x', 'a.example'))).toContain('GET /x 1.1 sim')
  })

  it('shows the certificate that it was given, whatever name is used', async () => {
    const authority = await createAuthority()
    const certificate = await (await createIssuer(authority))('own.test')
    const { port } = await serve(createGateway({ tls: { certificate } }))
    const socket = connectTls({ port, host: '127.0.0.1', servername: 'own.test', ca: authority.cert })
    await once(socket, 'secureConnect')
    expect(await answerTo(socket, lastRequest('GET /x'))).toMatch(/^HTTP\/1.1 404/)
  })

  it.for([
    ['nothing', ''],
    ['half a preface', 'PRI * HTTP'],
    ['half a head', 'GET / HTTP/1.1\r\n'],
  ] as const)('answers 408 to a client that sends %s and waits', async ([, text]) => {
    expect(await rawAnswer(hasty.port, text)).toMatch(/^HTTP\/1.1 408/)
  })

  it.for([
    ['the first byte of TLS', Buffer.from([22])],
    ['half a greeting of SOCKS5', Buffer.from([5, 3, 0])],
    ['a preface alone', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    [
      'a head of HTTP/2 that does not end',
      Buffer.from(
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x01\x01\0\0\0\0\x01\x82',
        'latin1',
      ),
    ],
  ] as const)('closes the connection of a client that sends %s and waits', async ([, bytes]) => {
    const socket = connect(hasty.port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write(bytes)
    await once(socket, 'close')
  })

  it('closes with connections that have not said what they speak', async () => {
    const app = createGateway()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => undefined).resume()
    const taken = once(app.server, 'connection')
    socket.write('P')
    await taken
    await app.close()
    if (!socket.destroyed) await once(socket, 'close')
  })
})
