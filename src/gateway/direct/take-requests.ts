import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Has a server's requests seen here first, while its app is not closing: those that are not taken go on as before. */
export function takeRequests(
  app: FastifyInstance,
  take: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  const [next] = app.server.listeners('request') as RequestListener[]
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing || !take(request, response)) return next?.(request, response)
    return undefined
  })
}
