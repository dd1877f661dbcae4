import { connect, createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { caDirectory, listen, startGateway, startProxy, tlsTo } from './kit.ts'
import { textOf } from './raw-client.ts'

/**
 * A request that must be refused, with places for its target and a right Host header; and the status of the refusal,
 * where the RFC names one that is not 400.
 */
type Malformed = readonly [what: string, text: string, status?: number]

const GET = 'GET {target} HTTP/1.1\r\n{host}'
const POST = 'POST {target} HTTP/1.1\r\n{host}'
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`

const CASES: readonly Malformed[] = [
  // RFC 9112, section 2.2: bare CR and LF, whitespace before the first header, NUL.
  ['a bare CR in a header', `${GET}X: a\rb\r\n\r\n`],
  ['a bare CR that ends a header', `${GET}X: a\rY: b\r\n\r\n`],
  ['a bare LF that ends a header', `${GET}X: a\nY: b\r\n\r\n`],
  ['a bare LF that ends the headers', `${GET}X: a\r\n\n`],
  ['a bare LF that ends the request line', 'GET {target} HTTP/1.1\n{host}\r\n'],
  ['a bare CR in the request line', 'GET {target}\r HTTP/1.1\r\n{host}\r\n'],
  ['whitespace before the first header', 'GET {target} HTTP/1.1\r\n {host}\r\n'],
  ['a tab before the first header', 'GET {target} HTTP/1.1\r\n\t{host}\r\n'],
  ['a NUL in a header’s value', `${GET}X: a\0b\r\n\r\n`],
  ['a NUL in a header’s name', `${GET}X\0: a\r\n\r\n`],
  ['a NUL in the target', 'GET {target}\0 HTTP/1.1\r\n{host}\r\n'],
  // RFC 9110, section 10.1.1.
  ['an expectation that is not known', `${GET}Expect: tea\r\n\r\n`, 417],
  // Section 2.3 and 3: the request line.
  ['an unknown protocol', 'GET {target} HTTQ/1.1\r\n{host}\r\n'],
  ['HTTP in lower case', 'GET {target} http/1.1\r\n{host}\r\n'],
  ['HTTP/2.0', 'GET {target} HTTP/2.0\r\n{host}\r\n', 505],
  ['HTTP/3.7', 'GET {target} HTTP/3.7\r\n{host}\r\n', 505],
  ['HTTP/1.10', 'GET {target} HTTP/1.10\r\n{host}\r\n'],
  ['HTTP/0.9', 'GET {target} HTTP/0.9\r\n{host}\r\n', 505],
  ['nearly the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSN\r\n\r\n', 505],
  ['no version, as in HTTP/0.9', 'GET {target}\r\n{host}\r\n', 505],
  ['no target', 'GET  HTTP/1.1\r\n{host}\r\n'],
  ['a space in the target', 'GET {target} x HTTP/1.1\r\n{host}\r\n'],
  ['a space before the method', ' GET {target} HTTP/1.1\r\n{host}\r\n'],
  ['a tab between method and target', 'GET\t{target} HTTP/1.1\r\n{host}\r\n'],
  ['a method with a separator', 'GE(T {target} HTTP/1.1\r\n{host}\r\n'],
  ['a method in lower case', 'get {target} HTTP/1.1\r\n{host}\r\n'],
  ['a method that nobody knows', 'FROBNICATE {target} HTTP/1.1\r\n{host}\r\n'],
  ['a response', 'HTTP/1.1 200 OK\r\n{host}\r\n'],
  // Section 3.2: targets.
  ['a relative target', 'GET x/y HTTP/1.1\r\n{host}\r\n'],
  ['an asterisk for another method than OPTIONS', 'GET * HTTP/1.1\r\n{host}\r\n'],
  ['a target of another scheme', 'GET ftp://example.com/ HTTP/1.1\r\n{host}\r\n'],
  ['a target without a host', 'GET http:///x HTTP/1.1\r\n{host}\r\n'],
  ['a target with a user name', 'GET http://a:b@example.com/ HTTP/1.1\r\n{host}\r\n'],
  ['a target with a fragment', 'GET {target}#x HTTP/1.1\r\n{host}\r\n'],
  ['an authority as target of GET', 'GET example.com:443 HTTP/1.1\r\n{host}\r\n'],
  ['a path as target of CONNECT', 'CONNECT /x HTTP/1.1\r\n{host}\r\n'],
  ['CONNECT without a port', 'CONNECT example.com HTTP/1.1\r\n{host}\r\n'],
  ['CONNECT with a user name', 'CONNECT a@example.com:443 HTTP/1.1\r\n{host}\r\n'],
  ['no Host', 'GET {target} HTTP/1.1\r\n\r\n'],
  ['two Hosts', `${GET}Host: other.example\r\n\r\n`],
  ['twice the same Host', `${GET}{host}\r\n`],
  ['two hosts in one Host', 'GET {target} HTTP/1.1\r\nHost: a, b\r\n\r\n'],
  ['a Host with a path', 'GET {target} HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['a Host with a user name', 'GET {target} HTTP/1.1\r\nHost: a@b\r\n\r\n'],
  ['a Host with a space', 'GET {target} HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a Host with a port that is none', 'GET {target} HTTP/1.1\r\nHost: a:99999\r\n\r\n'],
  // Section 5: headers.
  ['a space before a colon', `${GET}X : a\r\n\r\n`],
  ['a tab before a colon', `${GET}X\t: a\r\n\r\n`],
  ['Content-Length with a space before its colon', `${POST}Content-Length : 4\r\n\r\nbody`],
  ['a folded header', `${GET}X: a\r\n b\r\n\r\n`],
  ['a header folded with a tab', `${GET}X: a\r\n\tb\r\n\r\n`],
  ['a folded Transfer-Encoding', `${POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`],
  ['a header without a colon', `${GET}Xa\r\n\r\n`],
  ['a header without a name', `${GET}: a\r\n\r\n`],
  ['a header’s name with a separator', `${GET}X(y): a\r\n\r\n`],
  ['a header’s name with a byte above ASCII', `${GET}X\xe9: a\r\n\r\n`],
  ['a header’s value with a control character', `${GET}X: a\x01b\r\n\r\n`],
  ['headers over 16 KiB', `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['too many headers', `${GET}${'a:b\r\n'.repeat(5_000)}\r\n`, 431],
  ['a target over 16 KiB', `GET {target}${'a'.repeat(20_000)} HTTP/1.1\r\n{host}\r\n`, 431],
  // Section 6: where the body ends.
  ['two different lengths', `${POST}Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody!`],
  ['twice the same length', `${POST}Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody`],
  ['a list of lengths', `${POST}Content-Length: 4, 4\r\n\r\nbody`],
  ['a length with a plus', `${POST}Content-Length: +4\r\n\r\nbody`],
  ['a length below zero', `${POST}Content-Length: -4\r\n\r\nbody`],
  ['a length in hexadecimal', `${POST}Content-Length: 0x4\r\n\r\nbody`],
  ['a length with a point', `${POST}Content-Length: 4.0\r\n\r\nbody`],
  ['a length in two parts', `${POST}Content-Length: 4 2\r\n\r\nbody`],
  ['an empty length', `${POST}Content-Length: \r\n\r\nbody`],
  ['a length that no number holds', `${POST}Content-Length: ${'9'.repeat(30)}\r\n\r\nbody`],
  ['length and chunks', `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n`],
  ['chunks and length', `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks twice', `${CHUNKED}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks, then another coding', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
  ['another coding alone', `${POST}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n`],
  ['another coding, then chunks', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
  ['identity', `${POST}Transfer-Encoding: identity\r\n\r\n`],
  ['a coding that looks like chunks', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['chunks in quotes', `${POST}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
  ['a vertical tab before chunks', `${POST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
  ['chunks in HTTP/1.0', 'POST {target} HTTP/1.0\r\n{host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  // Section 7: chunks.
  ['a chunk size that is none', `${CHUNKED}\r\nxyz\r\nbody\r\n0\r\n\r\n`],
  ['an empty chunk size', `${CHUNKED}\r\n\r\nbody\r\n0\r\n\r\n`],
  ['a chunk size with 0x', `${CHUNKED}\r\n0x4\r\nbody\r\n0\r\n\r\n`],
  ['a chunk size below zero', `${CHUNKED}\r\n-4\r\nbody\r\n0\r\n\r\n`],
  ['a chunk size with a plus', `${CHUNKED}\r\n+4\r\nbody\r\n0\r\n\r\n`],
  ['a chunk size that no number holds', `${CHUNKED}\r\n${'f'.repeat(20)}\r\nbody\r\n0\r\n\r\n`],
  ['a space after a chunk size', `${CHUNKED}\r\n4 \r\nbody\r\n0\r\n\r\n`],
  ['a bare LF after a chunk size', `${CHUNKED}\r\n4\nbody\r\n0\r\n\r\n`],
  ['a bare CR after a chunk size', `${CHUNKED}\r\n4\rbody\r\n0\r\n\r\n`],
  ['a bare LF after a chunk', `${CHUNKED}\r\n4\r\nbody\n0\r\n\r\n`],
  ['a chunk longer than its size', `${CHUNKED}\r\n4\r\nbodybody\r\n0\r\n\r\n`],
  ['a chunk extension with a bare LF', `${CHUNKED}\r\n4;a\nbody\r\n0\r\n\r\n`],
  ['chunk extensions over 16 KiB', `${CHUNKED}\r\n4;${'a'.repeat(20_000)}\r\nbody\r\n0\r\n\r\n`, 413],
  ['a trailer without a colon', `${CHUNKED}\r\n0\r\nX\r\n\r\n`],
  ['a folded trailer', `${CHUNKED}\r\n0\r\nX: a\r\n b\r\n\r\n`],
]

let reached = 0
let upstreamPort: number
let port: number

beforeAll(async () => {
  // Whatever reaches it counts, be it a request or not.
  const upstream = await listen(
    createServer((socket) => {
      reached++
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    }),
  )
  upstreamPort = upstream.port
  const tls = { intercept: ['*'], caDirectory: caDirectory() }
  port = (await startProxy({ upstream: upstream.url, tls })).port
})

describe('a body that turns out to be malformed on the way', () => {
  it('ends the request at the upstream, which never gets all of it', async () => {
    let got = ''
    let begun: () => void = () => {}
    let ended: () => void = () => {}
    const beginning = new Promise<void>((resolve) => (begun = resolve))
    const end = new Promise<void>((resolve) => (ended = resolve))
    const slow = createServer((socket) => {
      socket.on('data', (data) => {
        got += data.toString('latin1')
        if (got.includes('body')) begun()
      })
      socket.on('error', () => {})
      socket.once('close', () => ended())
    })
    const gateway = await startGateway({ upstream: (await listen(slow)).url })
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n')
    await beginning
    socket.write('xyz\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n')
    const answer = await textOf(socket).catch(() => '')
    await end
    expect(answer === '' || answer.startsWith('HTTP/1.1 400')).toBe(true)
    expect(got).toMatch(/^POST \/x .*4\r\nbody(\r\n)?$/s)
  })
})

interface Entry {
  readonly entry: string
  readonly target: () => string
  readonly host: () => string
  readonly open: () => Duplex | Promise<Duplex>
}

const open = (): Duplex => connect(port, '127.0.0.1')
const ENTRIES: readonly Entry[] = [
  { entry: 'in origin-form', target: () => '/x', host: () => 'a', open },
  {
    entry: 'in absolute-form',
    target: () => `http://127.0.0.1:${upstreamPort}/x`,
    host: () => `127.0.0.1:${upstreamPort}`,
    open,
  },
  {
    entry: 'in a tunnel that ends here',
    target: () => '/x',
    host: () => `localhost:${upstreamPort}`,
    open: () => tlsTo(port, `localhost:${upstreamPort}`, { ALPNProtocols: ['http/1.1'] }),
  },
]

describe.for(ENTRIES)('a malformed request $entry', (entry) => {
  const send = async (text: string): Promise<string> => {
    const socket = await entry.open()
    const next = 'GET {target}/smuggled HTTP/1.1\r\n{host}Connection: close\r\n\r\n'
    const written = `${text}${next}`
      .replaceAll('{target}', entry.target())
      .replaceAll('{host}', `Host: ${entry.host()}\r\n`)
    socket.write(written, 'latin1')
    return textOf(socket).catch(() => '')
  }

  it('stands beside one that is well-formed', async () => {
    expect(await send(`${GET}X: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 (200 OK|502 )/)
    expect(reached).toBeGreaterThan(0)
    reached = 0
  })

  it.for(CASES)('is refused: %s', async ([, text, status = 400]) => {
    const answers = await send(text)
    expect(reached).toBe(0)
    expect(answers.match(/HTTP\/1\.1 \d+/g) ?? []).toEqual([`HTTP/1.1 ${status}`])
    expect(answers.toLowerCase()).toContain('connection: close')
  })
})
