import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { pairsOf, type FlatHeaders, type HeaderPair } from './headers.ts'

/** The head goes out at once, even while the body is silent; flushHeaders would write it as UTF-8. */
export function writeHead(response: ServerResponse, status: number, text: string, flat: FlatHeaders): void {
  prepareHead(response, status, text, flat)
  if (!isHttp2(response)) response.write('', 'latin1')
}

/** The head as `writeHead` sends it, but with what is written next, where that is HTTP/1. */
export function prepareHead(
  response: ServerResponse,
  status: number,
  text: string | undefined,
  flat: FlatHeaders,
): void {
  if (text === undefined || isHttp2(response)) response.writeHead(status, flat as string[])
  else response.writeHead(status, phraseOf(text), flat as string[])
}

// RFC 9110, section 15: a phrase says nothing that the status does not; one whose bytes are not UTF-8 is left out.
function phraseOf(text: string): string {
  if (/^[\t\x20-\x7e]*$/.test(text)) return text
  return text.includes('\ufffd') || /\p{Cc}/u.test(text) ? '' : Buffer.from(text).toString('latin1')
}

/**
 * Writes part of a body, and says whether more may follow before `drain`. What has a stated length goes out at once:
 * the response would keep it back to send it with an empty piece of its own, in a way that costs more than all the rest
 * of the writing. A piece that the system took in full leaves nothing to wait for, however long it was.
 */
export function writeBody(response: ServerResponse, chunk: Buffer | string): boolean {
  const { socket } = response
  if (response.chunkedEncoding || socket === null || isHttp2(response)) return response.write(chunk, 'latin1')
  socket.cork()
  const goesOn = response.write(chunk, 'latin1')
  socket.uncork()
  return goesOn || socket.writableLength === 0
}

/** The longest piece that is copied to go out in one piece with the head. */
export const MAX_JOINED = 16 * 1024

/** A piece as it is best written along with the head: text of one byte a letter, as that is, unless it is long. */
export function joinable(piece: Buffer): Buffer | string {
  return piece.length > MAX_JOINED ? piece : piece.toString('latin1')
}

/** Writes the last of a body, or all of it, and ends the answer. */
export function endBody(response: ServerResponse, chunk: Buffer | string): void {
  const { socket, chunkedEncoding } = response
  if (!chunkedEncoding && socket !== null && typeof chunk === 'string' && isPlain(response)) {
    socket.cork()
    response.write(chunk, 'latin1')
    if (ending.length === 0) setImmediate(endWritten)
    ending.push(response)
  } else if (chunkedEncoding || isHttp2(response)) response.end(chunk, 'latin1')
  else {
    writeBody(response, chunk)
    response.end()
  }
}

// The answers to requests that are read together go out together: each that goes out by itself wakes its client, which
// costs more than all the rest of a short one.
let ending: ServerResponse[] = []

/** Ends the responses that wait for others of their turn: for who is about to close a connection. */
export function endWritten(): void {
  const responses = ending
  ending = []
  for (const response of responses) {
    // What has left already is not followed by an empty piece when its response ends.
    response.socket?.uncork()
    response.end()
  }
}

// What users, or faults of a body, have taken over may take its time.
function isPlain({ write, end }: ServerResponse): boolean {
  return write === ServerResponse.prototype.write && end === ServerResponse.prototype.end
}

/** Whether the system has all that was written, and nobody on the way there can still hold it. */
export function hasGone(response: ServerResponse): boolean {
  const { socket } = response
  return isPlain(response) && socket instanceof Socket && socket.writableLength === 0
}

/** Headers of an answer with those that are added to it where it has none of their name; `Via` is added to. */
export function withAdded(flat: FlatHeaders, added: readonly HeaderPair[]): FlatHeaders {
  if (added.length === 0) return flat
  const names = new Set(pairsOf(flat).map(([name]) => name.toLowerCase()))
  return [...flat, ...added.filter(([name]) => name === 'via' || !names.has(name)).flat()]
}

/** A response of which all is known, in one write where that is possible. The length is stated with it. */
export function writeWhole(
  response: ServerResponse,
  isHead: boolean,
  status: number,
  headers: FlatHeaders,
  body: string | Uint8Array | undefined,
): void {
  const mayHaveBody = status >= 200 && status !== 204 && status !== 304
  const length = body?.length ?? 0
  let all = headers
  if (!mayHaveBody) all = status === 304 ? headers : withoutHeader(headers, /^content-(type|length)$/i)
  else if (!isHead || (body !== undefined && !headers.includes('content-length')))
    all = [...headers, 'content-length', String(length)]
  if ('stream' in response) all = withoutHeader(all, /^connection$/i)
  response.writeHead(status, all as string[])
  if (body === undefined || length === 0 || isHead || !mayHaveBody) response.end()
  else endBody(response, typeof body === 'string' ? body : joinable(bufferOf(body)))
}

/** The headers of a response that has no body: without its length, but for one of 304 (RFC 9110, section 8.6). */
export function withoutLength(headers: FlatHeaders, status: number): FlatHeaders {
  return status === 304 ? headers : withoutHeader(headers, /^content-length$/i)
}

function withoutHeader(headers: FlatHeaders, name: RegExp): FlatHeaders {
  return headers.filter((_, index) => !name.test(headers[index - (index % 2)] ?? ''))
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The fields that come after the body. */
export function addTrailers(response: ServerResponse, trailers: readonly HeaderPair[]): void {
  if (trailers.length === 0) return
  response.addTrailers(isHttp2(response) ? Object.fromEntries(trailers) : [...trailers])
}

/** An answer before the one that counts, which HTTP/1.0 does not know (RFC 9110, section 15.2). */
export function writeInformation(response: ServerResponse, status: number, flat: FlatHeaders): void {
  if (response.req.httpVersion === '1.0') return
  if (status === 102 && !isHttp2(response)) response.writeProcessing()
  if (status === 103) {
    const pairs = pairsOf(flat)
    response.writeEarlyHints(Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])))
  }
}

/** Whether a response is HTTP/2's, which only looks like that of HTTP/1. */
export function isHttp2(response: ServerResponse): boolean {
  return 'stream' in response
}

/** Whether the connection of a response is gone, or its stream where it is one of HTTP/2. */
export function hasLeft(response: ServerResponse): boolean {
  const { stream = response } = response as { stream?: { readonly destroyed: boolean } }
  return stream.destroyed
}
