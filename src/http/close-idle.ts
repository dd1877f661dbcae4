import type { Server } from 'node:http'
import { Socket } from 'node:net'

const CHECK_MS = 50

const connections = new WeakMap<Server, Set<Socket>>()

/** Keeps a server's connections, so that closing it can end those that have sent nothing yet. */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    if (!(socket instanceof Socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/**
 * Closes a closing server's connections as they fall idle. One whose last answer goes out after the closing began would
 * stay open for a next request, and the server with it; so would one that was opened in advance and has sent nothing,
 * which Node does not count as idle.
 */
export function closeIdleFromNow(server: Server): void {
  const close = (): void => {
    server.closeIdleConnections()
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }
  close()
  const timer = setInterval(close, CHECK_MS).unref()
  server.once('close', () => clearInterval(timer))
}
