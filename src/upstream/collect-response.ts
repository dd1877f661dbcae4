import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { endToEnd, pairsOf, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import { addChunk } from '../message.ts'
import { namedError } from './named-error.ts'
import { sentHeaders } from './sent-request.ts'
import { hostIn } from './targets/header-changes.ts'
import type { Target } from './targets/targets.ts'

/** A request whose response is read as a whole. */
export interface Collecting {
  readonly request: IncomingMessage
  readonly target: Target
  /** Those that pass. */
  readonly headers: FlatHeaders
  readonly body: Buffer | undefined
  /** Of a longer response, nothing is kept of the body. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** A response that was read as a whole. */
export interface Collected {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly HeaderPair[]
  /** Absent where it was longer than what is kept. */
  readonly body: Buffer | undefined
}

type Sent = Dispatcher.DispatchOptions & { readonly origin: string; readonly headers: string[] }
type Dispatch = (target: Target, sent: Sent, handler: Dispatcher.DispatchHandler) => void

/** Sends a request, and reads the response as a whole. @throws SimError where there is none */
export function collect(
  { request, target, headers: passed, body, maxBytes, signal }: Collecting,
  dispatch: Dispatch,
): Promise<Collected> {
  const { origin, url, requestHeaders } = target
  const host = requestHeaders && hostIn(requestHeaders)
  const headers = sentHeaders(request, passed)
  if (host !== undefined) headers.push('host', host)
  return new Promise((resolve, reject) => {
    const handler = new Collector(maxBytes, signal, resolve, (error) => reject(namedError(origin, error)))
    dispatch(
      target,
      { method: request.method ?? 'GET', headers, body: body ?? null, origin, path: url },
      handler,
    )
  })
}

class Collector implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number
  readonly #signal: AbortSignal
  readonly #resolve: (collected: Collected) => void
  readonly #reject: (error: Error) => void
  #head: Omit<Collected, 'body'> | undefined
  #pieces: Buffer[] = []
  #size = 0
  #abort: ((error?: Error) => void) | undefined

  constructor(
    maxBytes: number,
    signal: AbortSignal,
    resolve: (collected: Collected) => void,
    reject: (error: Error) => void,
  ) {
    this.#maxBytes = maxBytes
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort
    if (this.#signal.aborted) return abort(new Error('it is no longer wanted'))
    this.#signal.addEventListener('abort', this.#stop)
  }

  onHeaders(
    status: number,
    raw: readonly (Buffer | string)[],
    _resume: () => void,
    statusText = '',
  ): boolean {
    if (status >= 200) this.#head = { status, statusText, headers: pairsOf(endToEnd(raw)) }
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) this.#finish(undefined)
    else addChunk(this.#pieces, chunk)
    return true
  }

  onComplete(): void {
    this.#finish(Buffer.concat(this.#pieces))
  }

  onError(error: Error): void {
    this.#signal.removeEventListener('abort', this.#stop)
    this.#reject(error)
  }

  readonly #stop = (): void => this.#abort?.(new Error('it is no longer wanted'))

  #finish(body: Buffer | undefined): void {
    this.#signal.removeEventListener('abort', this.#stop)
    const head = this.#head
    if (head !== undefined) this.#resolve({ ...head, body })
    // The rest of a long one is not read.
    if (body === undefined) this.#abort?.(new Error('it is longer than what is kept'))
  }
}
