import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../engine/call.ts'
import { SimError } from '../sim-error.ts'

/** The type of all JSON that the gateway sends. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a simulated answer. */
export function sendAnswer(reply: FastifyReply, { status, headers, body, content }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  // As bytes, so that the type is sent as the description writes it.
  if (content !== undefined) return reply.type(content.type).send(Buffer.from(content.data))
  return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(body))
}

/** The one place where errors become HTTP: named ones as they say, others as a 500 that tells the client nothing. */
export async function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (SimError.is(error)) {
    if (error.statusCode >= 500 && error.name !== 'SimulatedFailure') request.log.warn(error.message)
    return reply
      .code(error.statusCode)
      .headers(error.headers)
      .type(JSON_TYPE)
      .send(JSON.stringify(error.body))
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status < 500) return reply.code(status).send({ detail: error.message, error: error.name })
  request.log.error(error)
  return reply.code(500).send({ detail: 'The gateway failed; its log says why', error: 'InternalError' })
}
