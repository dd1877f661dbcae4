import type { SocketMessage } from './conversation.ts'

/** Of the protocol: that of Socket.IO 2 is 3, that of Socket.IO 3 and 4 is 4. */
export type EngineIoVersion = '3' | '4'

/** What is said at once by either side; of bytes as a WebSocket has them. */
export type Packet = Pick<SocketMessage, 'data' | 'isBinary'>

const SEPARATOR = '\u001e'
/** Before a binary message in version 3. */
const MESSAGE = Buffer.from([4])

/**
 * The packets of a body of polling; `undefined` where it is none of text, as version 3 has for some clients.
 * @see https://github.com/socketio/engine.io-protocol
 */
export function packetsOf(body: Buffer, version: EngineIoVersion): readonly Packet[] | undefined {
  const text = body.toString()
  if (text === '') return []
  if (version === '4') return text.split(SEPARATOR).map((packet) => packetOf(packet))
  const packets: Packet[] = []
  for (let rest = text; rest !== '';) {
    const [head, length] = /^(\d{1,9}):/.exec(rest) ?? []
    if (head === undefined) return undefined
    const end = head.length + Number(length)
    packets.push(packetOf(rest.slice(head.length, end), MESSAGE))
    rest = rest.slice(end)
  }
  return packets
}

// In version 3, what kind of packet it is follows the `b`.
function packetOf(text: string, before?: Buffer): Packet {
  if (!text.startsWith('b')) return { data: Buffer.from(text), isBinary: false }
  const bytes = Buffer.from(text.slice(before === undefined ? 1 : 2), 'base64')
  return { data: before === undefined ? bytes : Buffer.concat([before, bytes]), isBinary: true }
}

/** A body of polling with some packets. */
export function bodyOf(packets: readonly Packet[], version: EngineIoVersion): Buffer {
  if (version === '4') return Buffer.from(packets.map((packet) => textOf(packet)).join(SEPARATOR))
  const texts = packets.map((packet) => textOf(packet, MESSAGE))
  return Buffer.from(texts.map((text) => `${text.length}:${text}`).join(''))
}

function textOf({ data, isBinary }: Packet, before?: Buffer): string {
  if (!isBinary) return data.toString()
  return before === undefined
    ? `b${data.toString('base64')}`
    : `b${before[0]}${data.subarray(before.length).toString('base64')}`
}
