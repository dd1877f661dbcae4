import type { FastifyReply } from 'fastify'
import type { Call } from '../engine/call.ts'
import { docsPage } from '../openapi/docs-page.ts'

/** Sends the page that describes the declared routes when a call asks for one. */
export type Describe = (call: Call, reply: FastifyReply) => FastifyReply | undefined

/**
 * Serves an OpenAPI document at `/openapi.json`, and a page to browse it at `/docs`.
 * @param document makes the document; called once, when it is first asked for
 */
export function createDescribe(document: () => unknown): Describe {
  let json: string | undefined
  return ({ method, path }, reply) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (path === '/openapi.json') {
      json ??= JSON.stringify(document())
      return reply.type('application/json; charset=utf-8').send(json)
    }
    // The address is relative, so that it also holds where the app is mounted below a path.
    return path === '/docs'
      ? reply.type('text/html; charset=utf-8').send(docsPage('openapi.json'))
      : undefined
  }
}
