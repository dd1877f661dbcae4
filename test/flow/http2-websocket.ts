import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { atEnd } from '../at-end.ts'

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A client of HTTP/2 whose server has said what it can. */
export async function http2To(url: string, socket?: Duplex): Promise<ClientHttp2Session> {
  const session = connect(url, socket === undefined ? {} : { createConnection: () => socket })
  session.on('error', () => undefined)
  atEnd(() => session.destroy())
  await once(session, 'remoteSettings')
  return session
}

/** The request for a WebSocket of RFC 8441. */
export function requestSocket(
  session: ClientHttp2Session,
  path: string,
  headers: OutgoingHttpHeaders = {},
): ClientHttp2Stream {
  const stream = session.request(
    {
      ...{ ':method': 'CONNECT', ':protocol': 'websocket', ':path': path, ':scheme': 'http' },
      ...{ 'sec-websocket-version': '13', ...headers },
    },
    { endStream: false },
  )
  return stream.on('error', () => undefined)
}

/** What a client of HTTP/1.1 says and hears, over a stream of HTTP/2. */
class ClientSide extends Duplex {
  #stream: ClientHttp2Stream | undefined
  readonly #open: (headers: OutgoingHttpHeaders) => ClientHttp2Stream
  #head = ''

  constructor(open: (headers: OutgoingHttpHeaders) => ClientHttp2Stream) {
    super()
    this.#open = open
  }

  override _read(): void {
    this.#stream?.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#stream !== undefined) return void this.#stream.write(chunk, done)
    this.#head += chunk.toString('latin1')
    if (this.#head.endsWith('\r\n\r\n')) this.#begin()
    done()
  }

  override _final(done: () => void): void {
    this.#stream?.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream?.close()
    done(error)
  }

  #begin(): void {
    const [, ...lines] = this.#head.trimEnd().split('\r\n')
    const fields = lines
      .map((line) => line.split(': ') as [string, string])
      .map(([name, value]) => [name.toLowerCase(), value] as const)
    const own = fields.filter(([name]) => !/^(host|connection|upgrade|sec-websocket-key)$/i.test(name))
    const [, key = ''] = fields.find(([name]) => /^sec-websocket-key$/i.test(name)) ?? []
    const stream = this.#open(Object.fromEntries(own))
    this.#stream = stream
    stream.once('response', (answer: IncomingHttpHeaders & { readonly ':status'?: number }) => {
      const accept = createHash('sha1').update(`${key}${MAGIC}`).digest('base64')
      const { ':status': status = 0 } = answer
      const kept = Object.entries(answer).filter(([name]) => !name.startsWith(':'))
      const said = kept.map(([name, value]) => `${name}: ${String(value)}\r\n`).join('')
      this.push(
        status === 200
          ? `HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n${said}\r\n`
          : `HTTP/1.1 ${status} No\r\nConnection: close\r\n${said}\r\n`,
      )
      stream.on('data', (data: Buffer) => this.push(data))
      stream.once('end', () => this.push(null))
    })
    stream.once('close', () => this.destroy())
  }
}

/** A WebSocket over HTTP/2. */
export function socketOver(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  protocols: string[] = [],
): WebSocket {
  const side = new ClientSide((own) => requestSocket(session, path, own))
  const socket = new WebSocket(`ws://a.example${path}`, protocols, {
    createConnection: () => side as never,
    headers,
  })
  atEnd(() => socket.terminate())
  return socket
}
