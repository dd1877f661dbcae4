import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientUrls } from '../../http/client-urls.ts'
import { endToEnd, pairsOf, type FlatHeaders, type HeaderPair } from '../../http/headers.ts'
import type { Log } from '../../http/log.ts'
import { rewriteBody, rewriteWhole } from '../../http/rewrite-body.ts'
import { addTrailers, endBody, joinable, prepareHead, writeHead } from '../../http/response-writer.ts'
import type { Clock } from '../../state/clock.ts'
import { LONGER_MS, type Pace, type ReplayAnswer } from './recorded-answer.ts'

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
  /** Called when the answer begins. */
  readonly begins?: (() => Promise<void>) | undefined
  /** The recorded server's URLs as the client knows them; absent where they are the same. */
  readonly urls?: ClientUrls | undefined
  /** Whether the body gets these, too. */
  readonly rewriteBodies?: boolean
}

/** An answer as a client of the gateway gets it. */
interface SeenAnswer extends ReplayAnswer {
  /** Has its body rewritten on the way to the response. */
  readonly rewritten?: ((response: Writable) => Writable) | undefined
}

/** Writes a recorded answer, headers in their order and as often as they were, and at its times if it has any. */
export async function sendReplay(to: ReplayTo, recorded: ReplayAnswer): Promise<void> {
  const answer = seenBy(to, recorded)
  const head = headOf(to, answer)
  if (answer.pace === undefined && Buffer.isBuffer(answer.body)) {
    try {
      sendWhole(to.response, answer, head, answer.body)
    } catch (error) {
      breakOff(to, error)
    }
  } else await sendStream(to, answer, head)
}

function seenBy({ urls, rewriteBodies = false, response }: ReplayTo, answer: ReplayAnswer): SeenAnswer {
  if (urls === undefined) return answer
  const { status, body } = answer
  const described = { status, headers: answer.headers.flat() }
  const headersOf = (flat: FlatHeaders): HeaderPair[] => pairsOf(urls.response(flat))
  const unchanged = { ...answer, headers: headersOf(described.headers) }
  if (!rewriteBodies) return unchanged
  // Of one that is there as a whole it is known whether there is anything in it to rewrite.
  if (Buffer.isBuffer(body) && status !== 304) {
    const whole = rewriteWhole({ ...described, body }, urls.map)
    if (whole.body === body) return unchanged
    const headers = headersOf([...whole.headers, 'content-length', String(whole.body.length)])
    if (answer.pace === undefined) return { ...answer, headers, body: whole.body }
  }
  const rewritten = rewriteBody(described, response.req, urls.map)
  if (rewritten === undefined) return unchanged
  return { ...answer, headers: headersOf(rewritten.headers), rewritten: rewritten.open }
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
  { pace, status, statusText, body, rewritten }: SeenAnswer,
  { pairs, trailers, hasBody }: Head,
): Promise<void> {
  const { response, clock } = to
  const left = new AbortController()
  response.once('close', () => left.abort())
  if (hasLeft(response)) left.abort()
  const until = startPace(clock, left.signal)
  try {
    if (pace !== undefined) await until(pace.beganMs, pace.isDue)
    await to.begins?.()
    writeHead(response, status, statusText, pairs.flat())
    addTrailers(response, trailers)
    if (!hasBody) return void response.end()
    const bytes = Buffer.isBuffer(body) ? [body] : body.open()
    const isPaced = pace !== undefined && isStreamed(pace)
    await pipeline(isPaced ? paced(bytes, pace, until) : bytes, rewritten?.(response) ?? response)
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

function headOf({ method, added }: ReplayTo, answer: SeenAnswer): Head {
  const kept = pairsOf(endToEnd(answer.headers.flat())).filter(([name]) => !OWN.test(name))
  const pairs = [...kept, ...added.filter(([name]) => !kept.some(([other]) => other.toLowerCase() === name))]
  const isHead = method === 'HEAD'
  const mayHaveBody = answer.status !== 204 && answer.status !== 304
  const hasBody = mayHaveBody && !isHead
  const trailers = hasBody ? answer.trailers : []
  const { body, pace } = answer
  const length = isHead ? recordedLength(answer) : String(Buffer.isBuffer(body) ? body.length : body.bytes)
  const isStream = answer.rewritten !== undefined || (hasBody && pace !== undefined && isStreamed(pace))
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

/** Waits until so many milliseconds have gone by since a replay began, or since something is due. */
type Until = (ms: number, isDue?: () => boolean, afterMs?: number) => Promise<void>

/** How often is looked whether something is due. */
const LOOK_MS = 10

/** Counts time by a session's clock from now on; waits end with an error when the signal aborts. */
export function startPace(clock: Clock, signal: AbortSignal): Until {
  const start = clock.now()
  return async (ms, isDue, afterMs = 0) => {
    let [end, isOpen] = [start + ms, isDue !== undefined]
    for (;;) {
      const now = clock.now()
      if (isOpen && isDue?.() === true) {
        end = Math.min(end, now + afterMs)
        isOpen = false
      }
      const left = end - now
      if (left <= 0) return
      await clock.sleep(isOpen ? Math.min(left, LOOK_MS) : left, signal)
    }
  }
}

/**
 * The bytes of a body in the recorded pieces, each not before its time; what is left over comes with the last. Where
 * the end is not known, it never comes.
 */
export async function* paced(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  { chunks, isEndless, own = (piece) => piece }: Pace,
  until: Until,
): AsyncGenerator<Buffer> {
  let next = 0
  let left = 0
  for await (const block of source) {
    for (let rest = block; rest.length > 0;) {
      const chunk = left === 0 ? chunks[next++] : undefined
      if (chunk?.cause !== undefined)
        await until(chunk.timeMs + LONGER_MS, chunk.cause.isDue, chunk.cause.afterMs)
      else if (chunk !== undefined) await until(chunk.timeMs)
      if (left === 0) left = chunk === undefined || next === chunks.length ? Infinity : chunk.bytes
      const piece = rest.subarray(0, Math.min(left, rest.length))
      yield own(piece)
      left -= piece.length
      rest = rest.subarray(piece.length)
    }
  }
  if (isEndless) await until(Infinity)
}
