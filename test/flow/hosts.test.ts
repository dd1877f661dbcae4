import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { ProxyAgent, request } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { joinEngines } from '../../src/simulation/join-engines.ts'
import { createGateway } from '../../src/gateway.ts'
import { findShadowed } from '../../src/loaders/validate-app.ts'
import { createClient } from '../../src/testing/client.ts'
import { testEndpoint } from '../../src/testing/test-endpoint.ts'

const named = (name: string): object => ({ output: Type.Object({ api: Type.Literal(name) }) })

async function proxyTo(
  ...apis: readonly SimAPI[]
): Promise<(url: string, init?: object) => Promise<unknown>> {
  const engine = joinEngines(
    apis.map((api) => api.engine()),
    1,
  )
  const app = createGateway({ engine, targets: { proxy: true } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const dispatcher = new ProxyAgent({ uri: url, proxyTunnel: false })
  onTestFinished(async () => {
    await dispatcher.close()
    await app.close()
  })
  return async (target, init = {}) => {
    const { statusCode, body } = await request(target, { dispatcher, ...init })
    const text = await body.text()
    return text === '' ? statusCode : (JSON.parse(text) as unknown)
  }
}

describe('routes by host', () => {
  it('let one proxy play several APIs at once', async () => {
    const shop = new SimAPI({ seed: 1, host: 'shop.example.com' }).get('/items', named('shop'))
    const bank = new SimAPI({ seed: 1, host: '*.bank.test' })
      .get('/items', named('bank'))
      .get('/items', { ...named('vault'), host: 'vault.bank.test' })
    const get = await proxyTo(shop, bank, new SimAPI({ seed: 1 }).get('/items', named('any')))

    expect(await get('http://shop.example.com/items')).toEqual({ api: 'shop' })
    expect(await get('http://SHOP.example.com.:80/items')).toEqual({ api: 'shop' })
    expect(await get('http://www.bank.test/items')).toEqual({ api: 'bank' })
    expect(await get('http://vault.bank.test/items')).toEqual({ api: 'vault' })
    expect(await get('http://else.test/items')).toEqual({ api: 'any' })
  })

  it('keep the items of apps apart, of the same path on two hosts', async () => {
    const Item = Type.Object({ id: Type.String() })
    const shop = (host: string): SimAPI =>
      new SimAPI({ seed: 1, stateful: true, host })
        .post('/items', { input: Item, output: Item })
        .get('/items', { output: Type.Array(Item) })
    const get = await proxyTo(shop('a.test'), shop('b.test'))
    const headers = { 'content-type': 'application/json' }
    await get('http://a.test/items', { method: 'POST', body: '{"id":"1"}', headers })
    expect(await get('http://a.test/items')).toHaveLength(1)
    expect(await get('http://b.test/items')).toEqual([])
  })

  it('answer at their host alone, and leave others to the upstream', async () => {
    const server = createServer((_request, response) => response.end('{"api":"real"}'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const get = await proxyTo(new SimAPI({ seed: 1 }).get('/x', { ...named('sim'), host: 'a.test' }))
    expect(await get('http://a.test/x')).toEqual({ api: 'sim' })
    expect(await get(`http://127.0.0.1:${port}/x`)).toEqual({ api: 'real' })
  })

  it('are known to OpenAPI by servers, and one of several of the same path is told', () => {
    const api = new SimAPI({ seed: 1 })
      .get('/x', { host: 'a.example' })
      .get('/x', { host: 'b.example' })
      .get('/y', { host: '*.c.example' })
      .get('/z')
    const { paths } = api.openapi()
    expect(paths['/x']?.get?.servers).toEqual([{ url: 'https://a.example' }])
    expect(paths['/y']?.get?.servers).toEqual([
      { url: 'https://{name}.c.example', variables: { name: { default: 'any' } } },
    ])
    expect(paths['/y']?.get?.['x-sim-options']).toEqual({ host: '*.c.example' })
    expect(paths['/z']?.get?.servers).toBeUndefined()
  })

  it('are tested at their host, and take no paths from each other', async () => {
    const api = new SimAPI({ seed: 1, host: '*.example.com' })
      .get('/users/me', { ...named('me'), host: 'other.test' })
      .get('/users/{id}', named('user'))
    expect(findShadowed(api.routes)).toEqual([])
    const client = createClient(api)
    await testEndpoint(api, { method: 'GET', path: '/users/{id}', numRuns: 5 })
    const answer = await client.get('/users/7', { headers: { host: 'any.example.com' } })
    expect(await answer.json()).toEqual({ api: 'user' })
    await client.close()
  })
})

describe('a recording of a proxy', () => {
  it('tells hosts apart when it is replayed', async () => {
    const servers = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const server = createServer((_request, response) => response.end(JSON.stringify({ name })))
        await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
        onTestFinished(() => void server.close())
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
      }),
    )
    const directory = await mkdtemp(join(tmpdir(), 'sim-hosts-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const ask = async (options: object): Promise<unknown[]> => {
      const app = createGateway({ engine: new SimAPI().engine(), targets: { proxy: true }, ...options })
      const dispatcher = new ProxyAgent({
        uri: await app.listen({ port: 0, host: '127.0.0.1' }),
        proxyTunnel: false,
      })
      const answers: unknown[] = []
      for (const url of [...servers, 'http://127.0.0.1:1/x'])
        answers.push(await (await request(url, { dispatcher })).body.json())
      await dispatcher.close()
      await app.close()
      return answers
    }
    const live = await ask({ record: directory, modes: { mode: 'record' } })
    expect(live.slice(0, 2)).toEqual([{ name: 'one' }, { name: 'two' }])
    const replayed = await ask({ recording: directory, modes: { mode: 'replay' } })
    expect(replayed.slice(0, 2)).toEqual(live.slice(0, 2))
    expect(replayed[2]).toMatchObject({
      error: 'NotRecorded',
      nearest: [
        { differs: [expect.stringMatching(/^host 127\.0\.0\.1:\d+ instead of 127\.0\.0\.1:1$/)] },
        {},
      ],
    })
  })
})
