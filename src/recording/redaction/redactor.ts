import { createMemo } from '../../memo.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import type { Content, Exchange, NameValue, Redacted, WebSocketMessage } from '../exchange.ts'
import type { QuoteHarmless } from './harmless-json.ts'
import { createRedactApart, type RedactApart } from './redact-apart.ts'
import { quoterOf, redactBody, redactParameter, redactUrl, type RedactedBody } from './redact-body.ts'
import { messageRedactor } from './redact-message.ts'
import { redactContent, redactExchange, redactHeader, repeatable } from './redact-exchange.ts'
import {
  collectSecrets,
  compileSecrets,
  type MoreNames,
  type RedactionRules,
  type Secrets,
} from './secrets.ts'

/** A request that may have secrets. */
export interface RedactableRequest {
  /** Absolute or not. */
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly contentType: string
  /** Without its content coding. */
  readonly body: Buffer | undefined
}

/** A request without secrets. */
export interface RedactedRequest {
  readonly url: string
  readonly headers: readonly NameValue[]
  /** Empty where it was left out. */
  readonly body: string
  readonly secrets: ReadonlyMap<string, string>
}

/** Hides secrets, by the rules of one gateway and with one key. */
export interface Redactor {
  header(header: NameValue): NameValue
  /** A URL, absolute or not. */
  url(url: string): string
  /** The value of a decoded parameter of a query. */
  parameter(name: string, value: string): string
  /** A request, with the secrets that were hidden in it by their pseudonyms. */
  request(sent: RedactableRequest): RedactedRequest
  /** The text of a body. What its `Content-Type` says must fit, or the body is left out. */
  body(text: string, contentType: string): RedactedBody
  /** What hides the secrets of messages, by the headers that opened their WebSocket or stream. */
  messages(headers: readonly NameValue[]): (message: WebSocketMessage) => WebSocketMessage
  /**
   * Hides every secret of an exchange: in the URL, headers, cookies, query, inline bodies and messages, and long ones
   * wherever else in it they are repeated. Sizes and `Content-Length` stay those of the wire. A body already in a file
   * is not looked into.
   * @param found gets the secrets that were hidden
   */
  exchange(exchange: Exchange, found?: Set<string>): Redacted<Exchange>
  /** The same in a thread of its own, for exchanges that would hold up others. */
  exchangeApart(exchange: Exchange): Promise<Redacted<Exchange>>
  /**
   * The content of a response as `exchange` has it, where `found` is what was hidden in the rest of the exchange;
   * `undefined` when it holds secrets of its own that the rest may repeat.
   */
  content(content: Content, url: string, found: ReadonlySet<string>): Redacted<Content> | undefined
  /**
   * What gives the text of a response's content as a JSON string, quotes included, where that is JSON that holds no
   * secret and none of `found`, and `undefined` where it has to be looked into; absent where all have to be.
   */
  quoter(contentType: string, url: string, found: ReadonlySet<string>): QuoteHarmless | undefined
  /** The redactor for a path: a store of secrets takes and gives them whatever its fields are called. */
  at(path: string): Redactor
}

/** Paths of what gives secrets under names that say nothing of them. */
const STORES: readonly (MoreNames & { readonly path: RegExp })[] = [
  { path: /\/secrets?(?:[/?]|$)/i, names: ['*value', 'data'], kind: 'secret' },
  {
    path: /\/(?:(?:api|access|auth)[-_/]?(?:keys?|tokens?)|(?:list)?keys|tokens)(?:[/?]|$)/i,
    names: ['key', 'value', 'encoded'],
    kind: 'maybe',
  },
]

/**
 * A redactor by these rules.
 * @param key what pseudonyms are made with; without one, all secrets look the same
 * @throws OptionInvalid for a pattern that is not a regular expression, or one that fits everything
 */
export function createRedactor(rules: RedactionRules = {}, key?: Buffer): Redactor {
  const strict = new Map<MoreNames, Redactor>()
  const apart = createRedactApart((exchange) => redactor.exchange(exchange), rules, key)
  const known = createMemo<true>()
  const redactor: Redactor = redactorOf(compileSecrets(rules, key), apart, known, (path) => {
    const store = STORES.find((each) => each.path.test(path))
    if (store === undefined) return redactor
    const stricter: Redactor =
      strict.get(store) ?? redactorOf(compileSecrets(rules, key, store), apart, known, () => stricter)
    strict.set(store, stricter)
    return stricter
  })
  return redactor
}

type Known = ReturnType<typeof createMemo<true>>

/** @param known what earlier exchanges hid, which later URLs may name */
function redactorOf(
  secrets: Secrets,
  exchangeApart: RedactApart,
  known: Known,
  at: Redactor['at'],
): Redactor {
  // Headers without a secret, which come over and over.
  const clean = createMemo<true>()
  const header = (pair: NameValue, by: Secrets): NameValue => {
    const text = `${pair.name}:${pair.value}`
    if (clean.get(text) === true) return pair
    const redacted = redactHeader(pair, by)
    if (redacted === pair) clean.set(text, true)
    return redacted
  }
  const redactor: Redactor = {
    header: (pair) => header(pair, secrets),
    url: (url) => redactUrl(withoutKnown(url, known, secrets), secrets),
    parameter: (name, value) => redactParameter(name, value, secrets),
    request(sent) {
      const stricter = at(sent.url)
      return stricter === redactor ? redactRequest(sent, secrets) : stricter.request(sent)
    },
    body: (text, contentType) => redactBody(text, contentType, secrets),
    messages: (headers) => messageRedactor(headers, secrets),
    exchange(exchange, found = new Set()) {
      const stricter = at(exchange.request.url)
      if (stricter !== redactor) return stricter.exchange(exchange, found)
      const { request } = exchange
      const url = withoutKnown(request.url, known, collectSecrets(secrets, found))
      const queryString = request.queryString.map((pair) =>
        known.get(pair.value) ? { ...pair, value: secrets.pseudonymize(pair.value) } : pair,
      )
      const own = url === request.url ? exchange : { ...exchange, request: { ...request, url, queryString } }
      const redacted = redactExchange(own, secrets, header, found)
      for (const each of found) if (MAY_BE_NAMED.test(each)) known.set(each, true)
      return redacted
    },
    exchangeApart,
    content(content, url, found) {
      const stricter = at(url)
      return stricter === redactor
        ? redactContent(content, url, secrets, found)
        : stricter.content(content, url, found)
    },
    quoter(contentType, url, found) {
      const stricter = at(url)
      if (stricter !== redactor) return stricter.quoter(contentType, url, found)
      return quoterOf(contentType, secrets, repeatable(found))
    },
    at,
  }
  return redactor
}

const MIN_NAMED = 16
/** What is shorter, or without a digit, may be a harmless word elsewhere. */
const MAY_BE_NAMED = /^(?=\D*\d)\S{16,}$/

// What an answer gave as a secret may be what a later path ends in: `DELETE /api-tokens/…`.
function withoutKnown(url: string, known: Known, { pseudonymize }: Secrets): string {
  return url
    .split(/([/?&=#])/)
    .map((part) => {
      const value = part.length < MIN_NAMED ? part : decodeSegment(part)
      return known.get(value) ? encodeURIComponent(pseudonymize(value)) : part
    })
    .join('')
}

function redactRequest(
  { url, headers, contentType, body }: RedactableRequest,
  secrets: Secrets,
): RedactedRequest {
  const found = new Set<string>()
  const collecting = collectSecrets(secrets, found)
  const redacted = body === undefined ? undefined : redactBody(body.toString(), contentType, collecting)
  return {
    url: redactUrl(url, collecting),
    headers: headers.map((each) => redactHeader(each, collecting)),
    body: redacted !== undefined && 'text' in redacted ? redacted.text : '',
    secrets: new Map([...found].map((each) => [secrets.pseudonymize(each), each])),
  }
}
