import type { WebSocketMessage } from '../../files/exchange.ts'
import type { WebSocketCapture } from '../../files/har.ts'
import { createMessageReader, type MessageReader } from './read-messages.ts'

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
export const MOST_MESSAGES = 10_000

/** Most bytes of one connection's messages that are kept. */
export const MOST_MESSAGE_BYTES = 4 * 1024 * 1024

/** What a message costs besides its data, about. */
const MESSAGE_BYTES = 128

/**
 * @param extensions the `Sec-WebSocket-Extensions` that the server agreed to
 * @param hold makes room for so many bytes, if there is any
 */
export function createMessageLog(extensions: string, hold: (bytes: number) => boolean): MessageLog {
  const messages: WebSocketMessage[] = []
  let bytes = 0
  let omitted = 0
  const note = (type: WebSocketMessage['type'], data: Buffer, isBinary: boolean): void => {
    const size = data.length + MESSAGE_BYTES
    const isFull = messages.length >= MOST_MESSAGES || bytes + size > MOST_MESSAGE_BYTES
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
      mostBytes: MOST_MESSAGE_BYTES,
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
