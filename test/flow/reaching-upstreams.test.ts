import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createIssuer } from '../../src/http/certificates.ts'
import { atEnd } from '../at-end.ts'
import {
  caDirectory,
  fetchFrom,
  gatewayTo,
  listen,
  post,
  startGateway,
  startProxy,
  startTlsUpstream,
  startUpstream,
  tlsTo,
  trusting,
  upstreamAuthority,
} from './kit.ts'
import { lastRequest, openTunnel, rawAnswer, requestText, textOf } from './raw-client.ts'

const hello: RequestListener = (incoming, response) => {
  void textOf(incoming).then((text) =>
    response.end(`${incoming.httpVersion} ${incoming.method} ${incoming.url} ${text}`),
  )
}
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('an upstream with TLS', () => {
  it('is checked, unless its host is listed', async () => {
    const upstream = await startTlsUpstream(hello)
    const answerBy = async (reach?: object) => {
      const { url } = await startGateway({ upstream: upstream.url, ...(reach && { reach }) })
      return fetchFrom(`${url}/x`)
    }
    expect(await answerBy()).toMatchObject({ status: 502, body: { error: 'UpstreamUntrusted' } })
    expect((await answerBy({ tls: { insecure: ['example.com'] } })).status).toBe(502)
    for (const reach of [{ tls: { insecure: ['localhost'] } }, await trusting()])
      expect((await answerBy(reach)).text).toBe('1.1 GET /x ')
  })

  it('is shown the client certificate', async () => {
    const { key, cert } = await (await createIssuer(await upstreamAuthority()))('client.test')
    const upstream = await startTlsUpstream(
      ({ socket }, response) =>
        response.end(
          (socket as unknown as { getPeerCertificate(): { subjectaltname?: string } }).getPeerCertificate()
            .subjectaltname,
        ),
      { requestCert: true },
    )
    const tls = { insecure: ['localhost'], clientKey: key, clientCert: cert }
    const { url } = await startGateway({ upstream: upstream.url, reach: { tls } })
    expect((await fetchFrom(url)).text).toBe('DNS:client.test')
  })

  it('is spoken to over HTTP/2 where it speaks nothing else', async () => {
    const upstream = await startTlsUpstream(
      (incoming, response) => {
        response.writeHead(200, ['set-cookie', 'a=1', 'set-cookie', 'b=2'])
        hello(incoming, response)
      },
      { http2: true },
    )
    const { url } = await startGateway({ upstream: upstream.url, reach: await trusting() })
    const got = await fetchFrom(`${url}/a?b`)
    expect([got.headers.getSetCookie(), got.text]).toEqual([['a=1', 'b=2'], '2.0 GET /a?b '])
    const large = 'x'.repeat(200_000)
    expect((await post(`${url}/p`, large)).text).toBe(`2.0 POST /p ${large}`)
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    const all = await Promise.all(numbers.map(async (number) => (await fetchFrom(`${url}/${number}`)).text))
    expect(all).toEqual(numbers.map((number) => `2.0 GET /${number} `))
  })
})

/** A proxy that notes the requests it gets, and does what they say. */
async function startForwardProxy(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = []
  const server = createServer(({ method, url = '', headers }, response) => {
    requests.push(`${method} ${url} ${headers['proxy-authorization']} ${headers.host}`)
    const { hostname, port, pathname } = new URL(url)
    request({ hostname, port, path: pathname }, (answer) => answer.pipe(response)).end()
  })
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    requests.push(`CONNECT ${url} ${headers['proxy-authorization']}`)
    const [host, port] = url.split(':')
    const there = connect(Number(port), host)
    there.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(there).pipe(socket)
    })
    for (const each of [there, socket]) each.on('error', () => {})
  })
  const { port } = await listen(server)
  return { url: `http://u:p%40@127.0.0.1:${port}`, requests }
}

const OPENING = basic('u:p@')

describe('a proxy ahead', () => {
  it('gets the absolute form for plain HTTP, and a tunnel for TLS', async () => {
    const [plain, secure] = [await startUpstream(hello), await startTlsUpstream(hello)]
    const { url, requests } = await startForwardProxy()
    const reach = { proxy: { url }, ...(await trusting()) }
    for (const [index, upstream] of [plain.url, secure.url].entries()) {
      const gateway = await startGateway({ upstream, reach })
      expect((await fetchFrom(`${gateway.url}/${index}`)).text).toBe(`1.1 GET /${index} `)
    }
    expect(requests).toEqual([
      `GET ${plain.url}/0 ${OPENING} 127.0.0.1:${plain.port}`,
      `CONNECT localhost:${secure.port} ${OPENING}`,
    ])
  })

  it('gets the tunnels of clients too, but not those to the hosts of NO_PROXY', async () => {
    const { cert } = await upstreamAuthority()
    const upstream = await startTlsUpstream(hello)
    const { url, requests } = await startForwardProxy()
    for (const proxy of [{ url }, { url, noProxy: 'localhost' }]) {
      const { port } = await startProxy({ reach: { proxy } })
      const socket = await tlsTo(port, `localhost:${upstream.port}`, { ca: cert })
      socket.write(lastRequest('GET /t', 'localhost'))
      expect(await textOf(socket)).toContain('1.1 GET /t')
    }
    expect(requests).toEqual([`CONNECT localhost:${upstream.port} ${OPENING}`])
  })

  it('gets no answer where it refuses', async () => {
    const refusing = await startUpstream((_incoming, response) => response.end())
    refusing.server.on('connect', (_incoming, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const { port } = await startProxy({ reach: { proxy: { url: refusing.url } } })
    await expect(openTunnel(port, 'example.test:443')).rejects.toThrow(/502 .*UpstreamProxyRefused/)
  })
})

describe('the proxy’s own authentication', () => {
  const proxyAuth = ['ada:secret', '*:shared']
  const as = (account: string): string => `Proxy-Authorization: ${basic(account)}`

  it.for([[], [as('ada:wrong')], [as('eve:secret')], [as(':shared')], ['Proxy-Authorization: Bearer x']])(
    'refuses %j',
    async (headers) => {
      const upstream = await startUpstream(hello)
      const { port } = await startProxy({ proxyAuth })
      const refused = /^HTTP\/1.1 407 .*proxy-authenticate: Basic realm="sim"/is
      expect(await rawAnswer(port, lastRequest(`GET ${upstream.url}/`, 'a', ...headers))).toMatch(refused)
      const tunnel = requestText(`CONNECT 127.0.0.1:${upstream.port}`, 'Host: a', ...headers)
      expect(await rawAnswer(port, tunnel)).toMatch(refused)
    },
  )

  it.for(['ada:secret', 'worker-7:shared'])('lets %s in, and hides it from the upstream', async (account) => {
    const upstream = await startUpstream(({ headers }, response) => response.end(JSON.stringify(headers)))
    const { port } = await startProxy({ proxyAuth })
    const answer = await rawAnswer(port, lastRequest(`GET ${upstream.url}/`, 'a', as(account)))
    expect(answer).toMatch(/^HTTP\/1.1 200/)
    expect(answer).not.toContain('authorization')
    const headers = { 'proxy-authorization': basic(account) }
    ;(await openTunnel(port, `127.0.0.1:${upstream.port}`, headers)).destroy()
  })

  it('names the session of a client, in tunnels too', async () => {
    const Item = Type.Object({ id: Type.String() })
    const api = new SimAPI({ seed: 1, stateful: true })
      .post('/items', { output: Item })
      .get('/items', { output: list(Item) })
    const options = { proxyAuth: ['*:shared'], tls: { caDirectory: caDirectory() } }
    const { port } = await startProxy({ engine: api.engine(), ...options })
    const bodyOf = (answer: string): string => answer.split('\r\n\r\n')[1] ?? ''
    const send = async (user: string, method: string): Promise<string> => {
      const headers = ['Content-Length: 0', as(`${user}:shared`)]
      return bodyOf(await rawAnswer(port, lastRequest(`${method} http://api.test/items`, 'a', ...headers)))
    }
    await send('one', 'POST')
    expect(JSON.parse(await send('one', 'GET'))).toHaveLength(1)
    expect(JSON.parse(await send('two', 'GET'))).toHaveLength(0)

    const tunnel = await openTunnel(port, 'api.test:80', { 'proxy-authorization': basic('one:shared') })
    tunnel.write(lastRequest('GET /items', 'api.test'))
    expect(JSON.parse(bodyOf(await textOf(tunnel)))).toHaveLength(1)
  })

  it('is not needed by those who use the gateway as their server', async () => {
    const { url } = await gatewayTo(hello, { targets: { proxy: true }, proxyAuth })
    expect((await fetchFrom(url)).status).toBe(200)
  })
})

const hasIPv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)

it.skipIf(!hasIPv6)('reaches servers by IPv6, however they are named', async () => {
  const server = createServer(hello)
  atEnd(() => server.close())
  await once(server.listen(0, '::1'), 'listening')
  const { port } = server.address() as AddressInfo
  const named = await startGateway({ upstream: `http://[::1]:${port}` })
  expect((await fetchFrom(`${named.url}/a`)).text).toBe('1.1 GET /a ')
  const proxy = await startProxy()
  expect(await rawAnswer(proxy.port, lastRequest(`GET http://[::1]:${port}/b`))).toMatch(/1\.1 GET \/b $/)
  const tunnel = await openTunnel(proxy.port, `[::1]:${port}`)
  tunnel.write(lastRequest('GET /c'))
  expect(await textOf(tunnel)).toMatch(/1\.1 GET \/c $/)
})
