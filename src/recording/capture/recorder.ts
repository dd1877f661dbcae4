import { createBodySink } from './body-sink.ts'
import { createExchangeTexts, type Recordable } from './exchange-text.ts'
import { openRecording, type RecordingLimits } from '../files/recording-files.ts'
import { buildExchange, headerValue, type Capture, type ExchangeHead } from '../files/har.ts'
import { contentKindOf } from '../../media-type.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { RecordingUnusable } from '../../errors.ts'
import { createIdleTap, createTap, type Tap, type OpenTap, type TapHost, InFlight } from './tap.ts'
import { createBacklog, createWriteOrder, createWriteQueue } from './write-queue.ts'

/** Takes exchanges as they pass. */
export interface ExchangeRecorder {
  begin(head: ExchangeHead): Tap
}

/** Records exchanges to a directory. */
export interface Recorder extends ExchangeRecorder {
  readonly directory: string
  /** Resolves when all that completed is written, and all that was abandoned is removed. */
  flush(): Promise<void>
  /** What it did until now. */
  counts(): RecorderCounts
  /** Since when and why it no longer records; nothing while it does. */
  stopped(): Promise<Stopped | undefined>
  /** Stops to record once what has ended is written, until it is resumed. */
  stop(why?: StopReason): Promise<void>
  /** Goes on to record after it stopped. @throws RecordingUnusable where it still cannot */
  resume(): Promise<void>
  /** Abandons what is under way, and resolves when the rest is written. */
  close(): Promise<void>
}

/** Why a recorder is to stop: since a client requested it, or since another gateway records what this one would. */
export type StopReason = 'requested' | 'elsewhere'

/** That a recorder no longer records. */
export interface Stopped {
  readonly reason: string
  readonly since: Date
  /** Absent where something went wrong. */
  readonly why?: StopReason | undefined
}

/** What a recorder did, and how it kept up. */
export interface RecorderCounts {
  /** Bytes of exchanges that wait to be written. */
  readonly backlogBytes: number
  /** Exchanges that were written. */
  readonly written: number
  /** Exchanges that were not recorded, since the disk did not keep up or recording had stopped. */
  readonly dropped: number
  readonly isStopped: boolean
  /** How often traffic had to wait for the recording. */
  readonly waits: number
  readonly waitedMs: number
}

/** What was recorded. */
export interface Recorded extends Pick<RecorderCounts, 'written' | 'dropped'> {
  readonly directory: string
}

/** Where and how to record, and who hears when it no longer works. */
export interface RecorderOptions {
  readonly directory: string
  readonly limits?: RecordingLimits | undefined
  /** Hides secrets; one with a key, so that equal ones are known as such. */
  readonly redactor: Redactor
  /** Called each time that recording stops. Traffic goes on: taps swallow what they get until it is resumed. */
  readonly onError?: (error: Error) => void
  /** Called once, when the first exchange is dropped. */
  readonly onDrop?: () => void
  /** Called once, when a body names the server to a client that calls it by the gateway's name. */
  readonly onOwnUrl?: ((origin: string) => void) | undefined
  /** Called before each write; where it throws, recording stops. */
  readonly confirm?: (() => Promise<void>) | undefined
  /**
   * Bytes that may wait to be written before the sources of new ones are slowed down; by default 16 MiB. Where twice
   * as many wait, exchanges that begin are not recorded.
   */
  readonly backlogBytes?: number
  /** How long a body may hold its source back in all before its exchange is given up; by default 2 seconds. */
  readonly patienceMs?: number
}

const REASONS: Readonly<Record<StopReason, string>> = {
  requested: 'a request stopped it',
  elsewhere: 'another gateway records',
}

const BACKLOG_BYTES = 16 * 1024 * 1024
const PATIENCE_MS = 2_000

/** How much an exchange may hold to be looked into for secrets between others. */
const LONG_BYTES = 64 * 1024

function isLong({ requestBody, responseBody, webSocket }: Capture): boolean {
  const messages = webSocket?.messages.reduce((sum, { data }) => sum + data.length, 0) ?? 0
  return bytesOf(requestBody) + bytesOf(responseBody) + messages > LONG_BYTES
}

function bytesOf(body: Capture['requestBody']): number {
  return body !== undefined && 'bytes' in body ? body.bytes.length : 0
}

// What a client requests by such a URL goes past the gateway.
function ownUrlIn({ request, responseBody }: Capture): string | undefined {
  if (responseBody === undefined || !('bytes' in responseBody)) return undefined
  const [scheme, , host = ''] = request.url.split('/', 3)
  if (headerValue(request.headers, 'host') === host || !responseBody.bytes.includes(`//${host}/`))
    return undefined
  return `${scheme}//${host}`
}

/**
 * Records what passes through its taps, without secrets.
 * @throws RecordingUnusable when the directory cannot be made or written
 */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  const { directory, redactor, limits, onError, onDrop, confirm, patienceMs = PATIENCE_MS } = options
  let files = await openRecording(directory, limits, confirm)
  const recordableOf = createExchangeTexts(redactor)
  let { onOwnUrl } = options
  const inFlight = new InFlight<OpenTap>()
  const backlog = createBacklog(options.backlogBytes ?? BACKLOG_BYTES)
  const counts = { written: 0, dropped: 0, waits: 0, waitedMs: 0 }
  const noteWait = (ms: number): void => {
    counts.waits++
    counts.waitedMs += ms
  }
  const order = createWriteOrder(patienceMs, noteWait)
  let stopped: Stopped | undefined
  let stopping: Promise<void> | undefined
  let isClosed = false

  const abandonAll = (): void => {
    for (const tap of inFlight.all()) tap.abandon(true)
  }
  const stop = (cause: unknown): void => {
    if (stopped !== undefined) return
    const reason = cause instanceof Error ? cause.message : String(cause)
    stopped = { reason, since: new Date() }
    abandonAll()
    onError?.(new RecordingUnusable(`Recording to ${directory} stopped: ${reason}`, { cause }))
  }
  const drop = (): void => {
    if (counts.dropped++ === 0) onDrop?.()
  }
  const redact = (capture: Capture): Recordable | Promise<Recordable> => {
    if (isLong(capture)) return redactor.exchangeApart(buildExchange(capture))
    return files.takesTexts ? recordableOf(capture) : redactor.exchange(buildExchange(capture))
  }
  // What waits for a long exchange that came before.
  let turn: Promise<unknown> | undefined
  const append = async (exchanges: readonly Recordable[]): Promise<void> => {
    try {
      const written = await files.append(...exchanges)
      counts.written += written
    } catch (error) {
      counts.dropped += exchanges.length
      throw error
    }
  }
  const appendInTurn = async (exchanges: Promise<Recordable[]>): Promise<void> => {
    exchanges.catch(() => undefined)
    const before = turn
    let appended: Promise<void> = Promise.resolve()
    const own = (async () => {
      await before
      const all = await exchanges
      appended = append(all)
      appended.catch(() => undefined)
    })()
    const ended = own.catch(() => undefined)
    turn = ended
    await own
    if (turn === ended) turn = undefined
    await appended
  }
  const noteOwnUrl = (captures: readonly Capture[]): void => {
    const origin = captures.map(ownUrlIn).find((found) => found !== undefined)
    if (origin === undefined) return
    onOwnUrl?.(origin)
    onOwnUrl = undefined
  }
  const write = async (captures: readonly Capture[]): Promise<void> => {
    // What had ended before a request stopped it is part of the recording.
    if (stopped !== undefined && stopping === undefined) {
      counts.dropped += captures.length
      return
    }
    if (onOwnUrl !== undefined) noteOwnUrl(captures)
    const exchanges = captures.map(redact)
    const areReady = (all: readonly (Recordable | Promise<Recordable>)[]): all is readonly Recordable[] =>
      !all.some((each) => each instanceof Promise)
    if (turn === undefined && areReady(exchanges)) await append(exchanges)
    else await appendInTurn(Promise.all(exchanges.map(async (each) => each)))
  }
  const onWritten = (count: number, heldBytes: number): void => {
    backlog.release(heldBytes)
    order.written(count)
  }
  const queue = createWriteQueue({ write, onWritten, onError: stop })
  const host: TapHost = {
    maxBodyBytes: limits?.maxBodyBytes,
    mark: () => order.mark(),
    ready: (mark) => order.ready(mark),
    openBody: (headers, onChunk) =>
      createBodySink({
        isChecked: contentKindOf(headerValue(headers, 'content-type')) !== 'binary',
        createBodyFile: () => files.createBodyFile(),
        maxBytes: limits?.maxBodyBytes,
        onError: stop,
        untilFree: () => backlog.wait(),
        onChunk,
        patienceMs,
        onGiveUp: drop,
        onWait: noteWait,
      }),
    store(work, heldBytes) {
      backlog.take(heldBytes)
      order.ended()
      queue.add(work, heldBytes)
    },
    forget: (removed) => host.store(() => removed.then(() => undefined), 0),
    hasCapacity: () => backlog.hasCapacity(),
    hold(bytes) {
      if (!backlog.hasCapacity()) return false
      backlog.take(bytes)
      return true
    },
    release: (bytes) => backlog.release(bytes),
  }
  let resuming: Promise<void> | undefined
  const resume = async (): Promise<void> => {
    await stopping
    if (stopped === undefined || isClosed) return
    await queue.flush()
    await files.close().catch(() => undefined)
    files = await openRecording(directory, limits, confirm)
    stopped = undefined
  }
  const begin = (head: ExchangeHead): Tap => {
    if (isClosed) return createIdleTap()
    if (stopped !== undefined) {
      counts.dropped++
      return createIdleTap()
    }
    if (backlog.isOverloaded()) {
      drop()
      return createIdleTap()
    }
    return createTap(host, inFlight, head)
  }
  const flush = async (): Promise<void> => {
    await queue.flush()
    await files.flush()
  }
  return {
    directory,
    begin,
    flush,
    counts: () => ({ backlogBytes: backlog.taken(), isStopped: stopped !== undefined, ...counts }),
    async stopped() {
      // What is written to a file that was removed is lost, and nothing fails.
      if (stopped === undefined && !isClosed && !(await files.isThere()))
        stop(new Error('its file was removed'))
      return stopped
    },
    async stop(why = 'requested') {
      if (isClosed || stopped?.why === why) return stopping
      const reason = REASONS[why]
      stopped = { reason, since: new Date(), why }
      // Others may change it while it is stopped.
      const end = async (): Promise<void> => {
        abandonAll()
        await flush()
        await files.close()
      }
      stopping = end().finally(() => (stopping = undefined))
      await stopping
    },
    resume: () => (resuming ??= resume().finally(() => (resuming = undefined))),
    async close() {
      isClosed = true
      abandonAll()
      await flush()
      await files.close()
    },
  }
}
