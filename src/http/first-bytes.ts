import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { isOneTooMany } from './open-files.ts'
import { tunnelOf } from './request-head.ts'

/** What connections speak besides HTTP/1, by the events with which a server hands them over. */
export const PROTOCOLS = ['http2', 'socks5', 'tls'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** What a server emits for a connection that is one too many. */
export const CROWDED = 'crowded'

// RFC 1928, section 3; RFC 8446, section 5.1: the record of a handshake.
const SOCKS5 = 5
const HANDSHAKE = 22
// RFC 9113, section 3.4. No method of HTTP/1 begins so.
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/**
 * Has a server look at the first bytes of each connection before it reads requests from it: all but HTTP/1 is
 * emitted as the event of its protocol. Inside of a tunnel only HTTP is spoken.
 * @param timeoutMs how long a client may take to send so many of them that its protocol is clear
 */
export function distinguish(server: Server, timeoutMs: number): void {
  const listeners = server.listeners('connection') as ((socket: Duplex) => void)[]
  const undecided = new Set<Duplex>()
  const readRequests = (socket: Duplex): void => listeners.forEach((listen) => listen.call(server, socket))
  server.removeAllListeners('connection')
  server.on('connection', (socket: Duplex) => {
    // TLS has agreed on its protocol.
    if (socket instanceof TLSSocket) return readRequests(socket)
    if (isOneTooMany(socket)) {
      if (!server.emit(CROWDED, socket)) socket.destroy()
      return
    }
    const timer = setTimeout(refuse, timeoutMs)
    const close = (): void => {
      clearTimeout(timer)
      undecided.delete(socket)
    }
    let first: Buffer = Buffer.alloc(0)
    undecided.add(socket)
    socket.on('readable', read).on('error', fail).once('close', close)

    function read(): void {
      const chunk = socket.read() as Buffer | null
      if (chunk !== null) first = first.length === 0 ? chunk : Buffer.concat([first, chunk])
      const protocol = protocolOf(first, tunnelOf(socket) !== undefined)
      // Nothing is read at the end.
      if (protocol === undefined && chunk !== null) return
      close()
      socket.off('readable', read).off('error', fail).off('close', close)
      if (first.length > 0) socket.unshift(first)
      if (protocol === undefined || protocol === 'http1') readRequests(socket)
      else server.emit(protocol, socket)
    }
    function fail(): void {
      socket.destroy()
    }
    function refuse(): void {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (!server.emit('clientError', late, socket)) socket.destroy()
    }
  })
  const end = server.close.bind(server)
  server.close = (then) => {
    for (const socket of undecided) socket.destroy()
    return end(then)
  }
}

/** What a connection speaks that began so; nothing while that is not clear. */
function protocolOf(first: Buffer, isTunnelled: boolean): Protocol | 'http1' | undefined {
  if (first.length === 0) return undefined
  if (!isTunnelled && first[0] === SOCKS5) return 'socks5'
  if (!isTunnelled && first[0] === HANDSHAKE) return 'tls'
  const length = Math.min(first.length, PREFACE.length)
  if (first.compare(PREFACE, 0, length, 0, length) !== 0) return 'http1'
  return length === PREFACE.length ? 'http2' : undefined
}
