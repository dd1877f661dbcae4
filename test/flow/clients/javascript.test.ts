import axios from 'axios'
import got from 'got'
import { Agent } from 'node:https'
import { fetch, ProxyAgent } from 'undici'
import { describe, expect, it } from 'vitest'
import { EXPECTED, openWorld, run, SIMULATED, TunnelAgent, type World } from './setup.ts'

const world = openWorld()

/** Sends POST /a?b with the body `hello` to a server, by a proxy if there is one. */
interface Client {
  readonly name: string
  readonly post: (server: string, world: World, proxied: boolean) => Promise<string>
}

const CLIENTS: readonly Client[] = [
  {
    name: 'fetch',
    async post(server, { proxy, ca }, proxied) {
      const agent = new ProxyAgent({ uri: proxy, requestTls: { ca } })
      const dispatcher = proxied ? { dispatcher: agent } : {}
      const response = await fetch(`${server}/a?b`, { method: 'POST', body: 'hello', ...dispatcher })
      const text = await response.text()
      await agent.close()
      return text
    },
  },
  {
    name: 'fetch that asks for HTTP/2',
    async post(server, { proxy, ca }, proxied) {
      const agent = new ProxyAgent({
        uri: proxy,
        requestTls: { ca, ALPNProtocols: ['h2', 'http/1.1'] },
        allowH2: true,
      })
      const dispatcher = proxied ? { dispatcher: agent } : {}
      const response = await fetch(`${server}/a?b`, { method: 'POST', body: 'hello', ...dispatcher })
      const text = await response.text()
      await agent.close()
      return text
    },
  },
  {
    name: 'axios',
    async post(server, { proxy, ca }, proxied) {
      const { hostname, port } = new URL(proxy)
      const way = {
        proxy: { host: hostname, port: Number(port), protocol: 'http' },
        httpsAgent: new Agent({ ca }),
      }
      const { data } = await axios.post<string>(`${server}/a?b`, 'hello', proxied ? way : { proxy: false })
      return data
    },
  },
  {
    name: 'got',
    async post(server, { proxy, ca }, proxied) {
      const way = { agent: { https: new TunnelAgent(proxy, ca) } }
      return got.post(`${server}/a?b`, { body: 'hello', retry: { limit: 0 }, ...(proxied && way) }).text()
    },
  },
]

describe.for(CLIENTS)('$name', ({ post }) => {
  it.for(['http', 'https'] as const)('reaches a server with %s by proxy', async (scheme) => {
    expect(await post(world[scheme], world, true)).toBe(EXPECTED)
  })

  it.for(['http', 'https'] as const)('reaches a server with %s by base URL', async (scheme) => {
    expect(await post(world.base[scheme], world, false)).toBe(EXPECTED)
  })
})

describe('Node', () => {
  it('trusts the authority by NODE_EXTRA_CA_CERTS', async () => {
    const undici = import.meta.resolve('undici')
    const program = `
      import { fetch, EnvHttpProxyAgent } from '${undici}'
      const response = await fetch('https://${SIMULATED}/simulated', { dispatcher: new EnvHttpProxyAgent() })
      process.stdout.write(await response.text())`
    const args = ['--input-type=module', '-e', program]
    const env = { HTTPS_PROXY: world.proxy, NODE_EXTRA_CA_CERTS: world.caFile }
    expect(await run(process.execPath, args, env)).toBe('{"simulated":true}')
  })
})
