import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { openAuthority } from '../../src/http/certificate-authority.ts'

/** The text of a request without a body. */
export function requestText(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n')
}

/** The text of a request after whose answer the connection ends. */
export function lastRequest(line: string, host = 'a', ...headers: readonly string[]): string {
  return requestText(line, `Host: ${host}`, 'Connection: close', ...headers)
}

/** Sends bytes as they are; what came back when the server has closed. */
export async function rawAnswer(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  for (const chunk of chunks) socket.write(chunk)
  return textOf(socket)
}

/** The same where the server may close before it has got all: what came until then. */
export async function rawAnswerIfAny(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => undefined)
  for (const chunk of chunks) socket.write(chunk)
  await new Promise((closed) => socket.once('close', closed))
  return answer
}

export async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function openTunnel(port: number, authority: string, headers = {}): Promise<Socket> {
  const opening = request({ port, host: '127.0.0.1', method: 'CONNECT', path: authority, headers }).end()
  const [response, socket, head] = (await once(opening, 'connect')) as [IncomingMessage, Socket, Buffer]
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
