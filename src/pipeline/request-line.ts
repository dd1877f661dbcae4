import type { RouteDefinition } from '../engine/route.ts'
import type { NoteAside, WriteLine } from '../http/log.ts'
import { createMemo } from '../memo.ts'
import { chaosTexts } from '../state/chaos.ts'
import type { Exchange } from './exchange.ts'
import type { RequestIds } from './request-ids.ts'

/** Who answered: a declared route, and from its store, if it keeps items; another source; or nobody but the gateway. */
export type AnsweredBy =
  'route' | 'store' | 'adapter' | 'upstream' | 'recording' | 'fault' | 'control' | 'gateway'

/** What the log says of a request that has ended. It holds no secrets. */
export interface RequestLine extends UsualFields {
  readonly ms: number
  /** The number of its journal entry; absent where it has none. */
  readonly id: number | undefined
  readonly requestId: string
  /** What chaos did to it, such as `latency 120 ms` or `reset`. */
  readonly chaos?: readonly string[] | undefined
  /** The code of the error that it ended with. */
  readonly error?: string | undefined
}

/** The part of it that most requests of a path have in common. */
interface UsualFields {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Of a client of the proxy, who names one. */
  readonly host?: string | undefined
  /** Absent where the connection ended without a response. */
  readonly status: number | undefined
  /** How long the body of the response was, where that is known. */
  readonly bytes: number | undefined
  readonly by: AnsweredBy
  /** The declared route that it was for. */
  readonly route: string | undefined
  readonly mode: string
  /** The key of its session. */
  readonly session: string
}

/** What is said of each request when it has ended, and to whom. */
export interface RequestLog {
  note(exchange: Exchange, status: number | undefined, durationMs: number): void
  /** Says it of what came to no route. */
  readonly noteAside: NoteAside
}

/** What a request log is made of. */
export interface RequestLogParts {
  /** Writes the lines of requests; absent where they are not wanted. */
  readonly info: WriteLine | undefined
  /** The same for those of the control plane. */
  readonly debug: WriteLine | undefined
  /** Gets what the log says of each request that was not for the control plane. */
  readonly onRequest: ((line: RequestLine) => void) | undefined
  readonly requestIds: RequestIds
  readonly urlWithoutSecrets: (url: string) => string
  /** What a client calls its session or its request, which may be a token. */
  readonly nameWithoutSecrets: (name: string) => string
  readonly isStored: (route: RouteDefinition) => boolean
}

const MESSAGE = 'request'
const NOTHING = {}

/** @returns nothing where nobody wants to know */
export function createRequestLog(parts: RequestLogParts): RequestLog | undefined {
  const { info, debug, onRequest, requestIds, urlWithoutSecrets, nameWithoutSecrets, isStored } = parts
  if (info === undefined && onRequest === undefined) return undefined

  const known = createMemo<KnownPath>()
  const pathOf = (url: string): KnownPath => {
    const before = known.get(url)
    if (before !== undefined) return before
    const path = {
      shown: urlWithoutSecrets(url),
      last: undefined,
      source: undefined,
      error: undefined,
      key: '',
    }
    known.set(url, path)
    return path
  }
  // The same object again where nothing of it has changed, so that it need not be written again.
  const usualFields = (exchange: Exchange, status: number | undefined): UsualFields => {
    const { method, routeId: route, mode } = exchange
    const path = pathOf(exchange.url)
    const host = exchange.isProxied ? `${exchange.scheme}://${exchange.host}` : undefined
    const bytes = method === 'HEAD' ? 0 : exchange.responseLength
    const { key } = exchange.session
    const { last } = path
    if (
      last !== undefined &&
      last.status === status &&
      last.method === method &&
      last.host === host &&
      last.bytes === bytes &&
      path.source === exchange.source &&
      path.error === exchange.errorCode &&
      exchange.endStatus === undefined &&
      (exchange.id === 0) === (last.by === 'control') &&
      last.route === route &&
      last.mode === mode &&
      path.key === key
    )
      return last
    const by = exchange.id === 0 ? 'control' : answererOf(exchange, isStored)
    path.source = exchange.source
    path.error = exchange.errorCode
    path.key = key
    const session = nameWithoutSecrets(key)
    path.last = { method, path: path.shown, host, status, bytes, by, route, mode, session }
    return path.last
  }
  return {
    note(exchange, status, ms) {
      const isControl = exchange.id === 0
      const write = isControl ? debug : info
      if (write === undefined && (isControl || onRequest === undefined)) return
      const { chaos } = exchange
      const usual = usualFields(exchange, status)
      const id = requestIds.of(exchange)
      const own = {
        ms,
        id: isControl ? undefined : exchange.id,
        requestId: exchange.headers['x-request-id'] === undefined ? id : nameWithoutSecrets(id),
        chaos: chaos && chaosTexts(exchange.key, exchange.ordinal, chaos),
        error: exchange.errorCode,
      }
      write?.(usual, own, MESSAGE)
      if (!isControl) onRequest?.({ ...usual, ...own })
    },
    noteAside(line) {
      info?.(NOTHING, { ...line, ...(line.path !== undefined && { path: pathOf(line.path).shown }) }, MESSAGE)
    },
  }
}

/** A path as the log shows it, and the last line that it had. */
interface KnownPath {
  readonly shown: string
  last: UsualFields | undefined
  /** What else decided on who answered, by that line. */
  source: Exchange['source']
  error: string | undefined
  /** The key of its session. */
  key: string
}

function answererOf(
  { source, routeId, match, errorCode, transport }: Exchange,
  isStored: (route: RouteDefinition) => boolean,
): AnsweredBy {
  // An upstream that could not be reached has answered nothing.
  if (source === 'upstream' && errorCode !== undefined && FAILURES.test(errorCode)) {
    const { sentStatus = 0 } = transport
    if (sentStatus === 0 || sentStatus >= 500) return 'gateway'
  }
  if (source === 'engine') return match !== undefined && isStored(match.route) ? 'store' : 'route'
  return source ?? (routeId === undefined ? 'gateway' : 'route')
}

const FAILURES = /^SIM_(UPSTREAM|TARGET|OFFLINE)/
