import { once, type EventEmitter } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'

/** An entry to the gateway: opens a connection, over which HTTP/1.1 is spoken. */
export type Open = () => Promise<Duplex>

/** A gateway and the authority of its certificates. */
export interface Gateway {
  readonly port: number
  readonly socketFile: string
  readonly ca: string
}

/** The bytes of both replies: what is agreed on, and that the connection is there. */
const SOCKS5_REPLIES = 12

/** The name of the upstream, which stands for nothing elsewhere. */
export const HOST = 'upstream.example'

/** Each entry that leads to the same pipeline. */
export function entriesOf({ port, socketFile, ca }: Gateway): Readonly<Record<string, Open>> {
  const plain = (): Promise<Socket> => opened(connect(port, '127.0.0.1'))
  const tunnel = async (to: string): Promise<Socket> => {
    const asking = request({ port, host: '127.0.0.1', method: 'CONNECT', path: to, agent: false }).end()
    const [, socket] = (await once(asking, 'connect')) as [IncomingMessage, Socket]
    return socket
  }
  const socks5 = async (): Promise<Socket> => {
    const socket = await plain()
    socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 3, HOST.length, ...Buffer.from(HOST), 0, 80]))
    for (let length = 0; length < SOCKS5_REPLIES; length += (socket.read() as Buffer | null)?.length ?? 0)
      await before(socket, once(socket, 'readable'))
    return socket
  }
  return {
    plain,
    tunnel: () => tunnel(`${HOST}:80`),
    SOCKS5: socks5,
    TLS: () => opened(connectTls({ port, host: '127.0.0.1', ca }), 'secureConnect'),
    'TLS in a tunnel': async () => {
      const socket = await tunnel(`${HOST}:443`)
      return opened(connectTls({ socket, servername: HOST, ca }), 'secureConnect')
    },
    'socket file': () => opened(connect(socketFile)),
  }
}

async function opened<Kind extends Duplex>(socket: Kind, event = 'connect'): Promise<Kind> {
  await once(socket, event)
  return socket.on('error', () => undefined)
}

/** What comes before a connection ends. */
async function before<Result>(connection: EventEmitter, result: Promise<Result>): Promise<Result> {
  const end = once(connection, 'close').then(() => Promise.reject(new Error('the connection has ended')))
  // It ends in any case, later.
  end.catch(() => undefined)
  return Promise.race([result, end])
}

/** What a client asks for, and how. */
export interface Asking {
  readonly method?: string
  readonly path: string
  readonly body?: Buffer
  /** How long it waits before it reads more. */
  readonly pauseMs?: number
}

/** Ends a connection in the middle of what goes on, when that is meant to happen. */
export type Abort = (connection: { destroy(): unknown }) => void

/** The status of an answer that was read to its end. */
export async function ask(
  open: Open,
  { method = 'GET', path, body, pauseMs }: Asking,
  abort: Abort,
): Promise<number> {
  const socket = await open()
  try {
    abort(socket)
    const headers = { host: HOST, ...(body !== undefined && { 'content-length': body.length }) }
    const sent = request({ method, path, headers, createConnection: () => socket })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    for await (const _chunk of response)
      if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return response.statusCode ?? 0
  } finally {
    socket.destroy()
  }
}

/** Says a number of messages over a WebSocket and hears them again. @returns the code it was closed with */
export async function talk(open: Open, path: string, messages: number, abort: Abort): Promise<number> {
  const connection = await open()
  abort(connection)
  const socket = new WebSocket(`ws://${HOST}${path}`, { createConnection: () => connection as Socket })
  try {
    await once(socket, 'open')
    const closed = once(socket, 'close').then(([code]) => code as number)
    for (let number = 0; number < messages; number++) {
      const heard = once(socket, 'message')
      socket.send(`message ${number}`)
      if (typeof (await Promise.race([heard, closed])) === 'number') break
    }
    socket.close(1000)
    return await closed
  } finally {
    socket.on('error', () => undefined)
    socket.terminate()
  }
}

/** Sends several requests at once over HTTP/2, by prior knowledge. @returns their statuses */
export async function askTogether(port: number, paths: readonly string[], abort: Abort): Promise<number[]> {
  const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => undefined)
  try {
    abort(session)
    return await before(session, Promise.all(paths.map((path) => askStream(session, path))))
  } finally {
    session.destroy()
  }
}

async function askStream(session: ClientHttp2Session, path: string): Promise<number> {
  const stream = session.request({ ':path': path })
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  for await (const _chunk of stream);
  return headers[':status'] ?? 0
}
