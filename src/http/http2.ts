import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, Http2Session, ServerHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Http2Connect } from './http2-connect.ts'
import { lazy } from '../engine/lazy.ts'
import { entryOf } from '../grouping.ts'

const MAX_STREAMS = 256
/** Streams that never end are cut when a closing gateway has waited this long. */
const DRAIN_MS = 10_000
/** How long a connection without requests stays, as those of HTTP/1.1 do. */
const IDLE_MS = 72_000

/** Speaks HTTP/2 on connections that come from elsewhere. */
export interface Http2 {
  accept(socket: Duplex): void
  /** Lets clients begin no more requests on the connections that are there. */
  retire(): void
  /** Lets the requests under way finish within ten seconds, and no others begin. */
  close(): void
}

/** How many requests begin at each turn of the event loop. */
const MAX_BEGUN = 16

type Begin = (request: Http2ServerRequest, response: Http2ServerResponse) => void
type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * @param answer gets each request, in the form that Node gives those of HTTP/1.1
 * @param connect gets each CONNECT
 * @param headerTimeoutMs how long the head of a connection's first request may take
 */
export function createHttp2(answer: Answer, headerTimeoutMs: number, connect?: Http2Connect): Http2 {
  const sessions = new Set<ServerHttp2Session>()
  const settings = { maxConcurrentStreams: MAX_STREAMS, enableConnectProtocol: connect !== undefined }
  // Most gateways never see a connection of it, so its code is loaded with the first.
  const server = lazy(() => {
    const { createServer } = createRequire(import.meta.url)('node:http2') as typeof import('node:http2')
    const begin: Begin = (request, response) =>
      answer(request as unknown as IncomingMessage, response as unknown as ServerResponse)
    const inTurns = createTurns()
    const made = createServer({ settings }, inTurns(begin))
    made.on(
      'checkContinue',
      inTurns((request, response) => {
        response.writeContinue()
        begin(request, response)
      }),
    )
    made.on('checkExpectation', inTurns(begin))
    if (connect !== undefined) made.on('connect' as 'request', inTurns(connect))
    made.on('session', (session) => {
      sessions.add(session)
      session.once('close', () => sessions.delete(session))
      session.on('error', () => session.destroy())
      const streams = limitWaiting(session, headerTimeoutMs)
      endWhenGone(session, streams, headerTimeoutMs)
      closeGently(session, streams)
    })
    return made
  })
  const retire = (): void => sessions.forEach((session) => session.close())
  return {
    accept(socket) {
      // HTTP/2 would not notice that a client has gone.
      if (socket instanceof Socket) socket.allowHalfOpen = false
      server().emit('connection', socket)
    },
    retire,
    close() {
      retire()
      setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, DRAIN_MS).unref()
    },
  }
}

/**
 * Has requests begin when all that was read with them has been read, a few at each turn of the event loop, each connection
 * in its turn: however many come, other clients have theirs in between. One that was reset by then never begins.
 */
function createTurns(): (begin: Begin) => Begin {
  const waiting = new Map<Http2Session, (() => boolean)[]>()
  const go = (): void => {
    let begun = 0
    for (const [session, requests] of waiting) {
      if (begun >= MAX_BEGUN) break
      if (requests.shift()?.() === true) begun++
      waiting.delete(session)
      // What is set anew comes last.
      if (requests.length > 0) waiting.set(session, requests)
    }
    if (waiting.size > 0) setImmediate(go)
  }
  return (begin) => (request, response) => {
    const { session } = request.stream
    if (session === undefined) return
    if (waiting.size === 0) setImmediate(go)
    entryOf(waiting, session, () => []).push(() => {
      if (request.stream.destroyed || request.stream.closed) return false
      begin(request, response)
      return true
    })
  }
}

// A head that does not end looks like silence: no stream is there yet.
function limitWaiting(session: ServerHttp2Session, headerTimeoutMs: number): () => number {
  let streams = 0
  const first = setTimeout(() => session.destroy(), headerTimeoutMs)
  session.once('close', () => clearTimeout(first))
  session.setTimeout(IDLE_MS, () => {
    if (streams === 0) session.close()
  })
  session.on('stream', (stream) => {
    clearTimeout(first)
    streams++
    stream.once('close', () => streams--)
  })
  return () => streams
}

/**
 * Has a session close in another way than Node's, which a client's GOAWAY calls too: a request that comes before the
 * GOAWAY in return is sent would be refused there from within the parser of frames, which then reads a stream that is
 * freed (Node 20), and the process may end. Here it is answered, and the session ends after its last stream.
 */
function closeGently(session: ServerHttp2Session, streams: () => number): void {
  let isEnding = false
  const end = (): void => {
    if (isEnding && streams() === 0) session.destroy()
  }
  session.close = () => {
    if (isEnding) return
    isEnding = true
    // When the parser has handed out all that it has read.
    setImmediate(() => {
      if (!session.destroyed) session.goaway()
      end()
    })
  }
  session.on('stream', (stream) => stream.once('close', end))
}

/**
 * Pings a client that has streams, and ends its connection when the last ping has no answer. Nothing is read or written
 * any more after a connection error (RFC 9113, section 5.4.1), and nothing says so.
 */
function endWhenGone(session: ServerHttp2Session, streams: () => number, everyMs: number): void {
  let isAwaited = false
  const timer = setInterval(() => {
    if (isAwaited) session.destroy()
    else if (streams() > 0) {
      isAwaited = true
      session.ping((error) => (isAwaited = error !== null))
    }
  }, everyMs).unref()
  session.once('close', () => clearInterval(timer))
}
