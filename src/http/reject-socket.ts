import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestMalformed, SimError } from '../errors.ts'
import { lastRequestOf } from './request-head.ts'
import { endWritten } from './response-writer.ts'

/**
 * Answers with an error on a connection that no response belongs to, and ends it.
 * @param close closes it once the answer is out
 */
export function rejectSocket(
  socket: Duplex,
  error: SimError,
  close: (socket: Duplex) => void = closeInStages,
): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(error.body)
  const headers = {
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const line = `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode] ?? ''}\r\n`
  socket.on('error', () => socket.destroy())
  socket.end(`${line}${head.join('')}\r\n${body}`, () => close(socket))
}

/** How long, and for how many bytes, a client may go on sending what nobody reads. */
const LINGER_MS = 1000
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

/**
 * Closes a connection once its client has closed its side: TCP takes back what is on its way to a client that still
 * sends to a closed connection, so that it would not see why it was refused (RFC 9112, section 9.6).
 */
function closeInStages(socket: Duplex): void {
  if (socket.readableEnded || socket.destroyed) return void socket.destroy()
  let left = MAX_UNREAD_BYTES
  const close = (): void => void socket.destroy()
  const timer = setTimeout(close, LINGER_MS)
  socket.once('end', close).once('close', () => clearTimeout(timer))
  // Those of the parser are for requests.
  socket.removeAllListeners('data').on('data', ({ length }: Buffer) => {
    left -= length
    if (left < 0) close()
  })
  socket.resume()
}

/** What the HTTP parser's error codes mean; everything else is 400. */
const PARSER_ERRORS: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'its header is larger than this server reads'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'its chunk extensions are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'it did not arrive in time'],
}

/** An error of Node's HTTP parser. */
export interface ParserError extends Error {
  readonly code?: string
  readonly reason?: string
  /** A Buffer of what was read. */
  readonly rawPacket?: unknown
}

/**
 * Answers what the HTTP parser refused, after all that came before on the connection (RFC 9112, section 9.3.2); and ends
 * it.
 * @returns what it is answered with
 */
export function rejectUnparsable(error: ParserError, socket: Duplex): RequestMalformed | undefined {
  // RFC 9112, section 9.6: nothing is read after the request that ends the connection, but that one is answered.
  if (error.code === 'HPE_CLOSED_CONNECTION' || refused.has(socket)) return undefined
  const [statusCode, reason] = meaningOf(error)
  const refusal = new RequestMalformed(reason, { statusCode })
  const isGone = error.code === 'ECONNRESET' || !socket.writable
  if (!isGone && rejectInTurn(socket, refusal)) return refusal
  endWritten()
  socket.destroy()
  return undefined
}

const refused = new WeakSet<Duplex>()

/** Returns whether it can be answered: not within another answer. */
function rejectInTurn(socket: Duplex, refusal: RequestMalformed): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  const last = lastRequestOf(socket)
  const isOwn = response?.req === last && last?.complete !== true
  if (response == null || (isOwn && !response.headersSent)) {
    refused.add(socket)
    rejectSocket(socket, refusal)
    return true
  }
  if (isOwn) return false
  refused.add(socket)
  response.once('close', () => {
    if (!socket.writable) socket.destroy()
    else if (!rejectInTurn(socket, refusal)) {
      endWritten()
      socket.end(() => socket.destroy())
    }
  })
  return true
}

function meaningOf({ code = '', reason, message, rawPacket }: ParserError): readonly [number, string] {
  const isVersion = code === 'HPE_INVALID_VERSION' && /^\S+ \S+ HTTP\/\d\.\d\r\n/.test(String(rawPacket))
  if (isVersion) return [505, 'only HTTP/1.0 and HTTP/1.1 are spoken here']
  return PARSER_ERRORS[code] ?? [400, reason ?? message]
}
