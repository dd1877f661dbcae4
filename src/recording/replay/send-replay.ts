import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { endToEnd, pairsOf, type HeaderPair } from '../../http/headers.ts'
import type { Log } from '../../http/log.ts'
import { addTrailers, endBody, joinable, prepareHead, writeHead } from '../../http/response-writer.ts'
import type { Clock } from '../../state/clock.ts'
import type { Pace, ReplayAnswer } from './recorded-answer.ts'

// They describe the connection, and the moment.
const OWN = /^(content-length|date|trailer)$/i

/** What a recorded answer is written to. */
export interface ReplayTo {
  readonly method: string
  readonly response: ServerResponse
  /** Headers that are added where the answer has none of their name. */
  readonly added: readonly HeaderPair[]
  readonly clock: Clock
  readonly log: Log
}

/** Writes a recorded answer, headers in their order and as often as they were, and at its times if it has any. */
export async function sendReplay(to: ReplayTo, answer: ReplayAnswer): Promise<void> {
  const head = headOf(to, answer)
  if (answer.pace === undefined && Buffer.isBuffer(answer.body)) {
    try {
      sendWhole(to.response, answer, head, answer.body)
    } catch (error) {
      breakOff(to, error)
    }
  } else await sendStream(to, answer, head)
}

// There is nothing to wait for, and no leaving of the client to watch.
function sendWhole(response: ServerResponse, answer: ReplayAnswer, head: Head, body: Buffer): void {
  prepareHead(response, answer.status, answer.statusText, head.pairs.flat())
  addTrailers(response, head.trailers)
  if (!head.hasBody) response.end()
  else endBody(response, joinable(body))
}

async function sendStream(
  to: ReplayTo,
  { pace, status, statusText, body }: ReplayAnswer,
  { pairs, trailers, hasBody }: Head,
): Promise<void> {
  const { response, clock } = to
  const left = new AbortController()
  response.once('close', () => left.abort())
  if (hasLeft(response)) left.abort()
  const until = startPace(clock, left.signal)
  try {
    if (pace !== undefined) await until(pace.beganMs)
    writeHead(response, status, statusText, pairs.flat())
    addTrailers(response, trailers)
    if (!hasBody) response.end()
    else if (pace !== undefined && isStreamed(pace))
      await pipeline(
        Readable.from(paced(Buffer.isBuffer(body) ? [body] : body.open(), pace, until)),
        response,
      )
    else if (Buffer.isBuffer(body)) response.end(body)
    else await pipeline(body.open(), response)
  } catch (error) {
    if (left.signal.aborted) response.destroy()
    else breakOff(to, error)
  }
}

// What was recorded cannot be sent.
function breakOff({ response, log }: ReplayTo, error: unknown): void {
  log.error(`A replayed answer broke off: ${(error as Error).message}`)
  response.destroy()
}

// A response of HTTP/2 lacks the property; its stream has it.
function hasLeft(response: ServerResponse): boolean {
  const { stream } = response as { stream?: { readonly destroyed: boolean } }
  return stream === undefined ? response.destroyed : stream.destroyed
}

interface Head {
  readonly pairs: readonly HeaderPair[]
  readonly trailers: readonly HeaderPair[]
  readonly hasBody: boolean
}

function headOf({ method, added }: ReplayTo, answer: ReplayAnswer): Head {
  const kept = pairsOf(endToEnd(answer.headers.flat())).filter(([name]) => !OWN.test(name))
  const pairs = [...kept, ...added.filter(([name]) => !kept.some(([other]) => other.toLowerCase() === name))]
  const isHead = method === 'HEAD'
  const mayHaveBody = answer.status !== 204 && answer.status !== 304
  const hasBody = mayHaveBody && !isHead
  const trailers = hasBody ? answer.trailers : []
  const { body, pace } = answer
  const length = isHead ? recordedLength(answer) : String(Buffer.isBuffer(body) ? body.length : body.bytes)
  const isStream = hasBody && pace !== undefined && isStreamed(pace)
  if (trailers.length > 0) pairs.push(['trailer', trailers.map(([name]) => name).join(', ')])
  else if (mayHaveBody && !isStream && length !== undefined) pairs.push(['content-length', length])
  return { pairs, trailers, hasBody }
}

function isStreamed({ chunks, isEndless }: Pace): boolean {
  return chunks.length > 0 || isEndless
}

function recordedLength({ headers }: ReplayAnswer): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
}

/** Waits until so many milliseconds have gone by since a replay began. */
type Until = (ms: number) => Promise<void>

/** Counts time by a session's clock from now on; waits end with an error when the signal aborts. */
export function startPace(clock: Clock, signal: AbortSignal): Until {
  const start = clock.now()
  return async (ms) => {
    const left = start + ms - clock.now()
    if (left > 0) await clock.sleep(left, signal)
  }
}

/**
 * The bytes of a body in the recorded pieces, each not before its time; what is left over comes with the last. Where
 * the end is not known, it never comes.
 */
export async function* paced(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  { chunks, isEndless }: Pace,
  until: Until,
): AsyncGenerator<Buffer> {
  let next = 0
  let left = 0
  for await (const block of source) {
    for (let rest = block; rest.length > 0;) {
      const chunk = left === 0 ? chunks[next++] : undefined
      if (chunk !== undefined) await until(chunk.timeMs)
      if (left === 0) left = chunk === undefined || next === chunks.length ? Infinity : chunk.bytes
      const piece = rest.subarray(0, Math.min(left, rest.length))
      yield piece
      left -= piece.length
      rest = rest.subarray(piece.length)
    }
  }
  if (isEndless) await until(Infinity)
}
