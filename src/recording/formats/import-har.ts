import { findMistake } from '../../data-files/json.ts'
import { TOO_DEEP } from '../../data-files/limits.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { RecordingUnusable } from '../../errors.ts'
import type { BodyChunk, Exchange, WebSocketClose, WebSocketMessage } from '../exchange.ts'
import { isHeaderName } from '../../http/headers.ts'
import { isHeaderValue } from '../files/check-exchange.ts'
import { type BodyCapture, buildExchange, type HeaderPairs, headerValue } from '../files/har.ts'
import { addTo } from '../../grouping.ts'

/** The exchanges of a HAR file, and how many of its entries are none, by reason. */
interface ImportedHar {
  readonly exchanges: readonly Exchange[]
  readonly skipped: ReadonlyMap<string, number>
}

type Entry = Readonly<Record<string, unknown>>
type ReadAttached = (name: string) => Buffer | undefined

/**
 * Reads a HAR 1.2 file as browsers and proxies save it.
 * @param text the file's content
 * @param readAttached reads a body that lies in a file beside it, as Playwright saves them
 * @throws RecordingUnusable when it is not a HAR file
 */
export function importHar(text: string, readAttached: ReadAttached = () => undefined): ImportedHar {
  const entries = entriesOf(text)
  const skipped = new Map<string, number>()
  const exchanges = entries.flatMap((entry) => {
    const read = readEntry(entry, readAttached)
    if (typeof read !== 'string') return [read]
    addTo(skipped, read)
    return []
  })
  return { exchanges, skipped }
}

function entriesOf(text: string): readonly unknown[] {
  // Charles and some Windows tools begin the file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '')
  let document: unknown
  try {
    document = JSON.parse(json)
  } catch (error) {
    const { line = 1, message = TOO_DEEP } = findMistake(json) ?? {}
    throw new RecordingUnusable(`not a HAR file: it is not valid JSON, in line ${line}: ${message}`, {
      cause: error,
    })
  }
  const { entries } = membersOf(membersOf(document)['log'])
  if (Array.isArray(entries)) return entries
  throw new RecordingUnusable('not a HAR file: it has no log.entries')
}

// What keeps an entry from being an exchange is said as a text.
function readEntry(entry: unknown, readAttached: ReadAttached): Exchange | string {
  const { request, response, ...seen } = membersOf(entry)
  if (!isObject(request) || !isObject(response)) return 'no request and response'
  // Browsers write the address of a WebSocket as pages do, whose handshake is an HTTP request.
  const url = textOf(request['url']).replace(/^ws(s?):/i, 'http$1:')
  if (textOf(request['method']).toUpperCase() === 'CONNECT') return 'a tunnel'
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return 'not an HTTP URL'
  const status = Number(response['status'])
  if (!Number.isInteger(status) || status < 100 || status > 599) return 'no answer'
  const started = new Date(textOf(seen['startedDateTime']))
  const content = membersOf(response['content'])
  const timings = membersOf(seen['timings'])
  const headers = typed(headersOf(response['headers']), textOf(content['mimeType']))
  const body = bodyOf(content, content['encoding'] === 'base64', readAttached)
  const codings = headerValue(headers, 'content-encoding') || undefined
  const chunks = readChunks(content['_chunks'])
  const messages = readMessages(seen['_webSocketMessages'])
  return buildExchange({
    startedAt: Number.isNaN(started.getTime()) ? new Date(0) : started,
    timings: {
      send: atLeastZero(timings['send']),
      wait: ['blocked', 'dns', 'connect', 'wait'].reduce((sum, name) => sum + atLeastZero(timings[name]), 0),
      receive: atLeastZero(timings['receive']),
    },
    request: {
      method: textOf(request['method']).toUpperCase() || 'GET',
      url,
      httpVersion: textOf(request['httpVersion']),
      headers: withCookies(headersOf(request['headers']), pairsIn(request['cookies'])),
    },
    requestBody: requestBody(request['postData'], readAttached),
    response: {
      status,
      statusText: textOf(response['statusText']),
      httpVersion: textOf(response['httpVersion']),
      headers,
    },
    // HAR holds bodies with their content codings taken off.
    responseBody:
      body === undefined
        ? missing(content)
        : { ...body, codings, chunks, isRedacted: content['_redacted'] === true },
    trailers: headersOf(response['_trailers']),
    isAborted: response['_aborted'] === true,
    webSocket: messages && {
      messages,
      omitted: atLeastZero(seen['_webSocketMessagesOmitted']),
      close: readClose(seen['_webSocketClose']),
    },
  })
}

// Browsers write the pseudo-headers of HTTP/2 among the headers, and the values of one that came again on lines.
function headersOf(value: unknown): HeaderPairs {
  return pairsIn(value)
    .flatMap(([name, text]) => text.split(/\r?\n/).map((line) => [name, line] as const))
    .filter(([name, line]) => isHeaderName(name) && isHeaderValue(line))
}

// Some leave the header out that they have read the cookies from.
function withCookies(headers: HeaderPairs, cookies: HeaderPairs): HeaderPairs {
  if (cookies.length === 0 || headers.some(([name]) => name.toLowerCase() === 'cookie')) return headers
  return [...headers, ['cookie', cookies.map((pair) => pair.join('=')).join('; ')]]
}

function typed(headers: HeaderPairs, mimeType: string): HeaderPairs {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return hasType || mimeType === '' || mimeType === 'x-unknown'
    ? headers
    : [...headers, ['content-type', mimeType]]
}

function requestBody(postData: unknown, readAttached: ReadAttached): BodyCapture | undefined {
  if (!isObject(postData)) return undefined
  const own = bodyOf(postData, postData['_encoding'] === 'base64', readAttached)
  if (own !== undefined) return own
  const params = pairsIn(postData['params'])
  if (params.length === 0) return undefined
  const form = new URLSearchParams(params.map(([name, value]): [string, string] => [name, value]))
  return ofBytes(Buffer.from(String(form)))
}

// Browsers forget large bodies, and still state their size.
function missing({ size, text, _omitted: reason, _file: file }: Entry): BodyCapture | undefined {
  const wireSize = atLeastZero(size)
  if (wireSize === 0 || text === '') return undefined
  const where = typeof file === 'string' ? 'not in a file beside the HAR file' : 'not in the HAR file'
  return { wireSize, omitted: textOf(reason) || where }
}

function bodyOf(
  { text, _file: file }: Entry,
  isBase64: boolean,
  readAttached: ReadAttached,
): BodyCapture | undefined {
  const attached = typeof file === 'string' ? readAttached(file) : undefined
  if (attached !== undefined) return ofBytes(attached)
  if (typeof text !== 'string' || text === '') return undefined
  return ofBytes(Buffer.from(text, isBase64 ? 'base64' : 'utf8'))
}

function ofBytes(bytes: Buffer): BodyCapture {
  return { bytes, wireSize: bytes.length }
}

function pairsIn(value: unknown): HeaderPairs {
  const entries = listOf(value).map(membersOf)
  return entries.flatMap(({ name, value: text }) => (typeof name === 'string' ? [[name, textOf(text)]] : []))
}

function membersOf(value: unknown): Entry {
  return isObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

// HAR writes -1 for what does not apply.
function atLeastZero(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}

/** The messages of a WebSocket as Chrome, mitmproxy and recordings have them; `undefined` where there are none. */
function readMessages(value: unknown): readonly WebSocketMessage[] | undefined {
  if (!Array.isArray(value)) return undefined
  return listOf(value).flatMap((each) => {
    const { type, time, opcode, data } = membersOf(each)
    const isRead = (type === 'send' || type === 'receive') && (opcode === 1 || opcode === 2)
    if (!isRead || typeof data !== 'string') return []
    return [{ type, time: typeof time === 'number' ? time : 0, opcode, data }]
  })
}

function readClose(value: unknown): WebSocketClose | undefined {
  const { type, time, code, reason } = membersOf(value)
  const isRead =
    (type === 'send' || type === 'receive') && typeof time === 'number' && typeof code === 'number'
  return isRead ? { type, time, code, reason: textOf(reason) } : undefined
}

/** When the parts of a body came, as recordings have it; `undefined` where that is not known. */
function readChunks(value: unknown): readonly BodyChunk[] | undefined {
  const list = listOf(value)
  const chunks = list.flatMap((each) => {
    const { time, bytes } = membersOf(each)
    return typeof time === 'number' && typeof bytes === 'number' ? [{ time, bytes }] : []
  })
  return chunks.length === list.length && chunks.length > 0 ? chunks : undefined
}
