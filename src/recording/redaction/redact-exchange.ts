import { hash } from 'node:crypto'
import { bodyTypeOf } from '../../media-type.ts'
import {
  type Content,
  type Cookie,
  type Exchange,
  inlineBytes,
  isBase64,
  type NameValue,
  type PostData,
  type Redacted,
  withoutText,
} from '../exchange.ts'
import { alignChunks } from './align-chunks.ts'
import {
  hasAuthorizationCode,
  mayStateLengths,
  redactBeginning,
  redactBody,
  redactParameter,
  redactType,
  redactUrl,
} from './redact-body.ts'
import { looksCoined, looksLikeCode, looksRandom } from './random-look.ts'
import { redactBytes, redactMedia } from './redact-bytes.ts'
import { redactValue } from './redact-json.ts'
import { messageRedactor } from './redact-message.ts'
import { redactNamed } from './redact-text.ts'
import { collectSecrets, keepingLengths, looksSecret, type Secrets } from './secrets.ts'

const URL_HEADERS = new Set([
  ...['location', 'content-location', 'referer', 'x-original-url', 'x-rewrite-url', 'x-forwarded-uri'],
])
/** Headers that carry credentials under names that say something else elsewhere. */
const CREDENTIAL_HEADERS = new Set(['authentication', 'cookie2', 'x-session'])
const MAX_PROTOCOL_LENGTH = 60

type RedactHeader = (header: NameValue, secrets: Secrets) => NameValue

/**
 * Hides every secret of an exchange, and long ones wherever else in it they are repeated.
 * @param header hides those of a header
 * @param found gets what was hidden
 */
export function redactExchange(
  exchange: Exchange,
  secrets: Secrets,
  header: RedactHeader,
  found: Set<string>,
): Redacted<Exchange> {
  const redacted = redactParts(exchange, collectSecrets(secrets, found), header)
  for (const id of sessionIdsIn(exchange)) found.add(id)
  const clean = alignBody(exchange, withoutEchoes(redacted, cleaner(found, secrets)))
  const content = noteHidden(exchange.response.content, clean.response.content)
  return { ...clean, response: { ...clean.response, content } } as Redacted<Exchange>
}

/**
 * The content of a response as `redactExchange` has it, where `found` is what was hidden in the rest of the exchange;
 * `undefined` when it holds secrets of its own that the rest may repeat.
 */
export function redactContent(
  content: Content,
  url: string,
  secrets: Secrets,
  found: ReadonlySet<string>,
): Redacted<Content> | undefined {
  const own = new Set<string>()
  const collecting = collectSecrets(secrets, own)
  const redacted = redactInline(redactType(content, collecting), collecting, url)
  if (repeatable(own).some((secret) => !found.has(secret))) return undefined
  return noteHidden(content, cleanBody(redacted, cleaner(found, secrets))) as Redacted<Content>
}

const HAS_PASSWORD = /(?:^|["&])(?:password|passwd|passphrase|pwd)["=]/i
const HAS_EXPIRY = /"(?:ttl|expires?\w*)"\s*:/i
const SESSION_ID = /"id"\s*:\s*"([\w.~+/=-]{32,400})"/g

// What a login gives under a name that says nothing of it: LoopBack's tokens are the `id` of an object that expires.
function sessionIdsIn({ request: { postData }, response: { content } }: Exchange): readonly string[] {
  const { text = '' } = content
  if (!HAS_PASSWORD.test(postData?.text ?? '') || isBase64(content) || !HAS_EXPIRY.test(text)) return []
  return [...text.matchAll(SESSION_ID)].map(([, id = '']) => id).filter(looksRandom)
}

function noteHidden(before: Content, after: Content): Content {
  return after.text === undefined || after.text === before.text ? after : { ...after, _redacted: true }
}

function redactParts(exchange: Exchange, secrets: Secrets, header: RedactHeader): Exchange {
  const { request, response, _webSocketMessages: messages, _webSocketClose: close } = exchange
  const { postData } = request
  const { _trailers: trailers } = response
  const redactHeaders = (headers: readonly NameValue[]): NameValue[] =>
    headers.map((each) => header(each, secrets))
  const hasCode = hasAuthorizationCode(request.queryString.map(({ name }) => name))
  return {
    ...exchange,
    request: {
      ...request,
      url: redactUrl(request.url, secrets),
      cookies: request.cookies.map((cookie) => redactCookie(cookie, secrets)),
      headers: redactHeaders(request.headers),
      queryString: request.queryString.map(({ name, value }) => ({
        name: redactValue(name, secrets),
        value: redactParameter(name, value, secrets, hasCode),
      })),
      ...(postData && { postData: redactInline(redactType(postData, secrets), secrets) }),
    },
    response: {
      ...response,
      cookies: response.cookies.map((cookie) => redactCookie(cookie, secrets)),
      headers: redactHeaders(response.headers),
      redirectURL: redactUrl(response.redirectURL, secrets),
      content: redactInline(redactType(response.content, secrets), secrets, request.url),
      ...(trailers && { _trailers: redactHeaders(trailers) }),
    },
    ...(messages && { _webSocketMessages: messages.map(messageRedactor(response.headers, secrets)) }),
    ...(close && { _webSocketClose: { ...close, reason: redactValue(close.reason, secrets) } }),
  }
}

// The chunks of a body are those of what is stored of it.
function alignBody({ response: { content: before } }: Exchange, clean: Exchange): Exchange {
  const { content } = clean.response
  const { _chunks: chunks } = content
  if (chunks === undefined || content.text === before.text) return clean
  const [from, to] = [inlineBytes(before), inlineBytes(content)]
  if (from === undefined || to === undefined) return clean
  return {
    ...clean,
    response: { ...clean.response, content: { ...content, _chunks: alignChunks(from, to, chunks) } },
  }
}

function redactCookie(cookie: Cookie, secrets: Secrets): Cookie {
  const { name, value, path } = cookie
  const own = secrets.isExemptName(name) ? value : redactCookieValue(name, value, secrets)
  return { ...cookie, value: own, ...(path !== undefined && { path: redactUrl(path, secrets) }) }
}

/** What says how a page is shown: a word or two, or a number as small as a time. */
const PREFERENCE =
  /^(?:[A-Za-z]{1,12}(?:[-_/][A-Za-z]{1,12}){0,2}|-?\d{1,10}|1[4-9]\d{11}|20\d\d-\d\d-\d\d(?:T\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d{1,6})?Z)?)$/

function redactCookieValue(name: string, value: string, secrets: Secrets): string {
  const isPreference = name !== '' && !secrets.isSecretParameter(name) && secrets.kindOf(name) === 'harmless'
  return isPreference && PREFERENCE.test(value) && !looksCoined(value)
    ? redactValue(value, secrets)
    : secrets.pseudonymize(value)
}

/** A header without its secrets; the one given where there are none. */
export function redactHeader(header: NameValue, secrets: Secrets): NameValue {
  const { name, value } = header
  const redacted = redactHeaderValue(name.toLowerCase(), value, secrets)
  return redacted === value ? header : { name, value: redacted }
}

function redactHeaderValue(name: string, value: string, secrets: Secrets): string {
  const isCookie = name === 'cookie' || name === 'set-cookie'
  if (isCookie && !secrets.isExemptName(name)) return redactCookies(name, value, secrets)
  // No header has a label in place of its value.
  if (
    looksSecret(secrets.kindOf(name), value) ||
    (CREDENTIAL_HEADERS.has(name) && !secrets.isExemptName(name))
  )
    return redactNamed(name, value, secrets)
  // Of a header of its own, as `X-Acme-Key`.
  if (secrets.kindOf(name) === 'maybe' && looksLikeCode(value)) return secrets.pseudonymize(value)
  if (name === 'sec-websocket-protocol') return redactProtocols(value, secrets)
  return URL_HEADERS.has(name) ? redactUrl(value, secrets) : redactValue(value, secrets)
}

function redactCookies(name: string, value: string, secrets: Secrets): string {
  const redactPair = (pair: string): string => redactCookiePair(pair, secrets)
  if (name === 'cookie') return value.split(';').map(redactPair).join(';')
  const [, pair = '', attributes = ''] = /^([^;]*)(.*)$/s.exec(value) ?? []
  return redactPair(pair) + redactAttributes(attributes, secrets)
}

// A path may hold a secret as that of a URL does.
function redactAttributes(attributes: string, secrets: Secrets): string {
  return attributes.replace(/(;\s*path\s*=\s*)([^;]+)/i, (_whole, head: string, path: string) => {
    return head + redactUrl(path, secrets)
  })
}

// A cookie without `=` is all value: RFC 6265bis, section 5.6.
function redactCookiePair(pair: string, secrets: Secrets): string {
  const [, before = '', name = '', value = ''] = /^(\s*(?:([^=]*?)\s*=)?\s*)(.*)$/s.exec(pair) ?? []
  return secrets.isExemptName(name) ? pair : before + redactCookieValue(name, value.trimEnd(), secrets)
}

/** What stands behind a name: `access_token.…`. */
const PROTOCOL_TOKEN = /^(?:[A-Za-z][\w-]{0,40}[.:])?(?:[a-z]{2,12}-)?([^.:]{16,})$/

// Browsers let pages set no other header of a WebSocket, so pages put tokens here, which no protocol is as long as.
function redactProtocols(value: string, { isSecretName, pseudonymize }: Secrets): string {
  let isNextSecret = false
  return value.replaceAll(/[^\s,]+/g, (protocol) => {
    const isSecret = isNextSecret || protocol.length > MAX_PROTOCOL_LENGTH
    isNextSecret = isSecretName(protocol)
    if (isSecret) return pseudonymize(protocol)
    const [, token = ''] = PROTOCOL_TOKEN.exec(protocol) ?? []
    return looksRandom(token) ? protocol.slice(0, -token.length) + pseudonymize(token) : protocol
  })
}

function redactInline<Body extends Content | PostData>(body: Body, secrets: Secrets, url = ''): Body {
  const { text } = body
  if (text === undefined) return body
  const type = bodyTypeOf(body.mimeType, url)
  const media = isBase64(body) ? redactMedia(text, secrets) : undefined
  if (media !== undefined) return media === text ? body : { ...body, text: media }
  const raw = isBase64(body) ? Buffer.from(text, 'base64') : undefined
  const other = raw === undefined ? undefined : redactBytes(raw, type, secrets)
  if (other !== undefined) return other === raw ? body : { ...body, text: other.toString('base64') }
  // What is not UTF-8 is looked into byte by byte: names and syntax are ASCII in most other character sets.
  const bytes = raw?.toString('latin1') ?? text
  const isPart = body._omitted !== undefined
  const result = isPart ? redactBeginning(bytes, type, secrets) : redactBody(bytes, type, secrets)
  if ('omitted' in result) {
    const digest = hash('sha256', inlineBytes(body) ?? '')
    return { ...withoutText(body), _omitted: result.omitted, _bodySha256: digest } as unknown as Body
  }
  return {
    ...body,
    text: isBase64(body) ? Buffer.from(result.text, 'latin1').toString('base64') : result.text,
  }
}

// Long, and with letters and digits: what is shorter may be a harmless word elsewhere.
const TOKEN_LIKE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=:-]{16,}$/

// Each is looked for in the whole exchange.
const MAX_SECRETS = 100

/** @param keepsLengths whether the text may state the lengths of its parts */
type Clean = (text: string, keepsLengths?: boolean) => string

/** The secrets that are looked for in the whole exchange, the longest first. */
export function repeatable(found: ReadonlySet<string>): string[] {
  return [...found].filter((value) => TOKEN_LIKE.test(value)).toSorted((a, b) => b.length - a.length)
}

/** What hides secrets where no name says what they are, such as in an echo of the request's headers. */
function cleaner(found: ReadonlySet<string>, secrets: Secrets): Clean | undefined {
  const values = found.size === 0 ? [] : repeatable(found).slice(0, MAX_SECRETS)
  if (values.length === 0) return undefined
  return (text, keepsLengths = false) => {
    const { pseudonymize } = keepsLengths ? keepingLengths(secrets) : secrets
    return values.reduce(
      (left, value) => (left.includes(value) ? left.replaceAll(value, pseudonymize(value)) : left),
      text,
    )
  }
}

function cleanBody<Body extends Content | PostData>(body: Body, clean: Clean | undefined): Body {
  if (clean === undefined || body.text === undefined) return body
  if (isBase64(body)) return { ...body, text: cleanBytes(body.text, clean) }
  return { ...body, text: clean(body.text, mayStateLengths(body.text, body.mimeType)) }
}

function cleanBytes(text: string, clean: Clean): string {
  const bytes = Buffer.from(text, 'base64').toString('latin1')
  const cleaned = clean(bytes, true)
  return cleaned === bytes ? text : Buffer.from(cleaned, 'latin1').toString('base64')
}

function withoutEchoes(exchange: Exchange, clean: Clean | undefined): Exchange {
  if (clean === undefined) return exchange
  const cleanAll = <Pair extends NameValue>(pairs: readonly Pair[]): Pair[] =>
    pairs.map((pair) => ({ ...pair, value: clean(pair.value) }))
  const { request, response, _webSocketMessages: messages, _webSocketClose: close } = exchange
  const { postData } = request
  const { _trailers: trailers } = response
  return {
    ...exchange,
    request: {
      ...request,
      url: clean(request.url),
      headers: cleanAll(request.headers),
      queryString: cleanAll(request.queryString),
      ...(postData && { postData: cleanBody(postData, clean) }),
    },
    response: {
      ...response,
      headers: cleanAll(response.headers),
      redirectURL: clean(response.redirectURL),
      content: cleanBody(response.content, clean),
      ...(trailers && { _trailers: cleanAll(trailers) }),
    },
    ...(messages && {
      _webSocketMessages: messages.map((each) =>
        each.opcode === 1
          ? { ...each, data: clean(each.data, mayStateLengths(each.data, '')) }
          : { ...each, data: cleanBytes(each.data, clean) },
      ),
    }),
    ...(close && { _webSocketClose: { ...close, reason: clean(close.reason) } }),
  }
}
