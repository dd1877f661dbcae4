import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Call } from '../engine/call.ts'

/** A request's head as a Call; its body is read later, and only where a declared route needs it. */
export function readCall(request: FastifyRequest, prefix: string): Call {
  const url = urlOf(request.raw)
  const mark = url.indexOf('?')
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(prefix.length)
  return {
    method: request.method,
    scheme: request.protocol,
    host: request.host,
    ...(prefix !== '' && { prefix }),
    path: path.startsWith('/') ? path : `/${path}`,
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
  }
}

const WRITTEN = Symbol('the URL as the client wrote it')

/**
 * A URL that Fastify's router takes: it refuses percent escapes that are no UTF-8, which an upstream may well know.
 * The URL as the client wrote it stays on the request, for `urlOf`.
 */
export function routableUrl(request: Pick<IncomingMessage, 'url'>): string {
  const { url = '/' } = request
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(url)
    return url
  } catch {
    ;(request as { [WRITTEN]?: string })[WRITTEN] = url
    return url.replaceAll('%', '%25')
  }
}

/** Path and query as the client wrote them. */
export function urlOf(request: Pick<IncomingMessage, 'url'>): string {
  return (request as { [WRITTEN]?: string })[WRITTEN] ?? request.url ?? '/'
}
