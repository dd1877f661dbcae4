import { MethodNotAllowed, RouteNotFound } from '../errors.ts'
import { answerByAdapter } from '../gateway/adapters/answer-by-adapter.ts'
import { basePathHint } from '../gateway/base-path-hint.ts'
import { sendAnswer } from '../gateway/reply.ts'
import { visitOf } from '../gateway/visit.ts'
import { forwardTo, targetOf } from './forward.ts'
import type { Mode } from './mode.ts'

/** Declared routes are answered by the engine, the rest by the adapter it is for, or else by its upstream. */
export const simulate: Mode = (request, reply, answerers) => {
  const { engine, describe } = answerers
  const visit = visitOf(request)
  const { call, match, input, session } = visit
  if (match !== undefined) {
    visit.source = 'engine'
    return sendAnswer(reply, engine.answer(match, call, input, session))
  }
  const mounted = answerers.adapters.of(call)
  if (mounted !== undefined) {
    visit.source = 'adapter'
    return answerByAdapter(mounted, request, reply)
  }
  const target = targetOf(request, answerers)
  if (target !== undefined) return forwardTo(target, request, reply, answerers)
  const described = describe?.(call, reply)
  if (described !== undefined) return described

  const allowed = engine.allowed(call)
  if (allowed.length === 0) throw new RouteNotFound(call.method, call.path, basePathHint(engine, call))
  if (call.method === 'OPTIONS') return reply.code(204).header('allow', allowed.join(', ')).send()
  throw new MethodNotAllowed(call.method, call.path, allowed)
}
