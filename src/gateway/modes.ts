import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { MethodNotAllowed, RouteNotFound } from '../sim-error.ts'
import { basePathHint } from './base-path-hint.ts'
import type { Describe } from './describe.ts'
import type { HeaderPair } from './headers.ts'
import { urlOf } from './read-call.ts'
import type { Recorder } from './recorder.ts'
import { sendAnswer } from './reply.ts'
import type { Upstream } from './upstream.ts'
import { visitOf } from './visit.ts'

/** Those who can answer a request. */
export interface Answerers {
  readonly engine: Engine
  readonly upstream: Upstream | undefined
  readonly recorder: Recorder | undefined
  readonly describe: Describe | undefined
}

/** Answers one request that has passed the plugins. */
export type Mode = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | FastifyReply

/** Mode `simulate`: declared routes are answered by the engine, everything else by the upstream, if there is one. */
export function createMode(answerers: Answerers): Mode {
  const { upstream } = answerers
  return (request, reply) => {
    const isDeclared = visitOf(request).match !== undefined
    if (isDeclared || upstream === undefined) return simulate(request, reply, answerers)
    return forward(request, reply, upstream, answerers.recorder)
  }
}

/** Answers a declared route; anything else is not found, but for the pages that describe the routes. */
function simulate(
  request: FastifyRequest,
  reply: FastifyReply,
  { engine, describe }: Answerers,
): FastifyReply {
  const { call, match, input } = visitOf(request)
  if (match !== undefined) return sendAnswer(reply, engine.answer(match, call, input))
  const described = describe?.(call, reply)
  if (described !== undefined) return described

  const allowed = engine.allowed(call.path)
  if (allowed.length > 0) throw new MethodNotAllowed(call.method, call.path, allowed)
  throw new RouteNotFound(call.method, call.path, basePathHint(engine, call.path))
}

function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  upstream: Upstream,
  recorder: Recorder | undefined,
): Promise<void> {
  const { path, search } = visitOf(request).call
  const query = urlOf(request.raw).includes('?') ? `?${search}` : ''
  return upstream.forward({
    request: request.raw,
    response: reply.raw,
    url: `${path}${query}`,
    recorder,
    begin: () => {
      reply.hijack()
      return Object.entries(reply.getHeaders()).map(([name, value]): HeaderPair => [name, String(value)])
    },
  })
}
