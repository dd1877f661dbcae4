import { once } from 'node:events'
import { request as send, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ErrorCase } from '../../src/engine/error-case.ts'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openFolder, serve, startTlsUpstream, startUpstream, trusting } from './kit.ts'
import { ask, start, startReplay } from './replay-kit.ts'

/** Answers with links to itself, by the name that it has for its clients. */
const shop: RequestListener = (request, response) => {
  const { url = '/', headers } = request
  const own = `http://${headers.host}`
  const body = JSON.stringify({ self: `${own}${url}`, other: `${own}9/`, next: `${own}/items?page=2` })
  response.setHeader('location', `${own}/items/1?next=${own}/`)
  response.setHeader('link', `<${own}/items?page=2>; rel="next", <https://docs.example/>; rel="help"`)
  response.setHeader('set-cookie', [
    'a=1; Domain=127.0.0.1; Path=/; HttpOnly',
    'b=2; Domain=elsewhere.example',
  ])
  response.setHeader('www-authenticate', `Bearer realm="${own}/token",service="shop"`)
  response.setHeader('etag', '"1"')
  response.setHeader('content-digest', 'sha-256=:AAAA:')
  response.setHeader(
    'content-type',
    url.startsWith('/binary') ? 'application/octet-stream' : 'application/json',
  )
  if (url === '/binary/seen') response.end(JSON.stringify(headers))
  else if (url === '/gzip') response.setHeader('content-encoding', 'gzip').end(gzipSync(body))
  else if (url === '/part') response.writeHead(206, { 'content-range': 'bytes 0-9/100' }).end(body)
  else response.setHeader('content-length', Buffer.byteLength(body)).end(body)
}

async function startGateway(options: Partial<GatewayOptions> = {}) {
  const upstream = await startUpstream(shop)
  return { upstream, ...(await start({ upstream: upstream.url, ...options })) }
}

describe('the upstream’s URLs', () => {
  it('are the gateway’s in headers, where they are what a header names', async () => {
    const { url, upstream } = await startGateway()
    const { headers, text } = await ask(url, '/items', { headers: { host: 'shop.test:81' } })
    expect(headers).toMatchObject({
      location: `http://shop.test:81/items/1?next=${upstream.url}/`,
      link: '<http://shop.test:81/items?page=2>; rel="next", <https://docs.example/>; rel="help"',
      'set-cookie': ['a=1; Path=/; HttpOnly', 'b=2; Domain=elsewhere.example'],
      'www-authenticate': 'Bearer realm="http://shop.test:81/token",service="shop"',
    })
    expect([headers['etag'], JSON.parse(text).self]).toEqual(['"1"', `${upstream.url}/items`])
  })

  it('stay as they are for clients of a proxy', async () => {
    const upstream = await startUpstream(shop)
    const { port } = await start({ targets: { proxy: true, allow: ['127.0.0.1'] }, rewriteBodies: true })
    const sent = send({
      port,
      path: `${upstream.url}/items`,
      headers: { host: `127.0.0.1:${upstream.port}` },
    }).end()
    const [response] = await once(sent, 'response')
    const text = (await response.toArray()).join('')
    expect([response.headers.location, JSON.parse(text).self]).toEqual([
      `${upstream.url}/items/1?next=${upstream.url}/`,
      `${upstream.url}/items`,
    ])
  })

  it('are the gateway’s in forwarded bodies where that is wanted, which lose what is true of their bytes', async () => {
    const { url, upstream } = await startGateway({ rewriteBodies: true })
    for (const path of ['/items', '/gzip']) {
      const { headers, text } = await ask(url, path, { headers: { 'accept-encoding': 'gzip' } })
      const expected = { self: `${url}${path}`, other: `${upstream.url}9/`, next: `${url}/items?page=2` }
      expect(JSON.parse(text)).toEqual(expected)
      const { etag, 'content-digest': digest, 'content-length': length, 'content-encoding': coding } = headers
      expect([etag, digest, length, coding]).toEqual(['W/"1"', undefined, undefined, undefined])
    }
  })

  it.for([
    ['/part', {}],
    ['/binary', {}],
    ['/gzip', { 'accept-encoding': 'gzip, identity;q=0' }],
  ] as const)('stay in %s with %j', async ([path, headers]) => {
    const { url } = await startGateway({ rewriteBodies: true })
    const { headers: given } = await ask(url, path, { headers })
    expect([given['etag'], given['content-digest']]).toEqual(['"1"', 'sha-256=:AAAA:'])
  })

  it.for([
    ['are warned of while they are recorded, once, for they lead clients past the gateway', {}, 1],
    ['are not warned of where they are rewritten', { rewriteBodies: true }, 0],
    ['are not warned of where they are said to stay', { rewriteBodies: false }, 0],
  ] as const)('%s', async ([, options, warnings]) => {
    const { url, upstream, logged, app } = await startGateway({ record: openFolder().path, ...options })
    for (const path of ['/gzip', '/items']) await ask(url, path, { headers: { 'accept-encoding': 'gzip' } })
    await app.close()
    expect(logged.filter(({ message }) => message.startsWith(`Bodies of ${upstream.url} name`))).toHaveLength(
      warnings,
    )
  })

  it('reach the upstream under its own name', async () => {
    const { url, upstream } = await startGateway({ rewriteBodies: true })
    const headers = {
      ...{ origin: url, referer: `${url}/cart?x`, destination: `${url}/b`, if: `<${url}/a> (["1"])` },
      ...{ 'if-match': 'W/"1"', 'if-none-match': 'W/"1"' },
    }
    const { text } = await ask(url, '/binary/seen', { headers })
    const own = upstream.url
    expect(JSON.parse(text)).toMatchObject({
      ...{ origin: own, referer: `${own}/cart?x`, destination: `${own}/b`, if: `<${own}/a> (["1"])` },
      ...{ 'if-match': '"1"', 'if-none-match': 'W/"1"' },
    })
    const other = { origin: 'http://localhost:5173', referer: `${url}0/` }
    const seen = JSON.parse((await ask(url, '/binary/seen', { headers: other })).text)
    expect(seen).toMatchObject(other)
  })
})

describe('several upstreams', () => {
  it('are found again below the paths and at the hosts that they have at the gateway', async () => {
    const users = await startUpstream((_request, response) => {
      response.setHeader('set-cookie', 'a=1; Path=/v1/me')
      response.writeHead(302, { location: '/v1/users/1', 'content-location': `${shop1.url}/x` }).end()
    })
    const shop1 = await startUpstream((_request, response) => {
      response.writeHead(302, { location: `${users.url}/v1/users/2`, refresh: `0; url=${files.url}/f` }).end()
    })
    const files = await startUpstream(shop)
    const upstreams = [
      { url: `${users.url}/v1`, path: '/api', stripPath: true },
      { url: files.url, host: 'files.test' },
    ]
    const { url } = await start({ upstream: shop1.url, targets: { upstreams } })
    const headers = { host: 'shop.test:81' }
    expect((await ask(url, '/api/users/1', { headers })).headers).toMatchObject({
      location: '/api/users/1',
      'content-location': 'http://shop.test:81/x',
      'set-cookie': 'a=1; Path=/api/me',
    })
    expect((await ask(url, '/x', { headers })).headers).toMatchObject({
      location: 'http://shop.test:81/api/users/2',
      refresh: '0; url=http://files.test:81/f',
    })
    // A session that the path names stays the client's.
    const { location } = (await ask(url, '/__sim/s/ada/x', { headers })).headers
    expect(location).toBe('http://shop.test:81/__sim/s/ada/api/users/2')
  })

  it('with TLS set cookies that a client without it takes', async () => {
    const { url: upstream } = await startTlsUpstream((_request, response) => {
      response.setHeader('set-cookie', ['s=1; Secure; SameSite=None; HttpOnly', '__Host-t=1; Secure; Path=/'])
      response.end()
    })
    const { url } = await start({ upstream, reach: await trusting() })
    expect((await ask(url, '/')).headers['set-cookie']).toEqual([
      's=1; HttpOnly',
      '__Host-t=1; Secure; Path=/',
    ])
  })
})

describe('an event stream', () => {
  it('gives each event as it comes', async () => {
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => (goOn = resolve))
    const upstream = await startUpstream(({ headers }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: http://${headers.host}/1\n\nda`)
      void waiting.then(() => response.end(`ta: 2\n\n`))
    })
    const { url } = await start({ upstream: upstream.url, rewriteBodies: true })
    const response = await fetch(url)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.endsWith('da')) text += (await reader?.read())?.value ?? ''
    expect(text).toBe(`data: ${url}/1\n\nda`)
    goOn()
    await reader?.cancel()
  })
})

describe('a recording', () => {
  it('keeps what the upstream sent, and is replayed with the URLs of whoever replays it', async () => {
    const recording = openFolder().path
    const recorder = await startGateway({ record: recording, modes: { mode: 'record' } })
    await ask(recorder.url, '/items')
    await ask(recorder.url, '/binary')
    const post = (base: string) =>
      ask(base, '/items', { method: 'POST', body: JSON.stringify({ home: `${base}/items` }) })
    await post(recorder.url)
    await recorder.app.close()
    recorder.upstream.stop()

    const replay = await startReplay(recording)
    const { headers, text } = await ask(replay.url, '/items')
    const own = recorder.upstream.url
    expect(JSON.parse(text)).toEqual({
      self: `${replay.url}/items`,
      other: `${own}9/`,
      next: `${replay.url}/items?page=2`,
    })
    expect(headers).toMatchObject({
      location: `${replay.url}/items/1?next=${own}/`,
      etag: 'W/"1"',
      'content-length': String(text.length),
    })
    expect(headers['content-digest']).toBeUndefined()
    // What is derived from it is of what the client has.
    const head = await ask(replay.url, '/items', { method: 'HEAD' })
    expect(head.headers).toMatchObject({ etag: 'W/"1"', 'content-length': String(text.length) })
    const again = await ask(replay.url, '/items', { headers: { 'if-none-match': 'W/"1"' } })
    expect([again.status, again.headers['etag']]).toEqual([304, 'W/"1"'])
    expect((await ask(replay.url, '/binary')).text).toContain(`"self":"${own}/binary"`)

    expect((await post(replay.url)).status).toBe(200)

    const plain = await startReplay(recording, {}, { rewriteBodies: false })
    expect((await ask(plain.url, '/items')).text).toContain(`"self":"${own}/items"`)
  })
})

describe('a declared route', () => {
  it('has the URLs of the server that it stands for replaced by the gateway’s', async () => {
    const output = { const: { self: 'https://api.example.com/users/1', docs: 'https://example.com/' } }
    const headers = { location: 'https://api.example.com/users/1' }
    const api = new SimAPI({ seed: 1 }).get('/users/1', { output, headers })
    const app = createGateway({
      ...api.gatewayOptions(),
      defaults: { serverUrls: ['https://api.example.com'] },
    })
    const { url } = await serve(app)
    const { headers: given, text } = await ask(url, '/users/1')
    expect(given['location']).toBe(`${url}/users/1`)
    expect(JSON.parse(text)).toEqual({ self: `${url}/users/1`, docs: 'https://example.com/' })
    expect(given['content-length']).toBe(String(text.length))
  })

  it('has them replaced in declared errors and scenarios, too', async () => {
    const body = { see: 'https://api.example.com/limits' }
    const api = new SimAPI({ seed: 1 })
      .get('/refused', { errors: [ErrorCase({ when: () => true, status: 409, body })] })
      .get('/later', { scenario: [{ status: 503, body }] })
    const serverUrls = ['https://api.example.com']
    const { url } = await serve(createGateway({ ...api.gatewayOptions(), defaults: { serverUrls } }))
    for (const [path, status] of [
      ['/refused', 409],
      ['/later', 503],
    ] as const) {
      const given = await ask(url, path)
      expect([given.status, JSON.parse(given.text)]).toEqual([status, { see: `${url}/limits` }])
    }
  })
})
