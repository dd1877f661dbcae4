import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { openAuthority } from '../../src/http/certificate-authority.ts'

export async function rawAnswer(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  return textOf(socket)
}

export async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function openTunnel(port: number, authority: string, headers = {}): Promise<Socket> {
  const asked = request({ port, host: '127.0.0.1', method: 'CONNECT', path: authority, headers })
  asked.end()
  const [response, socket, head] = (await once(asked, 'connect')) as [IncomingMessage, Socket, Buffer]
  if (response.statusCode !== 200)
    throw new Error(`${response.statusCode} ${head.toString()}${await textOf(socket)}`)
  return socket
}

export async function tlsThroughTunnel(
  caDirectory: string,
  port: number,
  authority: string,
  options: ConnectionOptions = {},
): Promise<TLSSocket> {
  const { cert } = await openAuthority(caDirectory)
  const socket = await openTunnel(port, authority)
  const host = authority.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  const named = isIP(host) === 0 ? { servername: host } : { host }
  const secure = connectTls({ socket, ca: cert, ...named, ...options })
  await once(secure, 'secureConnect')
  return secure
}
