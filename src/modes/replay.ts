import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotRecorded } from '../errors.ts'
import { endToEnd, pairsOf } from '../http/headers.ts'
import { changeHeaders } from '../upstream/targets/header-changes.ts'
import { hasBody } from '../upstream/request-headers.ts'
import { visitOf } from '../gateway/visit.ts'
import { upgradeOf } from '../http/upgrade.ts'
import { targetOf } from './forward.ts'
import type { Answerers, Mode } from './mode.ts'
import { peekBody, type PeekedBody } from '../http/rewindable-body.ts'
import type { ReplayAnswer, ReplayMiss } from '../recording/replay/replayer.ts'
import { replaySocket } from '../recording/replay/replay-socket.ts'
import { sendReplay } from '../recording/replay/send-replay.ts'

/** Everything is answered from the recording; what is not there is 404. */
export const replay: Mode = async (request, reply, answerers) => {
  const { found } = await lookUp(request, answerers)
  if (found.kind === 'miss') throw await notRecorded(request, found)
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
  const { raw } = request
  const target = targetOf(request, answerers)
  const isUpgrade = upgradeOf(raw) !== undefined
  // An upgrade has no body, and its end never comes.
  const body = isUpgrade || !hasBody(raw) ? NO_BODY : peekBody(raw)
  const { replayer } = answerers
  const none: ReplayMiss = { kind: 'miss', nearest: async () => [] }
  const asked = {
    method: call.method,
    host: target === undefined ? undefined : new URL(target.origin).host,
    url: target?.url ?? `${call.path}${call.search === '' ? '' : `?${call.search}`}`,
    headers: pairsOf(changeHeaders(endToEnd(raw.rawHeaders), target?.requestHeaders ?? {})),
    isUpgrade,
    contentType: request.headers['content-type'] ?? '',
    contentEncoding: request.headers['content-encoding'] ?? '',
    body: body.read,
  }
  return { found: (await replayer?.find(asked, session.replays)) ?? none, body }
}

const NO_BODY: PeekedBody = { read: async () => Buffer.alloc(0), again: () => undefined }

/** Sends what was recorded. */
export async function sendRecorded(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReplayAnswer,
): Promise<FastifyReply> {
  visitOf(request).source = 'recording'
  const upgrade = upgradeOf(request.raw)
  if (upgrade !== undefined && answer.status === 101) replaySocket(request, reply, upgrade, answer)
  else await sendReplay(request, reply, answer)
  return reply
}

/** The error of a request that the recording does not have. */
export async function notRecorded(request: FastifyRequest, { nearest }: ReplayMiss): Promise<NotRecorded> {
  const { call, session } = visitOf(request)
  const { method, path, search } = call
  const url = session.redactor.url(search === '' ? path : `${path}?${search}`)
  return new NotRecorded(method, url, await nearest())
}
