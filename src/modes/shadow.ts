import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { RouteDefinition } from '../engine/route.ts'
import type { Log } from '../http/log.ts'
import { pairsOf } from '../http/headers.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { DriftWatch } from '../recording/drift/drift-watch.ts'
import type { ExchangeHead } from '../recording/files/har.ts'
import type { Collected, Collecting } from '../upstream/collect-response.ts'
import { passedHeaders } from '../upstream/sent-request.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { targetOf, urlsOf } from './forward.ts'
import type { ModeParts } from './mode.ts'

/** What mode `shadow` sends to upstreams, and compares. */
export interface ShadowOptions {
  /** Whether upstreams get requests that may change something, too. */
  readonly writes?: boolean | undefined
  /** JSON pointers to values that are to be as simulated; `*` is any item or member. */
  readonly values?: readonly string[] | undefined
}

/** What became of requests that were answered from the simulation. */
export interface ShadowCounts {
  readonly compared: number
  /** Not sent, since too much waited. */
  readonly dropped: number
  /** The upstream gave no answer. */
  readonly failed: number
}

/** Sends to upstreams in the background what was answered from the simulation, and has both answers compared. */
export interface Shadow {
  /** Whether an upstream gets a request with this method. */
  takes(method: string): boolean
  /** @param body that of the request; `undefined` where it has none */
  note(exchange: Exchange, answer: HttpResponse, body: Buffer | undefined): void
  counts(): ShadowCounts
  /** Drops what waits, and breaks off what is under way. */
  close(): void
}

/** Of longer bodies nothing is compared but the head. */
export const MAX_SHADOW_BYTES = 1024 * 1024
const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 32 * 1024 * 1024
const MAX_RUNNING = 32

// RFC 9110: what is sent in the background must change nothing.
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Job {
  readonly outgoing: Omit<Collecting, 'signal'>
  readonly route: RouteDefinition | undefined
  readonly answer: HttpResponse
  readonly bytes: number
}

interface ShadowParts extends Pick<ModeParts, 'targets'> {
  readonly upstream: Upstream
  readonly drift: DriftWatch
  readonly log: Log
}

/** A shadow that has sent nothing. */
export function createShadow({ writes = false }: ShadowOptions, parts: ShadowParts): Shadow {
  const { upstream, drift, log } = parts
  const waiting: Job[] = []
  const counts = { compared: 0, dropped: 0, failed: 0 }
  const closing = new AbortController()
  setMaxListeners(MAX_RUNNING, closing.signal)
  let [running, bytes] = [0, 0]

  const drop = (): void => {
    counts.dropped++
    drift.skip()
  }
  const work = async (): Promise<void> => {
    // What is under way goes first.
    await setImmediate()
    for (let job = waiting.shift(); job !== undefined && !closing.signal.aborted; job = waiting.shift()) {
      bytes -= job.bytes
      try {
        const collected = await upstream.request({ ...job.outgoing, signal: closing.signal })
        counts.compared++
        drift.note(observedOf(job, collected), job.route)
      } catch (error) {
        if (closing.signal.aborted) return
        counts.failed++
        drift.skip()
        log.warn(`Not compared: ${(error as Error).message}`)
      }
    }
  }
  const start = (): void => {
    running++
    void work().finally(() => running--)
  }

  return {
    takes: (method) => writes || READING.has(method),
    note(exchange, answer, body) {
      const { request } = exchange.node
      const target = targetOf(exchange, parts)
      if (target === undefined) return
      const size = (body?.length ?? 0) + (answer.body?.length ?? 0)
      if (waiting.length >= MAX_WAITING || bytes + size > MAX_WAITING_BYTES) return drop()
      const headers = passedHeaders(request, target.requestHeaders, () => urlsOf(target, exchange, parts))
      bytes += size
      waiting.push({
        outgoing: { request, target, headers, body, maxBytes: MAX_SHADOW_BYTES },
        route: exchange.match?.route,
        answer,
        bytes: size,
      })
      if (running < MAX_RUNNING) start()
    },
    counts: () => ({ ...counts }),
    close() {
      closing.abort()
      waiting.length = 0
    },
  }
}

function observedOf(
  { outgoing, answer }: Job,
  { status, statusText, headers, body }: Collected,
): Parameters<DriftWatch['note']>[0] {
  const { request, target, headers: sent } = outgoing
  const { method = 'GET', httpVersion } = request
  const head: ExchangeHead = {
    method,
    url: `${target.origin}${target.url}`,
    httpVersion: `HTTP/${httpVersion}`,
    headers: pairsOf(sent),
  }
  const given = typeof answer.body === 'string' ? Buffer.from(answer.body, 'latin1') : answer.body
  const simulated = Buffer.from(given ?? [])
  const version = { statusText, httpVersion: 'HTTP/1.1' }
  return {
    request: head,
    sent: {
      wireSize: outgoing.body?.length ?? 0,
      ...(outgoing.body !== undefined && { bytes: outgoing.body }),
    },
    response: { ...version, status, headers },
    received:
      body === undefined ? { wireSize: MAX_SHADOW_BYTES + 1 } : { wireSize: body.length, bytes: body },
    simulated: {
      response: { ...version, status: answer.status, headers: pairsOf(answer.headers) },
      received: { wireSize: simulated.length, bytes: simulated },
    },
  }
}
