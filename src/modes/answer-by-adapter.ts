import { forwardedHeaders } from '../http/forwarded-headers.ts'
import { readUpTo } from '../http/read-up-to.ts'
import { utf8Bytes, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { MountedCall } from './adapter-mounts.ts'

/**
 * Has an adapter answer a request.
 * @param isTrusted whether it may use the adapter's control paths, wherever it comes from
 */
export async function answerByAdapter(
  { adapter, url, seenAt }: MountedCall,
  exchange: Exchange,
  isTrusted = false,
): Promise<HttpResponse> {
  exchange.source = 'adapter'
  const { method, transport, signal } = exchange
  const { request } = exchange.node
  const body = await readUpTo(request, adapter.bodyLimit)
  const headers = seenAt === undefined ? exchange.headers : forwardedHeaders(exchange.headers, seenAt)
  const remoteAddress = isTrusted ? undefined : transport.remoteAddress
  const answer = await adapter.handle({ method, url, headers, body, remoteAddress, signal })
  // What is still to come of a body given up midway would stand in the way of the next request.
  if (body.length > adapter.bodyLimit && request.httpVersionMajor === 1)
    exchange.addHeaders('connection', 'close')
  return {
    status: answer.status,
    headers: Object.entries(answer.headers).flat(),
    ...(answer.body.length > 0 && { body: bytesOf(answer.body) }),
  }
}

function bytesOf(body: Buffer | string): string {
  return typeof body === 'string' ? utf8Bytes(body) : body.toString('latin1')
}
