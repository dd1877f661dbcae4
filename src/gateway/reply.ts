import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../message.ts'
import { SimError } from '../errors.ts'

/** The type of all JSON that the gateway sends. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends a simulated answer. */
export function sendAnswer(
  reply: FastifyReply,
  { status, headers, body, json, content }: Answer,
): FastifyReply {
  reply.code(status).headers(headers)
  // As bytes, so that the type is sent as the description writes it.
  if (content !== undefined) return reply.type(content.type).send(Buffer.from(content.data))
  return body === undefined ? reply.send() : reply.type(JSON_TYPE).send(json ?? JSON.stringify(body))
}

/** The one place where errors become HTTP: named ones as they say, others as a 500 that tells the client nothing. */
export async function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (!SimError.is(error) && status < 500)
    return reply.code(status).send({ detail: error.message, error: error.name })
  const { statusCode, headers, body } = told(error, request.log)
  return reply.code(statusCode).headers(headers).type(JSON_TYPE).send(JSON.stringify(body))
}

/** As `sendError`, for a response that Fastify knows nothing of. */
export function writeError(error: Error, response: ServerResponse, log: FastifyBaseLogger): void {
  const { statusCode, headers, body } = told(error, log)
  const text = JSON.stringify(body)
  response.writeHead(statusCode, {
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function told(error: Error, log: FastifyBaseLogger): Pick<SimError, 'statusCode' | 'headers' | 'body'> {
  if (SimError.is(error)) {
    if (error.statusCode >= 500 && error.name !== 'SimulatedFailure') log.warn(error.message)
    return error
  }
  log.error(error)
  return {
    statusCode: 500,
    headers: {},
    body: { detail: 'The gateway failed; its log says why', error: 'InternalError' },
  }
}
