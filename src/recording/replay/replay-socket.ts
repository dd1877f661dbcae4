import { on } from 'node:events'
import type { WebSocket } from 'ws'
import { RecordingUnusable } from '../../errors.ts'
import { acceptWebSocket, type SocketRequest } from '../../http/accept-web-socket.ts'
import { endToEnd, pairsOf } from '../../http/headers.ts'
import { createPause } from '../../http/pause.ts'
import type { Clock } from '../../state/clock.ts'
import { MAX_MESSAGE_BYTES } from '../capture/web-socket.ts'
import { type Conversation, createTalk, type SocketMessage, type Talk } from './conversation.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

const OF_HANDSHAKE = /^(sec-websocket-(accept|protocol|extensions|version)|content-length)$/i

/** How a WebSocket is replayed. */
interface Replaying extends SocketRequest {
  readonly url: string
  readonly clock: Clock
  /** Called when the client says what was not recorded. */
  readonly onMiss: (data: Buffer, isBinary: boolean) => void
}

/** The code that a connection is closed with after a message that was not recorded: as 404, among those for own use. */
const NOT_RECORDED = 4404
/** The packet that a client of MQTT begins with, and the protocols that it names (MQTT 5.0, section 3.1). */
const CONNECT = 0x10
const PROTOCOLS = ['\0\u0004MQTT', '\0\u0006MQIsdp']
/** How many messages may wait for their turn until no more are read. */
const MAX_HEARD = 64
/** Stands for a `Close` frame without a code, and is never sent (RFC 6455, section 7.4.1). */
const NO_CODE = 1005
/** A control frame has 125 bytes (RFC 6455, section 5.5), two of which are the code. */
const MAX_REASON_BYTES = 123
/** The code of a server that cannot go on (RFC 6455, section 7.4.1). */
const INTERNAL_ERROR = 1011

/**
 * Accepts a WebSocket and says what the recorded server said: first what came before the client's first message, then
 * after each message what came after that one. Each comes as long after the one before as in the recording, but no
 * later than what the client says next. It closes as the server did, unless the client says something first. A message
 * that was not recorded closes the connection with code 4404; else it stays open until the client closes it.
 * @throws RecordingUnusable when the messages were not recorded
 * @throws RequestMalformed when the handshake is not one
 */
export async function replaySocket(
  { url, clock, onMiss, ...request }: Replaying,
  { headers, conversation, talk: own }: ReplayAnswer,
): Promise<void> {
  const talk = own ?? (conversation && (await talkOf(conversation)))
  if (talk === undefined)
    throw new RecordingUnusable(`What was said after the upgrade of ${url} was not recorded`)
  const agreed = headers.find(([name]) => /^sec-websocket-protocol$/i.test(name))?.[1]
  const kept = pairsOf(endToEnd(headers.flat())).filter(([name]) => !OF_HANDSHAKE.test(name))
  acceptWebSocket(
    request,
    {
      handleProtocols: (offered) => (agreed !== undefined && offered.has(agreed) ? agreed : false),
      maxPayload: MAX_MESSAGE_BYTES,
      lines: kept.map(([name, value]) => `${name}: ${value}`),
    },
    // It ends when the client leaves, which does not count as a failure.
    (socket) => void play(socket, talk, clock, onMiss).catch(() => socket.close(INTERNAL_ERROR)),
  )
}

/** Whether a client of a recorded WebSocket speaks MQTT. */
function isMqtt(messages: readonly SocketMessage[]): boolean {
  const first = messages.filter(({ isFromClient, isBinary }) => isFromClient && isBinary).slice(0, 8)
  const bytes = Buffer.concat(first.map(({ data }) => data)).subarray(0, 20)
  return bytes[0] === CONNECT && PROTOCOLS.some((each) => bytes.includes(each, 0, 'latin1'))
}

async function talkOf(conversation: Conversation): Promise<Talk> {
  if (!isMqtt(conversation.messages)) return createTalk(conversation)
  const { createMqttTalk } = await import('./mqtt-talk.ts')
  return createMqttTalk(conversation, createTalk)
}

async function play(socket: WebSocket, talk: Talk, clock: Clock, onMiss: Replaying['onMiss']): Promise<void> {
  const left = new AbortController()
  socket.once('close', () => left.abort())
  const heard = on(socket, 'message', {
    ...{ signal: left.signal, highWaterMark: MAX_HEARD },
  }) as AsyncIterable<[Buffer, boolean]>
  let next = new AbortController()
  const say = (messages: readonly SocketMessage[]): Promise<void> => {
    const said = speak(socket, messages, clock, left.signal, next.signal)
    // The client may leave meanwhile.
    said.catch(() => undefined)
    return said
  }
  let speaking = say(talk.opening)
  const pause = createPause()
  for await (const [data, isBinary] of heard) {
    await pause()
    const reply = await talk.reply(data, isBinary)
    // The rest of what came before is still sent, and before the reply.
    next.abort()
    await speaking
    if (reply === undefined) {
      onMiss(data, isBinary)
      socket.close(NOT_RECORDED, 'SIM_NOT_RECORDED: this message is not in the recording')
      return
    }
    next = new AbortController()
    speaking = say(reply)
  }
}

function close(socket: WebSocket, code: number, reason: Buffer): void {
  if (code === NO_CODE) socket.close()
  else socket.close(code, reason.subarray(0, MAX_REASON_BYTES))
}

/** @param hurry aborts when there is no time to wait any more */
async function speak(
  socket: WebSocket,
  messages: readonly SocketMessage[],
  clock: Clock,
  left: AbortSignal,
  hurry: AbortSignal,
): Promise<void> {
  for (const { data, isBinary, afterMs, closeCode } of messages) {
    if (afterMs > 0 && !hurry.aborted)
      await clock.sleep(afterMs, AbortSignal.any([left, hurry])).catch(() => left.throwIfAborted())
    if (closeCode !== undefined) {
      if (!hurry.aborted) close(socket, closeCode, data)
      return
    }
    // One after the other, at the pace of the client; that it has left shows elsewhere.
    await new Promise<void>((resolve) => socket.send(data, { binary: isBinary }, () => resolve()))
  }
}
