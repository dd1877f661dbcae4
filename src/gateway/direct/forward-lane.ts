import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { HttpRequest } from '../../message.ts'
import type { ChainDefaults } from '../chain.ts'
import type { Metrics } from '../../control/metrics.ts'
import type { HeaderPair } from '../../http/headers.ts'
import type { ModeName } from '../../modes/mode-name.ts'
import { withEmptyQuery } from '../../modes/forward.ts'
import { noteVisit } from '../note-visit.ts'
import type { Opened } from '../open-answerers.ts'
import { writeError } from '../reply.ts'
import type { Sessions } from '../../state/sessions.ts'
import type { Target } from '../../upstream/targets/targets.ts'
import type { Visit } from '../visit.ts'
import { readPlainCall } from './plain-call.ts'
import { isInert } from './route-lanes.ts'
import { takeRequests } from './take-requests.ts'

/** What the lane forwards with, and whom it tells. */
export interface ForwardLane {
  readonly answerers: Opened
  readonly sessions: Sessions
  readonly metrics: Metrics
  readonly defaults: ChainDefaults
}

interface Passing {
  readonly visit: Visit
  readonly target: Target
}

const FORWARDING: ReadonlySet<ModeName> = new Set(['simulate', 'forward', 'record'])
const NONE: readonly HeaderPair[] = []
const addNone = (): readonly HeaderPair[] => NONE

/**
 * Forwards plain questions before Fastify sees them, as the whole way would: no plugin has a say in them, no session,
 * mode or chaos was chosen, and no declared route or adapter takes them. What meets any difficulty goes the whole way
 * instead.
 */
export function openForwardLane(app: FastifyInstance, lane: ForwardLane): void {
  const { answerers, sessions, metrics, defaults } = lane
  const { upstream, recorder, adapters, modes, targets } = answerers
  if (!isInert(defaults)) return
  const session = sessions.of('')

  const isAnsweredHere = (call: HttpRequest): boolean =>
    session.engine.match(call) !== undefined || adapters.of(call) !== undefined
  const passingOf = (request: IncomingMessage): Passing | undefined => {
    const mode = modes.only()
    if (mode === undefined || !FORWARDING.has(mode) || session.chaos.rules.length > 0) return undefined
    const call = readPlainCall(request)
    if (call === undefined) return undefined
    if (mode === 'simulate' && isAnsweredHere(call)) return undefined
    const target = attempt(() => targets.of(call, false))
    if (target === undefined) return undefined
    const key = `GET ${call.path}`
    const visit = { call, isProxied: false, mode, match: undefined, key, input: {}, session, ordinal: 0 }
    return { visit, target: withEmptyQuery(target, call, request.url ?? '') }
  }

  takeRequests(app, (request, response) => {
    const passing = passingOf(request)
    if (passing === undefined) return false
    const { visit, target } = passing
    noteVisit(visit, { raw: response }, metrics)
    session.arrivals.next(visit.key)
    upstream
      .forward({ request, response, target, recorder, begin: addNone })
      .catch((error: Error) => writeError(error, response, app.log))
    return true
  })
}

// What is refused here is refused on the whole way too, which says so properly.
function attempt(find: () => Target | undefined): Target | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}
