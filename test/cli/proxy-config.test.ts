import { cpSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toGatewayOptions } from '../../src/options/gateway-config.ts'
import { loadGatewayConfig } from '../../src/options/config-file.ts'
import { createTargets } from '../../src/upstream/targets/targets.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { serveHere, simHere } from './run-in-process.ts'

const SAMPLES = resolve(import.meta.dirname, '../../config')
const index = resolve(import.meta.dirname, '../../dist/src/index.js')

async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('server', 'echo')
    response.end(
      JSON.stringify({ url: request.url, host: request.headers.host, caller: request.headers['x-caller'] }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('sim proxy --config', () => {
  it('forwards by host and path as the file says', async () => {
    const [api, last] = [await echo(), await echo()]
    using folder = temporaryFolder({
      'gateway.yaml': `
gateway:
  upstream: ${last}
  upstreams:
    - { path: /api, strip_path: true, url: '${api}/v1', request_headers: { set: { x-caller: sim } },
        response_headers: { remove: [server] } }
    - { path: /virtual, url: '${api}', request_headers: { set: { Host: api.example.com } } }`,
    })
    const served = await serveHere('proxy', '--config', join(folder.path, 'gateway.yaml'))
    const stripped = await fetch(`${served.url}/api/users?x=1`)
    expect(await stripped.json()).toEqual({ url: '/v1/users?x=1', host: new URL(api).host, caller: 'sim' })
    expect(stripped.headers.get('server')).toBeNull()
    const virtual = await fetch(`${served.url}/virtual`)
    expect(await virtual.json()).toEqual({ url: '/virtual', host: 'api.example.com' })
    const plain = await fetch(`${served.url}/users`)
    expect(await plain.json()).toEqual({ url: '/users', host: new URL(last).host })
    expect(plain.headers.get('server')).toBe('echo')
    expect(await served.stop()).toBe(0)
  })

  it('lets flags win, and finds the file by itself', async () => {
    const upstream = await echo()
    using folder = temporaryFolder({
      'sim.yaml': 'seed: 3\ngateway:\n  upstream: http://127.0.0.1:9\n  mode: forward\n  routes: [app.mjs]\n',
      'app.mjs': `import { SimAPI } from ${JSON.stringify(index)}
export const api = new SimAPI().get('/here', { output: { type: 'object' } })\n`,
    })
    const before = process.cwd()
    process.chdir(folder.path)
    onTestFinished(() => process.chdir(before))
    const served = await serveHere('proxy', '--upstream', upstream)
    expect(await (await fetch(`${served.url}/here`)).json()).toMatchObject({ url: '/here' })
    expect(served.stderr).toMatch(
      /^seed \d+ of .*app\.mjs \(drawn; repeat it with new SimAPI\(\{ seed: \d+ \}\)\)\n$/,
    )
    await served.stop()
    const simulating = await serveHere('proxy', '--upstream', upstream, '--mode', 'simulate', '--seed', '4')
    expect(await (await fetch(`${simulating.url}/here`)).json()).not.toHaveProperty('url')
    expect(simulating.stderr).toBe('seed 4 (repeat this run with --seed 4)\n')
    await simulating.stop()
  })

  it('names file and line of what cannot be', async () => {
    using folder = temporaryFolder({ 'g.yaml': 'gateway:\n  upstreams:\n    - ulr: http://a\n' })
    const { code, stderr } = await simHere('proxy', '--config', join(folder.path, 'g.yaml'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("g.yaml:3: unknown key 'gateway.upstreams[0].ulr'"),
    ])
  })

  it('says the seed of each app where they differ', async () => {
    using folder = temporaryFolder(
      Object.fromEntries(
        ['a', 'b'].map((name, at) => [
          `${name}.mjs`,
          `import { SimAPI } from ${JSON.stringify(index)}
export const api = new SimAPI(${at === 0 ? '{ seed: 5 }' : ''}).get('/${name}', {})\n`,
        ]),
      ),
    )
    const targets = ['--routes', join(folder.path, 'a.mjs'), '--routes', join(folder.path, 'b.mjs')]
    const served = await serveHere('proxy', ...targets)
    expect(served.stderr).toMatch(
      /^seed 5 of .*a\.mjs \(its own\)\nseed (\d+) of .*b\.mjs \(drawn; .* seed: \1 \}\)\)\n$/,
    )
    await served.stop()
  })
})

describe('the sample configs', () => {
  const samples = readdirSync(SAMPLES).filter((name) => name.endsWith('.yaml'))

  it('are there', () => {
    expect(samples.length).toBeGreaterThan(2)
  })

  it.for(samples)('%s is right, and runs', async (name) => {
    expect(loadGatewayConfig(join(SAMPLES, name), '/')?.gateway).toBeTypeOf('object')
    using folder = temporaryFolder({})
    cpSync(SAMPLES, join(folder.path, 'config'), { recursive: true })
    const served = await serveHere(
      'proxy',
      '--config',
      join(folder.path, 'config', name),
      '--host',
      '127.0.0.1',
    )
    expect(served.stderr).toMatch(/^seed /)
    expect((await fetch(`${served.url}/__sim/health`)).status).toBe(200)
    expect(await served.stop()).toBe(0)
  })

  it('send requests where they say', () => {
    const file = join(SAMPLES, 'several-apis.yaml')
    const { upstream, targets = {} } = toGatewayOptions(loadGatewayConfig(file, '/')?.gateway ?? {}, file)
    const { of } = createTargets(targets, upstream, () => [])
    const whereTo = (host: string, path: string): string => {
      const call = { method: 'GET', scheme: 'http', host, path, search: '', headers: {} } as const
      const { origin, url } = of(call, false) ?? {}
      return `${origin}${url}`
    }
    expect(whereTo('gateway', '/billing/x')).toBe('http://127.0.0.1:3001/v2/x')
    expect(whereTo('gateway', '/search/books')).toBe('http://127.0.0.1:3002/indexes/books/query')
    expect(whereTo('api.example.com', '/z')).toBe('http://127.0.0.1:3003/z')
    expect(whereTo('gateway', '/z')).toBe('http://127.0.0.1:3000/z')
  })
})
