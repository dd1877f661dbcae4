import type { FastifyReply } from 'fastify'
import type { HttpRequest } from '../message.ts'

/** Sends the page that describes the declared routes when a call asks for one. */
export type Describe = (
  call: HttpRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined

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
    return path === '/docs' ? sendPage(reply) : undefined
  }
}

async function sendPage(reply: FastifyReply): Promise<FastifyReply> {
  const { docsPage } = await import('../openapi/docs-page.ts')
  // The address is relative, so that it also holds where the app is mounted below a path.
  return reply.type('text/html; charset=utf-8').send(docsPage('openapi.json'))
}
