import type { Writable } from 'node:stream'
import * as ws from 'ws'

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
  /** Never fails: bytes that are no WebSocket's end the reading. */
  write(chunk: Buffer): void
  /** Whether there is still something to be read. */
  isReading(): boolean
  /** Resolves when all that was written is read. */
  end(): Promise<void>
}

/** What a reader is told. */
export interface ReaderOptions {
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
