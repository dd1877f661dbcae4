// Loaded into each Node process of a command before its own code. Where Node itself does not take a proxy from the
// environment, node:http, node:https, and fetch go through the gateway. Whoever brings an agent with connections of its
// own is left alone, and so is what a process serves itself.
const http = require('node:http') as typeof import('node:http')
const https = require('node:https') as typeof import('node:https')
const net = require('node:net') as typeof import('node:net')
const { createRequire } = require('node:module') as typeof import('node:module')

type Target = { readonly host: string; readonly port: number }
type Done = (error: Error | null, socket?: unknown) => void
type Options = { host?: string; port?: number | string; socketPath?: string; [name: string]: unknown }
/** What of a request is not public, and changed as other agents for proxies do. */
type Request = {
  path: string
  _header: string | null
  _implicitHeader(): void
  outputData: { data: string }[]
}
type Dispatcher = { dispatch(options: never, handler: never): boolean }

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNative = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
const proxy = proxyOf(process.env['HTTP_PROXY'])

if (proxy !== undefined && isNative) leaveOwn()
else if (proxy !== undefined) takeThrough(proxy)

function proxyOf(text: string | undefined): Target | undefined {
  try {
    const { protocol, hostname, port } = new URL(text ?? '')
    return protocol === 'http:'
      ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 }
      : undefined
  } catch {
    return undefined
  }
}

function takeThrough(gateway: Target): void {
  const left = new Set((process.env['NO_PROXY'] ?? '').split(/[\s,]+/).filter((each) => each !== ''))
  const own = noteOwnPorts(() => undefined)
  const isProxied = ({ host, port }: Target): boolean => {
    if (host === gateway.host && port === gateway.port) return false
    if (own.has(port) && /^(localhost|127\..*|::1)$/.test(host)) return false
    const authority = `${host}:${port}`
    return ![...left].some(
      (each) =>
        each === '*' || each === host || each === authority || (each.startsWith('.') && host.endsWith(each)),
    )
  }
  proxyHttp(gateway, isProxied)
  proxyHttps(gateway, isProxied)
  proxyFetch(isProxied)
}

// Node's agents take what is left out when they are made, and fetch when it is called.
function leaveOwn(): void {
  const before = process.env['NO_PROXY'] ?? ''
  let agents: readonly [unknown, unknown] = [http.globalAgent, https.globalAgent]
  const ports = noteOwnPorts(() => {
    const own = [...ports].flatMap((port) =>
      ['localhost', '127.0.0.1', '[::1]'].map((host) => `${host}:${port}`),
    )
    process.env['NO_PROXY'] = process.env['no_proxy'] = [before, ...own].join(',')
    const options = { keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv: process.env } as const
    const made = [new http.Agent(options), new https.Agent(options)] as const
    if (http.globalAgent === agents[0]) http.globalAgent = made[0]
    if (https.globalAgent === agents[1]) https.globalAgent = made[1]
    agents = made
  })
}

// What a process serves itself, as tests of servers do, it need not request by way of others.
function noteOwnPorts(changed: () => void): ReadonlySet<number> {
  const ports = new Set<number>()
  const { listen } = net.Server.prototype
  net.Server.prototype.listen = function (this: import('node:net').Server, ...given: unknown[]) {
    const note = (): void => {
      const address = this.address()
      if (address === null || typeof address === 'string' || ports.has(address.port)) return
      ports.add(address.port)
      changed()
      this.once('close', () => ports.delete(address.port))
    }
    this.once('listening', note)
    const listening = (listen as (...all: unknown[]) => unknown).apply(this, given)
    // Who does not wait for the event requests what is bound by then.
    note()
    return listening
  } as typeof listen
  return ports
}

function targetOf({ host, port }: Options, usual: number): Target {
  return { host: (host ?? 'localhost').replace(/^\[|\]$/g, ''), port: Number(port) || usual }
}

function authorityOf({ host, port }: Target, usual?: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return port === usual ? name : `${name}:${port}`
}

// Plain requests name their server in absolute form, on connections to the gateway.
function proxyHttp(gateway: Target, isProxied: (target: Target) => boolean): void {
  const agent = http.Agent.prototype as unknown as {
    addRequest(request: Request, options: Options, ...rest: unknown[]): void
    createConnection: unknown
    createSocket: unknown
  }
  const { addRequest, createConnection, createSocket } = agent
  agent.addRequest = function (request, options, ...rest) {
    const target = typeof options === 'object' ? targetOf(options, 80) : undefined
    const isOurs = this.createConnection === createConnection && this.createSocket === createSocket
    if (target === undefined || !isOurs || options.socketPath || !isProxied(target))
      return addRequest.call(this, request, options, ...rest)
    toAbsoluteForm(request, target)
    return addRequest.call(this, request, { ...options, ...gateway }, ...rest)
  }
}

function toAbsoluteForm(request: Request, target: Target): void {
  if (!request.path.startsWith('/')) return
  request.path = `http://${authorityOf(target, 80)}${request.path}`
  // A head that is written already is written again, with what waits after it.
  if (request._header === null || request._header === undefined) return
  request._header = null
  request._implicitHeader()
  const [first] = request.outputData
  if (first !== undefined)
    first.data = `${String(request._header)}${first.data.slice(first.data.indexOf('\r\n\r\n') + 4)}`
}

// TLS is spoken with the server through a tunnel.
function proxyHttps(gateway: Target, isProxied: (target: Target) => boolean): void {
  const agent = https.Agent.prototype as unknown as {
    createConnection(options: Options, done?: Done): unknown
  }
  const { createConnection } = agent
  agent.createConnection = function (options, done) {
    const target = typeof options === 'object' ? targetOf(options, 443) : undefined
    if (
      target === undefined ||
      done === undefined ||
      options.socketPath ||
      options['socket'] ||
      !isProxied(target)
    )
      return createConnection.call(this, options, done)
    openTunnel(gateway, target, (error, socket) => {
      if (error !== null) return done(error)
      const encrypted = createConnection.call(this, { ...options, socket }, undefined)
      done(null, encrypted)
    })
    return undefined
  }
}

function openTunnel(gateway: Target, target: Target, done: Done): void {
  const authority = authorityOf(target)
  const request = http.request({
    ...gateway,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority },
    agent: false,
  })
  request.once('connect', ({ statusCode }, socket) => {
    if (statusCode === 200) return done(null, socket)
    socket.destroy()
    done(new Error(`The gateway opened no tunnel to ${authority}: ${statusCode}`))
  })
  request.once('error', done)
  request.end()
}

// What fetch and other copies of undici send goes by the dispatcher that all of them share. It is made when it is used.
function proxyFetch(isProxied: (target: Target) => boolean): void {
  let made: { readonly direct: Dispatcher; readonly through: Dispatcher } | undefined
  const make = (): NonNullable<typeof made> => {
    const { Agent, EnvHttpProxyAgent } = createRequire(__filename)('undici') as typeof import('undici')
    const through = new EnvHttpProxyAgent({ proxyTunnel: false })
    return { direct: new Agent(), through }
  }
  const dispatcher = {
    dispatch(options: { origin?: unknown }, handler: unknown): boolean {
      const { protocol, hostname, port } = new URL(String(options.origin))
      const target = targetOf({ host: hostname, port }, protocol === 'https:' ? 443 : 80)
      made ??= make()
      return (isProxied(target) ? made.through : made.direct).dispatch(options as never, handler as never)
    },
    close: async () => undefined,
    destroy: async () => undefined,
  }
  Object.defineProperty(globalThis, Symbol.for('undici.globalDispatcher.1'), {
    value: dispatcher,
    writable: true,
    enumerable: false,
    configurable: true,
  })
}
