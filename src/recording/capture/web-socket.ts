import type { Writable } from 'node:stream'
import * as ws from 'ws'
import type { WebSocketClose, WebSocketMessage } from '../exchange.ts'
import type { WebSocketCapture } from '../files/har.ts'

/** Keeps the messages of one WebSocket, read from copies of the bytes that pass. */
export interface MessageLog {
  sent(chunk: Buffer): void
  received(chunk: Buffer): void
  /** About how many bytes it holds. */
  held(): number
  /** Everything that came until now. */
  end(): Promise<WebSocketCapture>
}

/** Most messages of one connection that are kept; later ones are counted. */
export const MAX_MESSAGES = 10_000

/** Most bytes of one connection's messages that are kept. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** What a message costs besides its data, about. */
const MESSAGE_BYTES = 128

/**
 * @param extensions the `Sec-WebSocket-Extensions` that the server agreed to
 * @param hold reserves so many bytes, if there are any
 */
export function createMessageLog(extensions: string, hold: (bytes: number) => boolean): MessageLog {
  const messages: WebSocketMessage[] = []
  let bytes = 0
  let omitted = 0
  let close: WebSocketClose | undefined
  const note = (direction: Direction, data: Buffer, isBinary: boolean, at: number): void => {
    const size = data.length + MESSAGE_BYTES
    const isFull = messages.length >= MAX_MESSAGES || bytes + size > MAX_MESSAGE_BYTES
    if (isFull || !hold(size)) {
      omitted++
      return
    }
    bytes += size
    messages.push({
      ...originOf(direction, at),
      opcode: isBinary ? 2 : 1,
      data: data.toString(isBinary ? 'base64' : 'utf8'),
    })
  }
  const reader = createMessageReader({
    extensions,
    mostBytes: MAX_MESSAGE_BYTES,
    onMessage: note,
    onClose: (direction, code, reason, at) => (close ??= { ...originOf(direction, at), code, reason }),
    onBroken: () => omitted++,
  })
  return {
    sent: (chunk) => reader.write('sent', chunk),
    received: (chunk) => reader.write('received', chunk),
    held: () => bytes,
    async end() {
      await reader.end()
      return { messages, omitted, close }
    },
  }
}

function originOf(direction: Direction, at: number): Pick<WebSocketMessage, 'type' | 'time'> {
  const type = direction === 'sent' ? 'send' : 'receive'
  return { type, time: Math.round((performance.timeOrigin + at) * 1000) / 1e6 }
}

// The package exports these, and its types leave them out.
interface Parts {
  readonly Receiver: new (options: object) => Writable
  readonly PerMessageDeflate: Deflate & (new (options: object) => DeflateInstance)
  readonly extension: { parse(header: string): Readonly<Record<string, readonly object[] | undefined>> }
}
interface Deflate {
  readonly extensionName: string
}
interface DeflateInstance {
  params: unknown
  normalizeParams(configurations: readonly object[]): readonly object[]
  cleanup(): void
}
const { Receiver, PerMessageDeflate, extension } = ws as unknown as Parts

/** Of the client's messages, and of the server's. */
type Direction = 'sent' | 'received'

/** Reads the messages of a WebSocket, from copies of its bytes, in the order in which they passed. */
export interface MessageReader {
  /** Never fails: bytes of another protocol end the reading of their direction. */
  write(direction: Direction, chunk: Buffer): void
  /** Resolves when all that was written is read. */
  end(): Promise<void>
}

/** How a reader reads. */
interface ReaderOptions {
  /** The `Sec-WebSocket-Extensions` that the server agreed to. */
  readonly extensions: string
  /** Longest message that is read; one that is longer ends the reading of its direction. */
  readonly mostBytes: number
  /** @param at when its last byte came, by `performance.now()` */
  readonly onMessage: (direction: Direction, data: Buffer, isBinary: boolean, at: number) => void
  /** A direction was closed. @param code 1005 where the frame has none */
  readonly onClose?: (direction: Direction, code: number, reason: string, at: number) => void
  /** The reading of a direction ended early. */
  readonly onBroken: () => void
}

/** Starts to read. */
export function createMessageReader(options: ReaderOptions): MessageReader {
  const { mostBytes, onBroken } = options
  const directions = { sent: openDirection('sent', options), received: openDirection('received', options) }
  // Inflating is asynchronous: one chunk after the other, so that no message overtakes an earlier one.
  let last: Promise<void> | undefined
  const waitFor = (reading: Promise<void> | undefined): void => {
    last = reading
    void reading?.finally(() => {
      if (last === reading) last = undefined
    })
  }
  return {
    write(name, chunk) {
      const direction = directions[name]
      if (direction.isBroken) return
      // Inflating may be slower than what comes, and nobody is made to wait for it.
      if (direction.waitingBytes > mostBytes) {
        direction.isBroken = true
        return onBroken()
      }
      const at = performance.now()
      // The receiver takes the mask off in place, and the bytes are still on their way.
      const copy = Buffer.from(chunk)
      direction.waitingBytes += copy.length
      waitFor(last === undefined ? direction.read(copy, at) : last.then(() => direction.read(copy, at)))
    },
    async end() {
      await last
      for (const direction of Object.values(directions)) direction.close()
    },
  }
}

function openDirection(
  name: Direction,
  { extensions, mostBytes, onMessage, onClose, onBroken }: ReaderOptions,
) {
  const isServer = name === 'sent'
  const deflate = readDeflate(extensions, isServer, mostBytes)
  const receiver = new Receiver({
    isServer,
    maxPayload: mostBytes,
    extensions: deflate === undefined ? {} : { [PerMessageDeflate.extensionName]: deflate },
  })
  let readAt = 0
  const direction = {
    isBroken: false,
    waitingBytes: 0,
    /** Returns what resolves when the chunk is read, or nothing where it was read at once. */
    read(chunk: Buffer, at: number): Promise<void> | undefined {
      direction.waitingBytes -= chunk.length
      readAt = at
      const read = new Promise<void>((resolve) => receiver.write(chunk, () => resolve()))
      return receiver.writableLength === 0 ? undefined : read
    },
    close() {
      direction.isBroken = true
      deflate?.cleanup()
      receiver.destroy()
    },
  }
  receiver.on('message', (data: Buffer, isBinary: boolean) => onMessage(name, data, isBinary, readAt))
  receiver.on('conclude', (code: number, reason: Buffer) => onClose?.(name, code, reason.toString(), readAt))
  receiver.on('error', () => {
    if (!direction.isBroken) onBroken()
    direction.isBroken = true
  })
  return direction
}

function readDeflate(header: string, isServer: boolean, maxPayload: number): DeflateInstance | undefined {
  try {
    const configurations = extension.parse(header)[PerMessageDeflate.extensionName]
    if (configurations === undefined) return undefined
    const deflate = new PerMessageDeflate({ isServer, maxPayload })
    const [params] = deflate.normalizeParams(configurations)
    deflate.params = params
    return deflate
  } catch {
    return undefined
  }
}
