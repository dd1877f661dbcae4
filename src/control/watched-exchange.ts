import type { Duplex } from 'node:stream'
import { pairsOf } from '../http/headers.ts'
import { messagesIn } from '../http/body-writer.ts'
import type { SplitMessages } from '../http/stream-messages.ts'
import { upgradeOf } from '../http/upgrade.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { createMessageReader, type MessageReader } from '../recording/capture/web-socket.ts'
import { headerValue, type HeaderPairs } from '../recording/files/har.ts'

/** The most bytes that are kept of each body, and of all messages. */
const MAX_BODY = 6 * 1024 * 1024
const MAX_MESSAGES = 1000

/** One message of an event stream, of lines of JSON or of a WebSocket. */
export interface WatchedMessage {
  /** Counts those of the exchange, from 1. */
  readonly number: number
  /** Milliseconds since the request came. */
  readonly atMs: number
  readonly direction: 'sent' | 'received'
  readonly data: Buffer
  readonly isBinary: boolean
}

/** What was seen of one exchange. */
export interface WatchedExchange {
  readonly id: number
  readonly exchange: Exchange
  readonly isOpen: boolean
  /** About how much memory it holds. */
  readonly bytes: number
  readonly head: { readonly status: number; readonly headers: HeaderPairs } | undefined
  /** Milliseconds until the response began, and until it ended. */
  readonly headMs: number | undefined
  readonly endMs: number | undefined
  readonly requestBody: WatchedBody
  readonly responseBody: WatchedBody
  readonly messages: readonly WatchedMessage[]
  /** Calls back with each message to come, and with nothing at the end; returns what ends this. */
  listen(listener: (message: WatchedMessage | undefined) => void): () => void
}

/** A body as it passed, cut off where it is too long. */
export interface WatchedBody {
  readonly size: number
  readonly isCut: boolean
  read(): Buffer
}

interface Keeper {
  grow(bytes: number): void
  end(): void
}

const SWITCHED = /^HTTP\/1\.1 101 [^\r\n]*\r\n([^]*?)\r\n\r\n/

/** Looks at what passes of an exchange, and changes none of it. */
export function watchExchange(exchange: Exchange, keeper: Keeper): WatchedExchange {
  const { node, started } = exchange
  const { request, response } = node
  const listeners = new Set<(message: WatchedMessage | undefined) => void>()
  const messages: WatchedMessage[] = []
  const sinceStart = (at = performance.now()): number => Math.round((at - started) * 1000) / 1000
  let count = 0
  const grow = (bytes: number): void => {
    watched.bytes += bytes
    keeper.grow(bytes)
  }
  const requestBody = createBody(grow)
  const responseBody = createBody(grow)
  const watched = {
    ...{ id: exchange.id, exchange, isOpen: true, bytes: 0, requestBody, responseBody, messages },
    head: undefined as WatchedExchange['head'],
    headMs: undefined as number | undefined,
    endMs: undefined as number | undefined,
    listen(listener: (message: WatchedMessage | undefined) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const note: Note = (direction, data, isBinary, at) => {
    const message = { number: ++count, atMs: sinceStart(at), direction, data, isBinary }
    messages.push(message)
    if (messages.length > MAX_MESSAGES) messages.shift()
    grow(data.length)
    for (const listener of listeners) listener(message)
  }
  const begin = (status: number, headers: HeaderPairs): void => {
    watched.headMs ??= sinceStart()
    watched.head = { status, headers }
  }

  seeCalls(request, 'push', (chunk) => {
    if (Buffer.isBuffer(chunk)) requestBody.add(chunk)
  })
  let split: SplitMessages | undefined
  let pieces: Buffer[] = []
  const { writeHead } = response
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const named = response.getHeaders()
    const own = Object.entries(named).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, String(value)]),
    )
    const given = pairsIn(rest.at(-1))
    begin(status, [...own.filter(([name]) => !given.some(([each]) => each.toLowerCase() === name)), ...given])
    split = messagesIn((name) => headerValue(watched.head?.headers ?? [], name) || undefined)
    return (writeHead as (...all: unknown[]) => typeof response).call(response, status, ...rest)
  }
  const see = (chunk: unknown, encoding: unknown): void => {
    const bytes = bytesOf(chunk, encoding)
    if (bytes === undefined) return
    responseBody.add(bytes)
    for (const piece of split?.(bytes) ?? []) {
      if (piece.isData) pieces.push(piece.bytes)
      if (!piece.isLast) continue
      note('received', Buffer.concat(pieces), false)
      pieces = []
    }
  }
  seeCalls(response, 'write', see)
  seeCalls(response, 'end', see)
  const socket = upgradeOf(request)?.socket
  if (socket !== undefined) seeSocket(socket, { begin, note })

  exchange.transport.onClose(() => {
    watched.isOpen = false
    watched.endMs = sinceStart()
    keeper.end()
    for (const listener of listeners) listener(undefined)
    listeners.clear()
  })
  return watched
}

// A head that agrees to another protocol is written to the connection itself.
function seeSocket(
  socket: Duplex,
  { begin, note }: { begin: (status: number, headers: HeaderPairs) => void; note: Note },
): void {
  let head = ''
  let reader: MessageReader | undefined
  const early: Buffer[] = []
  const open = (headers: HeaderPairs): MessageReader => {
    const opened = createMessageReader({
      extensions: headerValue(headers, 'sec-websocket-extensions'),
      mostBytes: MAX_BODY,
      onMessage: (direction, data, isBinary, at) => note(direction, Buffer.from(data), isBinary, at),
      onBroken: () => undefined,
    })
    for (const chunk of early) opened.write('sent', chunk)
    return opened
  }
  seeCalls(socket, 'write', (chunk, encoding) => {
    const bytes = bytesOf(chunk, encoding)
    if (bytes === undefined) return
    if (reader !== undefined) return reader.write('received', bytes)
    if (head.length > 64 * 1024) return
    head += bytes.toString('latin1')
    const found = SWITCHED.exec(head)
    if (found === null) return
    const [whole, lines = ''] = found
    const headers = lines.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    begin(101, headers)
    if (headerValue(headers, 'upgrade').toLowerCase() !== 'websocket') return
    reader = open(headers)
    if (head.length > whole.length) reader.write('received', Buffer.from(head.slice(whole.length), 'latin1'))
  })
  const hear = (chunk: unknown): void => {
    if (!Buffer.isBuffer(chunk)) return
    if (reader !== undefined) reader.write('sent', chunk)
    else if (early.length < 100) early.push(Buffer.from(chunk))
  }
  seeCalls(socket, 'push', hear)
  // What had come with the head of the request is put back later.
  seeCalls(socket, 'unshift', hear)
}

type Note = (direction: WatchedMessage['direction'], data: Buffer, isBinary: boolean, at?: number) => void

// Has the arguments of each call of a method looked at, before it is called as it was.
function seeCalls<Name extends string>(
  target: { [Each in Name]?: unknown },
  name: Name,
  see: (first: unknown, second: unknown) => void,
): void {
  const method = target[name] as (this: unknown, ...all: unknown[]) => unknown
  const seen = function (this: unknown, ...all: unknown[]): unknown {
    see(all[0], all[1])
    return method.apply(this, all)
  }
  ;(target as Record<string, unknown>)[name] = seen
}

function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string')
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined
}

function pairsIn(headers: unknown): HeaderPairs {
  if (headers === null || typeof headers !== 'object') return []
  if (Array.isArray(headers)) return pairsOf((headers as readonly unknown[]).flat().map(String))
  return Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
}

function createBody(grow: (bytes: number) => void): WatchedBody & { size: number; add(chunk: Buffer): void } {
  const chunks: Buffer[] = []
  let held = 0
  const body = {
    size: 0,
    get isCut() {
      return body.size > held
    },
    add(chunk: Buffer) {
      body.size += chunk.length
      const part = chunk.subarray(0, Math.max(0, MAX_BODY - held))
      if (part.length === 0) return
      held += part.length
      // The memory of what was read may be used again.
      chunks.push(Buffer.from(part))
      grow(part.length)
    },
    read: () => Buffer.concat(chunks),
  }
  return body
}
