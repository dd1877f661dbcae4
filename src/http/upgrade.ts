import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { interceptWrites, type CreateBodyWriter } from './body-writer.ts'
import { isHttp2 } from './response-writer.ts'
import { whenFree } from './turns.ts'
import { FrameReader } from './web-socket-frames.ts'

/** What the connection of an upgraded request emits when the gateway closes: it has a second to end in good order. */
export const CLOSING = 'closing'

/** A connection that its client wants to go on in another protocol, such as WebSocket. */
export interface Upgrade {
  readonly socket: Duplex
  /** What has come of the other protocol already. */
  readonly head: Buffer
  /** What makes the writers that the rest passes through on its way to the client, the last one first. */
  readonly writers: CreateBodyWriter[]
}

const UPGRADE = Symbol('upgrade')

/** The upgrade that a request asks for, if it asks for one that can be passed on. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return (request as { [UPGRADE]?: Upgrade })[UPGRADE]
}

/**
 * Whether a request may go on in another protocol. The offer of HTTP/2 without TLS, which some clients make with every
 * first request, is left aside (RFC 9113, section 3.1), and so are the upgrade of a request that has a body, and that
 * of HTTP/1.0 (RFC 9110, section 7.8).
 */
export function canUpgrade({ headers, httpVersion }: IncomingMessage): boolean {
  const { upgrade = '', 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  const hasBody = length !== '0' || encoding !== undefined
  return upgrade !== '' && httpVersion !== '1.0' && !/\bh2c\b/i.test(upgrade) && !hasBody
}

/** Whether the other protocol that a message speaks of is WebSocket. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return /^websocket$/i.test(headers.upgrade ?? '')
}

/**
 * The connection of a request with an upgrade, as if that had not been offered: Node's parser passes over errors in all
 * that comes after one.
 * @param head what of the connection has come after the head of the request
 */
export function withoutUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Duplex {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2)
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  return socket
}

/** Notes the upgrade that a request asks for. */
export function setUpgrade(request: IncomingMessage, upgrade: Upgrade): void {
  ;(request as { [UPGRADE]?: Upgrade })[UPGRADE] = upgrade
}

/** Has what is written to the client from now on, in the other protocol, pass through the writers that it is to. */
export function interceptUpgraded({ socket, writers }: Upgrade, isWebSocket: boolean): void {
  for (const create of writers) {
    const end = socket.end.bind(socket)
    interceptWrites(socket, create, {
      close: () => end(() => socket.destroy()),
      hang: () => undefined,
      statedLength: () => undefined,
      messages() {
        const frames = new FrameReader()
        return isWebSocket ? (chunk) => frames.read(chunk) : undefined
      },
    })
  }
}

/** Takes the connection out of the hands of a response. Those of HTTP/2 have streams of their own. */
export function detach(response: ServerResponse, { socket }: Upgrade): void {
  if (!isHttp2(response)) response.detachSocket(socket as Socket)
}

/**
 * Has a request with an upgrade handled as all others: whoever responds may use the connection, or just respond. It
 * waits while an earlier request's response owns the connection.
 */
export function answerUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  whenFree(socket, () => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
    response.once('finish', () => socket.end(() => socket.destroy()))
    setUpgrade(request, { socket, head, writers: [] })
    answer(request, response)
  })
}

/** Passes on what comes in on either connection to the other, at the pace of the slower, until both have ended. */
export function pipeSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    // Pipes pass on an end, but not that a connection broke; and nobody is left to read what would still come.
    from.once('close', () => (from.readableEnded ? endSoon(to) : to.destroy()))
  }
}

function endSoon(socket: Duplex): void {
  if (socket.writableFinished) socket.destroy()
  else socket.end(() => socket.destroy())
}
