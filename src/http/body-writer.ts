import type { ServerResponse } from 'node:http'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'

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
  /** The body's length, where the head states it. */
  readonly statedLength: () => number | undefined
  /** Has those who write the body wait while a writer is full. @returns what wakes them */
  readonly holdBack: (isFull: () => boolean) => () => void
  readonly onClose: (listener: () => void) => void
}

/** Makes the writer that a body passes through. */
export type CreateBodyWriter = (raw: RawWriter) => BodyWriter

/** Lets a body pass through a writer on its way out. The head goes as it came. */
export function interceptBody(response: ServerResponse, close: () => void, create: CreateBodyWriter): void {
  const [write, end] = [response.write.bind(response), response.end.bind(response)]
  const writer = create({
    write: (chunk, done) => write(chunk, done),
    end: () => void end(),
    close,
    statedLength: watchLength(response),
    holdBack(isFull) {
      Object.defineProperty(response, 'writableNeedDrain', { get: isFull })
      return () => response.emit('drain')
    },
    onClose: (listener) => void response.once('close', listener),
  })

  response.write = (chunk: unknown, ...rest: unknown[]) => {
    const { bytes, done } = readWrite(chunk, rest)
    // An empty write sends the head.
    const goesOn = bytes.length === 0 ? write(bytes) : writer.write(bytes)
    if (done !== undefined) queueMicrotask(done)
    return goesOn
  }
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    const { bytes, done } = readWrite(chunk, rest)
    if (done !== undefined) response.once('finish', done)
    if (bytes.length > 0) writer.write(bytes)
    writer.end()
    return response
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

// Headers that are given with the head are not among the response's own.
function watchLength(response: ServerResponse): () => number | undefined {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  let stated: unknown
  response.writeHead = (...head: unknown[]) => {
    stated = lengthIn(head.at(-1))
    return writeHead(...head)
  }
  return () => {
    const length = stated ?? response.getHeader('content-length')
    return length === undefined ? undefined : Number(length)
  }
}

function lengthIn(headers: unknown): unknown {
  if (headers === null || typeof headers !== 'object') return undefined
  const flat = Array.isArray(headers)
    ? (headers as readonly unknown[]).flat()
    : Object.entries(headers).flat()
  const at = flat.findIndex((each, index) => index % 2 === 0 && /^content-length$/i.test(String(each)))
  return at < 0 ? undefined : flat[at + 1]
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
