import { BodyNotKept } from '../../errors.ts'
import { codingsOf, type HeaderPair } from '../../http/headers.ts'
import { CHECKSUM } from '../../http/rewrite-body.ts'
import { contentKindOf } from '../../media-type.ts'
import type { BodyChunk, Content, Exchange, NameValue, WebSocketMessage } from '../exchange.ts'
import { openBody, type StoredBody } from '../files/read-body.ts'
import type { Conversation, SocketMessage, Talk } from './conversation.ts'
import type { Replays } from '../../state/replays.ts'
import type { ReplayOptions } from './replay-options.ts'

/** A recorded answer. */
export interface ReplayAnswer {
  readonly kind: 'answer'
  /** The server that gave it, such as `https://api.example.com`; `''` where that is not known. */
  readonly origin: string
  /** `UNANSWERED` where none had come when the client left: it is to wait. */
  readonly status: number
  readonly statusText: string
  /** As the upstream gave them, without the hop-by-hop ones and those that describe a content coding taken off. */
  readonly headers: readonly HeaderPair[]
  /** Its bytes; where there are many, a way to stream them. */
  readonly body: Buffer | StoredBody
  readonly trailers: readonly HeaderPair[]
  /** When it came; absent where it is to be given at once. */
  readonly pace?: Pace | undefined
  /** How the client goes on after an upgrade, where that is not as `conversation` says. */
  readonly talk?: Talk
  /** Notes that a session was given it, once it begins; absent where that is noted already. */
  readonly given?: ((session: Replays) => void) | undefined
  /** What was said after an upgrade to WebSocket; absent for all other answers, and where it was not recorded. */
  readonly conversation?: Conversation | undefined
}

/** The times of a recorded answer, in milliseconds since it was requested. */
export interface Pace {
  readonly beganMs: number
  /** Whether it may begin earlier. */
  readonly isDue?: () => boolean
  /** The pieces its body came in; none where they are not known. */
  readonly chunks: readonly {
    readonly timeMs: number
    readonly bytes: number
    /** That it answers a request: then it comes so many milliseconds after that, if that comes. */
    readonly cause?: { readonly isDue: () => boolean; readonly afterMs: number } | undefined
  }[]
  /** A piece as the session is to get it, by what it has sent until then. */
  readonly own?: ((piece: Buffer) => Buffer) | undefined
  /** Whether the client had left before the end, so that nobody knows when that would have come. */
  readonly isEndless: boolean
}

const MAX_BYTES = 1024 * 1024
const CODING = /^content-encoding$/i

/**
 * The answer of a recorded exchange.
 * @throws BodyNotKept when its body was left out, RecordingUnusable when its file is not there
 */
export async function recordedAnswer(
  directory: string,
  exchange: Exchange,
  options: ReplayOptions,
): Promise<ReplayAnswer> {
  const { request, response } = exchange
  const { status, statusText, content, _trailers: trailers = [] } = response
  if (content._omitted !== undefined) throw new BodyNotKept(request.method, request.url, content._omitted)
  return {
    kind: 'answer',
    origin: originOf(request.url),
    status,
    statusText,
    headers: headersOf(exchange),
    body: await openBody(directory, content, MAX_BYTES),
    trailers: trailers.map(toPair),
    pace: isPaced(response, options) ? paceOf(exchange, options.speed) : undefined,
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

// Bodies are sent as they are stored: those whose coding was taken off have none, and checksums are of what was sent.
function headersOf({ request, response: { status, headers, content } }: Exchange): HeaderPair[] {
  const pairs = headers.map(toPair)
  const isCoded = codingsOf(pairs).length > 0
  if (request.method === 'HEAD' || status === 304)
    return isCoded ? pairs.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) : pairs
  if (content._decoded === undefined && content._redacted === undefined) return pairs
  return pairs.filter(([name]) => !CODING.test(name) && !CHECKSUM.test(name))
}

function isPaced(
  { content, status, _aborted: isCut }: Exchange['response'],
  { timing = 'streams' }: ReplayOptions,
): boolean {
  const isStream = status === 101 || isCut === true || contentKindOf(content.mimeType) === 'events'
  return timing === 'original' || (timing === 'streams' && isStream)
}

/** How much longer than in the recording something is waited for: users take their time. */
export const LONGER_MS = 10_000

/** An answer that is held until it is due, but no longer than in the recording, or not much longer for a long poll. */
export function held(
  answer: ReplayAnswer,
  exchange: Exchange,
  isDue: () => boolean,
  isPoll: boolean,
  speed = 1,
): ReplayAnswer {
  const beganMs = msOf(exchange.timings.wait) / speed + (isPoll ? LONGER_MS : 0)
  return { ...answer, pace: { beganMs, isDue, chunks: [], isEndless: false } }
}

function paceOf({ timings, response }: Exchange, speed = 1): Pace {
  return {
    beganMs: msOf(timings.wait) / speed,
    isEndless: response._aborted === true,
    chunks: chunksOf(response.content).map(({ time, bytes }) => ({ timeMs: time / speed, bytes })),
  }
}

// What other programs wrote may be of any form.
function chunksOf({ _chunks: chunks }: Content): readonly BodyChunk[] {
  const isChunk = (value: Partial<BodyChunk> | null): boolean =>
    Number.isFinite(value?.time) && Number.isSafeInteger(value?.bytes) && Number(value?.bytes) > 0
  return Array.isArray(chunks) ? (chunks as readonly BodyChunk[]).filter(isChunk) : []
}

/** What was said on a recorded WebSocket; `undefined` where that was not recorded. */
export function messagesOf(exchange: Exchange, options: ReplayOptions): readonly SocketMessage[] | undefined {
  const { timing = 'streams', speed = 1 } = options
  let before = new Date(exchange.startedDateTime).getTime() / 1000 + msOf(exchange.timings.wait) / 1000
  const since = (time: number): number => {
    const afterMs = timing === 'none' ? 0 : msOf((time - before) * 1000) / speed
    before = time
    return afterMs
  }
  const messages = exchange._webSocketMessages
    ?.filter(isMessage)
    .map(({ type, time, opcode, data }): SocketMessage => ({
      isFromClient: type === 'send',
      data: Buffer.from(data, opcode === 2 ? 'base64' : 'utf8'),
      isBinary: opcode === 2,
      afterMs: since(time),
    }))
  const close = exchange._webSocketClose
  if (close?.type === 'receive')
    messages?.push({
      ...{ isFromClient: false, isBinary: false, closeCode: close.code },
      data: Buffer.from(close.reason),
      afterMs: since(close.time),
    })
  return messages
}

function isMessage({ time, data }: Partial<WebSocketMessage>): boolean {
  return Number.isFinite(time) && typeof data === 'string'
}

// Other programs write -1, or nothing, for what they do not know.
function msOf(ms: number | undefined): number {
  return ms !== undefined && ms > 0 ? ms : 0
}

// On the wire, what others have read as UTF-8 is its bytes.
function toPair({ name, value }: NameValue): HeaderPair {
  return [name, /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value]
}
