import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf, tlsThroughTunnel } from './raw-client.ts'
import { closeAll, startGateway, temporaryDirectory } from './ways-in-setup.ts'

/** A request that must be refused: with places for its target and a right Host header. */
interface Malformed {
  readonly what: string
  readonly text: string
  /** The status of the refusal, where the RFC names one that is not 400. */
  readonly status?: number
}

const GET = 'GET {target} HTTP/1.1\r\n{host}'
const POST = 'POST {target} HTTP/1.1\r\n{host}'
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`

const CASES: readonly Malformed[] = [
  // RFC 9112, section 2.2: bare CR and LF, whitespace before the first header, NUL.
  { what: 'a bare CR in a header', text: `${GET}X: a\rb\r\n\r\n` },
  { what: 'a bare CR that ends a header', text: `${GET}X: a\rY: b\r\n\r\n` },
  { what: 'a bare LF that ends a header', text: `${GET}X: a\nY: b\r\n\r\n` },
  { what: 'a bare LF that ends the headers', text: `${GET}X: a\r\n\n` },
  { what: 'a bare LF that ends the request line', text: 'GET {target} HTTP/1.1\n{host}\r\n' },
  { what: 'a bare CR in the request line', text: 'GET {target}\r HTTP/1.1\r\n{host}\r\n' },
  { what: 'whitespace before the first header', text: 'GET {target} HTTP/1.1\r\n {host}\r\n' },
  { what: 'a tab before the first header', text: 'GET {target} HTTP/1.1\r\n\t{host}\r\n' },
  { what: 'a NUL in a header’s value', text: `${GET}X: a\0b\r\n\r\n` },
  { what: 'a NUL in a header’s name', text: `${GET}X\0: a\r\n\r\n` },
  { what: 'a NUL in the target', text: 'GET {target}\0 HTTP/1.1\r\n{host}\r\n' },
  // Section 2.3 and 3: the request line.
  { what: 'an unknown protocol', text: 'GET {target} HTTQ/1.1\r\n{host}\r\n' },
  { what: 'HTTP in lower case', text: 'GET {target} http/1.1\r\n{host}\r\n' },
  { what: 'HTTP/2.0', text: 'GET {target} HTTP/2.0\r\n{host}\r\n', status: 505 },
  { what: 'HTTP/3.7', text: 'GET {target} HTTP/3.7\r\n{host}\r\n', status: 505 },
  { what: 'HTTP/1.10', text: 'GET {target} HTTP/1.10\r\n{host}\r\n' },
  { what: 'HTTP/0.9', text: 'GET {target} HTTP/0.9\r\n{host}\r\n', status: 505 },
  { what: 'the preface of HTTP/2', text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'no version, as in HTTP/0.9', text: 'GET {target}\r\n{host}\r\n', status: 505 },
  { what: 'no target', text: 'GET  HTTP/1.1\r\n{host}\r\n' },
  { what: 'a space in the target', text: 'GET {target} x HTTP/1.1\r\n{host}\r\n' },
  { what: 'a space before the method', text: ' GET {target} HTTP/1.1\r\n{host}\r\n' },
  { what: 'a tab between method and target', text: 'GET\t{target} HTTP/1.1\r\n{host}\r\n' },
  { what: 'a method with a separator', text: 'GE(T {target} HTTP/1.1\r\n{host}\r\n' },
  { what: 'a method in lower case', text: 'get {target} HTTP/1.1\r\n{host}\r\n' },
  { what: 'a method that nobody knows', text: 'FROBNICATE {target} HTTP/1.1\r\n{host}\r\n' },
  { what: 'a response', text: 'HTTP/1.1 200 OK\r\n{host}\r\n' },
  // Section 3.2: targets.
  { what: 'a relative target', text: 'GET x/y HTTP/1.1\r\n{host}\r\n' },
  { what: 'an asterisk for another method than OPTIONS', text: 'GET * HTTP/1.1\r\n{host}\r\n' },
  { what: 'a target of another scheme', text: 'GET ftp://example.com/ HTTP/1.1\r\n{host}\r\n' },
  { what: 'a target without a host', text: 'GET http:///x HTTP/1.1\r\n{host}\r\n' },
  { what: 'a target with a user name', text: 'GET http://a:b@example.com/ HTTP/1.1\r\n{host}\r\n' },
  { what: 'a target with a fragment', text: 'GET {target}#x HTTP/1.1\r\n{host}\r\n' },
  { what: 'an authority as target of GET', text: 'GET example.com:443 HTTP/1.1\r\n{host}\r\n' },
  { what: 'a path as target of CONNECT', text: 'CONNECT /x HTTP/1.1\r\n{host}\r\n' },
  { what: 'CONNECT without a port', text: 'CONNECT example.com HTTP/1.1\r\n{host}\r\n' },
  { what: 'CONNECT with a user name', text: 'CONNECT a@example.com:443 HTTP/1.1\r\n{host}\r\n' },
  { what: 'no Host', text: 'GET {target} HTTP/1.1\r\n\r\n' },
  { what: 'two Hosts', text: `${GET}Host: other.example\r\n\r\n` },
  { what: 'twice the same Host', text: `${GET}{host}\r\n` },
  { what: 'two hosts in one Host', text: 'GET {target} HTTP/1.1\r\nHost: a, b\r\n\r\n' },
  { what: 'a Host with a path', text: 'GET {target} HTTP/1.1\r\nHost: a/b\r\n\r\n' },
  { what: 'a Host with a user name', text: 'GET {target} HTTP/1.1\r\nHost: a@b\r\n\r\n' },
  { what: 'a Host with a space', text: 'GET {target} HTTP/1.1\r\nHost: a b\r\n\r\n' },
  { what: 'a Host with a port that is none', text: 'GET {target} HTTP/1.1\r\nHost: a:99999\r\n\r\n' },
  // Section 5: headers.
  { what: 'a space before a colon', text: `${GET}X : a\r\n\r\n` },
  { what: 'a tab before a colon', text: `${GET}X\t: a\r\n\r\n` },
  { what: 'Content-Length with a space before its colon', text: `${POST}Content-Length : 4\r\n\r\nbody` },
  { what: 'a folded header', text: `${GET}X: a\r\n b\r\n\r\n` },
  { what: 'a header folded with a tab', text: `${GET}X: a\r\n\tb\r\n\r\n` },
  { what: 'a folded Transfer-Encoding', text: `${POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n` },
  { what: 'a header without a colon', text: `${GET}Xa\r\n\r\n` },
  { what: 'a header without a name', text: `${GET}: a\r\n\r\n` },
  { what: 'a header’s name with a separator', text: `${GET}X(y): a\r\n\r\n` },
  { what: 'a header’s name with a byte above ASCII', text: `${GET}X\xe9: a\r\n\r\n` },
  { what: 'a header’s value with a control character', text: `${GET}X: a\x01b\r\n\r\n` },
  { what: 'headers over 16 KiB', text: `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, status: 431 },
  { what: 'too many headers', text: `${GET}${'a:b\r\n'.repeat(5_000)}\r\n`, status: 431 },
  {
    what: 'a target over 16 KiB',
    text: `GET {target}${'a'.repeat(20_000)} HTTP/1.1\r\n{host}\r\n`,
    status: 431,
  },
  // Section 6: where the body ends.
  { what: 'two different lengths', text: `${POST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody!` },
  { what: 'twice the same length', text: `${POST}Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody` },
  { what: 'a list of lengths', text: `${POST}Content-Length: 4, 4\r\n\r\nbody` },
  { what: 'a length with a plus', text: `${POST}Content-Length: +4\r\n\r\nbody` },
  { what: 'a length below zero', text: `${POST}Content-Length: -4\r\n\r\nbody` },
  { what: 'a length in hexadecimal', text: `${POST}Content-Length: 0x4\r\n\r\nbody` },
  { what: 'a length with a point', text: `${POST}Content-Length: 4.0\r\n\r\nbody` },
  { what: 'a length in two parts', text: `${POST}Content-Length: 4 2\r\n\r\nbody` },
  { what: 'an empty length', text: `${POST}Content-Length: \r\n\r\nbody` },
  { what: 'a length that no number holds', text: `${POST}Content-Length: ${'9'.repeat(30)}\r\n\r\nbody` },
  { what: 'length and chunks', text: `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n` },
  {
    what: 'chunks and length',
    text: `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  { what: 'chunks twice', text: `${CHUNKED}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n` },
  { what: 'chunks, then another coding', text: `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n` },
  { what: 'another coding alone', text: `${POST}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n` },
  {
    what: 'another coding, then chunks',
    text: `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    status: 501,
  },
  { what: 'identity', text: `${POST}Transfer-Encoding: identity\r\n\r\n` },
  { what: 'a coding that looks like chunks', text: `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n` },
  { what: 'chunks in quotes', text: `${POST}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n` },
  { what: 'a vertical tab before chunks', text: `${POST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n` },
  {
    what: 'chunks in HTTP/1.0',
    text: 'POST {target} HTTP/1.0\r\n{host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  },
  // Section 7: chunks.
  { what: 'a chunk size that is none', text: `${CHUNKED}\r\nxyz\r\nbody\r\n0\r\n\r\n` },
  { what: 'an empty chunk size', text: `${CHUNKED}\r\n\r\nbody\r\n0\r\n\r\n` },
  { what: 'a chunk size with 0x', text: `${CHUNKED}\r\n0x4\r\nbody\r\n0\r\n\r\n` },
  { what: 'a chunk size below zero', text: `${CHUNKED}\r\n-4\r\nbody\r\n0\r\n\r\n` },
  { what: 'a chunk size with a plus', text: `${CHUNKED}\r\n+4\r\nbody\r\n0\r\n\r\n` },
  { what: 'a chunk size that no number holds', text: `${CHUNKED}\r\n${'f'.repeat(20)}\r\nbody\r\n0\r\n\r\n` },
  { what: 'a space after a chunk size', text: `${CHUNKED}\r\n4 \r\nbody\r\n0\r\n\r\n` },
  { what: 'a bare LF after a chunk size', text: `${CHUNKED}\r\n4\nbody\r\n0\r\n\r\n` },
  { what: 'a bare CR after a chunk size', text: `${CHUNKED}\r\n4\rbody\r\n0\r\n\r\n` },
  { what: 'a bare LF after a chunk', text: `${CHUNKED}\r\n4\r\nbody\n0\r\n\r\n` },
  { what: 'a chunk longer than its size', text: `${CHUNKED}\r\n4\r\nbodybody\r\n0\r\n\r\n` },
  { what: 'a chunk extension with a bare LF', text: `${CHUNKED}\r\n4;a\nbody\r\n0\r\n\r\n` },
  {
    what: 'chunk extensions over 16 KiB',
    text: `${CHUNKED}\r\n4;${'a'.repeat(20_000)}\r\nbody\r\n0\r\n\r\n`,
    status: 413,
  },
  { what: 'a trailer without a colon', text: `${CHUNKED}\r\n0\r\nX\r\n\r\n` },
  { what: 'a folded trailer', text: `${CHUNKED}\r\n0\r\nX: a\r\n b\r\n\r\n` },
]

const directory = temporaryDirectory()
const caDirectory = join(directory, 'ca')

let upstream: Server
let reached = 0
let upstreamPort: number
let port: number

beforeAll(async () => {
  // Whatever reaches it counts, be it a request or not.
  upstream = createServer((socket) => {
    reached++
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  upstreamPort = (upstream.address() as AddressInfo).port
  const gateway = await startGateway({
    upstream: `http://127.0.0.1:${upstreamPort}`,
    tls: { intercept: ['*'], caDirectory },
  })
  port = gateway.port
})
afterAll(async () => {
  await closeAll()
  upstream.close()
})

describe('a body that turns out to be malformed on the way', () => {
  it('ends the request at the upstream, which never gets all of it', async () => {
    let got = ''
    const slow = createServer((socket) => {
      socket.on('data', (data) => (got += data.toString('latin1')))
      socket.on('error', () => {})
      socket.once('close', () => ended())
    })
    let ended: () => void = () => {}
    const end = new Promise<void>((resolve) => (ended = resolve))
    await once(slow.listen(0, '127.0.0.1'), 'listening')
    const { port: to } = slow.address() as AddressInfo
    const gateway = await startGateway({ upstream: `http://127.0.0.1:${to}` })
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n')
    while (!got.includes('body')) await new Promise((resolve) => setTimeout(resolve, 5))
    socket.write('xyz\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n')
    const answer = await textOf(socket).catch(() => '')
    await end
    expect(answer === '' || answer.startsWith('HTTP/1.1 400')).toBe(true)
    expect(got).toMatch(/^POST \/x .*4\r\nbody(\r\n)?$/s)
    slow.close()
  })
})

interface Way {
  readonly way: string
  readonly target: () => string
  readonly host: () => string
  readonly open: () => Duplex | Promise<Duplex>
}

const WAYS: readonly Way[] = [
  { way: 'in origin-form', target: () => '/x', host: () => 'a', open: () => connect(port, '127.0.0.1') },
  {
    way: 'in absolute-form',
    target: () => `http://127.0.0.1:${upstreamPort}/x`,
    host: () => `127.0.0.1:${upstreamPort}`,
    open: () => connect(port, '127.0.0.1'),
  },
  {
    way: 'in a tunnel that ends here',
    target: () => '/x',
    host: () => `localhost:${upstreamPort}`,
    open: () =>
      tlsThroughTunnel(caDirectory, port, `localhost:${upstreamPort}`, { ALPNProtocols: ['http/1.1'] }),
  },
]

async function send({ target, host, open }: Way, text: string): Promise<string> {
  const socket = await open()
  const next = 'GET {target}/smuggled HTTP/1.1\r\n{host}Connection: close\r\n\r\n'
  const written = `${text}${next}`
    .replaceAll('{target}', target())
    .replaceAll('{host}', `Host: ${host()}\r\n`)
  socket.write(written, 'latin1')
  return textOf(socket).catch(() => '')
}

describe.for(WAYS)('a malformed request $way', (way) => {
  it('stands beside one that is well-formed', async () => {
    const answers = await send(way, `${GET}X: a\r\n\r\n`)
    expect(answers).toMatch(/^HTTP\/1\.1 (200 OK|502 )/)
    expect(reached).toBeGreaterThan(0)
    reached = 0
  })

  it.for(CASES)('is refused: $what', async ({ text, status = 400 }) => {
    const answers = await send(way, text)
    expect(reached).toBe(0)
    expect(answers.match(/HTTP\/1\.1 \d+/g) ?? []).toEqual([`HTTP/1.1 ${status}`])
    expect(answers.toLowerCase()).toContain('connection: close')
  })
})
