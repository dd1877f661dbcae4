import type { ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { mediaKindOf } from '../media-type.ts'
import { codingsIn } from './headers.ts'
import { messagesOf, type SplitMessages } from './stream-messages.ts'

/** What stands between those who write a response's body and its connection. */
export interface BodyWriter {
  /** As of a stream: `false` asks to wait for the response's `drain`. */
  write(chunk: Buffer): boolean
  end(): void
}

/** The response's own methods, for the one who took their place. */
export interface RawWriter {
  readonly write: (chunk: Buffer, done?: () => void) => boolean
  readonly end: () => void
  /** Closes the connection in good order, whatever was sent. */
  readonly close: () => void
  /** Leaves the connection open and silent, until the client leaves or the gateway closes. */
  readonly hang: () => void
  /** What separates the messages of the body, where it is a stream of messages that can be read. */
  readonly messages: () => SplitMessages | undefined
  /** The body's length, where the head states it. */
  readonly statedLength: () => number | undefined
  /** Has those who write the body wait while a writer is full. @returns what wakes them */
  readonly holdBack: (isFull: () => boolean) => () => void
  readonly onClose: (listener: () => void) => void
}

/** Makes the writer that a body passes through. */
export type CreateBodyWriter = (raw: RawWriter) => BodyWriter

/** How a connection ends. */
type Endings = Pick<RawWriter, 'close' | 'hang'>

/** Lets a body pass through a writer on its way out. The head goes as it came. */
export function interceptBody(response: ServerResponse, create: CreateBodyWriter, endings: Endings): void {
  const headers = watchHeaders(response)
  interceptWrites(response, create, {
    ...endings,
    statedLength() {
      const length = headers('content-length')
      return length === undefined ? undefined : Number(length)
    },
    messages: () => messagesIn(headers),
  })
}

/** Lets what is written from now on pass through a writer, which is made for the first of it. */
export function interceptWrites(
  written: Writable,
  create: CreateBodyWriter,
  rest: Endings & Pick<RawWriter, 'statedLength' | 'messages'>,
): void {
  const [write, end] = [written.write.bind(written), written.end.bind(written)]
  let made: BodyWriter | undefined
  const writer = (): BodyWriter =>
    (made ??= create({
      ...rest,
      write: (chunk, done) => write(chunk, done),
      end: () => void end(),
      holdBack(isFull) {
        Object.defineProperty(written, 'writableNeedDrain', { get: isFull, configurable: true })
        return () => written.emit('drain')
      },
      onClose: (listener) => void written.once('close', listener),
    }))

  written.write = (chunk: unknown, ...others: unknown[]) => {
    const { bytes, done } = readWrite(chunk, others)
    // An empty write sends the head.
    const goesOn = bytes.length === 0 ? write(bytes) : writer().write(bytes)
    if (done !== undefined) queueMicrotask(done)
    return goesOn
  }
  written.end = (chunk?: unknown, ...others: unknown[]) => {
    const { bytes, done } = readWrite(chunk, others)
    if (done !== undefined) written.once('finish', done)
    if (bytes.length > 0) writer().write(bytes)
    writer().end()
    return written
  }
}

// Each of the three arguments may be left out, or be null.
function readWrite(
  chunk: unknown,
  rest: readonly unknown[],
): { bytes: Buffer; done: (() => void) | undefined } {
  const all = [chunk, ...rest]
  const done = all.find((each) => typeof each === 'function') as (() => void) | undefined
  const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8'
  if (typeof chunk === 'string') return { bytes: Buffer.from(chunk, encoding), done }
  return { bytes: chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0), done }
}

type HeaderOf = (name: string) => string | undefined

/** What separates the messages of a body, by its headers; one in a content coding cannot be read. */
export function messagesIn(headerOf: HeaderOf): SplitMessages | undefined {
  if (codingsIn(headerOf('content-encoding') ?? '').length > 0) return undefined
  return messagesOf(mediaKindOf(headerOf('content-type') ?? ''))
}

// Headers that are given with the head are not among the response's own.
function watchHeaders(response: ServerResponse): HeaderOf {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  let given: unknown
  response.writeHead = (...head: unknown[]) => {
    given = head.at(-1)
    return writeHead(...head)
  }
  return (name) => headerIn(given, name) ?? response.getHeader(name)?.toString()
}

/** A header, by its name in lower case, of those that were given in any of the forms that Node takes. */
export function headerIn(headers: unknown, name: string): string | undefined {
  if (headers === null || typeof headers !== 'object') return undefined
  const flat = Array.isArray(headers)
    ? (headers as readonly unknown[]).flat()
    : Object.entries(headers).flat()
  const at = flat.findIndex((each, index) => index % 2 === 0 && String(each).toLowerCase() === name)
  return at < 0 ? undefined : String(flat[at + 1])
}

/** Breaks the connection at once: a TCP reset, or of HTTP/2 a reset of the one stream. */
export function resetConnection(response: ServerResponse): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  const socket = socketOf(response)
  try {
    socket?.resetAndDestroy()
  } catch {
    // Only TCP knows resets.
    socket?.destroy()
  }
  response.destroy()
}

/** Closes the connection in good order, whatever was sent of the answer, once that is out. */
export function closeConnection(response: ServerResponse): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_CANCEL)
  const { socket } = response
  if (socket === null || typeof socket.destroySoon !== 'function') response.destroy()
  else socket.destroySoon()
}

/** Sends bytes that are not HTTP, and closes the connection. HTTP/2 has no place for them, so its stream is broken. */
export function sendGarbage(response: ServerResponse, bytes: Buffer): void {
  const stream = streamOf(response)
  if (stream !== undefined) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR)
  response.socket?.write(bytes)
  closeConnection(response)
}

function streamOf(response: ServerResponse): ServerHttp2Stream | undefined {
  return (response as ServerResponse & { readonly stream?: ServerHttp2Stream }).stream
}

// A TLS socket has the TCP one below it.
function socketOf({ socket }: ServerResponse): Socket | null {
  const { _parent: below } = (socket ?? {}) as { readonly _parent?: Socket | null }
  return below ?? socket
}
