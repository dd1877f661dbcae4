import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { endToEnd, pairsOf, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import type { ConnectionTap, Tap } from '../recording/capture/tap.ts'
import { namedError } from './named-error.ts'
import { withAdded } from '../http/response-writer.ts'
import { pipeSockets, type Upgrade } from '../http/upgrade.ts'

/** A request for another protocol on its way. */
export interface UpgradeForwarding {
  readonly method: string
  readonly url: string
  readonly host: string
  /** Names and values in turn, without those of the one connection. */
  readonly headers: readonly string[]
  readonly request: IncomingMessage
  readonly upgrade: Upgrade
  readonly response: ServerResponse
  /** A new connection to the upstream. */
  readonly socket: Socket
  readonly tap?: Tap | undefined
  readonly begin: () => readonly HeaderPair[]
  readonly change: (flat: FlatHeaders) => FlatHeaders
}

/** Asks the upstream for the other protocol, and joins both connections when it agrees; else passes its answer on. */
export function forwardUpgrade(forwarding: UpgradeForwarding): Promise<void> {
  const { method, url, host, headers, request, upgrade, response, socket, tap, begin, change } = forwarding
  const asked = ask({
    method,
    path: url,
    headers: ['Host', host, ...headers, 'Connection', 'Upgrade', 'Upgrade', String(request.headers.upgrade)],
    setHost: false,
    createConnection: () => socket,
  })
  // The client may leave while the upstream thinks.
  upgrade.socket.once('close', () => socket.destroy())

  return new Promise((resolve, reject) => {
    asked.once('error', (error) => {
      tap?.abandon(error.message)
      reject(namedError(host, error))
    })
    asked.once('upgrade', (answer, server: Socket, head) => {
      begin()
      const headers = [...pairsOf(endToEnd(answer.rawHeaders)), ...protocolOf(answer)]
      const connection = tap?.upgraded({ ...headOf(answer), headers })
      response.detachSocket(upgrade.socket as Socket)
      upgrade.socket.write(switchingHead(answer, change), 'latin1')
      if (head.length > 0) server.unshift(head)
      if (upgrade.head.length > 0) upgrade.socket.unshift(upgrade.head)
      if (connection !== undefined) listen(connection, upgrade.socket as Socket, server)
      pipeSockets(upgrade.socket, server)
      resolve()
    })
    asked.once('response', (answer) => {
      const passed = endToEnd(answer.rawHeaders)
      const flat = [...withAdded(change(passed), begin())]
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, flat)
      const copy = tap?.response({ ...headOf(answer), headers: pairsOf(passed) }).stream()
      if (copy !== undefined) answer.pipe(copy)
      pipeline(answer, response, (error) => {
        if (error) tap?.abandon(error.message)
        else tap?.complete(pairsOf(answer.rawTrailers))
        resolve()
      })
    })
    asked.end()
  })
}

// Whoever listens beside the pipes gets each chunk that they get, and slows neither.
function listen(connection: ConnectionTap, client: Socket, server: Socket): void {
  client.on('data', (chunk: Buffer) => connection.sent(chunk))
  server.on('data', (chunk: Buffer) => connection.received(chunk))
  client.once('close', () => connection.end())
}

function headOf(answer: IncomingMessage): { status: number; statusText: string; httpVersion: string } {
  const { statusCode = 502, statusMessage = '', httpVersion } = answer
  return { status: statusCode, statusText: statusMessage, httpVersion }
}

function protocolOf({ rawHeaders }: IncomingMessage): HeaderPair[] {
  return pairsOf(rawHeaders).filter(([name]) => /^upgrade$/i.test(name))
}

function switchingHead(answer: IncomingMessage, change: UpgradeForwarding['change']): string {
  const kept = pairsOf(change(endToEnd(answer.rawHeaders)))
  const pairs: HeaderPair[] = [...kept, ['Connection', 'Upgrade'], ...protocolOf(answer)]
  return `HTTP/1.1 101 Switching Protocols\r\n${pairs.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}
