import { visitOf } from '../gateway/visit.ts'
import { forwardTo, neededTarget } from './forward.ts'
import type { Mode } from './mode.ts'
import { observe } from '../recording/drift/observe.ts'

/**
 * Everything goes to its upstream, and the client gets the upstream's answer. Once that has ended, the exchange is
 * compared with the declared route, or with the recording where nothing is declared.
 */
export const diff: Mode = (request, reply, answerers) => {
  const target = neededTarget(request, answerers)
  const route = answerers.engine.match(visitOf(request).call)?.route
  const recorder = observe(answerers.recorder, (observed) => answerers.drift.note(observed, route))
  return forwardTo(target, request, reply, answerers, { recorder })
}
