import type { Writable } from 'node:stream'
import { createBodySink, createSwallow, type BodySink, type TakenBody } from '../recording/body-sink.ts'
import { captureBody } from '../recording/capture-body.ts'
import { startClock } from '../recording/exchange-clock.ts'
import { openRecording } from '../recording/files.ts'
import {
  buildExchange,
  headerValue,
  mayHaveBody,
  type Capture,
  type ExchangeHead,
  type HeaderPairs,
  type ResponseHead,
} from '../recording/har.ts'
import { usePseudonymKey } from '../recording/hide.ts'
import { kindOf } from '../recording/media.ts'
import { loadPseudonymKey } from '../recording/pseudonym-key.ts'
import { redact } from '../recording/redact.ts'
import { RecordingUnusable } from '../sim-error.ts'

/** Takes one exchange as it streams by. */
export interface ExchangeTap {
  /** Gets a copy of each request chunk; when `write` is false the source waits for `drain`. It never fails. */
  readonly requestBody: Writable
  /** Notes the final response; what is returned gets its body, as `requestBody` does the request's. */
  respond(head: ResponseHead): Writable
  /** Both directions ended: the exchange is written, after this call has returned. */
  complete(trailers?: HeaderPairs): void
  /** The client left or the upstream broke: nothing is written, and what was stored is removed. */
  abandon(reason: string): void
}

/** Records exchanges to a directory. */
export interface Recorder {
  begin(head: ExchangeHead): ExchangeTap
  /** Resolves when all that completed is written, and all that was abandoned is removed. */
  flush(): Promise<void>
  /** Bytes of exchanges that wait to be written. */
  backlog(): number
  /** Abandons what is under way, and resolves when the rest is written. */
  close(): Promise<void>
}

/** Where to record, and whom to tell when it no longer works. */
export interface RecorderOptions {
  readonly directory: string
  /** Called once, when recording stops. Traffic goes on: taps swallow what they get from then on. */
  readonly onError?: (error: Error) => void
  /** Bytes that may wait to be written before the sources of new ones are slowed down; 64 MiB unless told. */
  readonly backlogBytes?: number
}

const BACKLOG_BYTES = 64 * 1024 * 1024

/**
 * Records what passes through its taps, without secrets.
 * @throws RecordingUnusable when the directory cannot be made or written
 */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  const { directory, onError, backlogBytes = BACKLOG_BYTES } = options
  usePseudonymKey(await loadPseudonymKey())
  const files = await openRecording(directory)
  const underWay = new Set<ExchangeTap>()
  let hasFailed = false
  let isClosed = false
  let backlog = 0
  let queue = Promise.resolve()

  const abandonAll = (reason: string): void => {
    for (const tap of underWay) tap.abandon(reason)
  }
  const stop = (cause: unknown): void => {
    if (hasFailed) return
    hasFailed = true
    const reason = cause instanceof Error ? cause.message : String(cause)
    abandonAll(reason)
    onError?.(new RecordingUnusable(`Recording to ${directory} stopped: ${reason}`, { cause }))
  }
  const enqueue = (work: () => Promise<unknown>): void => {
    queue = queue.then(work).then(() => undefined, stop)
  }
  const openBody = (headers: HeaderPairs): BodySink =>
    createBodySink({
      isChecked: kindOf(headerValue(headers, 'content-type')) !== 'binary',
      createBodyFile: () => files.createBodyFile(),
      onError: stop,
      room: () => (backlog > backlogBytes ? queue : undefined),
    })
  const store = async (seen: Capture, bodies: Bodies): Promise<void> => {
    const [request, response] = await bodies
    if (hasFailed || request === undefined || response === undefined) return
    const requestBody = await captureBody(request, seen.request.headers)
    const responseBody = response === null ? undefined : await captureBody(response, seen.response.headers)
    await files.append(redact(buildExchange({ ...seen, requestBody, responseBody })))
  }

  const createTap = (request: ExchangeHead): ExchangeTap => {
    const clock = startClock()
    const sent = openBody(request.headers)
    let response: ResponseHead | undefined
    let received: BodySink | undefined
    sent.writable.once('finish', () => clock.sent())

    const tap: ExchangeTap = {
      requestBody: sent.writable,
      respond(head) {
        if (!underWay.has(tap)) return createSwallow()
        clock.responded(sent.size() > 0)
        response = head
        received = mayHaveBody(request.method, head.status) ? openBody(head.headers) : undefined
        return received?.writable ?? createSwallow()
      },
      complete(trailers) {
        if (response === undefined) return tap.abandon('there was no response')
        if (!underWay.delete(tap)) return
        const seen = { ...clock.read(), request, response, trailers }
        const size = sent.size() + (received?.size() ?? 0)
        // Taken now: what the sources may still send is not part of this exchange.
        const bodies: Bodies = Promise.all([sent.take(), received === undefined ? null : received.take()])
        bodies.catch(stop)
        backlog += size
        enqueue(() => store(seen, bodies).finally(() => (backlog -= size)))
      },
      abandon() {
        if (!underWay.delete(tap)) return
        const removed = Promise.all([sent.discard(), received?.discard()])
        enqueue(() => removed)
      },
    }
    underWay.add(tap)
    return tap
  }
  return {
    begin: (head) => (hasFailed || isClosed ? createIdleTap() : createTap(head)),
    flush: () => queue,
    backlog: () => backlog,
    async close() {
      isClosed = true
      abandonAll('the recorder closed')
      await queue
      await files.close()
    },
  }
}

/** Both bodies of an exchange: undefined when one broke off, null when the response has none. */
type Bodies = Promise<[TakenBody | undefined, TakenBody | undefined | null]>

function createIdleTap(): ExchangeTap {
  return {
    requestBody: createSwallow(),
    respond: () => createSwallow(),
    complete: () => undefined,
    abandon: () => undefined,
  }
}
