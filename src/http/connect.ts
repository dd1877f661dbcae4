import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SimError } from '../errors.ts'
import type { AuthenticateClient } from './credentials.ts'
import { rejectSocket } from './reject-socket.ts'
import type { NoteAside } from './log.ts'
import { noteRefused, type OpenTunnel } from './tunnel.ts'

/** Answers CONNECT. */
export type Connect = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n'

/** @returns the answer to CONNECT */
export function createConnectHandler(
  authenticate: AuthenticateClient,
  openTunnel: OpenTunnel,
  noteAside: NoteAside | undefined,
): Connect {
  return (request, client, head) => {
    const refuse = (error: SimError): void => {
      rejectSocket(client, error)
      noteRefused(noteAside, request.url ?? '', error)
    }
    try {
      const user = authenticate(request.headers['proxy-authorization'])
      if (head.length > 0) client.unshift(head)
      const tunnel = { authority: request.url ?? '', user }
      void openTunnel(client, tunnel, { accept: () => client.write(ESTABLISHED), refuse })
    } catch (error) {
      if (!SimError.is(error)) throw error
      refuse(error)
    }
  }
}
