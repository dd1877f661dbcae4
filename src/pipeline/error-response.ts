import { SimError } from '../errors.ts'
import type { Log } from '../http/log.ts'
import { jsonResponse, utf8Bytes, type HttpResponse } from '../message.ts'

/**
 * The one place where errors become HTTP: named ones as they say, those of Fastify with their status, others as a 500
 * that says nothing to the client.
 */
export function errorResponse(error: Error, log: Log): HttpResponse {
  if (SimError.is(error)) {
    if (error.statusCode >= 500) log.warn(error.message)
    return json(error.statusCode, error.body, Object.entries(error.headers).flat())
  }
  const { statusCode } = error as { readonly statusCode?: number }
  if (statusCode !== undefined && statusCode < 500)
    return json(statusCode, { detail: error.message, error: error.name })
  log.error(error)
  return json(500, { detail: 'The gateway failed; its log says why', error: 'InternalError' })
}

function json(status: number, body: unknown, headers: readonly string[] = []): HttpResponse {
  return jsonResponse(status, utf8Bytes(JSON.stringify(body)), headers)
}
