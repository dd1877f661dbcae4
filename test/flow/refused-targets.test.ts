import { connect, createServer } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import type { Resolve } from '../../src/upstream/targets/guard.ts'
import { fetchFrom, listen, serve, startProxy, startUpstream } from './kit.ts'
import { lastRequest, rawAnswerIfAny, requestText } from './raw-client.ts'

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

interface Refusal {
  readonly status: number
  readonly text: string
}

async function answerTo(port: number, request: string): Promise<Refusal> {
  const text = await rawAnswerIfAny(port, request)
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }
}

const get = (port: number, target: string): Promise<Refusal> =>
  answerTo(port, lastRequest(`GET ${target}`, 'gateway.test'))
const tunnel = (port: number, authority: string): Promise<Refusal> =>
  answerTo(port, lastRequest(`CONNECT ${authority}`, authority))

const create = (allow?: readonly string[]) =>
  createGateway({ engine: new SimAPI({ seed: 1 }).engine(), targets: { proxy: true, allow, resolve } })

const LINK_LOCAL = 'it is a link-local address'
const OWN = 'it is the gateway itself'

describe('a proxy on loopback', () => {
  let port: number
  beforeAll(async () => {
    port = (await serve(create())).port
  })

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

  it('is tried in at least 25 forms', () => {
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
  ]

  it.for(tunnels)('refuses a tunnel to %s, %s', async ([, authority, reason]) => {
    const { status, text } = await tunnel(port, authority.replace('PORT', String(port)))
    expect(text).toContain('"error":"TargetRefused"')
    expect(text).toContain(reason)
    expect(status).toBe(403)
  })

  it.for([
    'example.test',
    'example.test:0',
    '[fe80::1%25lo]:443',
    'user@169.254.169.254:80',
    'http://169.254.169.254:80',
  ])('opens no tunnel to %s', async (authority) => {
    expect([400, 403]).toContain((await tunnel(port, authority)).status)
  })

  it('refuses the own port by the name of this machine', async () => {
    const own = await startProxy()
    const { text } = await get(own.port, `http://${hostname()}:${own.port}/`)
    expect(text).toContain('the gateway itself')
  })
})

describe('what a proxy on loopback forwards', () => {
  let serverPort: number
  let port: number
  beforeAll(async () => {
    const server = await startUpstream((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      else response.end(`${request.method} ${request.url} ${request.headers.host}`)
    })
    serverPort = server.port
    port = (await serve(create())).port
  })

  it.for(['127.0.0.1', 'loopback.test', '2130706433', 'LOOPBACK.test.'])(
    'are servers of this machine: %s',
    async (host) => {
      const { status, text } = await get(port, `http://${host}:${serverPort}/x?y=1`)
      expect(status).toBe(200)
      expect(text).toContain('GET /x?y=1')
    },
  )

  it.for([
    ['OPTIONS', '', '*'],
    ['OPTIONS', '/', '/'],
    ['OPTIONS', '?a', '/?a'],
    ['GET', '', '/'],
  ])('is what is for a server itself: %s of http://host%s', async ([method, rest, reached]) => {
    const line = `${method} http://127.0.0.1:${serverPort}${rest}`
    const { text } = await answerTo(port, lastRequest(line, `127.0.0.1:${serverPort}`))
    expect(text).toContain(`${method} ${reached} 127.0.0.1:${serverPort}`)
  })

  it('is a redirect as it is, whose target is checked when the client follows it', async () => {
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
    const through = requestText(`CONNECT ${target}`, `Host: ${target}`)
    expect((await answerTo(port, through + lastRequest('GET /inside'))).text).toContain('GET /inside')
    expect(rebound).toEqual(['169.254.169.254'])
    expect((await tunnel(port, target)).text).toContain('it leads to a link-local address')
  })
})

describe('a proxy that listens beyond loopback', () => {
  const open = async (allow?: readonly string[]): Promise<number> =>
    (await serve(create(allow), '0.0.0.0')).port

  it('forwards nowhere without a list of hosts', async () => {
    const port = await open()
    const { status, text } = await get(port, 'http://example.test/')
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('listens beyond loopback, and no hosts are allowed'),
    ])
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
    const port = await open(['loopback.test', '*.local.test', 'link-local.test', 'ported.test:81'])
    const { status, text } = await get(port, target)
    expect([status, text]).toEqual([403, expect.stringContaining(reason)])
  })

  it('forwards to loopback where that is what is listed', async () => {
    const { port: serverPort } = await startUpstream((_request, response) => response.end('reached'))
    const port = await open([`127.0.0.1:${serverPort}`, `localhost:${serverPort}`])
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await get(port, `http://${host}:${serverPort}/`)).text).toContain('reached')
    }
  })
})

describe('an intercepted tunnel and an upgrade', () => {
  it('lead no further than a plain request', async () => {
    const { port } = await startProxy({ targets: { proxy: true, resolve }, tls: { intercept: ['*'] } })
    for (const authority of ['169.254.169.254:80', 'link-local.test:80', `127.0.0.2:${port}`]) {
      const opening = requestText(`CONNECT ${authority}`, `Host: ${authority}`)
      const inside = lastRequest('GET /', authority)
      expect((await answerTo(port, opening + inside)).text).toContain('"error":"TargetRefused"')
      const headers = [`Host: ${authority}`, 'Connection: Upgrade', 'Upgrade: websocket']
      const upgrade = requestText(`GET http://${authority}/`, ...headers)
      expect((await answerTo(port, upgrade)).text).toContain('"error":"TargetRefused"')
    }
  })
})

it('ends a request whose upstream leads back to the gateway, whoever is between', async () => {
  let came = 0
  let port = 0
  const between = await listen(
    createServer((socket) => {
      came++
      const gateway = connect(port, '127.0.0.1')
      for (const each of [socket, gateway]) each.on('error', () => undefined)
      socket.pipe(gateway).pipe(socket)
    }),
  )
  const proxy = await startProxy({ upstream: `http://127.0.0.1:${between.port}` })
  port = proxy.port
  const { status, body } = await fetchFrom(`http://127.0.0.1:${port}/a`)
  expect([status, came]).toEqual([508, 10])
  expect(body).toMatchObject({ code: 'SIM_UPSTREAM_LOOP' })
  const via = (count: number) => ({
    via: Array.from({ length: count }, () => '1.1 other, 1.1 similar').join(', '),
  })
  const server = await startUpstream((_request, response) => response.end('ok'))
  const plain = await startProxy({ upstream: server.url })
  expect((await fetchFrom(`http://127.0.0.1:${plain.port}/a`, via(40))).status).toBe(200)
})
