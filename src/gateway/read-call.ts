import type { FastifyRequest } from 'fastify'
import type { Call } from '../engine/call.ts'

/** A request's head as a Call; its body is read later, and only where a declared route needs it. */
export function readCall(request: FastifyRequest, prefix: string): Call {
  const { url = '/' } = request.raw
  const mark = url.indexOf('?')
  const path = (mark < 0 ? url : url.slice(0, mark)).slice(prefix.length)
  return {
    method: request.method,
    scheme: request.protocol,
    host: request.host,
    path: path.startsWith('/') ? path : `/${path}`,
    search: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
  }
}
