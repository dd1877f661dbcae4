import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { openAuthority, type LocalAuthority } from '../../src/http/certificate-authority.ts'
import { createIssuer } from '../../src/http/certificates.ts'

/** What a test opened is closed at its end, the last first. */
export const closing: (() => unknown)[] = []

export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close()
}

/** A directory of its own, gone at the end of the file's tests. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'sim-ways-in-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export interface Upstream {
  readonly server: Server
  readonly port: number
  readonly url: string
}

export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  return opened(createServer(listener), 'http')
}

/** The certificate authority that upstreams with TLS have their certificates from. */
export async function upstreamAuthority(directory: string): Promise<LocalAuthority> {
  return openAuthority(join(directory, 'upstream-ca'))
}

/** An https server for `localhost`, over HTTP/1.1, or HTTP/2 if asked for. */
export async function startTlsUpstream(
  authority: LocalAuthority,
  listener: RequestListener,
  options: { readonly http2?: boolean; readonly requestCert?: boolean } = {},
): Promise<Upstream> {
  const issue = await createIssuer(authority)
  const pair = await issue('localhost')
  const tls = {
    ...pair,
    ca: authority.cert,
    requestCert: options.requestCert ?? false,
    rejectUnauthorized: false,
  }
  const server =
    options.http2 === true
      ? (createSecureServer({ ...tls, allowHTTP1: false }, listener as never) as unknown as Server)
      : createTlsServer(tls, listener)
  return opened(server, 'https')
}

async function opened(server: Server, scheme: 'http' | 'https'): Promise<Upstream> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sockets = new Set<{ destroy(): void; once(event: 'close', done: () => void): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { server, port, url: `${scheme}://${scheme === 'https' ? 'localhost' : '127.0.0.1'}:${port}` }
}

/** A gateway that is a forward proxy, without routes unless given. */
export async function startGateway(
  options: Partial<GatewayOptions> = {},
): Promise<{ readonly url: string; readonly port: number }> {
  const app = createGateway({
    engine: new SimAPI({ seed: 1 }).engine(),
    targets: { proxy: true },
    ...options,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { url, port: Number(new URL(url).port) }
}
