import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { Dispatcher } from 'undici'
import {
  RequestMalformed,
  SimError,
  UpstreamTimeout,
  UpstreamUnreachable,
  UpstreamUntrusted,
} from '../../sim-error.ts'
import { endToEnd, pairsOf, type HeaderPair } from '../headers.ts'
import type { ExchangeTap } from '../exchange-tap.ts'

/** What becomes of an answer, and who is to know. */
export interface Outcome {
  readonly tap: ExchangeTap | undefined
  /** Called when the upstream's answer begins; returns headers to add to it. */
  readonly begin: () => readonly HeaderPair[]
  /** What is done to the headers of the answer. */
  readonly change: (pairs: HeaderPair[]) => HeaderPair[]
  readonly origin: string
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Writes the upstream's answer to the client as it arrives. */
export function answerTo(response: ServerResponse, outcome: Outcome): Dispatcher.DispatchHandler {
  const { tap, begin, change, origin, resolve, reject } = outcome
  let recorded: Writable | undefined
  let left = false
  let hasFailed = false
  // What the answer waits for before it begins. Pausing does not hold back the end of one without a body.
  let starting: Promise<void> | undefined

  const onceStarted = (act: () => void): void => {
    if (starting === undefined) return act()
    void starting.then(() => (hasFailed ? undefined : act()))
    return undefined
  }
  const slowDown = (controller: Dispatcher.DispatchController, slow: Writable): void => {
    controller.pause()
    slow.once('drain', () => {
      if (!needsDrain(response) && recorded?.writableNeedDrain !== true) controller.resume()
    })
  }
  return {
    onRequestStart(controller) {
      response.once('close', () => {
        // A stream of HTTP/2 that was reset says that it has finished, but not that it was ended.
        left = !response.writableFinished || !response.writableEnded
        if (left) controller.abort(new Error('the client left'))
      })
    },
    onResponseStart(controller, status, _headers, statusText = '') {
      const pairs = endToEnd(pairsOf(controller.rawHeaders as Buffer[]))
      if (status < 200) return writeInformation(response, status, pairs)
      recorded = tap?.respond({ status, statusText, httpVersion: 'HTTP/1.1', headers: pairs })
      const start = (): void => {
        const changed = change(pairs)
        const added = begin().filter(([name]) => !changed.some(([other]) => other.toLowerCase() === name))
        writeHead(response, status, statusText, [...changed, ...added])
      }
      const ready = tap?.ready()
      if (ready === undefined) return start()
      controller.pause()
      const startLate = (): void => {
        starting = undefined
        if (left || hasFailed) return
        start()
        controller.resume()
      }
      starting = ready.then(startLate)
      return undefined
    },
    onResponseData(controller, chunk) {
      onceStarted(() => {
        if (!response.write(chunk)) slowDown(controller, response)
        if (recorded?.write(chunk) === false) slowDown(controller, recorded)
      })
    },
    onResponseEnd(controller) {
      onceStarted(() => {
        const trailers = trailersOf(controller.rawTrailers)
        addTrailers(response, trailers)
        response.end()
        recorded?.end()
        tap?.complete(trailers)
        resolve()
      })
    },
    onResponseError(_controller, error) {
      hasFailed = true
      tap?.abandon(error.message)
      if (!left && !response.headersSent) return reject(namedError(origin, error))
      response.destroy()
      resolve()
    },
  }
}

/** The head goes out at once, even while the body is silent; flushHeaders would write it as UTF-8. */
export function writeHead(
  response: ServerResponse,
  status: number,
  text: string,
  pairs: readonly HeaderPair[],
): void {
  if (isHttp2(response)) {
    response.writeHead(status, pairs.flat())
    return
  }
  response.writeHead(status, text, pairs.flat())
  response.write('', 'latin1')
}

/** The fields that come after the body. */
export function addTrailers(response: ServerResponse, trailers: readonly HeaderPair[]): void {
  if (trailers.length === 0) return
  response.addTrailers(isHttp2(response) ? Object.fromEntries(trailers) : [...trailers])
}

// HTTP/2 has trailers as an object, HTTP/1.1 as a flat list.
function trailersOf(trailers: unknown): HeaderPair[] {
  if (Array.isArray(trailers)) return pairsOf(trailers as Buffer[])
  return Object.entries((trailers ?? {}) as Record<string, string | string[]>).map(([name, value]) => [
    name,
    String(value),
  ])
}

function writeInformation(response: ServerResponse, status: number, pairs: readonly HeaderPair[]): void {
  if (status === 102 && !isHttp2(response)) response.writeProcessing()
  if (status === 103) {
    response.writeEarlyHints(Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])))
  }
}

function isHttp2(response: ServerResponse): boolean {
  return 'stream' in response
}

// The response of HTTP/2 lacks the property; its stream has it.
function needsDrain(response: ServerResponse): boolean {
  const { stream } = response as { stream?: Writable }
  return stream === undefined ? response.writableNeedDrain : stream.writableNeedDrain
}

/** An error of the connection to an upstream, by the name the client and the log get to see. */
export function namedError(origin: string, error: Error): Error {
  if (SimError.is(error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_INVALID_ARG') return new RequestMalformed(error.message, { cause: error })
  if (/CERT|ERR_TLS|^ERR_SSL|UNABLE_TO_VERIFY/.test(code)) return new UpstreamUntrusted(origin, error)
  const late = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT'
  return late ? new UpstreamTimeout(origin, error) : new UpstreamUnreachable(origin, error)
}
