import { createHash } from 'node:crypto'
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ClientUrls } from '../http/client-urls.ts'
import { endToEnd, pairsOf, type FlatHeaders, type HeaderPair } from '../http/headers.ts'
import { detach, interceptUpgraded, isWebSocket, pipeSockets, type Upgrade } from '../http/upgrade.ts'
import { pipeWebSocket } from '../http/web-sockets.ts'
import { HANDLED, type HttpResponse } from '../message.ts'
import type { ConnectionTap, Tap } from '../recording/capture/tap.ts'
import type { ResponseRelay } from './response-relay.ts'
import { changeHeaders, type HeaderChanges } from './targets/header-changes.ts'

/** A request that undici does not send, on its way over a new connection to the upstream. */
export interface OwnRequest {
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly path: string
  /** Names and values in turn, without those of the one connection. */
  readonly headers: readonly string[]
  /** Begins to read the body, if there is one. */
  readonly body: () => Readable | null
  /** How long the response may take to begin. */
  readonly timeoutMs: number
  /** How long it may pause after that; as long as it likes by default. */
  readonly bodyTimeoutMs?: number | undefined
}

/** What becomes of it when the upstream agrees to another protocol. */
export interface Switching {
  readonly response: ServerResponse
  readonly upgrade: Upgrade | undefined
  readonly tap: Tap | undefined
  readonly begin: (status: number, flat: FlatHeaders) => readonly HeaderPair[]
  readonly changes: HeaderChanges | undefined
  readonly urls: () => ClientUrls | undefined
  readonly switched?: (() => void) | undefined
  readonly resolve: (response: HttpResponse) => void
}

/**
 * Sends a request, its body once the upstream wants it (RFC 9110, section 10.1.1), and its trailers. The response goes
 * to the relay; where the upstream agrees to another protocol, both connections are joined.
 */
export function sendOnOwnConnection(sent: OwnRequest, switching: Switching, relay: ResponseRelay): void {
  const { request, socket, path, timeoutMs, bodyTimeoutMs = 0 } = sent
  const { response, upgrade } = switching
  const { 'transfer-encoding': encoding, upgrade: protocol } = request.headers
  const expect = expectationOf(request)
  const outgoing = send({
    method: request.method,
    path,
    headers: [
      ...sent.headers,
      ...(encoding === undefined ? [] : ['Transfer-Encoding', 'chunked']),
      ...(expect === undefined ? [] : ['Expect', expect]),
      ...(upgrade === undefined ? [] : ['Connection', 'Upgrade', 'Upgrade', String(protocol)]),
    ],
    setHost: false,
    createConnection: () => socket,
  })
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  const end = (): boolean => {
    clearTimeout(timer)
    const isFirst = !hasEnded
    hasEnded = true
    return isFirst
  }
  const fail = (error: Error): void => {
    if (!end()) return
    outgoing.destroy()
    relay.onError(error)
  }
  const waitForHead = (): void => {
    clearTimeout(timer)
    const late = Object.assign(new Error('no response began'), { code: 'UND_ERR_HEADERS_TIMEOUT' })
    timer = setTimeout(() => fail(late), timeoutMs)
  }
  let isSending = false
  const sendBody = (): void => {
    if (isSending || hasEnded) return
    isSending = true
    clearTimeout(timer)
    const body = sent.body()
    if (body === null) return void outgoing.end()
    body.once('error', fail)
    body.once('end', () => {
      outgoing.addTrailers(pairsOf(request.rawTrailers))
      outgoing.end()
    })
    outgoing.once('close', () => body.destroy())
    body.pipe(outgoing, { end: false })
  }
  relay.onConnect((error = new Error('aborted')) => fail(error))
  // The client may leave while the upstream thinks.
  upgrade?.socket.once('close', () => socket.destroy())
  outgoing.on('error', fail)
  outgoing.once('finish', waitForHead)
  outgoing.on('information', ({ statusCode, rawHeaders }) =>
    relay.onHeaders(statusCode, rawHeaders, () => undefined),
  )
  outgoing.once('upgrade', (answer, server: Socket, head) => {
    if (upgrade === undefined || !isAgreed(request, answer)) fail(badUpgrade())
    else if (end()) joinConnections(answer, server, head, { ...switching, upgrade })
    else server.destroy()
  })
  outgoing.once('response', (answer) => {
    // One that does not name the protocol.
    if (answer.statusCode === 101) return fail(badUpgrade())
    clearTimeout(timer)
    outgoing.off('finish', waitForHead)
    // Nothing is awaited from a server whose client is slow.
    socket.setTimeout(bodyTimeoutMs, () => {
      const late = Object.assign(new Error('it paused'), { code: 'UND_ERR_BODY_TIMEOUT' })
      if (!answer.isPaused()) fail(late)
    })
    // A client that waits in vain to send its body may keep it.
    if (expect !== undefined && !outgoing.writableEnded) response.shouldKeepAlive = false
    const { statusCode = 502, rawHeaders, statusMessage = '' } = answer
    const resume = (): void => void answer.resume()
    if (!relay.onHeaders(statusCode, rawHeaders, resume, Buffer.from(statusMessage, 'latin1').toString()))
      answer.pause()
    answer.on('data', (chunk: Buffer) => {
      if (!relay.onData(chunk)) answer.pause()
    })
    answer.once('error', fail)
    answer.once('end', () => {
      if (end()) relay.onComplete(answer.rawTrailers)
    })
  })
  if (expect === undefined) return sendBody()
  outgoing.flushHeaders()
  waitForHead()
  outgoing.once('continue', sendBody)
  // Some servers wait for the body without a word, and nobody has to wait for that for long.
  const patience = setTimeout(sendBody, CONTINUE_MS)
  outgoing.once('close', () => clearTimeout(patience))
}

/**
 * Whether an upstream goes on in a protocol that the request offered. A client of HTTP/2 sends no key of a WebSocket, so
 * that nobody else looks whether it is answered (RFC 6455, section 4.1).
 */
function isAgreed(request: IncomingMessage, { headers }: IncomingMessage): boolean {
  const offered = namesOf(request.headers.upgrade)
  if (!namesOf(headers.upgrade).every((name) => offered.includes(name))) return false
  const key = request.headers['sec-websocket-key']
  return !('stream' in request) || key === undefined || headers['sec-websocket-accept'] === answerTo(key)
}

function namesOf(upgrade = ''): string[] {
  return upgrade.split(',').map((name) => name.trim().toLowerCase())
}

function answerTo(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
}

// By the name that undici gives it.
function badUpgrade(): Error {
  return Object.assign(new Error('bad upgrade'), { code: 'UND_ERR_SOCKET' })
}

/** How long an upstream may take to say that it wants a body, until the body is sent all the same. */
const CONTINUE_MS = 1000

/** What a request expects of the upstream before its body is sent; that of HTTP/1.0 is none (RFC 9110, section 10.1.1). */
export function expectationOf({ httpVersion, headers }: IncomingMessage): string | undefined {
  return httpVersion === '1.0' ? undefined : headers.expect
}

/**
 * Whether a request that got no answer on a pooled connection may be sent on one of its own: it is safe, and the server
 * ended a connection that it answered on before (RFC 9112, section 9.3.1), or began with a 100 that undici does not take
 * where it did not wait for one (RFC 9110, section 15.2).
 */
export function maySendAgain({ method = '' }: IncomingMessage, error: Error): boolean {
  const {
    code = '',
    message,
    socket,
  } = error as NodeJS.ErrnoException & {
    readonly socket?: { readonly bytesRead?: number }
  }
  const isLost = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code) && message !== 'bad upgrade'
  return isLost && (socket?.bytesRead ?? 0) > 0 && /^(GET|HEAD|OPTIONS|TRACE)$/.test(method)
}

function joinConnections(
  answer: IncomingMessage,
  server: Socket,
  head: Buffer,
  {
    response,
    upgrade,
    tap,
    begin,
    changes,
    urls,
    switched,
    resolve,
  }: Switching & { readonly upgrade: Upgrade },
): void {
  const { statusCode: status = 101, statusMessage: statusText = '', httpVersion, rawHeaders } = answer
  begin(status, rawHeaders)
  const passed = endToEnd(rawHeaders)
  const protocol = pairsOf(rawHeaders).filter(([name]) => /^upgrade$/i.test(name))
  const connection = tap?.upgraded({
    status,
    statusText,
    httpVersion,
    headers: [...pairsOf(passed), ...protocol],
  })
  const seen = urls()?.response(passed) ?? passed
  const changed = changes === undefined ? seen : changeHeaders(seen, changes)
  const lines = [...pairsOf(changed), ['Connection', 'Upgrade'], ...protocol].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  switched?.()
  detach(response, upgrade)
  // It no longer hears that its connection ends, and who notes the request waits for that.
  upgrade.socket.once('close', () => response.emit('close'))
  upgrade.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
  const speaksWebSocket = isWebSocket(answer)
  interceptUpgraded(upgrade, speaksWebSocket)
  if (head.length > 0) server.unshift(head)
  if (upgrade.head.length > 0) upgrade.socket.unshift(upgrade.head)
  if (connection !== undefined) listen(connection, upgrade.socket as Socket, server)
  const pipe = speaksWebSocket ? pipeWebSocket : pipeSockets
  pipe(upgrade.socket, server)
  resolve(HANDLED)
}

// Whoever listens beside the pipes gets each chunk that they get, and slows neither.
function listen(connection: ConnectionTap, client: Socket, server: Socket): void {
  client.on('data', (chunk: Buffer) => connection.sent(chunk))
  server.on('data', (chunk: Buffer) => connection.received(chunk))
  client.once('close', () => connection.end())
}
