import { createBodySink } from './body-sink.ts'
import { createExchangeTexts, type Recordable } from './exchange-text.ts'
import { openRecording, type RecordingLimits } from '../files/recording-files.ts'
import { buildExchange, headerValue, type Capture, type ExchangeHead } from '../files/har.ts'
import { contentKindOf } from '../../media-type.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { RecordingUnusable } from '../../errors.ts'
import { createIdleTap, createTap, type Tap, type OpenTap, type TapHost, InFlight } from './tap.ts'
import { createBacklog, createWriteOrder, createWriteQueue } from './write-queue.ts'

/** Records exchanges to a directory. */
export interface Recorder {
  begin(head: ExchangeHead): Tap
  /** Resolves when all that completed is written, and all that was abandoned is removed. */
  flush(): Promise<void>
  /** What it did until now. */
  counts(): RecorderCounts
  /** Abandons what is under way, and resolves when the rest is written. */
  close(): Promise<void>
}

/** What a recorder did, and how it kept up. */
export interface RecorderCounts {
  /** Bytes of exchanges that wait to be written. */
  readonly backlogBytes: number
  /** Exchanges that were written. */
  readonly written: number
  /** Exchanges that were not recorded, since the disk did not keep up. */
  readonly dropped: number
  /** How often traffic had to wait for the recording. */
  readonly waits: number
  readonly waitedMs: number
}

/** Where and how to record, and who hears when it no longer works. */
export interface RecorderOptions {
  readonly directory: string
  readonly limits?: RecordingLimits | undefined
  /** Hides secrets; one with a key, so that equal ones are known as such. */
  readonly redactor: Redactor
  /** Called once, when recording stops. Traffic goes on: taps swallow what they get from then on. */
  readonly onError?: (error: Error) => void
  /** Called once, when the first exchange is dropped. */
  readonly onDrop?: () => void
  /**
   * Bytes that may wait to be written before the sources of new ones are slowed down; by default 16 MiB. Where twice
   * as many wait, exchanges that begin are not recorded.
   */
  readonly backlogBytes?: number
  /** How long a body may hold its source back in all before its exchange is given up; by default 2 seconds. */
  readonly patienceMs?: number
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

/**
 * Records what passes through its taps, without secrets.
 * @throws RecordingUnusable when the directory cannot be made or written
 */
export async function createRecorder(options: RecorderOptions): Promise<Recorder> {
  const { directory, redactor, limits, onError, onDrop, patienceMs = PATIENCE_MS } = options
  const files = await openRecording(directory, limits)
  const recordableOf = createExchangeTexts(redactor)
  const inFlight = new InFlight<OpenTap>()
  const backlog = createBacklog(options.backlogBytes ?? BACKLOG_BYTES)
  const counts = { written: 0, dropped: 0, waits: 0, waitedMs: 0 }
  const noteWait = (ms: number): void => {
    counts.waits++
    counts.waitedMs += ms
  }
  const order = createWriteOrder(patienceMs, noteWait)
  let hasFailed = false
  let isClosed = false

  const abandonAll = (reason: string): void => {
    for (const tap of inFlight.all()) tap.abandon(reason)
  }
  const stop = (cause: unknown): void => {
    if (hasFailed) return
    hasFailed = true
    const reason = cause instanceof Error ? cause.message : String(cause)
    abandonAll(reason)
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
    const written = await files.append(...exchanges)
    counts.written += written
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
  const write = async (captures: readonly Capture[]): Promise<void> => {
    if (hasFailed) return
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
    mark: () => order.mark(),
    ready: (mark) => order.ready(mark),
    openBody: (headers, onChunk) =>
      createBodySink({
        isChecked: contentKindOf(headerValue(headers, 'content-type')) !== 'binary',
        createBodyFile: () => files.createBodyFile(),
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
  const begin = (head: ExchangeHead): Tap => {
    if (hasFailed || isClosed) return createIdleTap()
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
    begin,
    flush,
    counts: () => ({ backlogBytes: backlog.taken(), ...counts }),
    async close() {
      isClosed = true
      abandonAll('the recorder closed')
      await flush()
      await files.close()
    },
  }
}
