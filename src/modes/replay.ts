import { NotRecorded } from '../errors.ts'
import { pairsOf } from '../http/headers.ts'
import { rewindableBody, type RewindableBody } from '../http/read-body.ts'
import { upgradeOf } from '../http/upgrade.ts'
import { HANDLED, type HttpResponse } from '../message.ts'
import type { ContractCheck } from '../pipeline/contract.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { UNANSWERED } from '../recording/exchange.ts'
import { shown } from '../shape/finding.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { replaySocket } from '../recording/replay/replay-socket.ts'
import type { ReplayAnswer } from '../recording/replay/recorded-answer.ts'
import type { ReplayMiss } from '../recording/replay/replay-call.ts'
import type { Replays } from '../state/replays.ts'
import { sendReplay } from '../recording/replay/send-replay.ts'
import { hasBody, passedHeaders } from '../upstream/sent-request.ts'
import type { Target } from '../upstream/targets/targets.ts'
import { addedHeaders, targetOf, urlsOf } from './forward.ts'
import type { Mode, ModeParts } from './mode.ts'

/** Everything is answered from the recording; what is not there is 404. */
export const replay: Mode = async (exchange, parts) => {
  const { found, target } = await lookUp(exchange, parts, { takesDrawn: true })
  if (found.kind === 'answer') return sendRecorded(exchange, parts, found, target)
  await found.note()
  throw await notRecorded(exchange, found)
}

/** What the recording has for a request, and the body that was read to find out. */
export interface LookedUp {
  readonly found: ReplayAnswer | ReplayMiss
  /** Where the request would be forwarded to. */
  readonly target: Target | undefined
  readonly body: RewindableBody
}

/** How to look into a recording. */
interface LookUpOptions {
  readonly view?: (replays: Replays) => Replays
  readonly takesDrawn?: boolean
}

/**
 * Looks into the recording. The host that counts is the one that the request would be forwarded to.
 * @param options `view` says what of the session counts; default: all of it, and what it is given is noted.
 * `takesDrawn` is true where no upstream answers instead
 */
export async function lookUp(
  exchange: Exchange,
  parts: ModeParts,
  { view = (replays) => replays, takesDrawn = false }: LookUpOptions = {},
): Promise<LookedUp> {
  const { method, path, search, headers, session } = exchange
  const { request } = exchange.node
  const target = targetOf(exchange, parts)
  const isUpgrade = upgradeOf(request) !== undefined
  // An upgrade has no body, and its end never comes.
  const body = isUpgrade || !hasBody(request) ? NO_BODY : (exchange.received ??= rewindableBody(request))
  const none: ReplayMiss = { kind: 'miss', nearest: async () => [], note: async () => undefined }
  const sent = passedHeaders(request, target?.requestHeaders, () => target && urlsOf(target, exchange, parts))
  const requested = {
    method,
    host: target === undefined ? undefined : new URL(target.origin).host,
    url: target?.url ?? `${path}${search === '' ? '' : `?${search}`}`,
    headers: pairsOf(sent),
    isUpgrade,
    takesDrawn: takesDrawn || target === undefined,
    contentType: String(headers['content-type'] ?? ''),
    contentEncoding: String(headers['content-encoding'] ?? ''),
    body: body.read,
  }
  const find = async (replays: Replays): Promise<ReplayAnswer | ReplayMiss | undefined> =>
    parts.replayer?.find(requested, view(replays))
  const found = (await session.replay(find)) ?? none
  // What was not answered may be now.
  const isOpen = !takesDrawn && found.kind === 'answer' && found.status === UNANSWERED
  return {
    found: isOpen ? none : found,
    target,
    body,
  }
}

const NO_BODY: RewindableBody = { read: async () => Buffer.alloc(0), rewind: () => undefined }

/** Sends what was recorded. */
export async function sendRecorded(
  exchange: Exchange,
  { log, targets, rewriteBodies }: Pick<ModeParts, 'log' | 'targets' | 'rewriteBodies'>,
  answer: ReplayAnswer,
  target: Target | undefined,
): Promise<HttpResponse> {
  const { node, session, url } = exchange
  const { request, response } = node
  exchange.source = 'recording'
  if (answer.status === UNANSWERED) {
    exchange.transport.abort('hang')
    return HANDLED
  }
  if (Buffer.isBuffer(answer.body)) exchange.responseLength = answer.body.length
  const { check } = exchange
  if (check?.wantsAnswer === true) await checkReplayed(exchange, check, answer)
  const added = addedHeaders(exchange)
  const upgrade = upgradeOf(request)
  if (upgrade !== undefined && answer.status === 101) {
    const takeOver = (): void => {
      exchange.endStatus = answer.status
      node.takeOver()
    }
    const onMiss = (data: Buffer, isBinary: boolean): void => {
      exchange.endStatus = 404
      const said = isBinary ? `of ${data.length} bytes` : shownMessage(data, session.redactor)
      log.warn(`The WebSocket ${session.redactor.url(url)} is closed: the recording has no message ${said}`)
    }
    await replaySocket({ request, response, upgrade, url, clock: session.clock, takeOver, onMiss }, answer)
    return HANDLED
  }
  node.takeOver()
  const urls = exchange.isProxied
    ? undefined
    : targets.urls.recorded(exchange.seenAt(), answer.origin, target?.served)
  const { given } = answer
  const begins = given && (() => session.replay(async (replays) => given(replays)))
  const to = { method: exchange.method, response, added, clock: session.clock, log, begins }
  await sendReplay({ ...to, urls, rewriteBodies: rewriteBodies !== false }, answer)
  return HANDLED
}

// Its head is still to be sent, and its body is there.
async function checkReplayed(
  exchange: Exchange,
  check: ContractCheck,
  { status, headers, body }: ReplayAnswer,
): Promise<void> {
  const before = check.notes.violations.length
  const length = Buffer.isBuffer(body) ? body.length : body.bytes
  if (check.answer(status, headers.flat()))
    await check.answerBody(length > check.bodyLimit ? undefined : await bytesOf(body))
  if (check.notes.violations.length === before) return
  if (check.isEnforced) throw check.answerRefusal()
  exchange.showViolations()
}

async function bytesOf(body: ReplayAnswer['body']): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  const pieces: Buffer[] = []
  for await (const piece of body.open()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The error of a request that the recording does not have. */
export async function notRecorded(
  { method, path, search, session }: Exchange,
  { nearest }: ReplayMiss,
): Promise<NotRecorded> {
  return new NotRecorded(
    method,
    session.redactor.url(search === '' ? path : `${path}?${search}`),
    await nearest(),
  )
}

function shownMessage(data: Buffer, redactor: Redactor): string {
  const redacted = redactor.body(data.toString(), '')
  return shown('text' in redacted ? redacted.text : `of ${data.length} bytes`)
}
