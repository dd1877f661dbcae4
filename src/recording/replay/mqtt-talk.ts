import { hash } from 'node:crypto'
import { generate, type IConnectPacket, type Packet, parser, type Parser } from 'mqtt-packet'
import type { Conversation, SocketMessage, Talk } from './conversation.ts'

type Version = IConnectPacket['protocolVersion']

/** A packet, and how long after the one before it comes. */
interface TimedPacket {
  readonly packet: Packet
  readonly isFromClient: boolean
  readonly afterMs: number
}

/** What a client sends by a packet identifier of its own, by which the server answers (MQTT 5.0, section 2.2.1). */
const CALLS: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe', 'publish', 'pubrel'])
const ANSWERS: ReadonlySet<string> = new Set(['suback', 'unsuback', 'puback', 'pubrec', 'pubcomp'])
/** When they come depends on the pace of the client alone. */
const KEEPING_ALIVE: ReadonlySet<string> = new Set(['pingreq', 'pingresp', 'disconnect'])
/** What a client says of a message that it was sent, to which there is no answer. */
const LAST_WORDS: ReadonlySet<string> = new Set(['puback', 'pubcomp'])

/**
 * MQTT over WebSockets, whose packets may be cut anywhere (MQTT 5.0, section 6). Each packet becomes a message of JSON, in
 * which packet identifiers are ids of calls, and what a client logs in with is left out.
 * @param talkOf follows such messages
 */
export async function createMqttTalk(
  conversation: Conversation,
  talkOf: (conversation: Conversation) => Promise<Talk>,
): Promise<Talk> {
  let version: Version
  const talk = await talkOf({
    ...conversation,
    messages: textsOf(conversation.messages),
    async *others() {
      for await (const other of conversation.others()) yield textsOf(other)
    },
  })
  const heard = createReader()
  const bytesOf = (message: SocketMessage): SocketMessage =>
    message.closeCode === undefined
      ? { ...message, data: write(packetOf(message.data), version), isBinary: true }
      : message
  const replyTo = async (packet: Packet): Promise<readonly SocketMessage[] | undefined> => {
    if (packet.cmd === 'connect') version = packet.protocolVersion
    if (packet.cmd === 'pingreq') return [atOnce(write({ cmd: 'pingresp' }, version))]
    if (KEEPING_ALIVE.has(packet.cmd)) return []
    const reply = await talk.reply(Buffer.from(textOf(packet, true)), false)
    return reply === undefined && LAST_WORDS.has(packet.cmd) ? [] : reply?.map(bytesOf)
  }
  return {
    // A server says nothing before it is connected to.
    opening: [],
    async reply(data) {
      const said: SocketMessage[] = []
      for (const packet of heard(data)) {
        const reply = await replyTo(packet)
        if (reply === undefined) return undefined
        said.push(...reply)
      }
      return said
    },
  }
}

function textsOf(messages: readonly SocketMessage[]): readonly SocketMessage[] {
  return packetsOf(messages).map((message) =>
    'packet' in message
      ? { ...message, data: Buffer.from(textOf(message.packet, message.isFromClient)), isBinary: false }
      : message,
  )
}

function packetsOf(messages: readonly SocketMessage[]): readonly (TimedPacket | SocketMessage)[] {
  let version: Version
  let waitedMs = 0
  const read = { client: createReader(), server: createReader(() => version) }
  return messages.flatMap((message): readonly (TimedPacket | SocketMessage)[] => {
    const { isFromClient, data, closeCode } = message
    waitedMs += message.afterMs
    const timed = (): number => {
      const afterMs = waitedMs
      waitedMs = 0
      return afterMs
    }
    if (closeCode !== undefined) return [{ ...message, afterMs: timed() }]
    const packets = read[isFromClient ? 'client' : 'server'](data)
    for (const packet of packets) if (packet.cmd === 'connect') version = packet.protocolVersion
    return packets
      .filter(({ cmd }) => !KEEPING_ALIVE.has(cmd))
      .map((packet) => ({ packet, isFromClient, afterMs: timed() }))
  })
}

/** Reads packets, which may be in several messages; what is none ends the reading. */
function createReader(version: () => Version = () => undefined): (data: Buffer) => readonly Packet[] {
  let packets: Packet[] = []
  let own: Parser | undefined
  let isBroken = false
  const open = (): Parser => {
    const opened = parser({ protocolVersion: version() })
    opened.on('packet', (packet) => void packets.push(packet))
    opened.on('error', () => (isBroken = true))
    return opened
  }
  return (data) => {
    packets = []
    own ??= open()
    if (!isBroken) own.parse(data)
    return packets
  }
}

/** A packet as JSON, without what differs from run to run. */
function textOf({ messageId: id, length: _length, ...packet }: Packet, isFromClient: boolean): string {
  const said = packet.cmd === 'connect' ? withoutLogin(packet) : { ...packet, dup: undefined }
  if (isFromClient && CALLS.has(packet.cmd) && id !== undefined)
    return JSON.stringify({ id: idOf(id), method: packet.cmd, params: withTexts(said) })
  if (!isFromClient && ANSWERS.has(packet.cmd) && id !== undefined)
    return JSON.stringify({ id: idOf(id), result: withTexts(said) })
  return JSON.stringify({ packet: withTexts({ ...said, messageId: id }) })
}

// Ids of so many digits are nothing else.
function idOf(id: number): string {
  return String(id).padStart(8, '0')
}

// A hash counts as drawn where no other client has the same name.
function withoutLogin({ cmd, clientId, protocolVersion, clean, will }: IConnectPacket): object {
  return { cmd, client: hash('sha256', clientId), protocolVersion, clean, will }
}

function packetOf(data: Buffer): Packet {
  const said = JSON.parse(data.toString()) as { id?: string; result?: object; packet?: object }
  return withBytes(said.packet ?? { ...said.result, messageId: Number(said.id) }) as Packet
}

function write(packet: Packet, version: Version): Buffer {
  return generate(packet, { protocolVersion: version })
}

// A sign stands for a byte.
function withTexts(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { [BYTES]: value.toString('latin1') }
  return mapped(value, withTexts)
}

function withBytes(value: unknown): unknown {
  const text = (value as Readonly<Record<string, unknown>> | undefined | null)?.[BYTES]
  return typeof text === 'string' ? Buffer.from(text, 'latin1') : mapped(value, withBytes)
}

const BYTES = 'latin1'

function mapped(value: unknown, by: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(by)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, by(part)]))
}

function atOnce(data: Buffer): SocketMessage {
  return { isFromClient: false, data, isBinary: true, afterMs: 0 }
}
