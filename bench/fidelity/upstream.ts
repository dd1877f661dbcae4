import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Answers one request; `expects` says that it came with Expect: 100-continue. */
export type Handler = (request: IncomingMessage, response: ServerResponse, expects: boolean) => void
/** Takes over the connection of an upgrade. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The server behind a proxy, which does for each check what the check wants. */
export interface Upstream {
  readonly url: string
  readonly port: number
  /** Connections that were ever opened. */
  connections(): number
  handle(check: string, handler: Handler): void
  handleUpgrade(check: string, handler: UpgradeHandler): void
  close(): void
}

/** Requests name their check by the beginning of their path: `/~check/…`. */
export async function startUpstream(): Promise<Upstream> {
  const handlers = new Map<string, Handler>()
  const upgrades = new Map<string, UpgradeHandler>()
  const sockets = new Set<Socket>()
  let connections = 0
  const answer = (request: IncomingMessage, response: ServerResponse, expects: boolean): void => {
    const handler = handlers.get(checkOf(request))
    if (handler !== undefined) return handler(request, response, expects)
    request.resume()
    response.end('no check')
  }
  const server = createServer((request, response) => answer(request, response, false))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response, true),
  )
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const handler = upgrades.get(checkOf(request))
    if (handler === undefined) socket.destroy()
    else handler(request, socket, head)
  })
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    handle: (check, handler) => void handlers.set(check, handler),
    handleUpgrade: (check, handler) => void upgrades.set(check, handler),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function checkOf({ url = '' }: IncomingMessage): string {
  return /\/~([\w-]+)/.exec(url)?.[1] ?? ''
}
