import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import type { Resolve } from '../../src/upstream/targets/guard.ts'

/** Names that the tests' resolver knows. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'link-local.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:169.254.169.254'],
  'mixed.test': ['203.0.113.7', '169.254.169.254'],
  'nowhere.test': ['0.0.0.0'],
  'metadata6.test': ['fd00:ec2::254'],
  localhost: ['127.0.0.1', '::1'],
  'this-machine.test': [ownAddress()],
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flat()
  return all.find((each) => each?.internal === false && each.family === 'IPv4')?.address ?? '127.0.0.1'
}

/** What `rebound.test` resolves to, first what a check would see, then what a connection would use. */
let rebound: string[] = []
const resolve: Resolve = (name, _options, done) => {
  const addresses = name === 'rebound.test' ? rebound.splice(0, 1) : NAMES[name]
  if (addresses === undefined)
    return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
  done(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

interface Heard {
  readonly status: number
  readonly text: string
}

/** Sends bytes as they are and reads what comes until the connection ends. */
async function send(port: number, head: string): Promise<Heard> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(head)
  await new Promise((done) => socket.once('close', done))
  const text = Buffer.concat(chunks).toString()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }
}

const get = (port: number, target: string): Promise<Heard> =>
  send(port, `GET ${target} HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n\r\n`)
const tunnel = (port: number, authority: string): Promise<Heard> =>
  send(port, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`)

function create(allow?: readonly string[]): FastifyInstance {
  const engine = new SimAPI({ seed: 1 }).engine()
  return createGateway({ engine, targets: { proxy: true, allow, resolve } })
}

const LINK_LOCAL = 'it is a link-local address'
const OWN = 'it is the gateway itself'

describe('a proxy on loopback', () => {
  let app: FastifyInstance
  let port: number

  beforeAll(async () => {
    app = create()
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  afterAll(() => app.close())

  const forms: readonly (readonly [form: string, target: string, reason: string])[] = [
    ['a link-local address', 'http://169.254.169.254/latest/meta-data', LINK_LOCAL],
    ['a decimal address', 'http://2852039166/', LINK_LOCAL],
    ['a hexadecimal address', 'http://0xA9FEA9FE/', LINK_LOCAL],
    ['an octal address', 'http://0251.0376.0251.0376/', LINK_LOCAL],
    ['an address of mixed bases', 'http://0xa9.254.0251.254/', LINK_LOCAL],
    ['a short address', 'http://169.254.43518/', LINK_LOCAL],
    ['an address with a trailing dot', 'http://169.254.169.254./', LINK_LOCAL],
    ['a percent-encoded address', 'http://169.254.169.25%34/', LINK_LOCAL],
    ['an IPv4-mapped address', 'http://[::ffff:169.254.169.254]/', LINK_LOCAL],
    ['an IPv4-mapped address in hexadecimal', 'http://[::ffff:a9fe:a9fe]/', LINK_LOCAL],
    ['an IPv4-compatible address', 'http://[::169.254.169.254]/', LINK_LOCAL],
    ['a NAT64 address', 'http://[64:ff9b::a9fe:a9fe]/', LINK_LOCAL],
    ['a 6to4 address', 'http://[2002:a9fe:a9fe::]/', LINK_LOCAL],
    ['a link-local IPv6 address', 'http://[fe80::1]/', LINK_LOCAL],
    ['AWS’s metadata by IPv6', 'http://[fd00:ec2::254]/', 'the metadata service of AWS'],
    ['Alibaba’s metadata', 'http://100.100.100.200/', 'the metadata service of Alibaba Cloud'],
    ['Azure’s metadata', 'http://168.63.129.16/', 'the metadata service of Azure'],
    ['a metadata name', 'http://metadata.google.internal/', 'it is a metadata service'],
    [
      'a metadata name in mixed case with a dot',
      'http://MetaData.Google.INTERNAL./',
      'it is a metadata service',
    ],
    ['0.0.0.0', 'http://0.0.0.0:PORT/', 'the unspecified address'],
    ['a short 0', 'http://0:PORT/', 'the unspecified address'],
    ['[::]', 'http://[::]:PORT/', 'the unspecified address'],
    ['the own port by another loopback address', 'http://127.0.0.2:PORT/', OWN],
    ['the own port by IPv6', 'http://[::1]:PORT/', OWN],
    ['the own port by a mapped address', 'http://[::ffff:127.0.0.2]:PORT/', OWN],
    ['the own port by a decimal address', 'http://2130706434:PORT/', OWN],
    ['the own port by a short address', 'http://127.2:PORT/', OWN],
    ['the own port by a name', 'http://loopback.test:PORT/', 'it leads to the gateway itself'],
    [
      'the own port by this machine’s address',
      'http://this-machine.test:PORT/',
      'it leads to the gateway itself',
    ],
    ['a name that resolves to link-local', 'http://link-local.test/', 'it leads to a link-local address'],
    ['a name that resolves to a mapped address', 'http://mapped.test/', 'it leads to a link-local address'],
    ['a name that resolves to both', 'http://mixed.test/', 'it leads to a link-local address'],
    ['a name that resolves to 0.0.0.0', 'http://nowhere.test/', 'it leads to the unspecified address'],
    ['a name that resolves to metadata', 'http://metadata6.test/', 'it leads to the metadata service of AWS'],
    ['a name over TLS', 'https://link-local.test/', 'it leads to a link-local address'],
    ['a multicast address', 'http://224.0.0.1/', 'a multicast address'],
    ['port 0', 'http://example.test:0/', 'nothing has port 0'],
  ]

  it('is asked in at least 25 forms', () => {
    expect(forms.length).toBeGreaterThan(25)
  })

  it.for(forms)('refuses %s, %s', async ([, target, reason]) => {
    const { status, text } = await get(port, target.replace('PORT', String(port)))
    expect(text).toContain('"error":"TargetRefused"')
    expect(text).toContain(reason)
    expect(status).toBe(403)
  })

  it.for([
    ['an address with a zone', 'http://[fe80::1%25lo]/'],
    ['full-width digits', 'http://１６９.２５４.１６９.２５４/'],
    ['user information', 'http://user:pass@169.254.169.254/'],
    ['user information that looks like a host', 'http://example.com:80@169.254.169.254/'],
    ['a backslash', 'http://example.com\\@169.254.169.254/'],
  ])('forwards nothing for %s', async ([, target = '']) => {
    const { status } = await get(port, target)
    expect([400, 403]).toContain(status)
  })

  const tunnels: readonly (readonly [form: string, authority: string, reason: string])[] = [
    ['a link-local address', '169.254.169.254:80', LINK_LOCAL],
    ['a decimal address', '2852039166:443', LINK_LOCAL],
    ['a mapped address', '[::ffff:a9fe:a9fe]:443', LINK_LOCAL],
    ['a metadata name', 'metadata.google.internal.:80', 'it is a metadata service'],
    ['a name that resolves to link-local', 'link-local.test:443', 'it leads to a link-local address'],
    ['the own port', '127.0.0.1:PORT', OWN],
    ['the own port by a short address', '127.1:PORT', OWN],
    ['the own port by localhost', 'localhost:PORT', 'it leads to the gateway itself'],
    ['the own port by IPv6', '[::1]:PORT', OWN],
    ['the own port by 0.0.0.0', '0.0.0.0:PORT', 'the unspecified address'],
    ['the own port by [::]', '[::]:PORT', 'the unspecified address'],
    ['the own port by a name', 'loopback6.test:PORT', 'it leads to the gateway itself'],
    ['port 0', 'example.test:0', 'nothing has port 0'],
  ]

  it.for(tunnels)('refuses a tunnel to %s, %s', async ([, authority, reason]) => {
    const { status, text } = await tunnel(port, authority.replace('PORT', String(port)))
    expect(text).toContain('"error":"TargetRefused"')
    expect(text).toContain(reason)
    expect(status).toBe(403)
  })

  it.for(['example.test', '[fe80::1%25lo]:443', 'user@169.254.169.254:80', 'http://169.254.169.254:80'])(
    'opens no tunnel to %s',
    async (authority) => {
      expect([400, 403]).toContain((await tunnel(port, authority)).status)
    },
  )

  it('refuses the own port by the name of this machine', async () => {
    const own = createGateway({ engine: new SimAPI({ seed: 1 }).engine(), targets: { proxy: true } })
    await own.listen({ port: 0, host: '127.0.0.1' })
    const { port: ownPort } = own.server.address() as AddressInfo
    const { text } = await get(ownPort, `http://${hostname()}:${ownPort}/`)
    expect(text).toContain('the gateway itself')
    await own.close()
  })
})

describe('what a proxy on loopback forwards', () => {
  let server: Server
  let app: FastifyInstance
  let serverPort: number
  let port: number

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      else response.end(`${request.method} ${request.url} ${request.headers.host}`)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    serverPort = (server.address() as AddressInfo).port
    app = create()
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  afterAll(async () => {
    await app.close()
    server.close()
  })

  it.for(['127.0.0.1', 'loopback.test', '2130706433', 'LOOPBACK.test.'])(
    'are servers of this machine: %s',
    async (host) => {
      const { status, text } = await get(port, `http://${host}:${serverPort}/x?y=1`)
      expect(status).toBe(200)
      expect(text).toContain('GET /x?y=1')
    },
  )

  it('is a redirect as it is, whose target is checked when the client asks for it', async () => {
    const { status, text } = await get(port, `http://loopback.test:${serverPort}/away`)
    const [, location = ''] = /location: (\S+)/i.exec(text) ?? []
    expect([status, location]).toEqual([302, 'http://169.254.169.254/'])
    expect((await get(port, location)).status).toBe(403)
  })

  it('connects to the address that was checked, whatever the name resolves to afterwards', async () => {
    rebound = ['127.0.0.1', '169.254.169.254']
    const { status } = await get(port, `http://rebound.test:${serverPort}/`)
    expect([status, rebound]).toEqual([200, ['169.254.169.254']])

    rebound = ['127.0.0.1', '169.254.169.254']
    const target = `rebound.test:${serverPort}`
    const through = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`
    const inside = 'GET /inside HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    expect((await send(port, `${through}${inside}`)).text).toContain('GET /inside')
    expect(rebound).toEqual(['169.254.169.254'])
    expect((await tunnel(port, target)).text).toContain('it leads to a link-local address')
  })
})

describe('a proxy that listens beyond loopback', () => {
  const open = async (allow?: readonly string[]): Promise<{ app: FastifyInstance; port: number }> => {
    const app = create(allow)
    await app.listen({ port: 0, host: '0.0.0.0' })
    return { app, port: (app.server.address() as AddressInfo).port }
  }

  it('forwards nowhere without a list of hosts', async () => {
    const { app, port } = await open()
    const { status, text } = await get(port, 'http://example.test/')
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('listens beyond loopback, and no hosts are allowed'),
    ])
    await app.close()
  })

  it.for([
    ['a host that is not listed', 'http://other.test/', 'it is not allowed'],
    ['what a listed host is only the end of', 'http://badloopback.test/', 'it is not allowed'],
    ['loopback in decimal', 'http://2130706433/', 'it is not allowed'],
    ['a listed name that resolves to loopback', 'http://loopback.test/', 'it leads to a loopback address'],
    [
      'a listed name that resolves to link-local',
      'http://link-local.test/',
      'it leads to a link-local address',
    ],
    ['a listed host on another port', 'http://ported.test/', 'it is not allowed'],
  ] as const)('refuses %s', async ([, target, reason]) => {
    const { app, port } = await open(['loopback.test', '*.local.test', 'link-local.test', 'ported.test:81'])
    const { status, text } = await get(port, target)
    expect([status, text]).toEqual([403, expect.stringContaining(reason)])
    await app.close()
  })

  it('forwards to loopback where that is what is listed', async () => {
    const server = createServer((_request, response) => response.end('reached'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port: serverPort } = server.address() as AddressInfo
    const { app, port } = await open([`127.0.0.1:${serverPort}`, `localhost:${serverPort}`])
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await get(port, `http://${host}:${serverPort}/`)).text).toContain('reached')
    }
    await app.close()
    server.close()
  })
})

describe('an intercepted tunnel and an upgrade', () => {
  it('lead no further than a plain request', async () => {
    const app = createGateway({
      engine: new SimAPI({ seed: 1 }).engine(),
      targets: { proxy: true, resolve },
      tls: { intercept: ['*'] },
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    for (const authority of ['169.254.169.254:80', 'link-local.test:80', `127.0.0.2:${port}`]) {
      const opening = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`
      const inside = `GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`
      expect((await send(port, `${opening}${inside}`)).text).toContain('"error":"TargetRefused"')
      const upgrade = `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
      expect((await send(port, upgrade)).text).toContain('"error":"TargetRefused"')
    }
    await app.close()
  })
})
