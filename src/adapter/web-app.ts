import { METHODS } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerByAdapter } from '../gateway/adapters/answer-by-adapter.ts'
import type { MountedCall } from '../gateway/adapters/mount.ts'

/** An adapter as a Fastify instance, ready to listen or to inject requests. */
export function createWebApp(adapter: MountedCall['adapter']): FastifyInstance {
  // Paths are the adapter's to read: Fastify's router would decode them, and refuse what it cannot decode.
  const app: FastifyInstance = Fastify({ rewriteUrl: () => '/', forceCloseConnections: 'idle' })
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.route({
    method: app.supportedMethods,
    url: '/',
    handler: (request, reply) =>
      answerByAdapter({ adapter, url: pathOf(request.originalUrl) }, request, reply),
  })
  return app
}

// A request may name its target in full, as to a proxy (RFC 9112, section 3.2.2).
function pathOf(url: string): string {
  if (url.startsWith('/')) return url
  return URL.canParse(url) ? url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/' : '/'
}
