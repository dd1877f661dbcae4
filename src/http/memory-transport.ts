import type { FlatHeaders, Headers, HttpResponse } from '../message.ts'
import { headerIn, messagesIn, type CreateBodyWriter } from './body-writer.ts'
import { type ReceivedBody, streamOf } from './read-body.ts'
import type { RequestTarget } from './request-head.ts'
import type { Transport } from './transport.ts'

/** A request that is made in process. */
export interface MemoryRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** By name in lower case. */
  readonly headers?: Headers
  readonly body?: Buffer | string
  /** Default: `http`. */
  readonly scheme?: 'http' | 'https'
  /** Default: the request's Host header. */
  readonly host?: string
  readonly remoteAddress?: string | undefined
  /** The path below which the gateway is mounted. Default: none. */
  readonly prefix?: string | undefined
  /** Aborts when nobody waits for the response any more. */
  readonly signal?: AbortSignal | undefined
}

/** A response as it came of a request in process. */
export interface MemoryResponse {
  readonly status: number
  readonly headers: FlatHeaders
  readonly body: Buffer
}

/** A request and its response without a connection between them. */
export class MemoryTransport implements Transport {
  readonly method: string
  readonly headers: Headers
  readonly prefix: string
  readonly remoteAddress: string | undefined
  readonly node = undefined
  /** Fails with a TypeError, as `fetch` does, where there would be no response, or half of one. */
  readonly response: Promise<MemoryResponse>
  sentStatus: number | undefined
  #body: ReceivedBody | undefined
  readonly #request: MemoryRequest
  readonly #onClose = new Set<() => void>()
  #settle!: { resolve: (response: MemoryResponse) => void; reject: (error: Error) => void }
  #isClosed = false
  #create: CreateBodyWriter | undefined

  constructor(request: MemoryRequest) {
    this.#request = request
    this.method = request.method
    this.headers = request.headers ?? {}
    this.remoteAddress = request.remoteAddress
    this.prefix = request.prefix ?? ''
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Who leaves does not wait for it.
    this.response.catch(() => undefined)
    request.signal?.addEventListener('abort', () => this.#break('the client left'), { once: true })
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.headers).flatMap(([name, values]) =>
      [values ?? []].flat().flatMap((value) => [name, value]),
    )
  }

  target(): RequestTarget {
    const { scheme = 'http', url, host = String(this.headers['host'] ?? '') } = this.#request
    return { isProxied: false, scheme, host, url, user: undefined }
  }

  body(): ReceivedBody {
    return (this.#body ??= bodyOf(this.#request))
  }

  send({ status, headers, body }: HttpResponse, added: FlatHeaders): boolean {
    if (this.#isClosed) return false
    this.sentStatus = status
    const content = this.method === 'HEAD' ? undefined : body
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content ?? [])
    const response = { status, headers: [...added, ...headers], body: bytes }
    if (this.#create === undefined || bytes.length === 0) this.#end(response)
    else this.#write(response, this.#create)
    return this.#isClosed
  }

  fail(_error: Error, response: HttpResponse, added: FlatHeaders): boolean {
    return this.send(response, added)
  }

  abort(how: 'reset' | 'close' | 'hang'): void {
    if (how !== 'hang') this.#break(how === 'reset' ? 'it was reset' : 'it closed without a response')
  }

  interceptBody(create: CreateBodyWriter): void {
    this.#create = create
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#onClose.add(listener)
  }

  #write(response: MemoryResponse, create: CreateBodyWriter): void {
    const chunks: Buffer[] = []
    const writer = create({
      write(chunk, done) {
        chunks.push(chunk)
        if (done !== undefined) queueMicrotask(done)
        return true
      },
      end: () => this.#end({ ...response, body: Buffer.concat(chunks) }),
      close: () => this.#break('it closed halfway through the body'),
      hang: () => undefined,
      statedLength: () => response.body.length,
      messages: () => messagesIn((name) => headerIn(response.headers, name)),
      holdBack: () => () => undefined,
      onClose: (listener) => this.onClose(listener),
    })
    writer.write(response.body)
    writer.end()
  }

  #end(response: MemoryResponse): void {
    this.#settle.resolve(response)
    this.#close()
  }

  #break(why: string): void {
    if (this.#isClosed) return
    this.#settle.reject(new TypeError(`The connection broke: ${why}`))
    this.#close()
  }

  #close(): void {
    this.#isClosed = true
    for (const listener of this.#onClose) listener()
    this.#onClose.clear()
  }
}

function bodyOf({ body = '', headers = {} }: MemoryRequest): ReceivedBody {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return Object.assign(streamOf(bytes), { headers: headers as ReceivedBody['headers'], complete: true })
}
