import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpRequest } from '../message.ts'
import { TargetMissing } from '../errors.ts'
import type { HeaderPair } from '../http/headers.ts'
import { urlOf } from '../gateway/read-call.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import type { Target } from '../upstream/targets/targets.ts'
import { visitOf } from '../gateway/visit.ts'
import type { Answerers, Mode } from './mode.ts'

/** Everything goes to its upstream, declared or not. */
export const forward: Mode = (request, reply, answerers) =>
  forwardTo(neededTarget(request, answerers), request, reply, answerers)

/** Where a request goes when it is forwarded; `undefined` when nothing takes it. @throws TargetRefused */
export function targetOf(request: FastifyRequest, { targets }: Answerers): Target | undefined {
  const { call, isProxied } = visitOf(request)
  const target = targets.of(call, isProxied)
  return target && withEmptyQuery(target, call, urlOf(request.raw))
}

/** A target with the query's mark, where that is all there is of it: a call does not tell it, but an upstream may care. */
export function withEmptyQuery(target: Target, { search }: HttpRequest, url: string): Target {
  return search === '' && url.endsWith('?') ? { ...target, url: `${target.url}?` } : target
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
      return addedHeaders(reply)
    },
  })
}

const NONE: readonly HeaderPair[] = []

/** The headers that plugins gave an answer. */
export function addedHeaders(reply: FastifyReply): readonly HeaderPair[] {
  const added = reply.getHeaders()
  for (const _ in added) return Object.entries(added).map(([name, value]) => [name, String(value)])
  return NONE
}
