import { HANDLED } from '../message.ts'
import { pairsOf } from '../http/headers.ts'
import { captureBody } from '../recording/capture/body-sink.ts'
import type { Exchange as HarEntry } from '../recording/exchange.ts'
import { buildExchange, type BodyCapture, type Capture, type HeaderPairs } from '../recording/files/har.ts'
import { RequestNotKept } from '../errors.ts'
import type { JournalEntry, JournalRecord } from '../state/journal.ts'
import { RecordedRequest } from '../state/journal-record.ts'
import type { Session } from '../state/session.ts'
import { openEvents } from './events.ts'
import { WholeResponse, type ControlRequest } from './operation.ts'
import type { WatchedBody, WatchedExchange, WatchedMessage } from './watched-exchange.ts'

type Sought = Pick<ControlRequest, 'session' | 'sessions'>

/** What is longer is looked into for secrets in a thread of its own. */
const LONG_BYTES = 64 * 1024

/**
 * One request of the journal of any session, and that session. Each session of a shared state counts its own requests,
 * so that there it is one of the session that the control request is about.
 */
export function findRecord(
  id: number,
  { session: own, sessions }: Sought,
): { readonly record: JournalRecord; readonly session: Session } | undefined {
  for (const session of own.isShared ? [own] : sessions.all()) {
    const record = session.journal.find(id)
    if (record !== undefined) return { record, session }
  }
  return undefined
}

/** Says of a request that no journal has it. */
export function notThere(id: number, { session }: Sought): RequestNotKept {
  const journal = session.isShared ? `the journal of the session '${session.key}'` : 'the journal'
  return new RequestNotKept(id, `is not in ${journal}: it never came, or later ones took its place`)
}

/** One request of any session, also one that has not ended but is watched. @throws RequestNotKept */
export function recordOf(id: number, request: ControlRequest): JournalRecord {
  const found = findRecord(id, request)
  if (found !== undefined) return found.record
  const watched = request.session.isShared ? undefined : request.watching.find(id)
  if (watched?.isOpen === true) return openRecord(watched)
  throw notThere(id, request)
}

/** What the journal would have of an exchange that has not ended. */
export function openRecord({ exchange, head }: WatchedExchange): RecordedRequest {
  const durationMs = Math.round((performance.now() - exchange.started) * 1000) / 1000
  return new RecordedRequest().fill(exchange, exchange, durationMs, head?.status)
}

/** One request and its response as an entry of HAR, without secrets. @throws RequestNotKept */
export async function harOf(id: number, request: ControlRequest): Promise<unknown> {
  const record = recordOf(id, request)
  const watched = record instanceof RecordedRequest ? request.watching.find(record.number) : undefined
  const entry = record.toEntry()
  if (watched?.head === undefined) return { ...fromJournal(entry), _partial: true }
  const { redactor } = watched.exchange.session
  const built = buildExchange(await captureOf(watched, entry))
  const size = watched.requestBody.size + watched.responseBody.size
  const redacted = size > LONG_BYTES ? await redactor.exchangeApart(built) : redactor.exchange(built)
  const messages = watched.messages.map(messageWriter(watched))
  return messages.length === 0 ? redacted : { ...redacted, _messages: messages }
}

async function captureOf(watched: WatchedExchange, { time }: JournalEntry): Promise<Capture> {
  const { exchange, head, headMs = 0, endMs = headMs, requestBody, responseBody } = watched
  const { method, scheme, host, prefix, path, search, transport } = exchange
  const headers = pairsOf(transport.rawHeaders)
  const version = `HTTP/${exchange.node.request.httpVersion}`
  return {
    startedAt: new Date(time),
    timings: { send: 0, wait: headMs, receive: endMs - headMs },
    request: {
      method,
      url: `${scheme}://${host}${prefix}${path}${search === '' ? '' : `?${search}`}`,
      httpVersion: version,
      headers,
    },
    requestBody: await requestBodyOf(watched, requestBody, headers),
    response: {
      status: head?.status ?? 0,
      statusText: '',
      httpVersion: version,
      headers: head?.headers ?? [],
    },
    responseBody: await bodyOf(responseBody, head?.headers ?? []),
  }
}

async function requestBodyOf(
  { exchange }: WatchedExchange,
  body: WatchedBody,
  headers: HeaderPairs,
): Promise<BodyCapture | undefined> {
  // Only an adapter knows what in its requests is secret.
  if (exchange.source === 'adapter' && body.size > 0)
    return { wireSize: body.size, omitted: 'only the adapter knows what in it is secret' }
  if (body.size > 0) return bodyOf(body, headers)
  // Some is read before the route is known, and so before anyone looks.
  if (exchange.body === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(exchange.body))
  return { wireSize: bytes.length, bytes }
}

async function bodyOf(body: WatchedBody, headers: HeaderPairs): Promise<BodyCapture | undefined> {
  if (body.size === 0) return undefined
  if (body.isCut)
    return {
      wireSize: body.size,
      omitted: `longer than what is kept`,
      head: body.read().subarray(0, LONG_BYTES),
    }
  return captureBody({ wireSize: body.size, bytes: body.read() }, headers)
}

function fromJournal(entry: JournalEntry): HarEntry {
  const jsonBody = (value: unknown): BodyCapture | undefined => {
    if (value === undefined) return undefined
    const bytes = Buffer.from(JSON.stringify(value))
    return { wireSize: bytes.length, bytes }
  }
  const json: HeaderPairs = [['content-type', 'application/json']]
  const type = entry.headers.filter(([name]) => name === 'content-type')
  return buildExchange({
    startedAt: new Date(entry.time),
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
    request: {
      method: entry.method,
      url: `http://${entry.host}${entry.url}`,
      httpVersion: 'HTTP/1.1',
      headers:
        entry.requestBody !== undefined && type.length === 0 ? [...entry.headers, ...json] : entry.headers,
    },
    requestBody: jsonBody(entry.requestBody),
    response: {
      status: entry.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: entry.responseBody === undefined ? [] : json,
    },
    responseBody: jsonBody(entry.responseBody),
  })
}

/** Sends the messages of an exchange as they pass. @throws RequestNotKept where it is not watched */
export function streamMessages(id: number, request: ControlRequest): WholeResponse {
  const watched = request.watching.find(id)
  if (watched === undefined)
    throw new RequestNotKept(
      id,
      'came while nobody read /__sim/requests/stream?details=true, or is no longer kept',
    )
  const written = messageWriter(watched)
  const response = openEvents(request, 'the messages as they pass')
  const send = (message: WatchedMessage): void => {
    response.write(`id: ${message.number}\nevent: message\ndata: ${JSON.stringify(written(message))}\n\n`)
  }
  for (const message of watched.messages) send(message)
  const end = (): void => void response.end('event: end\ndata: {}\n\n')
  if (!watched.isOpen) end()
  else {
    const unlisten = watched.listen((message) => (message === undefined ? end() : send(message)))
    response.once('close', unlisten)
  }
  return new WholeResponse(HANDLED)
}

// Hides their secrets as a recording does.
function messageWriter({ exchange, head }: WatchedExchange): (message: WatchedMessage) => unknown {
  const opened = (head?.headers ?? []).map(([name, value]) => ({ name, value }))
  const hide = exchange.session.redactor.at(exchange.path).messages(opened)
  return ({ number, atMs, direction, data, isBinary }) => {
    const given = { opcode: isBinary ? 2 : 1, data: data.toString(isBinary ? 'base64' : 'utf8') }
    const text = hide({ type: direction === 'sent' ? 'send' : 'receive', time: 0, ...given }).data
    const known = { number, at_ms: atMs, direction, bytes: data.length }
    return isBinary ? { ...known, base64: text } : { ...known, text }
  }
}
