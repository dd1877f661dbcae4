import type { FastifyRequest } from 'fastify'
import { redactUrl } from '../../recording/redact-url.ts'
import { visitOf } from '../visit.ts'
import { compareWithModel } from './compare-with-model.ts'
import { compareWithRecording } from './compare-with-recording.ts'
import { forwardTo, neededTarget } from './forward.ts'
import type { Mode } from './mode.ts'
import { observe, type Observed } from './observe.ts'
import { lookUp } from './replay.ts'

/**
 * Everything goes to its upstream, and the answers are compared with the declared model, or with the recording where
 * nothing is declared. What differs is told in the log and on the visit; the client gets the upstream's answer.
 */
export const diff: Mode = async (request, reply, answerers) => {
  const target = neededTarget(request, answerers)
  const visit = visitOf(request)
  const declared = answerers.engine.match(visit.call)
  const recorded = declared === undefined ? await lookUp(request, answerers) : undefined
  const report = (observed: Observed): void => {
    const drift =
      declared === undefined
        ? compareWithRecording(recorded?.found, observed)
        : compareWithModel(declared.route, observed)
    visit.drift = drift
    tell(request, drift)
  }
  return forwardTo(target, request, reply, answerers, {
    recorder: observe(answerers.recorder, report),
    body: recorded?.body.again(),
  })
}

function tell(request: FastifyRequest, drift: readonly string[]): void {
  if (drift.length === 0) return
  const { method, path, search } = visitOf(request).call
  const url = redactUrl(search === '' ? path : `${path}?${search}`)
  request.log.warn({ drift }, `${method} ${url} differs: ${drift.join('; ')}`)
}
