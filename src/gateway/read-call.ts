import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { HttpRequest } from '../message.ts'
import { wayOf } from '../http/request-target.ts'

/** A request's head as an HttpRequest; its body is read later, and only where a declared route needs it. */
export function readCall(request: FastifyRequest, prefix: string): HttpRequest {
  const { scheme, host, url } = wayOf(request.raw)
  const mark = url.indexOf('?')
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(prefix.length)
  return {
    method: request.method,
    scheme,
    host,
    ...(prefix !== '' && { prefix }),
    path: path.startsWith('/') ? path : `/${path}`,
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
  }
}

/**
 * A URL that Fastify's router takes: only path and query, whatever form the client chose, and without percent escapes
 * that are no UTF-8, which an upstream may well know. The URL as the client wrote it stays on the request.
 */
export function routableUrl(request: Pick<IncomingMessage, 'url'>): string {
  const url = urlOf(request as IncomingMessage)
  if (!url.includes('%')) return url.startsWith('/') ? url : '/'
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

/** Path and query as the client wrote them; `/` where the request is malformed, which is told when it is read. */
export function urlOf(request: IncomingMessage): string {
  try {
    return wayOf(request).url
  } catch {
    return '/'
  }
}
