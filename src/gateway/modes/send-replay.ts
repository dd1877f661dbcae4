import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endToEnd, type HeaderPair } from '../headers.ts'
import { addTrailers, writeHead } from '../upstream/answer-to.ts'
import type { ReplayAnswer } from './replayer.ts'

// They describe the connection or the coding of the recorded body, which is sent as it was after decoding.
const OWN = /^(content-length|content-encoding|date|trailer)$/i

/** Writes a recorded answer, headers in their order and as often as they were. */
export function sendReplay(request: FastifyRequest, reply: FastifyReply, answer: ReplayAnswer): FastifyReply {
  const added = Object.entries(reply.getHeaders()).map(([name, value]): HeaderPair => [name, String(value)])
  const kept = endToEnd(answer.headers).filter(([name]) => !OWN.test(name))
  const pairs = [...kept, ...added.filter(([name]) => !kept.some(([other]) => other.toLowerCase() === name))]
  const isHead = request.method === 'HEAD'
  const mayHaveBody = answer.status !== 204 && answer.status !== 304
  const length = isHead ? lengthOf(answer.headers) : String(lengthOfBody(answer))
  const trailers = mayHaveBody && !isHead ? answer.trailers : []
  if (trailers.length > 0) pairs.push(['trailer', trailers.map(([name]) => name).join(', ')])
  else if (mayHaveBody && length !== undefined) pairs.push(['content-length', length])

  const response = reply.hijack().raw
  writeHead(response, answer.status, answer.statusText, pairs)
  addTrailers(response, trailers)
  if (isHead || !mayHaveBody) response.end()
  else if (Buffer.isBuffer(answer.body)) response.end(answer.body)
  else pipeline(answer.body.open(), response, () => undefined)
  return reply
}

function lengthOfBody({ body }: ReplayAnswer): number {
  return Buffer.isBuffer(body) ? body.length : body.bytes
}

function lengthOf(headers: readonly HeaderPair[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
}
