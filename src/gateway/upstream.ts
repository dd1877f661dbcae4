import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { OptionInvalid, UpstreamTimeout, UpstreamUnreachable } from '../sim-error.ts'
import { endToEnd, pairsOf, type HeaderPair } from './headers.ts'
import type { ExchangeTap, Recorder } from './recorder.ts'

/** A server that requests are forwarded to. */
export interface Upstream {
  readonly origin: string
  /** Streams a request to the upstream and its answer back; resolves when both have ended. */
  forward(exchange: Forwarding): Promise<void>
  close(): Promise<void>
}

/** One request on its way. */
export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Path and query to ask for, as the client wrote them. */
  readonly url: string
  readonly recorder?: Recorder | undefined
  /** Called when the upstream's answer begins; returns headers to add to it. */
  readonly begin: () => readonly HeaderPair[]
}

const HEADERS_TIMEOUT_MS = 60_000

/**
 * An upstream by its base URL, over pooled keep-alive connections.
 * Bodies stream in both directions: the slower side sets the pace, and nothing is held back.
 * @throws OptionInvalid when the URL is not an absolute http or https URL
 */
export function createUpstream(baseUrl: string, headersTimeoutMs = HEADERS_TIMEOUT_MS): Upstream {
  const { origin, pathname } = readBaseUrl(baseUrl)
  const basePath = pathname.replace(/\/$/, '')
  // No time limit on bodies: an event stream may be silent for hours.
  const agent = new Agent({ headersTimeout: headersTimeoutMs, bodyTimeout: 0 })

  return {
    origin,
    close: () => agent.close(),
    forward: ({ request, response, url, recorder, begin }) =>
      new Promise<void>((resolve, reject) => {
        const path = `${basePath}${url}`
        const headers = endToEnd(pairsOf(request.rawHeaders))
        const tap = recorder?.begin({
          method: request.method ?? 'GET',
          url: `${origin}${path}`,
          httpVersion: `HTTP/${request.httpVersion}`,
          headers,
        })
        const options: Dispatcher.DispatchOptions = {
          origin,
          path,
          method: request.method ?? 'GET',
          headers: requestHeaders(request, headers),
          body: bodyOf(request, tap),
        }
        agent.dispatch(options, answerTo(response, { tap, begin, origin, resolve, reject }))
      }),
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionInvalid(`The upstream must be a URL such as http://127.0.0.1:3000, not '${text}'`)
  }
  return url
}

function requestHeaders(request: IncomingMessage, pairs: readonly HeaderPair[]): string[] {
  // The upstream's own name goes into Host, and Expect was answered by this server (RFC 9110, section 10.1.1).
  const kept = pairs.filter(([name]) => !/^(host|expect)$/i.test(name))
  const trailers = /\btrailers\b/i.test(String(request.headers['te'])) ? ['te', 'trailers'] : []
  return [...kept.flat(), ...trailers]
}

// The dispatch destroys a body it no longer wants, and with the request itself would go the client's connection.
// So it gets a stream of its own, through which a recording gets its copy; the slowest reader sets the pace.
function bodyOf(request: IncomingMessage, tap: ExchangeTap | undefined): Readable | null {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && (length === undefined || length === '0')) return null
  const copy = tap?.requestBody
  const body = new PassThrough({
    transform(chunk, _encoding, done) {
      if (copy === undefined || copy.write(chunk)) done(null, chunk)
      else copy.once('drain', () => done(null, chunk))
    },
  })
  request.once('close', () => {
    if (!request.complete) body.destroy(new Error('the client left'))
  })
  // What the upstream leaves unread is read and dropped, so that the client can finish and hear the answer.
  body.once('close', () => request.unpipe(body).resume())
  return request.pipe(body)
}

interface Outcome {
  readonly tap: ExchangeTap | undefined
  readonly begin: () => readonly HeaderPair[]
  readonly origin: string
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Writes the upstream's answer to the client as it arrives. */
function answerTo(response: ServerResponse, outcome: Outcome): Dispatcher.DispatchHandler {
  const { tap, begin, origin, resolve, reject } = outcome
  let recorded: Writable | undefined
  let left = false

  const slowDown = (controller: Dispatcher.DispatchController, slow: Writable): void => {
    controller.pause()
    slow.once('drain', () => {
      if (!response.writableNeedDrain && recorded?.writableNeedDrain !== true) controller.resume()
    })
  }
  return {
    onRequestStart(controller) {
      response.once('close', () => {
        left = !response.writableFinished
        if (left) controller.abort(new Error('the client left'))
      })
    },
    onResponseStart(controller, status, _headers, statusText = '') {
      const pairs = endToEnd(pairsOf(controller.rawHeaders as Buffer[]))
      if (status < 200) return writeInformation(response, status, pairs)
      recorded = tap?.respond({ status, statusText, httpVersion: 'HTTP/1.1', headers: pairs })
      const added = begin().filter(([name]) => !pairs.some(([other]) => other.toLowerCase() === name))
      response.writeHead(status, statusText, [...pairs, ...added].flat())
      // The head goes out at once, even while the body is silent; flushHeaders would write it as UTF-8.
      response.write('', 'latin1')
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) slowDown(controller, response)
      if (recorded?.write(chunk) === false) slowDown(controller, recorded)
    },
    onResponseEnd(controller) {
      const trailers = pairsOf((controller.rawTrailers ?? []) as Buffer[])
      if (trailers.length > 0) response.addTrailers([...trailers])
      response.end()
      recorded?.end()
      tap?.complete(trailers)
      resolve()
    },
    onResponseError(_controller, error) {
      tap?.abandon(error.message)
      if (!left && !response.headersSent) return reject(namedError(origin, error))
      response.destroy()
      resolve()
    },
  }
}

function writeInformation(response: ServerResponse, status: number, pairs: readonly HeaderPair[]): void {
  if (status === 102) response.writeProcessing()
  if (status === 103) {
    response.writeEarlyHints(Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])))
  }
}

function namedError(origin: string, error: Error): Error {
  const code = (error as NodeJS.ErrnoException).code
  const late = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT'
  return late ? new UpstreamTimeout(origin, error) : new UpstreamUnreachable(origin, error)
}
