import { observe } from '../recording/drift/observe.ts'
import { forwardTo, neededTarget } from './forward.ts'
import type { Mode } from './mode.ts'

/**
 * Everything goes to its upstream, and the client gets the upstream's response. Once that has ended, the exchange is
 * compared with the declared route, or with the recording where nothing is declared.
 */
export const diff: Mode = (exchange, parts) => {
  const target = neededTarget(exchange, parts)
  const route = parts.engine.match(exchange)?.route
  const recorder = observe(parts.recorder, (observed) => parts.drift.note(observed, route))
  return forwardTo(target, exchange, parts, { recorder })
}
