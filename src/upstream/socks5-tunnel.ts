import type { Socket } from 'node:net'
import { UpstreamProxyRefused } from '../errors.ts'
import {
  addressBytes,
  CONNECT,
  createReader,
  LOGIN_VERSION,
  NO_METHOD,
  PASSWORD,
  readAddress,
  REPLIES,
  VERSION,
  WITHOUT_LOGIN,
} from '../http/socks5-bytes.ts'
import { readHost } from '../routing/host.ts'

/** A proxy that speaks SOCKS5, and who it is to know as its client. */
export interface Socks5Proxy {
  readonly origin: string
  readonly user: string
  readonly password: string
}

/**
 * Requests a connection to an authority from a SOCKS5 proxy, on a connection to it; names are for it to resolve.
 * Rejects when it refuses.
 */
export async function tunnelThroughSocks5(
  socket: Socket,
  authority: string,
  { origin, user, password }: Socks5Proxy,
): Promise<Socket> {
  const refusal = (said: string): Error => new UpstreamProxyRefused(origin, said, authority)
  const read = createReader(socket)
  const methods = user === '' ? [WITHOUT_LOGIN] : [WITHOUT_LOGIN, PASSWORD]
  try {
    socket.write(Buffer.from([VERSION, methods.length, ...methods]))
    const [version, method] = await read(2)
    if (version !== VERSION) throw refusal('with other bytes than those of SOCKS5')
    if (method === NO_METHOD || !methods.includes(method ?? NO_METHOD))
      throw refusal(user === '' ? 'that it wants a user name' : 'that it takes no user name')
    if (method === PASSWORD) {
      const [name, secret] = [Buffer.from(user), Buffer.from(password)]
      socket.write(Buffer.from([LOGIN_VERSION, name.length, ...name, secret.length, ...secret]))
      if ((await read(2))[1] !== 0) throw refusal('that user or password is wrong')
    }
    const { name, port = 0 } = readHost(authority) ?? { name: '' }
    socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressBytes(name, port)]))
    const [, reply = REPLIES.failed] = await read(3)
    if (reply !== REPLIES.succeeded) throw refusal(nameOf(reply))
    await readAddress(read)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function nameOf(reply: number): string {
  const [name] = Object.entries(REPLIES).find(([, code]) => code === reply) ?? ['']
  return `${reply} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`.trim()
}
