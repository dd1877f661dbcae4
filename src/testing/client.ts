import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { SimAPI } from '../api.ts'
import { SESSION_HEADER } from '../state/sessions.ts'

/** What a request of `get`, `post` and the others may have. */
export interface ClientRequest {
  /** Query parameters; a list becomes a repeated name, and `undefined` is left out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>
  /** The body, sent as JSON. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
type QueryValue = string | number | boolean

/** Sends requests to an app as `fetch` does, but without a socket. Redirects are answers like others. */
export interface Client extends AsyncDisposable {
  /** Takes what `fetch` takes; paths may be relative. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  get(path: string, request?: ClientRequest): Promise<Response>
  post(path: string, request?: ClientRequest): Promise<Response>
  put(path: string, request?: ClientRequest): Promise<Response>
  patch(path: string, request?: ClientRequest): Promise<Response>
  delete(path: string, request?: ClientRequest): Promise<Response>
  /** Closes the app. */
  close(): Promise<void>
}

/** What all requests of a client have in common. */
export interface ClientOptions {
  /** The key of the session they belong to, so that clients of one app have state apart. */
  readonly session?: string
}

const ORIGIN = 'http://localhost'

/** A client of an app. @throws LinksInvalid when the app's links cannot work */
export function createClient(app: SimAPI | FastifyInstance, { session }: ClientOptions = {}): Client {
  const web = SimAPI.is(app) ? app.asWebApp() : app

  const fetch: Client['fetch'] = async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, ORIGIN) : input, withDuplex(init))
    if (session !== undefined) request.headers.set(SESSION_HEADER, session)
    const content = await contentOf(request, isStream(init?.body))
    const answer = await untilAborted(
      request.signal,
      web.inject({ method: request.method, url: request.url, payloadAsStream: true, ...content }),
    )
    const stream = answer.stream()
    request.signal.addEventListener('abort', () => stream.destroy(request.signal.reason as Error))
    const empty = request.method === 'HEAD' || NULL_BODY.has(answer.statusCode)
    const body = empty ? null : (Readable.toWeb(stream) as ReadableStream)
    const response = new Response(body, {
      status: answer.statusCode,
      statusText: answer.statusMessage,
      headers: headersOf(answer.headers),
    })
    return Object.defineProperty(response, 'url', { value: request.url })
  }
  const send =
    (method: string) =>
    (path: string, { query = {}, json, headers = {} }: ClientRequest = {}): Promise<Response> => {
      const url = new URL(path, ORIGIN)
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each))
      }
      if (json === undefined) return fetch(url, { method, headers: { ...headers } })
      return fetch(url, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(json),
      })
    }
  const close = async (): Promise<void> => web.close()

  return {
    fetch,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

// Statuses whose answers have no body (Fetch standard, "null body status").
const NULL_BODY = new Set([101, 204, 205, 304])

// A stream as body needs the member that says so, which callers forget.
function withDuplex(init: RequestInit | undefined): RequestInit {
  return { ...init, ...(init?.body !== undefined && init.body !== null && { duplex: 'half' as const }) }
}

async function untilAborted<Value>(signal: AbortSignal, answer: PromiseLike<Value>): Promise<Value> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  return Promise.race([answer, aborted])
}

async function contentOf(request: Request, streams: boolean): Promise<InjectOptions> {
  const headers = { host: new URL(request.url).host, ...Object.fromEntries(request.headers) }
  if (request.body === null) return { headers }
  if (!streams) return { headers, payload: Buffer.from(await request.arrayBuffer()) }
  const payload = Readable.fromWeb(request.body)
  return { headers: { ...headers, 'transfer-encoding': 'chunked' }, payload }
}

function headersOf(raw: OutgoingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
  }
  return headers
}

function isStream(body: unknown): boolean {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body
}
