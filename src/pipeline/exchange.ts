import { VIOLATIONS_HEADER, violationsHeader } from '../engine/contract-violation.ts'
import type { Input } from '../engine/input.ts'
import type { SeenAt } from '../http/headers.ts'
import type { Readable } from 'node:stream'
import type { RewindableBody } from '../http/read-body.ts'
import type { BodyContent } from '../http/body-content.ts'
import type { NodeExchange, Transport } from '../http/transport.ts'
import type { FlatHeaders, Headers, HttpRequest, HttpResponse } from '../message.ts'
import type { Match } from '../engine/route.ts'
import type { ChaosDecision } from '../state/chaos.ts'
import type { ContractCheck } from './contract.ts'
import type { RecordedHead } from '../state/journal-entry.ts'
import type { PastWindow } from '../state/limiter.ts'
import type { Session, SessionVersion } from '../state/session.ts'
import type { Store } from '../state/store.ts'

const NO_INPUT: Input = {}
const NONE: readonly string[] = []

/** A request and what becomes of it. Fields are set in the order in which the pipeline learns them. */
export class Exchange implements HttpRequest {
  readonly transport: Transport
  readonly method: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly prefix: string
  /** Below the prefix and, where the path names one, the session. */
  path: string
  /** As the client has it, where that is below another server of the description. */
  requestedPath: string | undefined
  readonly search: string
  /** Path and query as the client wrote them. */
  readonly url: string
  /** Whether the client named the host as that of a proxy's target: in absolute form, or by CONNECT. */
  readonly isProxied: boolean
  /** Who the client says it is to the proxy. */
  readonly user: string | undefined
  readonly started = performance.now()
  session!: Session
  mode = 'simulate'
  /** The declared route that answers; absent where none is. */
  routeId: string | undefined
  /** The declared route and its path parameters. */
  match: Match | undefined
  /** What is counted together: the declared route, or method and path of what is forwarded. */
  key = ''
  /** The number of its journal entry, once it has one. */
  id = 0
  /** When it came, by the clock of its session. */
  moment = 0
  /** The time by that clock when its answer was made. */
  answeredAt: number | undefined
  /** The seed and the rules that it met. */
  version: SessionVersion | undefined
  /** The store as it is seen by what its handler does in one go with other things. */
  store: Store | undefined
  /** How many changes of the store came before its handler. */
  storeVersion: number | undefined
  /** How many steps of its route's scenario came before. */
  step: number | undefined
  /** What its limits had admitted before. */
  admitted: readonly PastWindow[] | undefined
  /** What of its body decided on its route; absent where nothing did. */
  content: BodyContent | undefined
  /** Its body, where some of it was read to find its route. */
  received: RewindableBody | undefined
  /** The status that journal and metrics note in place of the one that was sent: of what went wrong after an upgrade. */
  endStatus: number | undefined
  /** Headers of the answer that may say when to come again; absent where nothing went wrong. */
  advice: FlatHeaders | undefined
  /** The code of the error that it ended with, where it did. */
  errorCode: string | undefined
  /** The request body as a JSON value, once it was read. */
  body: unknown
  /** The bytes of the request body, where those are what is stored. */
  bytes: Buffer | undefined
  input: Input = NO_INPUT
  /** The bytes of the request's body as they came, a character each, where they were read at once and are few. */
  sentBytes: string | undefined
  /** What is wrong with the input, where something else is looked at first. */
  refusal: Error | undefined
  /** The answer that its route knows for it beforehand. */
  known: HttpResponse | undefined
  /** What the operations in it are called, where its body names some. */
  operations: readonly string[] | undefined = undefined
  /** How many requests of this key came before. */
  ordinal = 0
  /** What the session's rules decided. */
  chaos: ChaosDecision | undefined
  /** Looks whether it is as its operation is described; absent where nothing does. */
  check: ContractCheck | undefined
  /** What the plugins of its route know of it. */
  local: unknown
  /** The bytes of the response's body, where they are known before the handler runs. */
  cached: string | undefined
  /** Who answered; absent until then, and where the gateway itself did. */
  source: 'engine' | 'adapter' | 'upstream' | 'recording' | 'fault' | undefined
  /** The JSON bytes of a simulated response, unless it is long. */
  responseBody: string | undefined
  /** Those of a response in another form than JSON, as far as they are kept. */
  responseBytes: string | Uint8Array | undefined
  /** How long the body of the response is, where that is known. */
  responseLength: number | undefined
  /** Writes the body again from the request's head, in place of keeping it for the journal. */
  rewriteBody: ((head: RecordedHead) => string | undefined) | undefined
  /** By name in lower case. */
  readonly headers: Headers
  /** Headers that are added to whatever response comes. */
  responseHeaders: readonly string[] = NONE
  #signal: AbortSignal | undefined = undefined
  /** Whether its answer may depend on its body. */
  isBodyRead = false

  /** @throws RequestMalformed, RequestMisdirected */
  constructor(transport: Transport) {
    const { scheme, host, url, isProxied, user } = transport.target()
    const { prefix } = transport
    const mark = url.indexOf('?')
    const path = (mark < 0 ? url : url.slice(0, mark)).slice(prefix.length)
    this.transport = transport
    this.method = transport.method
    this.headers = transport.headers
    this.scheme = scheme
    this.host = host
    this.prefix = prefix
    this.path = path.startsWith('/') ? path : `/${path}`
    this.search = mark < 0 ? '' : url.slice(mark + 1)
    this.url = url
    this.isProxied = isProxied
    this.user = user
  }

  addHeaders(...flat: readonly string[]): void {
    this.responseHeaders = this.responseHeaders === NONE ? flat : [...this.responseHeaders, ...flat]
  }

  /** Names in the response, while that has not begun, how the exchange is not as described. */
  showViolations(): void {
    const { violations = [] } = this.check?.notes ?? {}
    if (violations.length === 0) return
    const flat = this.responseHeaders
    const others = flat.filter((_, index) => flat[index - (index % 2)] !== VIOLATIONS_HEADER)
    this.responseHeaders = [...others, VIOLATIONS_HEADER, violationsHeader(violations)]
  }

  /** Where the client sees the gateway, its session included where the path names that. */
  seenAt(): SeenAt {
    const { scheme, host, url, requestedPath: path = this.path } = this
    const written = url.replace(/\?.*$/s, '')
    return { scheme, host, prefix: written.endsWith(path) ? written.slice(0, -path.length) : written }
  }

  /** The bytes of its body, for the one who reads them. */
  bodyStream(): Readable {
    this.isBodyRead = true
    return this.received?.rewind() ?? this.transport.body()
  }

  /** Aborts when the client has left, or has its response. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const left = new AbortController()
      this.transport.onClose(() => left.abort())
      this.#signal = left.signal
    }
    return this.#signal
  }

  /** Node's request and response, for what streams. */
  get node(): NodeExchange {
    const { node } = this.transport
    if (node === undefined) throw new TypeError('This request did not come over a connection')
    return node
  }
}

/** What requests are counted together by that no route is declared for. */
export function pathKey({ method, isProxied, host, path }: Exchange): string {
  return `${method} ${isProxied ? host : ''}${path}`
}
