import type { IncomingMessage } from 'node:http'
import type { HttpRequest, Headers } from '../../message.ts'
import { plainHostOf } from './plain-head.ts'

/** The call of a request that is no more than a plain question; `undefined` for any other. */
export function readPlainCall(request: IncomingMessage): HttpRequest | undefined {
  const { url = '' } = request
  if (!url.startsWith('/') || url.startsWith('/__sim') || url.includes('#')) return undefined
  const host = plainHostOf(request)
  return host === undefined ? undefined : new PlainCall(request, url, host)
}

// A class, since an object that is written down with a getter costs far more.
class PlainCall implements HttpRequest {
  readonly method = 'GET'
  readonly scheme = 'http'
  readonly host: string
  readonly path: string
  readonly search: string
  #headers: Headers | undefined
  #request: IncomingMessage | undefined

  constructor(request: IncomingMessage, url: string, host: string) {
    const mark = url.indexOf('?')
    this.host = host
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.search = mark < 0 ? '' : url.slice(mark + 1)
    this.#request = request
  }

  /** Read from the request when someone asks: few routes do. From then on the request is not held on to. */
  get headers(): Headers {
    this.#headers ??= this.#request?.headers ?? {}
    this.#request = undefined
    return this.#headers
  }
}
