import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotRecorded } from '../../sim-error.ts'
import { redactUrl } from '../../recording/redact-url.ts'
import { visitOf } from '../visit.ts'
import { targetOf } from './forward.ts'
import type { Answerers, Mode } from './mode.ts'
import { peekBody, type PeekedBody } from './peek-body.ts'
import type { ReplayAnswer, ReplayMiss } from './replayer.ts'
import { sendReplay } from './send-replay.ts'

/** Everything is answered from the recording; what is not there is 404. */
export const replay: Mode = async (request, reply, answerers) => {
  const { found } = await lookUp(request, answerers)
  if (found.kind === 'miss') throw notRecorded(request, found)
  return sendRecorded(request, reply, found)
}

/** What the recording has for a request, and the body that was read to find out. */
export interface LookedUp {
  readonly found: ReplayAnswer | ReplayMiss
  readonly body: PeekedBody
}

/** Asks the recording. The host that counts is the one that the request would be forwarded to. */
export async function lookUp(request: FastifyRequest, answerers: Answerers): Promise<LookedUp> {
  const { call, session } = visitOf(request)
  const target = targetOf(request, answerers)
  const body = peekBody(request.raw)
  const { replayer } = answerers
  const none: ReplayMiss = { kind: 'miss', nearest: [] }
  const asked = {
    method: call.method,
    host: target === undefined ? undefined : new URL(target.origin).host,
    url: target?.url ?? `${call.path}${call.search === '' ? '' : `?${call.search}`}`,
    contentType: request.headers['content-type'] ?? '',
    contentEncoding: request.headers['content-encoding'] ?? '',
    body: body.read,
  }
  return { found: (await replayer?.find(asked, session.replays)) ?? none, body }
}

/** Sends what was recorded. */
export function sendRecorded(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReplayAnswer,
): FastifyReply {
  visitOf(request).source = 'recording'
  return sendReplay(request, reply, answer)
}

/** The error of a request that the recording does not have. */
export function notRecorded(request: FastifyRequest, { nearest }: ReplayMiss): NotRecorded {
  const { method, path, search } = visitOf(request).call
  return new NotRecorded(method, redactUrl(search === '' ? path : `${path}?${search}`), nearest)
}
