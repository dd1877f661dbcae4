import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestListener, Server } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { join } from 'node:path'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { textFile } from '../../src/data-files/text-file.ts'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openAuthority, type LocalAuthority } from '../../src/http/certificate-authority.ts'
import { createIssuer } from '../../src/http/certificates.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'
import type { SimOptions } from '../../src/options/app-options.ts'
import { atEnd, atEndOfFile } from '../at-end.ts'
import { createSimHosts, type SimHosts } from '../sim-host/sim-host.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { tlsThroughTunnel } from './raw-client.ts'
import { ROOT, startCommand, startSim, type SimServer } from './sim-process.ts'

// Servers, gateways, commands and clients for the tests of whole flows. What they open is closed when the running
// test ends; what is opened before the tests of a file is closed after them.

/** A folder with some files, removed at the end. */
export function openFolder(files: Readonly<Record<string, string>> = {}): TemporaryFolder {
  const folder = temporaryFolder(files)
  atEnd(() => folder[Symbol.dispose]())
  return folder
}

/** A server on a free port. */
export interface Listening<Kind extends NetServer = NetServer> {
  readonly server: Kind
  readonly port: number
  readonly url: string
  /** Closes it at once, with its connections. */
  stop(): void
}

/** Has a server listen on loopback until the end. */
export async function listen<Kind extends NetServer>(
  server: Kind,
  origin = 'http://127.0.0.1',
): Promise<Listening<Kind>> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const stop = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  atEnd(stop)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { server, port, url: `${origin}:${port}`, stop }
}

export function startUpstream(listener: RequestListener): Promise<Listening<Server>> {
  return listen(createServer(listener))
}

let authority: Promise<LocalAuthority> | undefined

/** The certificate authority of the upstreams with TLS. */
export function upstreamAuthority(): Promise<LocalAuthority> {
  authority ??= openAuthority(join(fileFolder().path, 'upstream-ca'))
  return authority
}

/** The settings of a gateway that trusts the upstreams with TLS. */
export async function trusting(): Promise<{ tls: { ca: string } }> {
  return { tls: { ca: (await upstreamAuthority()).cert } }
}

/** An https server for `localhost`, over HTTP/1.1, or over HTTP/2 alone. */
export async function startTlsUpstream(
  listener: RequestListener,
  { http2 = false, requestCert = false } = {},
): Promise<Listening<Server>> {
  const issuer = await upstreamAuthority()
  const pair = await (await createIssuer(issuer))('localhost')
  const tls = { ...pair, ca: issuer.cert, requestCert, rejectUnauthorized: false }
  const server = http2
    ? createSecureServer({ ...tls, allowHTTP1: false }, listener as never)
    : createTlsServer(tls, listener)
  return listen(server as NetServer as Server, 'https://localhost')
}

/** A gateway or an app on a free port. */
export interface Served {
  readonly app: FastifyInstance
  readonly url: string
  readonly port: number
}

/** Serves an app until the end. */
export async function serve(app: FastifyInstance, host = '127.0.0.1'): Promise<Served> {
  atEnd(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const url = await app.listen({ port: 0, host })
  return { app, url, port: (app.server.address() as AddressInfo).port }
}

/** Serves a gateway, without routes unless it is given some. */
export async function startGateway(options: Partial<GatewayOptions> = {}): Promise<Served> {
  return serve(createGateway({ engine: new SimAPI({ seed: 1 }).engine(), ...options }))
}

/** Serves a gateway that is a forward proxy too. */
export function startProxy(options: Partial<GatewayOptions> = {}): Promise<Served> {
  return startGateway({ targets: { proxy: true }, ...options })
}

/** Serves the OpenAPI description of a text, as `sim run` does. */
export async function serveDescription(text: string, options: SimOptions = {}): Promise<string> {
  const { api, problems } = await loadDescription(textFile('api.yaml', text), {
    defaults: {},
    options: { seed: 1, ...options },
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return (await serve(api.asWebApp())).url
}

/** A gateway in front of an upstream that answers so. */
export async function gatewayTo(
  listener: RequestListener,
  options: Partial<GatewayOptions> = {},
): Promise<Served & { readonly upstream: Listening<Server> }> {
  const upstream = await startUpstream(listener)
  return { upstream, ...(await startGateway({ upstream: upstream.url, ...options })) }
}

let folderOfFile: TemporaryFolder | undefined

function fileFolder(): TemporaryFolder {
  if (folderOfFile === undefined) {
    const folder = temporaryFolder()
    folderOfFile = folder
    atEndOfFile(() => {
      folder[Symbol.dispose]()
      folderOfFile = authority = undefined
    })
  }
  return folderOfFile
}

/** The directory of the authority whose certificates gateways show, shared by the tests of a file. */
export function caDirectory(): string {
  return join(fileFolder().path, 'ca')
}

/** A proxy that ends the TLS of tunnels, to an upstream with TLS; and a way through. */
export async function startIntercepting(listener: RequestListener) {
  const upstream = await startTlsUpstream(listener)
  const proxy = await startProxy({
    tls: { intercept: ['*'], caDirectory: caDirectory() },
    reach: await trusting(),
  })
  const open = (protocol = 'http/1.1'): Promise<TLSSocket> =>
    tlsTo(proxy.port, `localhost:${upstream.port}`, { ALPNProtocols: [protocol] })
  return { upstream, ...proxy, open }
}

/** TLS through a tunnel, with the gateway itself unless another authority is given. */
export function tlsTo(port: number, to: string, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return tlsThroughTunnel(caDirectory(), port, to, options)
}

/** The head of the answer to a request; its body is to be read. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** The answer to a GET over a connection of its own; its body is to be read. */
export function getStream(url: string, headers = {}): Promise<IncomingMessage> {
  return responseTo(get(url, { agent: false, headers }))
}

/** What a server answered, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  /** The value of JSON, else the text; `undefined` where there is none. */
  // Tests know what they ask for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Sends a request: objects as JSON, other bodies as they are. Redirects are not followed. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const isJson = Array.isArray(body) || Object.prototype.toString.call(body) === '[object Object]'
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && {
      body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>),
    }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  const hasJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    body: hasJson ? JSON.parse(text) : text || undefined,
  }
}

export const fetchFrom = (url: string, headers?: Readonly<Record<string, string>>): Promise<Answer> =>
  send('GET', url, undefined, headers)

export const post = (url: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  send('POST', url, body, headers)

/** Starts a command that serves, in a process of its own, until the end. */
export async function spawnSim(args: readonly string[], cwd?: string): Promise<SimServer> {
  return untilEnd(await startSim(args, cwd))
}

/** The same for another command than `sim`. */
export async function spawnCommand(file: string, args: readonly string[], cwd?: string): Promise<SimServer> {
  return untilEnd(await startCommand(file, args, cwd))
}

function untilEnd(server: SimServer): SimServer {
  atEnd(() => server.stop())
  return server
}

let hosts: SimHosts | undefined

/** A `sim` command that serves in a process that several share; it starts faster than in its own. */
export interface HostedSim {
  readonly url: string
  stderr(): string
  /** Ends it, as SIGTERM does, and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Starts a command of `sim` that serves, until the end. */
export async function openSim(args: readonly string[], cwd = process.cwd()): Promise<HostedSim> {
  hosts ??= createSimHosts(ROOT)
  const running = await hosts.start({ args: [...args, '--port', '0'], cwd })
  const stop = (): Promise<number | null> => {
    running.stop()
    return running.ended
  }
  atEnd(stop)
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const [, address] = /^listening on (http:\S+)$/m.exec(running.stdout()) ?? []
      if (address !== undefined) resolve(address)
    }
    running.onChange(look)
    look()
    void running.ended.then((code) =>
      reject(new Error(`sim ${args.join(' ')} ended with ${code}: ${running.stderr()}`)),
    )
  })
  return { url, stderr: running.stderr, stop }
}
