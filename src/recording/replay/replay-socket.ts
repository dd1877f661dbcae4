import { on } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { RecordingUnusable } from '../../errors.ts'
import { endToEnd, pairsOf } from '../../http/headers.ts'
import type { Upgrade } from '../../http/upgrade.ts'
import type { Clock } from '../../state/clock.ts'
import type { ReplayAnswer, SocketMessage } from './recorded-answer.ts'

const OF_HANDSHAKE = /^(sec-websocket-(accept|protocol|extensions|version)|content-length)$/i

/** A WebSocket that a client wants to open. */
interface SocketRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly upgrade: Upgrade
  readonly url: string
  readonly clock: Clock
  /** Called when the connection is no longer HTTP's. */
  readonly takeOver: () => void
}

/**
 * Accepts a WebSocket and sends what the recorded server sent, each message after as many from the client as had come
 * before it. Then it stays open until the client closes it.
 * @throws RecordingUnusable when the messages were not recorded
 */
export function replaySocket(
  { request, response, upgrade, url, clock, takeOver }: SocketRequest,
  { headers, messages }: ReplayAnswer,
): void {
  if (messages === undefined)
    throw new RecordingUnusable(`What was said after the upgrade of ${url} was not recorded`)
  const agreed = headers.find(([name]) => /^sec-websocket-protocol$/i.test(name))?.[1]
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => (agreed !== undefined && offered.has(agreed) ? agreed : false),
  })
  server.on('headers', (lines) => {
    const kept = pairsOf(endToEnd(headers.flat())).filter(([name]) => !OF_HANDSHAKE.test(name))
    lines.push(...kept.map(([name, value]) => `${name}: ${value}`))
  })
  takeOver()
  response.detachSocket(upgrade.socket as Socket)
  server.handleUpgrade(request, upgrade.socket, upgrade.head, (socket) => {
    // It ends when the client leaves, which does not count as a failure.
    play(socket, messages, clock).catch(() => socket.terminate())
  })
}

async function play(socket: WebSocket, messages: readonly SocketMessage[], clock: Clock): Promise<void> {
  const left = new AbortController()
  socket.once('close', () => left.abort())
  socket.on('error', () => socket.terminate())
  // What the client says is counted, and not compared.
  const heard = on(socket, 'message', { signal: left.signal })
  for (const { isFromClient, data, isBinary, afterMs } of messages) {
    if (isFromClient) await heard.next()
    else {
      if (afterMs > 0) await clock.sleep(afterMs, left.signal)
      socket.send(data, { binary: isBinary })
    }
  }
  await heard.return?.()
}
