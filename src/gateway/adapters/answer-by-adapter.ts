import type { FastifyReply, FastifyRequest } from 'fastify'
import { goneSignal, readUpTo } from '../../incoming.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { MountedCall } from './mount.ts'

/**
 * Has an adapter answer a request.
 * @param isTrusted whether it may use the adapter's control paths, wherever it comes from
 */
export async function answerByAdapter(
  { adapter, url, seenAt }: MountedCall,
  request: FastifyRequest,
  reply: FastifyReply,
  isTrusted = false,
): Promise<FastifyReply> {
  const signal = goneSignal(reply.raw)
  const body = await readUpTo(request.raw, adapter.bodyLimit)
  const { method, socket } = request
  const headers = seenAt === undefined ? request.headers : forwardedHeaders(request.headers, seenAt)
  const remoteAddress = isTrusted ? undefined : socket.remoteAddress
  const answer = await adapter.handle({ method, url, headers, body, remoteAddress, signal })
  reply.code(answer.status).headers(answer.headers)
  // What is still to come of a body given up midway would stand in the way of the next request.
  if (body.length > adapter.bodyLimit && request.raw.httpVersionMajor === 1)
    reply.header('connection', 'close')
  return reply.send(answer.body.length === 0 ? undefined : Buffer.from(answer.body))
}
