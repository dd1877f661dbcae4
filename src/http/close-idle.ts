import type { Server } from 'node:http'

const CHECK_MS = 50

/**
 * Closes a closing server's connections as they fall idle. One whose last answer goes out after the closing began would
 * stay open for a next request, and the server with it.
 */
export function closeIdleFromNow(server: Server): void {
  server.closeIdleConnections()
  const timer = setInterval(() => server.closeIdleConnections(), CHECK_MS).unref()
  server.once('close', () => clearInterval(timer))
}
