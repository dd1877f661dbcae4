import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import Type from 'typebox'
import { WebSocketServer } from 'ws'
import { SimAPI } from '../../src/api.ts'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { atEnd } from '../at-end.ts'
import { caDirectory, startGateway, startProxy, startTlsUpstream, startUpstream, trusting } from './kit.ts'
import { openTunnel, textOf } from './raw-client.ts'

/** What a real client meets: servers with and without TLS, and gateways in front of them. */
export interface Servers {
  /** A server, and one with TLS. */
  http: string
  https: string
  /** A gateway for proxy clients that reads their TLS. */
  proxy: string
  /** Gateways as base URLs of the two servers. */
  base: { http: string; https: string }
  /** The authority of the gateway's certificates: its file, and its certificate (PEM). */
  caFile: string
  ca: string
}

/** The host that is simulated rather than forwarded to. */
export const SIMULATED = 'api.example.com'

const answer: RequestListener = (incoming, response) => {
  if (incoming.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: one\n\n')
    setImmediate(() => response.write('data: two\n\n'))
    return
  }
  response.setHeader('content-type', 'text/html')
  void textOf(incoming).then((text) =>
    response.end(`<title>${incoming.method} ${incoming.url}</title>${text}`),
  )
}

function echo(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
    sockets.handleUpgrade(incoming, socket, head, (opened) => {
      opened.on('message', (data) => opened.send(`echo ${(data as Buffer).toString()}`))
    }),
  )
  atEnd(() => sockets.close())
}

export async function startServers(): Promise<Servers> {
  const plain = await startUpstream(answer)
  const secure = await startTlsUpstream(answer)
  for (const { server } of [plain, secure]) echo(server)
  const api = new SimAPI({ seed: 1 }).get('/simulated', {
    host: SIMULATED,
    output: Type.Object({ simulated: Type.Literal(true) }),
  })
  const reach = await trusting()
  const tls = { intercept: ['localhost'], caDirectory: caDirectory() }
  const gateway = await startProxy({ engine: api.engine(), tls, reach })
  const { certFile: caFile, cert: ca } = await openAuthority(caDirectory())
  const base = {
    http: (await startGateway({ upstream: plain.url })).url,
    https: (await startGateway({ upstream: secure.url, reach })).url,
  }
  return { http: plain.url, https: secure.url, proxy: gateway.url, base, caFile, ca }
}

/** Opens a tunnel for each connection, as the agents do that clients without proxies of their own are given. */
export class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #ca: string
  readonly #isSecure: boolean

  constructor(proxy: string, ca: string, protocol = 'https:') {
    super()
    // The base class knows https alone, and shows that to clients.
    Object.assign(this, { protocol })
    this.#proxy = new URL(proxy)
    this.#ca = ca
    this.#isSecure = protocol === 'https:'
  }

  override createConnection = callbackify(async ({ host = '', port = '' }: Options): Promise<Duplex> => {
    const socket = await openTunnel(Number(this.#proxy.port), `${host}:${port}`)
    const tls = { servername: host, ca: this.#ca, ALPNProtocols: ['http/1.1'] }
    return this.#isSecure ? connectTls({ socket, ...tls }) : socket
  }) as unknown as Agent['createConnection']
}

interface Options {
  readonly host?: string
  readonly port?: number | string
}

/** What is got for POST /a?b with the body `hello`. */
export const EXPECTED = '<title>POST /a?b</title>hello'

/** Runs a program to its end; what it wrote on stdout. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  // What this machine's own settings say about proxies must not decide.
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, args, { env: { PATH, HOME, ...env } })
  const [out, error, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${error}`)
  return out
}
