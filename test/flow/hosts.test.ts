import Type from 'typebox'
import { ProxyAgent, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { findShadowed } from '../../src/loaders/validate-app.ts'
import { joinEngines } from '../../src/simulation/join-engines.ts'
import { createClient } from '../../src/testing/client.ts'
import { testEndpoint } from '../../src/testing/test-endpoint.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, startProxy, startUpstream } from './kit.ts'

const named = (name: string): object => ({ output: Type.Object({ api: Type.Literal(name) }) })

type Get = (url: string, init?: object) => Promise<unknown>

/** Starts a proxy, and gives the JSON of answers through it. */
async function getBy(options: Partial<GatewayOptions>): Promise<Get> {
  const dispatcher = new ProxyAgent({ uri: (await startProxy(options)).url, proxyTunnel: false })
  atEnd(() => dispatcher.close())
  return async (target, init = {}) => {
    const { statusCode, body } = await request(target, { dispatcher, ...init })
    const text = await body.text()
    return text === '' ? statusCode : (JSON.parse(text) as unknown)
  }
}

function getFrom(...apis: readonly SimAPI[]): Promise<Get> {
  const engines = apis.map((api) => api.engine())
  return getBy({ engine: joinEngines(engines, 1) })
}

describe('routes by host', () => {
  it('let one proxy play several APIs at once', async () => {
    const shop = new SimAPI({ seed: 1, host: 'shop.example.com' }).get('/items', named('shop'))
    const bank = new SimAPI({ seed: 1, host: '*.bank.test' })
      .get('/items', named('bank'))
      .get('/items', { ...named('vault'), host: 'vault.bank.test' })
    const get = await getFrom(shop, bank, new SimAPI({ seed: 1 }).get('/items', named('any')))
    for (const [host, api] of [
      ['shop.example.com', 'shop'],
      ['SHOP.example.com.:80', 'shop'],
      ['www.bank.test', 'bank'],
      ['vault.bank.test', 'vault'],
      ['else.test', 'any'],
    ])
      expect(await get(`http://${host}/items`)).toEqual({ api })
  })

  it('keep the items of apps apart, of the same path on two hosts', async () => {
    const Item = Type.Object({ id: Type.String() })
    const shop = (host: string): SimAPI =>
      new SimAPI({ seed: 1, stateful: true, host })
        .post('/items', { input: Item, output: Item })
        .get('/items', { output: Type.Array(Item) })
    const get = await getFrom(shop('a.test'), shop('b.test'))
    const headers = { 'content-type': 'application/json' }
    await get('http://a.test/items', { method: 'POST', body: '{"id":"1"}', headers })
    expect(await get('http://a.test/items')).toHaveLength(1)
    expect(await get('http://b.test/items')).toEqual([])
  })

  it('answer at their host alone, and leave others to the upstream', async () => {
    const { url } = await startUpstream((_request, response) => response.end('{"api":"real"}'))
    const get = await getFrom(new SimAPI({ seed: 1 }).get('/x', { ...named('sim'), host: 'a.test' }))
    expect(await get('http://a.test/x')).toEqual({ api: 'sim' })
    expect(await get(`${url}/x`)).toEqual({ api: 'real' })
  })

  it('are known to OpenAPI by servers, and one of several of the same path is named', () => {
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
  it('keeps hosts apart when it is replayed', async () => {
    const upstreams = await Promise.all(
      ['one', 'two'].map((name) =>
        startUpstream((_request, response) => response.end(JSON.stringify({ name }))),
      ),
    )
    const directory = openFolder().path
    const urls = [...upstreams.map(({ url }) => `${url}/x`), 'http://127.0.0.1:1/x']
    const answersBy = async (options: Partial<GatewayOptions>): Promise<unknown[]> => {
      const get = await getBy(options)
      const answers: unknown[] = []
      for (const url of urls) answers.push(await get(url))
      return answers
    }
    const live = await answersBy({ record: directory, modes: { mode: 'record' } })
    expect(live.slice(0, 2)).toEqual([{ name: 'one' }, { name: 'two' }])
    const replayed = await answersBy({ recording: directory, modes: { mode: 'replay' } })
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
