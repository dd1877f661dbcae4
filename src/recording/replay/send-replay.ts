import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { endToEnd, pairsOf, type HeaderPair } from '../../http/headers.ts'
import { addTrailers, endBody, joinable, prepareHead, writeHead } from '../../http/response-writer.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../state/clock.ts'
import { paced, startPace } from './pace.ts'
import type { Pace, ReplayAnswer } from './replayer.ts'

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
  const length = isHead ? lengthOf(answer.headers) : String(lengthOfBody(answer))
  const isStream = hasBody && answer.pace !== undefined && isStreamed(answer.pace)
  if (trailers.length > 0) pairs.push(['trailer', trailers.map(([name]) => name).join(', ')])
  else if (mayHaveBody && !isStream && length !== undefined) pairs.push(['content-length', length])
  return { pairs, trailers, hasBody }
}

function isStreamed({ chunks, isEndless }: Pace): boolean {
  return chunks.length > 0 || isEndless
}

function lengthOfBody({ body }: ReplayAnswer): number {
  return Buffer.isBuffer(body) ? body.length : body.bytes
}

function lengthOf(headers: readonly HeaderPair[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
}
