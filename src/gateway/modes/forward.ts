import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TargetMissing } from '../../sim-error.ts'
import type { HeaderPair } from '../headers.ts'
import { urlOf } from '../read-call.ts'
import type { Recorder } from '../recorder.ts'
import type { Target } from '../targets/targets.ts'
import { visitOf } from '../visit.ts'
import type { Answerers, Mode } from './mode.ts'

/** Everything goes to its upstream, declared or not. */
export const forward: Mode = (request, reply, answerers) =>
  forwardTo(neededTarget(request, answerers), request, reply, answerers)

/** Where a request goes when it is forwarded; `undefined` when nothing takes it. @throws TargetRefused */
export function targetOf(request: FastifyRequest, { targets }: Answerers): Target | undefined {
  const { call, isProxied } = visitOf(request)
  const target = targets.of(call, isProxied)
  // A call does not tell an empty query from none; an upstream may.
  const isEmpty = call.search === '' && urlOf(request.raw).endsWith('?')
  return target !== undefined && isEmpty ? { ...target, url: `${target.url}?` } : target
}

/** As `targetOf`. @throws TargetMissing when nothing takes the request */
export function neededTarget(request: FastifyRequest, answerers: Answerers): Target {
  const target = targetOf(request, answerers)
  const { call, mode } = visitOf(request)
  if (target === undefined) throw new TargetMissing(call.method, call.path, mode)
  return target
}

/** What is different from a plain forward. */
interface Changes {
  /** Who sees the exchange; that of the gateway unless told. */
  readonly recorder?: Recorder | undefined
  /** The request's body where some of it was read already. */
  readonly body?: Readable | undefined
}

/** Streams a request to its target and the answer back. */
export function forwardTo(
  target: Target,
  request: FastifyRequest,
  reply: FastifyReply,
  { upstream, recorder }: Answerers,
  changes: Changes = {},
): Promise<void> {
  visitOf(request).source = 'upstream'
  return upstream.forward({
    request: request.raw,
    response: reply.raw,
    target,
    recorder,
    ...changes,
    begin: () => {
      reply.hijack()
      return Object.entries(reply.getHeaders()).map(([name, value]): HeaderPair => [name, String(value)])
    },
  })
}
