import { createHash, X509Certificate } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent } from 'node:https'
import axios from 'axios'
import { EventSource } from 'eventsource'
import got from 'got'
import { chromium, type Browser } from 'playwright-core'
import { fetch, ProxyAgent } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { api as shop } from '../../examples/shop.ts'
import { EXPECTED, run, SIMULATED, startServers, TunnelAgent, type Servers } from './client-servers.ts'
import { atEnd } from '../at-end.ts'
import { serve } from './kit.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})

/** Sends POST /a?b with the body `hello` to a server, by a proxy where a test says so. */
type Post = (server: string, isProxied: boolean) => Promise<string>

const postByFetch =
  (options: object): Post =>
  async (server, isProxied) => {
    const { proxy, ca } = servers
    const agent = new ProxyAgent({ uri: proxy, requestTls: { ca }, ...options })
    atEnd(() => agent.close())
    const dispatcher = isProxied ? { dispatcher: agent } : {}
    return (await fetch(`${server}/a?b`, { method: 'POST', body: 'hello', ...dispatcher })).text()
  }

const runCurl = (...args: readonly string[]): Promise<string> =>
  run('curl', ['--silent', '--show-error', '--fail-with-body', '--max-time', '20', ...args])
const byProxy = (): string[] => ['-x', servers.proxy, '--cacert', servers.caFile]

const PYTHON = '/usr/bin/python3'
const hasRequests = spawnSync(PYTHON, ['-c', 'import requests']).status === 0
const PROGRAM = `
import sys, requests
print(requests.post(sys.argv[1], data='hello').text, end='')`

const CLIENTS: readonly (readonly [name: string, post: Post, isHere?: boolean])[] = [
  ['fetch', postByFetch({})],
  [
    'fetch that offers HTTP/2',
    async (server, isProxied) => {
      const requestTls = { ca: servers.ca, ALPNProtocols: ['h2', 'http/1.1'] }
      return postByFetch({ requestTls, allowH2: true })(server, isProxied)
    },
  ],
  [
    'axios',
    async (server, isProxied) => {
      const { hostname, port } = new URL(servers.proxy)
      const proxied = {
        proxy: { host: hostname, port: Number(port), protocol: 'http' },
        httpsAgent: new Agent({ ca: servers.ca }),
      }
      const options = isProxied ? proxied : { proxy: false as const }
      return (await axios.post<string>(`${server}/a?b`, 'hello', options)).data
    },
  ],
  [
    'got',
    (server, isProxied) => {
      const agent = isProxied && { agent: { https: new TunnelAgent(servers.proxy, servers.ca) } }
      return got.post(`${server}/a?b`, { body: 'hello', retry: { limit: 0 }, ...agent }).text()
    },
  ],
  ['curl', (server, isProxied) => runCurl(...(isProxied ? byProxy() : []), '-d', 'hello', `${server}/a?b`)],
  [
    "Python's requests",
    (server, isProxied) => {
      const { proxy, caFile } = servers
      const env = isProxied && { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, REQUESTS_CA_BUNDLE: caFile }
      return run(PYTHON, ['-c', PROGRAM, `${server}/a?b`], env || {})
    },
    hasRequests,
  ],
]

describe.for(CLIENTS)('%s', ([, post, isHere = true]) => {
  it.skipIf(!isHere).for(['http', 'https'] as const)('reaches a server with %s by proxy', async (scheme) => {
    expect(await post(servers[scheme], true)).toBe(EXPECTED)
  })

  it.skipIf(!isHere).for(['http', 'https'] as const)(
    'reaches a server with %s by base URL',
    async (scheme) => {
      expect(await post(servers.base[scheme], false)).toBe(EXPECTED)
    },
  )
})

describe('curl by its options', () => {
  it.for(['http', 'https'] as const)('reaches a server with %s by -x', async (scheme) => {
    const args = [...byProxy(), '-d', 'hello']
    expect(await runCurl(...args, '--http1.1', `${servers[scheme]}/a?b`)).toBe(EXPECTED)
    expect(await runCurl(...args, '--proxytunnel', `${servers[scheme]}/a?b`)).toBe(EXPECTED)
  })

  it.for(['http', 'https'] as const)('reaches a server with %s by base URL', async (scheme) => {
    expect(await runCurl('--http2', '-d', 'hello', `${servers.base[scheme]}/a?b`)).toBe(EXPECTED)
  })

  it('agrees on HTTP/2 with the gateway', async () => {
    const args = [...byProxy(), '-o', '/dev/null', '-w', '%{http_version}']
    expect(await runCurl(...args, `https://${SIMULATED}/simulated`)).toBe('2')
  })

  it('refuses the certificate where it does not trust the authority', async () => {
    await expect(runCurl('-x', servers.proxy, `https://${SIMULATED}/simulated`)).rejects.toThrow(
      /ended with 60/,
    )
  })

  it.for(['http', 'https'])('gets simulated answers for %s', async (scheme) => {
    expect(await runCurl(...byProxy(), `${scheme}://${SIMULATED}/simulated`)).toBe('{"simulated":true}')
  })

  it('takes its proxy from the environment', async () => {
    const env = { HTTPS_PROXY: servers.proxy, http_proxy: servers.proxy, CURL_CA_BUNDLE: servers.caFile }
    expect(await run('curl', ['-sS', '-d', 'hello', `${servers.https}/a?b`], env)).toBe(EXPECTED)
    expect(await run('curl', ['-sS', '-d', 'hello', `${servers.http}/a?b`], env)).toBe(EXPECTED)
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
    const env = { HTTPS_PROXY: servers.proxy, NODE_EXTRA_CA_CERTS: servers.caFile }
    expect(await run(process.execPath, args, env)).toBe('{"simulated":true}')
  })
})

async function firstTwo(url: string, dispatcher?: ProxyAgent): Promise<string[]> {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, ...(dispatcher !== undefined && { dispatcher }) }),
  })
  const events: string[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      source.addEventListener('message', ({ data }) => {
        events.push(String(data))
        if (events.length === 2) resolve()
      })
      source.addEventListener('error', ({ message }) => reject(new Error(message)))
    })
    return events
  } finally {
    source.close()
  }
}

async function echoed(socket: WebSocket): Promise<string> {
  await once(socket, 'open')
  socket.send('hello')
  const [data] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  await once(socket, 'close')
  return data.toString()
}

describe.for(['http', 'https'] as const)('streams with %s', (scheme) => {
  it('an EventSource gets its events live by proxy', async () => {
    const agent = new ProxyAgent({ uri: servers.proxy, requestTls: { ca: servers.ca } })
    expect(await firstTwo(`${servers[scheme]}/events`, agent)).toEqual(['one', 'two'])
    await agent.destroy()
  })

  it('an EventSource gets its events live by base URL', async () => {
    expect(await firstTwo(`${servers.base[scheme]}/events`)).toEqual(['one', 'two'])
  })

  it('a WebSocket opens by proxy', async () => {
    const agent = new TunnelAgent(servers.proxy, servers.ca, `${scheme}:`)
    const url = servers[scheme].replace('http', 'ws')
    expect(await echoed(new WebSocket(url, { agent }))).toBe('echo hello')
  })

  it('a WebSocket opens by base URL', async () => {
    expect(await echoed(new WebSocket(servers.base[scheme].replace('http', 'ws')))).toBe('echo hello')
  })
})

const BROWSER = '/usr/bin/chromium'

describe.skipIf(!existsSync(BROWSER))('Chromium', () => {
  const launch = async (...args: readonly string[]): Promise<Browser> => {
    const browser = await chromium.launch({
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
    })
    atEnd(() => browser.close())
    return browser
  }

  it('loads pages with HTTPS, WebSockets and events by proxy, trusting the authority alone', async () => {
    const { http, https, proxy, ca } = servers
    const key = new X509Certificate(ca).publicKey.export({ type: 'spki', format: 'der' })
    const trusted = createHash('sha256').update(key).digest('base64')
    const browser = await launch(
      `--proxy-server=${proxy}`,
      // Without it, Chromium uses no proxy for this machine's own hosts.
      '--proxy-bypass-list=<-loopback>',
      `--ignore-certificate-errors-spki-list=${trusted}`,
    )
    const page = await browser.newPage()
    const response = await page.goto(`${https}/page`)
    expect([response?.status(), await page.title()]).toEqual([200, 'GET /page'])
    expect((await response?.securityDetails())?.issuer).toMatch(/^sim local CA/)

    const echo = `new Promise((resolve) => {
      const socket = new WebSocket('${https.replace('https', 'wss')}')
      socket.onopen = () => socket.send('hello')
      socket.onmessage = ({ data }) => resolve(data)
    })`
    expect(await page.evaluate(echo)).toBe('echo hello')
    const events = `new Promise((resolve) => {
      const seen = []
      new EventSource('/events').onmessage = ({ data }) => seen.push(data) === 2 && resolve(seen)
    })`
    expect(await page.evaluate(events)).toEqual(['one', 'two'])

    await page.goto(`https://${SIMULATED}/simulated`)
    expect(await page.evaluate('document.body.textContent')).toContain('{"simulated":true}')
    await page.goto(`${http}/plain`)
    expect(await page.title()).toBe('GET /plain')
  })

  it('shows every route on the page at /docs, without an error in the console', async () => {
    const { url } = await serve(shop.asWebApp())
    const page = await (await launch()).newPage()
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${url}/docs`)
    const text = () => page.locator('body').innerText()
    for (const { path } of shop.routes) await expect.poll(text).toContain(path)
    expect(errors).toEqual([])
  })
})
