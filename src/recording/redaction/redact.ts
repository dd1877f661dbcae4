import { isUtf8 } from 'node:buffer'
import { alignChunks } from '../match/align-chunks.ts'
import type {
  Content,
  Cookie,
  Exchange,
  NameValue,
  PostData,
  Redacted,
  WebSocketMessage,
} from '../files/exchange.ts'
import { gatherHidden, hide } from './pseudonymize.ts'
import { inlineBytes, isBase64, withoutText } from '../files/inline-body.ts'
import { kindOf } from '../files/media.ts'
import { hideCredentials } from './redact-assignments.ts'
import { redactBody } from './redact-body.ts'
import { withoutEchoes } from './redact-echoes.ts'
import { redactValue } from './redact-json.ts'
import { hasAuthorizationCode, redactParameter, redactUrl } from './redact-url.ts'
import { redaction, rulesAt, withRedaction, type Redaction } from './redaction-rules.ts'
import { isExemptName, isSecretName } from './secret-names.ts'

const URL_HEADERS = new Set(['location', 'content-location', 'referer'])
const MOST_PROTOCOL = 60

/**
 * Hides every secret of an exchange: in the URL, headers, cookies, query, inline bodies and messages, and long ones
 * wherever else in it they are said again. Sizes and `Content-Length` stay those of the wire. A body already in a file
 * is not looked into.
 */
export function redact(exchange: Exchange, rules: Redaction = redaction()): Redacted<Exchange> {
  const { result, hidden } = withRedaction(rulesAt(exchange.request.url, rules), () =>
    gatherHidden(() => redactParts(exchange)),
  )
  return alignBody(exchange, withoutEchoes(result, hidden)) as Redacted<Exchange>
}

function redactParts(exchange: Exchange): Exchange {
  const { request, response, _webSocketMessages: messages } = exchange
  const { postData } = request
  const { _trailers: trailers } = response
  const hasCode = hasAuthorizationCode(request.queryString.map(({ name }) => name))
  return {
    ...exchange,
    request: {
      ...request,
      url: redactUrl(request.url),
      cookies: request.cookies.map(redactCookie),
      headers: request.headers.map(redactHeader),
      queryString: request.queryString.map(({ name, value }) => ({
        name,
        value: redactParameter(name, value, hasCode),
      })),
      ...(postData && { postData: redactInline(postData) }),
    },
    response: {
      ...response,
      cookies: response.cookies.map(redactCookie),
      headers: response.headers.map(redactHeader),
      redirectURL: redactUrl(response.redirectURL),
      content: redactInline(response.content),
      ...(trailers && { _trailers: trailers.map(redactHeader) }),
    },
    ...(messages && { _webSocketMessages: messages.map(redactMessage) }),
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

function redactCookie(cookie: Cookie): Cookie {
  return isExemptName(cookie.name) ? cookie : { ...cookie, value: hide(cookie.value) }
}

/** A header without its secrets. */
export function redactHeader(header: NameValue): NameValue {
  const { name, value } = header
  const { cleanHeaders } = redaction()
  const text = `${name}:${value}`
  if (cleanHeaders.get(text) !== undefined) return header
  const redacted = redactHeaderValue(name.toLowerCase(), value)
  if (redacted !== value) return { name, value: redacted }
  cleanHeaders.set(text, JSON.stringify({ name, value }))
  return header
}

function redactHeaderValue(name: string, value: string): string {
  if (name === 'cookie' && !isExemptName(name)) return value.split(';').map(hideCookie).join(';')
  if (name === 'set-cookie' && !isExemptName(name)) return value.replace(/^[^;]*/, hideCookie)
  if (isSecretName(name)) return name.endsWith('authorization') ? hideCredentials(value) : hide(value)
  if (name === 'sec-websocket-protocol') return hideProtocols(value)
  return URL_HEADERS.has(name) ? redactUrl(value) : redactValue(value)
}

// A cookie without `=` is all value: RFC 6265bis, section 5.6.
function hideCookie(pair: string): string {
  const [, name = '', value = ''] = /^(\s*(?:[^=]*=)?\s*)(.*?)\s*$/s.exec(pair) ?? []
  return isExemptName(name) ? pair : `${name}${hide(value)}`
}

// Browsers let pages set no other header of a WebSocket, so pages put tokens here, which no protocol is as long as.
function hideProtocols(value: string): string {
  let isNextSecret = false
  return value.replaceAll(/[^\s,]+/g, (protocol) => {
    const isSecret = isNextSecret || protocol.length > MOST_PROTOCOL
    isNextSecret = isSecretName(protocol)
    return isSecret ? hide(protocol) : protocol
  })
}

function redactMessage(message: WebSocketMessage): WebSocketMessage {
  const { opcode, data } = message
  const bytes = opcode === 1 ? undefined : Buffer.from(data, 'base64')
  if (bytes !== undefined && !isUtf8(bytes)) return message
  const result = redactBody(bytes?.toString() ?? data, '')
  const text = 'text' in result ? result.text : ''
  return { ...message, data: bytes === undefined ? text : Buffer.from(text).toString('base64') }
}

function redactInline<Body extends Content | PostData>(body: Body): Body {
  const { text } = body
  if (text === undefined || (isBase64(body) && kindOf(body.mimeType) === 'binary')) return body
  // What is not UTF-8 is looked into byte by byte: names and syntax are ASCII in most other character sets.
  const bytes = isBase64(body) ? Buffer.from(text, 'base64').toString('latin1') : text
  const result = redactBody(bytes, body.mimeType)
  if ('omitted' in result) return { ...withoutText(body), _omitted: result.omitted } as unknown as Body
  return {
    ...body,
    text: isBase64(body) ? Buffer.from(result.text, 'latin1').toString('base64') : result.text,
  }
}
