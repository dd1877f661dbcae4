import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'
import { describe, expect, it } from 'vitest'
import { createIssuer } from '../../src/http/certificates.ts'
import { fetchFrom, listen, startGateway, trusting, upstreamAuthority } from '../flow/kit.ts'
import { lastRequest, rawAnswerIfAny } from '../flow/raw-client.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'

/** A server that answers the first bytes of each connection so. */
async function serverOf(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket))
  })
  return (await listen(server)).url
}

const saying = (text: string) => serverOf((socket) => socket.end(text, 'latin1'))

async function tlsServer(host: string): Promise<number> {
  const pair = await (await createIssuer(await upstreamAuthority()))(host)
  return (await listen(createTlsServer(pair, (socket) => socket.on('error', () => undefined)))).port
}

async function expiredServer(): Promise<{ cert: string; port: number }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2020-01-02'),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  const cert = made.toString('pem')
  const { port } = await listen(
    createTlsServer({ key, cert }, (socket) => socket.on('error', () => undefined)),
  )
  return { cert, port }
}

/** What the client gets, what the log says and what the metrics count, where an upstream is at a URL. */
async function codesOf(
  upstream: string,
  reach = {},
): Promise<{ status: number; code: string; detail: string }> {
  const lines: Logged[] = []
  const { url } = await startGateway({ upstream, reach, logger: createLogger(lines) })
  const { status, body } = await fetchFrom(`${url}/x`)
  const { text } = await fetchFrom(`${url}/__sim/metrics`)
  expect(text).toContain(`sim_errors_total{code="${body.code}"} 1`)
  expect(lines.map(({ message }) => message).join()).toContain(`(${body.code})`)
  return { status, code: body.code, detail: body.detail }
}

describe('the cause of a failure has a code', () => {
  it.for<[what: string, open: () => Promise<string>, code: string, status?: number]>([
    ['a name that stands for nothing', async () => 'http://nowhere.invalid', 'NAME_UNKNOWN'],
    ['a port that nobody listens on', async () => 'http://127.0.0.1:1', 'UNREACHABLE'],
    ['a reset before the answer', () => serverOf((socket) => socket.resetAndDestroy()), 'RESET'],
    ['an end before the answer', () => serverOf((socket) => socket.end()), 'RESET'],
    ['a 101 that was not offered', () => saying('HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n'), 'MALFORMED'],
    [
      'a 101 that was not offered, in full',
      () => saying('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      'MALFORMED',
    ],
    ['a status below 100', () => saying('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'), 'MALFORMED'],
    [
      'answers of 1xx without end',
      () => saying('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(2000)),
      'MALFORMED',
    ],
    ['what is not HTTP', () => saying('SSH-2.0-OpenSSH_9.2\r\n\r\n'), 'MALFORMED'],
    [
      'a header that is too large',
      () => saying(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
      'HEADER_TOO_LARGE',
    ],
    [
      'no TLS',
      async () => (await saying('HTTP/1.1 400 Bad\r\n\r\n')).replace('http:', 'https:'),
      'TLS_FAILED',
    ],
    [
      'a certificate of nobody known',
      async () => `https://localhost:${await tlsServer('localhost')}`,
      'UNTRUSTED',
    ],
  ])('%s', async ([, open, code, status = 502]) => {
    expect(await codesOf(await open())).toMatchObject({ status, code: `SIM_UPSTREAM_${code}` })
  })

  it('a certificate that has expired', async () => {
    const { cert, port } = await expiredServer()
    const seen = await codesOf(`https://localhost:${port}`, { tls: { ca: cert } })
    expect(seen).toMatchObject({ status: 502, code: 'SIM_UPSTREAM_CERTIFICATE_EXPIRED' })
  })

  it('a certificate for another host', async () => {
    const upstream = `https://localhost:${await tlsServer('other.example')}`
    expect(await codesOf(upstream, await trusting())).toMatchObject({
      code: 'SIM_UPSTREAM_CERTIFICATE_MISMATCHED',
    })
  })

  it('an answer that does not begin in time', async () => {
    const upstream = await serverOf(() => undefined)
    const seen = await codesOf(upstream, { headersTimeoutMs: 50 })
    expect(seen).toMatchObject({ status: 504, code: 'SIM_UPSTREAM_TIMEOUT' })
  })

  it.for([
    [
      'TLS that does not begin',
      async () => ({ at: (await serverOf(() => undefined)).replace('http:', 'https:') }),
    ],
    [
      'a proxy that says nothing',
      async () => ({ at: 'https://a.example', proxy: { url: await serverOf(() => undefined) } }),
    ],
    [
      'a SOCKS5 proxy that says nothing',
      async () => ({
        at: 'http://a.example',
        proxy: { url: (await serverOf(() => undefined)).replace('http:', 'socks5:') },
      }),
    ],
  ] as const)('a connection that is not made in time: %s', async ([, open]) => {
    const { at, ...reach } = await open()
    expect(await codesOf(at, { connectTimeoutMs: 50, ...reach })).toMatchObject({
      status: 504,
      code: 'SIM_UPSTREAM_CONNECT_TIMEOUT',
    })
  })

  it.for([
    ['a request', []],
    ['one on a connection of its own', ['Expect: 100-continue', 'Content-Length: 0']],
  ] as const)(
    'a pause within the answer to %s, of which only log and metrics can say so',
    async ([, headers]) => {
      const upstream = await serverOf(
        (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
      )
      const lines: Logged[] = []
      const reach = { bodyTimeoutMs: 50 }
      const { url, port } = await startGateway({ upstream, reach, logger: createLogger(lines) })
      expect(await rawAnswerIfAny(port, lastRequest('GET /x', 'a', ...headers))).toMatch(/half$/)
      expect((await fetchFrom(`${url}/__sim/metrics`)).text).toContain('{code="SIM_UPSTREAM_BODY_TIMEOUT"} 1')
      expect(lines.map(({ message }) => message).join()).toContain('(SIM_UPSTREAM_BODY_TIMEOUT)')
    },
  )

  it('a proxy that opens no tunnel, with its status', async () => {
    const url = await saying('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    const seen = await codesOf('https://a.example', { proxy: { url } })
    expect(seen).toMatchObject({ code: 'SIM_UPSTREAM_PROXY_REFUSED', detail: expect.stringContaining('407') })
  })

  it('shows the bytes that were wrong', async () => {
    expect((await codesOf(await saying('HTTP/1.1 2x0 OK\r\n\r\n'))).detail).toContain('x0 OK')
  })

  it('a reset within an answer, of which only log and metrics can say so', async () => {
    const upstream = await serverOf((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', () => socket.end())
    })
    const lines: Logged[] = []
    const { url, port } = await startGateway({ upstream, logger: createLogger(lines) })
    expect(await rawAnswerIfAny(port, lastRequest('GET /x'))).toMatch(/half$/)
    expect((await fetchFrom(`${url}/__sim/metrics`)).text).toContain('{code="SIM_UPSTREAM_CUT"} 1')
    expect(lines.map(({ message }) => message).join()).toContain('(SIM_UPSTREAM_CUT)')
  })

  it('a chunk that is none, with its bytes', async () => {
    const upstream = await saying('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n')
    const lines: Logged[] = []
    const { port } = await startGateway({ upstream, logger: createLogger(lines) })
    await rawAnswerIfAny(port, lastRequest('GET /x'))
    expect(lines.map(({ message }) => message).join()).toMatch(/chunk size\), at "ZZ.*SIM_UPSTREAM_CUT/)
  })
})
