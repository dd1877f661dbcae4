import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../../src/gateway.ts'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { atEnd } from '../at-end.ts'
import { caDirectory, fetchFrom, startProxy, startUpstream, type Served } from './kit.ts'
import { lastRequest, textOf } from './raw-client.ts'

const WITHOUT_LOGIN = [5, 1, 0]
const WITH_PASSWORD = [5, 2, 0, 2]

let upstreamPort: number
let gateway: Served
let locked: Served

beforeAll(async () => {
  const upstream = await startUpstream(({ url, headers }, response) =>
    response.end(`${url} at ${headers.host}`),
  )
  upstreamPort = upstream.port
  const options: Partial<GatewayOptions> = {
    targets: { proxy: true, upstreams: [{ host: 'a.example', url: upstream.url }] },
    tls: { caDirectory: caDirectory(), intercept: ['a.example'] },
  }
  gateway = await startProxy(options)
  locked = await startProxy({ ...options, proxyAuth: ['ada:secret'] })
})

/** The bytes of a request to be connected: the address, which begins with its kind, and a port. */
const requestFor = (address: readonly number[], port: number, command = 1): readonly number[] => [
  ...[5, command, 0, ...address],
  ...[port >> 8, port & 0xff],
]
const named = (name: string): readonly number[] => [3, name.length, ...Buffer.from(name)]
const login = (name: string, password: string): readonly number[] => [
  ...[1, name.length, ...Buffer.from(name)],
  ...[password.length, ...Buffer.from(password)],
]
const LOOPBACK = [1, 127, 0, 0, 1]

/** Says these bytes, and returns so many that answer them. */
async function say(socket: Socket, bytes: readonly number[], length: number): Promise<readonly number[]> {
  socket.write(Buffer.from(bytes))
  for (;;) {
    const answer = socket.read(length) as Buffer | null
    if (answer !== null) return [...answer]
    await once(socket, 'readable')
  }
}

function open({ port }: Served): Socket {
  const socket = connect(port, '127.0.0.1')
  atEnd(() => socket.destroy())
  return socket.on('error', () => undefined)
}

/** A connection by way of the gateway, once it is there. */
async function connectTo(address: readonly number[], port: number): Promise<Socket> {
  const socket = open(gateway)
  expect(await say(socket, WITHOUT_LOGIN, 2)).toEqual([5, 0])
  expect((await say(socket, requestFor(address, port), 10)).slice(0, 2)).toEqual([5, 0])
  return socket
}

/** The code of the reply to a request. */
async function replyTo(request: readonly number[]): Promise<number | undefined> {
  const socket = open(gateway)
  await say(socket, WITHOUT_LOGIN, 2)
  return (await say(socket, request, 10))[1]
}

async function answerTo(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  return textOf(socket)
}

describe('SOCKS5', () => {
  it('connects to an address, and passes all on', async () => {
    const socket = await connectTo(LOOPBACK, upstreamPort)
    expect(await answerTo(socket, lastRequest('GET /x', 'b'))).toMatch(/^HTTP\/1.1 200 .*\/x at b/s)
  })

  it.for([
    ['plain HTTP', 80],
    ['TLS', 443],
    ['HTTP/2', 80],
    ['HTTP/2 in TLS', 443],
  ] as const)('enters as after CONNECT: %s', async ([what, port]) => {
    const socket = await connectTo(named('a.example'), port)
    const { cert: ca } = await openAuthority(caDirectory())
    const isHttp2 = what.startsWith('HTTP/2')
    const ALPNProtocols = [isHttp2 ? 'h2' : 'http/1.1']
    const stream = port === 443 ? connectTls({ socket, ca, servername: 'a.example', ALPNProtocols }) : socket
    if (!isHttp2)
      return expect(await answerTo(stream, lastRequest('GET /x', 'a.example'))).toMatch(/^HTTP\/1.1 200/)
    const origin = port === 443 ? 'https://a.example' : 'http://a.example'
    const session = connectHttp2(origin, { createConnection: () => stream })
    atEnd(() => session.destroy())
    expect(await textOf(session.request({ ':path': '/x' }))).toMatch(/^\/x at 127/)
  })

  it('takes all that a client says at once, byte by byte', async () => {
    const socket = open(gateway).setNoDelay()
    const text = Buffer.from(lastRequest('GET /x', 'a.example'))
    for (const byte of [...WITHOUT_LOGIN, ...requestFor(named('a.example'), 80), ...text])
      socket.write(Buffer.from([byte]))
    expect(await textOf(socket)).toMatch(/\/x at 127/)
  })

  it('has the names of clients be their sessions, in the journal of each', async () => {
    const socket = open(gateway)
    expect(await say(socket, WITH_PASSWORD, 2)).toEqual([5, 2])
    expect(await say(socket, login('worker', 'x'), 2)).toEqual([1, 0])
    await say(socket, requestFor(named('a.example'), 80), 10)
    await answerTo(socket, lastRequest('GET /mine', 'a.example'))
    const { body } = await fetchFrom(`${gateway.url}/__sim/requests`, { 'x-sim-session': 'worker' })
    expect(JSON.stringify(body)).toContain('/mine')
  })

  it('asks for user and password where the proxy does', async () => {
    expect(await say(open(locked), WITHOUT_LOGIN, 2)).toEqual([5, 0xff])
    const wrong = open(locked)
    expect(await say(wrong, WITH_PASSWORD, 2)).toEqual([5, 2])
    expect(await say(wrong, login('ada', 'wrong'), 2)).toEqual([1, 1])
    await once(wrong.resume(), 'close')
    const right = open(locked)
    await say(right, WITH_PASSWORD, 2)
    expect(await say(right, login('ada', 'secret'), 2)).toEqual([1, 0])
    expect((await say(right, requestFor(LOOPBACK, upstreamPort), 10))[1]).toBe(0)
  })

  it.for([
    ['a method that is not known', [5, 1, 1], [5, 0xff]],
    ['no method', [5, 0], [5, 0xff]],
  ] as const)('refuses %s', async ([, bytes, answer]) => {
    expect(await say(open(gateway), bytes, 2)).toEqual(answer)
  })

  it.for([
    ['an address that nobody may forward to', requestFor([1, 169, 254, 169, 254], 80), 2],
    ['the address itself by IPv6', requestFor([4, ...Array<number>(15).fill(0), 1], 1), 5],
    ['a port that nobody listens on', requestFor(LOOPBACK, 1), 5],
    ['a name that is not known', requestFor(named('nowhere.invalid'), 80), 4],
    ['a name that cannot be one', requestFor(named('a b'), 80), 1],
    ['BIND', requestFor(LOOPBACK, 80, 2), 7],
    ['UDP ASSOCIATE', requestFor(LOOPBACK, 80, 3), 7],
    ['a kind of address that is not known', requestFor([2, 0], 80), 8],
  ] as const)('replies by code to %s', async ([, bytes, code]) => {
    expect(await replyTo(bytes)).toBe(code)
  })
})

describe('a SOCKS5 proxy ahead', () => {
  it.for([
    ['plain HTTP', 'http://a.example'],
    ['TLS', 'https://a.example'],
  ])('passes on what is forwarded: %s', async ([, origin = '']) => {
    const { cert: ca } = await openAuthority(caDirectory())
    const proxy = { url: `socks5://ada:secret@127.0.0.1:${locked.port}` }
    const { url } = await startProxy({ upstream: origin, reach: { proxy, tls: { ca } } })
    expect((await fetchFrom(`${url}/x`)).text).toMatch(/^\/x at 127/)
    expect((await fetchFrom(`${url}/y`)).text).toMatch(/^\/y at 127/)
  })

  it.for([
    ['the wrong password', 'ada:wrong@', 'user or password is wrong'],
    ['no user', '', 'it wants a user name'],
  ])('is named where it refuses %s', async ([, user, message]) => {
    const proxy = { url: `socks5://${user}127.0.0.1:${locked.port}` }
    const { url } = await startProxy({ upstream: 'http://a.example', reach: { proxy } })
    const { status, body } = await fetchFrom(url)
    expect([status, body.code]).toEqual([502, 'SIM_UPSTREAM_PROXY_REFUSED'])
    expect(body.detail).toContain(message)
  })

  it('is named where it does not get through, or speaks something else', async () => {
    const { url } = await startProxy({
      upstream: 'http://nowhere.invalid',
      reach: { proxy: { url: `socks5://127.0.0.1:${gateway.port}` } },
    })
    expect((await fetchFrom(url)).body.detail).toContain('4 host unreachable to CONNECT nowhere.invalid:80')
    const other = await startProxy({
      upstream: 'http://a.example',
      reach: { proxy: { url: `socks5://127.0.0.1:${upstreamPort}` } },
    })
    expect((await fetchFrom(other.url)).body.code).toBe('SIM_UPSTREAM_PROXY_REFUSED')
  })
})
