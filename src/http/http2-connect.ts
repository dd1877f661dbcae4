import { randomBytes } from 'node:crypto'
import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { SimError } from '../errors.ts'
import type { AuthenticateClient } from './credentials.ts'
import { pairsOf } from './headers.ts'
import type { NoteAside } from './log.ts'
import { malformed, tunnelOf } from './request-head.ts'
import { noteRefused, type OpenTunnel } from './tunnel.ts'
import { setUpgrade } from './upgrade.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What CONNECT over HTTP/2 needs. */
export interface Http2ConnectOptions {
  /** Gets a request that wants another protocol, in the form of HTTP/1.1. */
  readonly answer: Answer
  readonly authenticate: AuthenticateClient
  readonly openTunnel: OpenTunnel
  readonly noteAside: NoteAside | undefined
  /** Hears of each connection that goes on in another protocol. */
  readonly track: (socket: Duplex) => void
}

/** Answers CONNECT that came over HTTP/2. */
export type Http2Connect = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/**
 * CONNECT as HTTP/2 has it: for a tunnel (RFC 9113, section 8.5), or for a WebSocket (RFC 8441), which is handled as
 * the upgrade that it would be in HTTP/1.1.
 */
export function createHttp2Connect(options: Http2ConnectOptions): Http2Connect {
  const { answer, authenticate, openTunnel, noteAside, track } = options
  return (request, response) => {
    const { headers, stream } = request
    const { ':protocol': protocol, ':authority': authority = '' } = headers
    const refuse = (error: SimError): void => {
      reject(response, error)
      noteRefused(noteAside, authority, error)
    }
    try {
      if (protocol === undefined) {
        if (tunnelOf(request.socket) !== undefined) throw malformed('a tunnel leads through no other', 405)
        const user = authenticate(headers['proxy-authorization'])
        const accept = (): void => {
          if (!isGone(stream)) stream.respond({ ':status': 200 })
        }
        void openTunnel(stream, { authority, user }, { accept, refuse })
        return
      }
      if (protocol !== 'websocket') throw malformed(`the protocol '${protocol}' is not known here`, 501)
      // No end of the request's body comes, so that who answers otherwise has said all.
      response.once('finish', () => stream.close())
      const socket = new UpgradedStream(stream)
      track(socket)
      answer(asUpgrade(request, socket), response as unknown as ServerResponse)
    } catch (error) {
      if (!SimError.is(error)) throw error
      refuse(error)
    }
  }
}

// An answer on it would throw.
function isGone({ destroyed, closed }: ServerHttp2Stream): boolean {
  return destroyed || closed
}

/** Answers those requests of HTTP/2 whose method Node has a name for, as its parser of HTTP/1.1 does (RFC 9110, section 9.1). */
export function answerKnownMethods(answer: Answer, noteAside: NoteAside | undefined): Answer {
  return (request, response) => {
    const { method = '' } = request
    if (METHODS.includes(method)) return answer(request, response)
    const error = malformed(`the method '${method}' is not known here`, 501)
    reject(response as unknown as Http2ServerResponse, error)
    noteAside?.({ status: error.statusCode, by: 'gateway', error: error.code, reason: error.message })
  }
}

function reject(response: Http2ServerResponse, { statusCode, headers, body }: SimError): void {
  // The connection goes on with its other streams (RFC 9113, section 8.2.2).
  const { connection: _, ...own } = headers
  response.writeHead(statusCode, { ...own, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

// What HTTP/1.1 needs besides (RFC 8441, section 5): it is between this gateway and the server.
function asUpgrade(request: Http2ServerRequest, socket: Duplex): IncomingMessage {
  const { headers, rawHeaders } = request
  const added = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  Object.assign(request, { method: 'GET' })
  Object.assign(headers, added)
  // A key of the client's own would be a second one.
  const kept = pairsOf(rawHeaders).filter(([name]) => !(name.toLowerCase() in added))
  rawHeaders.splice(0, rawHeaders.length, ...kept.flat(), ...Object.entries(added).flat())
  const upgraded = request as unknown as IncomingMessage
  setUpgrade(upgraded, { socket, head: Buffer.alloc(0), writers: [] })
  return upgraded
}

// RFC 9113, section 7.
const NO_ERROR = 0
const CANCEL = 8
const HEAD_END = '\r\n\r\n'
// Of the connection, or of the handshake of HTTP/1.1.
const LEFT_OUT = /^(connection|upgrade|sec-websocket-accept|content-length|keep-alive|transfer-encoding)$/i

/**
 * A stream of HTTP/2 as the connection that it would be in HTTP/1.1: a head that agrees to the other protocol is
 * written first, and becomes the answer of the stream.
 */
class UpgradedStream extends Duplex {
  readonly #stream: ServerHttp2Stream
  #isReading = false
  /** What is written of the head as yet; absent once all of it is. */
  #head: string | undefined = ''

  constructor(stream: ServerHttp2Stream) {
    super()
    this.#stream = stream
    stream.once('error', (error) => this.destroy(error))
    stream.once('close', () => {
      // What has come is still to be read.
      if (stream.readableEnded) this.once('end', () => this.destroy())
      else this.destroy()
    })
  }

  override _read(): void {
    if (!this.#isReading) {
      this.#isReading = true
      this.#stream.on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) this.#stream.pause()
      })
      this.#stream.once('end', () => this.push(null))
    }
    this.#stream.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#head === undefined) return void this.#stream.write(chunk, done)
    this.#head += chunk.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return done()
    const [head, rest] = [this.#head.slice(0, end), this.#head.slice(end + HEAD_END.length)]
    this.#head = undefined
    if (isGone(this.#stream)) return done(new Error('the client left'))
    const [, ...lines] = head.split('\r\n')
    this.#stream.respond({ ':status': 200, ...fieldsOf(lines) })
    if (rest === '') done()
    else this.#stream.write(Buffer.from(rest, 'latin1'), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#stream.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#stream.closed) this.#stream.close(this.writableFinished ? NO_ERROR : CANCEL)
    done(error)
  }
}

function fieldsOf(lines: readonly string[]): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (!LEFT_OUT.test(name)) (fields[name] ??= []).push(line.slice(colon + 1).trim())
  }
  return fields
}
