import type { Content, Exchange, NameValue } from '../exchange.ts'
import { openBody } from '../files/recording-files.ts'
import { contentKindOf } from '../../media-type.ts'
import { RecordingUnusable } from '../../errors.ts'
import type { HeaderPair } from '../../http/headers.ts'
import type { Pace, ReplayAnswer, SocketMessage } from './replayer.ts'
import type { ReplayOptions } from './replay-options.ts'

const MAX_BYTES = 1024 * 1024
const CODING = /^content-encoding$/i
// They are of the bytes before the coding was taken off.
const OF_CODED = /^(content-encoding|content-md5|digest|content-digest|repr-digest)$/i

/**
 * The answer of a recorded exchange.
 * @throws RecordingUnusable when its body was left out or is not there
 */
export async function recordedAnswer(
  directory: string,
  exchange: Exchange,
  options: ReplayOptions,
): Promise<ReplayAnswer> {
  const { request, response } = exchange
  const { status, statusText, content, _trailers: trailers = [] } = response
  if (content._omitted !== undefined)
    throw new RecordingUnusable(
      `The answer to ${request.method} ${request.url} was recorded without its body, which is ${content._omitted}`,
    )
  return {
    kind: 'answer',
    status,
    statusText,
    headers: headersOf(exchange),
    body: await openBody(directory, content, MAX_BYTES),
    trailers: trailers.map(toPair),
    pace: isPaced(content, status, options) ? paceOf(exchange, options.speed) : undefined,
    ...(status === 101 && { messages: messagesOf(exchange, options) }),
  }
}

// Bodies are sent as they are stored: those whose coding was taken off have none.
function headersOf({ request, response: { status, headers, content } }: Exchange): HeaderPair[] {
  const pairs = headers.map(toPair)
  const isCoded = pairs.some(([name, value]) => CODING.test(name) && value.toLowerCase() !== 'identity')
  if (request.method === 'HEAD' || status === 304)
    return isCoded ? pairs.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) : pairs
  return content._decoded === undefined ? pairs : pairs.filter(([name]) => !OF_CODED.test(name))
}

function isPaced({ mimeType }: Content, status: number, { timing = 'streams' }: ReplayOptions): boolean {
  return (
    timing === 'original' ||
    (timing === 'streams' && (status === 101 || contentKindOf(mimeType) === 'events'))
  )
}

function paceOf({ timings, response }: Exchange, speed = 1): Pace {
  return {
    beganMs: msOf(timings.wait) / speed,
    isEndless: (response as { _aborted?: unknown })._aborted === true,
    chunks: chunksOf(response.content).map(({ time, bytes }) => ({ timeMs: time / speed, bytes })),
  }
}

interface Chunk {
  readonly time: number
  readonly bytes: number
}

function chunksOf(content: Content): readonly Chunk[] {
  const { _chunks: chunks } = content as { _chunks?: unknown }
  const isChunk = (value: Partial<Chunk> | null): boolean =>
    Number.isFinite(value?.time) && Number.isSafeInteger(value?.bytes) && Number(value?.bytes) > 0
  return Array.isArray(chunks) ? (chunks as Chunk[]).filter(isChunk) : []
}

interface Message {
  readonly type: string
  readonly time: number
  readonly opcode: number
  readonly data: string
}

// In Chrome's form.
function messagesOf(exchange: Exchange, options: ReplayOptions): readonly SocketMessage[] | undefined {
  const { _webSocketMessages: messages } = exchange as { _webSocketMessages?: readonly Message[] }
  const { timing = 'streams', speed = 1 } = options
  let before = new Date(exchange.startedDateTime).getTime() / 1000 + msOf(exchange.timings.wait) / 1000
  return messages?.filter(isMessage).map(({ type, time, opcode, data }) => {
    const afterMs = timing === 'none' ? 0 : msOf((time - before) * 1000) / speed
    before = time
    return {
      isFromClient: type === 'send',
      data: Buffer.from(data, opcode === 2 ? 'base64' : 'utf8'),
      isBinary: opcode === 2,
      afterMs,
    }
  })
}

function isMessage({ time, data }: Partial<Message>): boolean {
  return Number.isFinite(time) && typeof data === 'string'
}

// Other programs write -1, or nothing, for what they do not know.
function msOf(ms: number | undefined): number {
  return ms !== undefined && ms > 0 ? ms : 0
}

function toPair({ name, value }: NameValue): HeaderPair {
  return [name, value]
}
