import type { Writable } from 'node:stream'
import * as ws from 'ws'
import type { WebSocketMessage } from '../exchange.ts'
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
  const note = (type: WebSocketMessage['type'], data: Buffer, isBinary: boolean): void => {
    const size = data.length + MESSAGE_BYTES
    const isFull = messages.length >= MAX_MESSAGES || bytes + size > MAX_MESSAGE_BYTES
    if (isFull || !hold(size)) {
      omitted++
      return
    }
    bytes += size
    const time = Math.round((performance.timeOrigin + performance.now()) * 1000) / 1e6
    messages.push({ type, time, opcode: isBinary ? 2 : 1, data: data.toString(isBinary ? 'base64' : 'utf8') })
  }
  const read = (type: WebSocketMessage['type']): MessageReader =>
    createMessageReader({
      isClient: type === 'send',
      extensions,
      mostBytes: MAX_MESSAGE_BYTES,
      onMessage: (data, isBinary) => note(type, data, isBinary),
      onBroken: () => omitted++,
    })
  const [sent, received] = [read('send'), read('receive')]
  return {
    sent: (chunk) => sent.write(chunk),
    received: (chunk) => received.write(chunk),
    held: () => bytes,
    async end() {
      await Promise.all([sent.end(), received.end()])
      return { messages, omitted }
    },
  }
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

/** Reads the messages of one direction of a WebSocket from a copy of its bytes. */
export interface MessageReader {
  /** Never fails: bytes of another protocol end the reading. */
  write(chunk: Buffer): void
  /** Whether there is still something to be read. */
  isReading(): boolean
  /** Resolves when all that was written is read. */
  end(): Promise<void>
}

/** How a reader reads. */
interface ReaderOptions {
  /** Whether the bytes are those of the client, which are masked. */
  readonly isClient: boolean
  /** The `Sec-WebSocket-Extensions` that the server agreed to. */
  readonly extensions: string
  /** Longest message that is read; one that is longer ends the reading. */
  readonly mostBytes: number
  readonly onMessage: (data: Buffer, isBinary: boolean) => void
  /** The reading ended early. */
  readonly onBroken: () => void
}

/** Starts to read. */
export function createMessageReader(options: ReaderOptions): MessageReader {
  const { isClient, extensions, mostBytes, onMessage, onBroken } = options
  const deflate = readDeflate(extensions, isClient, mostBytes)
  const receiver = new Receiver({
    isServer: isClient,
    maxPayload: mostBytes,
    extensions: deflate === undefined ? {} : { [PerMessageDeflate.extensionName]: deflate },
  })
  let isBroken = false
  let last = Promise.resolve()
  const breakOff = (): void => {
    if (isBroken) return
    isBroken = true
    onBroken()
  }
  const isReading = (): boolean => !isBroken && receiver.writable
  receiver.on('message', onMessage)
  receiver.on('error', breakOff)
  return {
    isReading,
    write(chunk) {
      if (!isReading()) return
      // Inflating may be slower than what comes, and nobody is made to wait for it.
      if (receiver.writableLength > mostBytes) return breakOff()
      // It takes the mask off in place, and the bytes are still on their way.
      last = new Promise((read) => receiver.write(Buffer.from(chunk), () => read()))
    },
    async end() {
      await last
      isBroken = true
      deflate?.cleanup()
      receiver.destroy()
    },
  }
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
