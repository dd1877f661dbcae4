import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Agent } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import Type from 'typebox'
import { afterAll, beforeAll } from 'vitest'
import { WebSocketServer } from 'ws'
import { SimAPI } from '../../../src/api.ts'
import { openAuthority } from '../../../src/http/certificate-authority.ts'
import { openTunnel, textOf } from '../raw-client.ts'
import {
  closeAll,
  closing,
  startGateway,
  startTlsUpstream,
  startUpstream,
  temporaryDirectory,
  upstreamAuthority,
} from '../ways-in-setup.ts'

/** Everything that a real client meets: servers with and without TLS, and gateways in front of them. */
export interface World {
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
  closing.push(() => sockets.close())
}

/** Opens the world before the tests of a file, and closes it after them. */
export function openWorld(): World {
  const directory = temporaryDirectory()
  const world = { base: {} } as World
  beforeAll(async () => {
    const authority = await upstreamAuthority(directory)
    const plain = await startUpstream(answer)
    const secure = await startTlsUpstream(authority, answer)
    for (const { server } of [plain, secure]) echo(server)
    const api = new SimAPI({ seed: 1 }).get('/simulated', {
      host: SIMULATED,
      output: Type.Object({ simulated: Type.Literal(true) }),
    })
    const reach = { tls: { ca: authority.cert } }
    const caDirectory = join(directory, 'ca')
    const tls = { intercept: ['localhost'], caDirectory }
    const gateway = await startGateway({ engine: api.engine(), tls, reach })
    const { certFile, cert } = await openAuthority(caDirectory)
    Object.assign(world, {
      http: plain.url,
      https: secure.url,
      proxy: gateway.url,
      base: {
        http: (await startGateway({ upstream: plain.url })).url,
        https: (await startGateway({ upstream: secure.url, reach })).url,
      },
      caFile: certFile,
      ca: cert,
    })
  })
  afterAll(closeAll)
  return world
}

/** Opens a tunnel for each connection, as the agents do that clients without proxies of their own are given. */
export class TunnelAgent extends Agent {
  readonly #proxy: URL
  readonly #ca: string
  readonly #isSecure: boolean

  constructor(proxy: string, ca: string, protocol = 'https:') {
    super()
    // The base class knows https alone, and says so to clients.
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
