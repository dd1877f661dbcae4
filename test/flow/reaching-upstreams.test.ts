import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import Type from 'typebox'
import { fetch } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createIssuer } from '../../src/http/certificates.ts'
import { openTunnel, rawAnswer, textOf, tlsThroughTunnel } from './raw-client.ts'
import {
  closeAll,
  closing,
  startGateway,
  startTlsUpstream,
  startUpstream,
  temporaryDirectory,
  upstreamAuthority,
} from './ways-in-setup.ts'

const directory = temporaryDirectory()
const caDirectory = join(directory, 'ca')
afterEach(closeAll)

const hello: RequestListener = (incoming, response) => {
  void textOf(incoming).then((text) =>
    response.end(`${incoming.httpVersion} ${incoming.method} ${incoming.url} ${text}`),
  )
}

describe('an upstream with TLS', () => {
  it('is checked, unless its host is listed', async () => {
    const authority = await upstreamAuthority(directory)
    const upstream = await startTlsUpstream(authority, hello)
    const strict = await startGateway({ upstream: upstream.url })
    const refused = await fetch(strict.url)
    expect([refused.status, await refused.json()]).toMatchObject([502, { error: 'UpstreamUntrusted' }])

    const other = await startGateway({
      upstream: upstream.url,
      reach: { tls: { insecure: ['example.com'] } },
    })
    expect((await fetch(other.url)).status).toBe(502)
    const lax = await startGateway({ upstream: upstream.url, reach: { tls: { insecure: ['localhost'] } } })
    expect(await (await fetch(`${lax.url}/x`)).text()).toBe('1.1 GET /x ')
    const trusting = await startGateway({ upstream: upstream.url, reach: { tls: { ca: authority.cert } } })
    expect(await (await fetch(`${trusting.url}/x`)).text()).toBe('1.1 GET /x ')
  })

  it('is shown the client certificate', async () => {
    const authority = await upstreamAuthority(directory)
    const { key, cert } = await (await createIssuer(authority))('client.test')
    const upstream = await startTlsUpstream(
      authority,
      ({ socket }, response) =>
        response.end(
          (socket as unknown as { getPeerCertificate(): { subjectaltname?: string } }).getPeerCertificate()
            .subjectaltname,
        ),
      { requestCert: true },
    )
    const tls = { insecure: ['localhost'], clientKey: key, clientCert: cert }
    const { url } = await startGateway({ upstream: upstream.url, reach: { tls } })
    expect(await (await fetch(url)).text()).toBe('DNS:client.test')
  })

  it('is spoken to over HTTP/2 where it speaks nothing else', async () => {
    const authority = await upstreamAuthority(directory)
    const upstream = await startTlsUpstream(
      authority,
      (incoming, response) => {
        response.writeHead(200, ['set-cookie', 'a=1', 'set-cookie', 'b=2'])
        hello(incoming, response)
      },
      { http2: true },
    )
    const { url } = await startGateway({ upstream: upstream.url, reach: { tls: { ca: authority.cert } } })
    const got = await fetch(`${url}/a?b`)
    expect([got.headers.getSetCookie(), await got.text()]).toEqual([['a=1', 'b=2'], '2.0 GET /a?b '])
    const posted = await fetch(`${url}/p`, { method: 'POST', body: 'x'.repeat(200_000) })
    expect(await posted.text()).toBe(`2.0 POST /p ${'x'.repeat(200_000)}`)
    const all = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => (await fetch(`${url}/${i}`)).text()),
    )
    expect(all).toEqual(Array.from({ length: 50 }, (_, i) => `2.0 GET /${i} `))
  })
})

/** A proxy that notes what it is asked, and does it. */
async function startProxy(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    asked.push(
      `${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization']} ${incoming.headers.host}`,
    )
    const { hostname, port, pathname } = new URL(String(incoming.url))
    request({ hostname, port, path: pathname }, (answer) => answer.pipe(response)).end()
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization']}`)
    const [host, port] = String(incoming.url).split(':')
    const there = connect(Number(port), host)
    there.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(there).pipe(socket)
    })
    for (const each of [there, socket]) each.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://u:p%40@127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const OPENING = `Basic ${Buffer.from('u:p@').toString('base64')}`

describe('a proxy ahead', () => {
  it('is asked in absolute form for plain HTTP, and for a tunnel with TLS', async () => {
    const authority = await upstreamAuthority(directory)
    const [plain, secure] = [await startUpstream(hello), await startTlsUpstream(authority, hello)]
    const { url, asked } = await startProxy()
    const reach = { proxy: { url }, tls: { ca: authority.cert } }
    const [one, two] = [
      await startGateway({ upstream: plain.url, reach }),
      await startGateway({ upstream: secure.url, reach }),
    ]
    expect(await (await fetch(`${one.url}/1`)).text()).toBe('1.1 GET /1 ')
    expect(await (await fetch(`${two.url}/2`)).text()).toBe('1.1 GET /2 ')
    expect(asked).toEqual([
      `GET ${plain.url}/1 ${OPENING} 127.0.0.1:${plain.port}`,
      `CONNECT localhost:${secure.port} ${OPENING}`,
    ])
  })

  it('is asked for tunnels of clients too, but not for the hosts of NO_PROXY', async () => {
    const authority = await upstreamAuthority(directory)
    const upstream = await startTlsUpstream(authority, hello)
    const { url, asked } = await startProxy()
    const through = await startGateway({ reach: { proxy: { url } } })
    const past = await startGateway({ reach: { proxy: { url, noProxy: 'localhost' } } })
    for (const { port } of [through, past]) {
      const socket = await tlsThroughTunnel(caDirectory, port, `localhost:${upstream.port}`, {
        ca: authority.cert,
      })
      socket.write('GET /t HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      expect(await textOf(socket)).toContain('1.1 GET /t')
    }
    expect(asked).toEqual([`CONNECT localhost:${upstream.port} ${OPENING}`])
  })

  it('gets no answer where it refuses', async () => {
    const refusing = await startUpstream((_incoming, response) => response.end())
    refusing.server.on('connect', (_incoming, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const { port } = await startGateway({ reach: { proxy: { url: refusing.url } } })
    await expect(openTunnel(port, 'example.test:443')).rejects.toThrow(/502 .*UpstreamUnreachable/)
  })
})

describe('the proxy’s own authentication', () => {
  const proxyAuth = ['ada:secret', '*:shared']
  const basic = (text: string): string =>
    `Proxy-Authorization: Basic ${Buffer.from(text).toString('base64')}\r\n`

  it.for([
    '',
    basic('ada:wrong'),
    basic('eve:secret'),
    basic(':shared'),
    'Proxy-Authorization: Bearer x\r\n',
  ])('refuses %j', async (header) => {
    const upstream = await startUpstream(hello)
    const { port } = await startGateway({ proxyAuth })
    const answer = await rawAnswer(
      port,
      `GET ${upstream.url}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 407 .*proxy-authenticate: Basic realm="sim"/is)
    const tunnel = await rawAnswer(
      port,
      `CONNECT 127.0.0.1:${upstream.port} HTTP/1.1\r\nHost: a\r\n${header}\r\n`,
    )
    expect(tunnel).toMatch(/^HTTP\/1.1 407 .*proxy-authenticate: Basic realm="sim"/is)
  })

  it.for(['ada:secret', 'worker-7:shared'])(
    'lets %s in, and tells the upstream nothing of it',
    async (account) => {
      const upstream = await startUpstream((incoming, response) =>
        response.end(JSON.stringify(incoming.headers)),
      )
      const { port } = await startGateway({ proxyAuth })
      const answer = await rawAnswer(
        port,
        `GET ${upstream.url}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${basic(account)}\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1.1 200/)
      expect(answer).not.toContain('authorization')
      const headers = { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` }
      ;(await openTunnel(port, `127.0.0.1:${upstream.port}`, headers)).destroy()
    },
  )

  it('names the session of a client, in tunnels too', async () => {
    const Item = Type.Object({ id: Type.String() })
    const api = new SimAPI({ seed: 1, stateful: true })
      .post('/items', { output: Item })
      .get('/items', { output: list(Item) })
    const { port } = await startGateway({
      engine: api.engine(),
      proxyAuth: ['*:shared'],
      tls: { caDirectory },
    })
    const ask = async (user: string, method: string): Promise<string> => {
      const head = `${method} http://api.test/items HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n`
      return (await rawAnswer(port, `${head}${basic(`${user}:shared`)}\r\n`)).split('\r\n\r\n')[1] ?? ''
    }
    await ask('one', 'POST')
    expect(JSON.parse(await ask('one', 'GET'))).toHaveLength(1)
    expect(JSON.parse(await ask('two', 'GET'))).toHaveLength(0)

    const headers = { 'proxy-authorization': `Basic ${Buffer.from('one:shared').toString('base64')}` }
    const tunnel = await openTunnel(port, 'api.test:80', headers)
    tunnel.write('GET /items HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n')
    expect(JSON.parse((await textOf(tunnel)).split('\r\n\r\n')[1] ?? '')).toHaveLength(1)
  })

  it('is not asked of those who use the gateway as their server', async () => {
    const upstream = await startUpstream(hello)
    const { url } = await startGateway({ proxyAuth, upstream: upstream.url })
    expect((await fetch(url)).status).toBe(200)
  })
})
