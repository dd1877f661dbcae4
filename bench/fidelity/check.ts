import { setTimeout as wait } from 'node:timers/promises'
import { openClient, type RawClient, type RawResponse } from './client.ts'
import type { Upstream } from './upstream.ts'

/** What a check has to do with: a proxy, and the server behind it. */
export interface Trial {
  readonly upstream: Upstream
  /** The port of the proxy. */
  readonly port: number
  /** A path that reaches what the check has the upstream do. */
  path(rest?: string): string
  open(options?: { readonly slow?: boolean }): Promise<RawClient>
  /** Sends one request on a connection of its own and reads its response. */
  request(text: string, method?: string): Promise<RawResponse>
}

/** One thing that a proxy has to get right. */
export interface Check {
  /** Names its path at the upstream. */
  readonly id: string
  readonly name: string
  readonly limitMs?: number
  /** @throws Error that says what is wrong */
  run(trial: Trial): Promise<void>
}

/** What came of a check: the reason why it failed, or nothing. */
export interface Outcome {
  readonly id: string
  readonly failure?: string
}

const LIMIT_MS = 5000

/** Puts one proxy to a check. */
export async function runCheck(check: Check, upstream: Upstream, port: number): Promise<Outcome> {
  const { id, limitMs = LIMIT_MS } = check
  const clients: RawClient[] = []
  const open: Trial['open'] = async (options) => {
    const client = await openClient(port, options)
    clients.push(client)
    return client
  }
  const trial: Trial = {
    upstream,
    port,
    path: (rest = '') => `/~${id}${rest}`,
    open,
    async request(text, method) {
      const client = await open()
      client.send(text)
      return client.response(method)
    },
  }
  const limit = new AbortController()
  try {
    await Promise.race([
      check.run(trial),
      wait(limitMs, undefined, { signal: limit.signal }).then(() => {
        throw new Error(`nothing came of it in ${limitMs / 1000} s`)
      }),
    ])
    return { id }
  } catch (error) {
    return { id, failure: (error as Error).message }
  } finally {
    limit.abort()
    for (const { socket } of clients) socket.destroy()
  }
}

/** @throws Error with a reason unless something is so */
export function must(isSo: boolean, reason: string): asserts isSo {
  if (!isSo) throw new Error(reason)
}

/** What a promise comes to, unless that takes too long. */
export async function within<T>(promise: Promise<T>, ms: number, reason: string): Promise<T> {
  const limit = new AbortController()
  try {
    return await Promise.race([
      promise,
      wait(ms, undefined, { signal: limit.signal }).then(() => {
        throw new Error(reason)
      }),
    ])
  } finally {
    limit.abort()
    promise.catch(() => undefined)
  }
}

/** A promise and what settles it. */
export interface Signal<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
}

/** Something that a check waits for. */
export function createSignal<T = void>(): Signal<T> {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}

/** Headers of a request of HTTP/1.1 that wants nothing but an answer. */
export function get(path: string, ...headers: readonly string[]): string {
  return requestText('GET', path, headers)
}

/** The head of a request. */
export function requestText(method: string, path: string, headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: proxy.example', ...headers, '', ''].join('\r\n')
}
