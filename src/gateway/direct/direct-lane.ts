import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { HttpRequest } from '../../message.ts'
import type { ChainDefaults } from '../chain.ts'
import type { Metrics } from '../../control/metrics.ts'
import type { Modes } from '../../modes/choose-mode.ts'
import type { Sessions } from '../../state/sessions.ts'
import { createKeptAnswers } from './kept-answers.ts'
import { createDirectNotes } from './note-direct.ts'
import { readPlainCall } from './plain-call.ts'
import { createRouteLanes, isInert, type RouteLane } from './route-lanes.ts'
import { createSendJson } from './send-json.ts'
import { takeRequests } from './take-requests.ts'

/** How plain questions are answered. */
export interface DirectOptions {
  /** The most bytes of answers that are kept for when they are asked again; 0 keeps none. */
  readonly answerCacheBytes: number
}

/** What the lane answers from, and whom it tells. */
export interface DirectLane extends DirectOptions {
  readonly sessions: Sessions
  readonly modes: Modes
  readonly metrics: Metrics
  readonly defaults: ChainDefaults
}

interface DirectAnswer {
  readonly call: HttpRequest
  readonly lane: RouteLane
  readonly body: string
}

/**
 * Answers plain questions to declared routes before Fastify sees them, with what the whole way would give: no plugin has
 * a say in them, no session, mode or chaos was chosen, and their body can be written at once. What meets any difficulty
 * on the lane goes the whole way from the beginning.
 */
export function openDirectLane(app: FastifyInstance, options: DirectLane): void {
  const { sessions, modes, metrics } = options
  if (!isInert(options.defaults)) return
  const session = sessions.of('')
  const laneOf = createRouteLanes(session)
  const kept = createKeptAnswers(options.answerCacheBytes)

  const answerTo = (request: IncomingMessage): DirectAnswer | undefined => {
    if (modes.only() !== 'simulate' || session.chaos.rules.length > 0) return undefined
    const call = readPlainCall(request)
    const match = call && session.engine.match(call)
    const lane = match && laneOf(match.route)
    if (call === undefined || match === undefined || lane === undefined) return undefined
    // Under another seed, which a session may have for a while, there are other answers.
    const keeper = lane.rewrite && session.seed === session.engine.seed ? kept : undefined
    const known = keeper?.get(call)
    const body = known ?? lane.write(call, match)
    if (body === undefined) return undefined
    if (known === undefined) keeper?.set(call, body)
    return { call, lane, body }
  }

  const note = createDirectNotes(metrics)
  const send = createSendJson(app.server)
  takeRequests(app, (request, response) => {
    const started = performance.now()
    const answer = answerTo(request)
    if (answer === undefined) return false
    const { lane, body } = answer
    session.arrivals.next(lane.route.key)
    send(response, lane.status, body)
    note({ call: answer.call, lane, body, rawHeaders: request.rawHeaders, session, started })
    return true
  })
}
