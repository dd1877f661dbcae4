import type { Content, Cookie, Exchange, NameValue, PostData, Redacted } from './exchange.ts'
import { hide } from './hide.ts'
import { isBase64, withoutText } from './inline-body.ts'
import { kindOf } from './media.ts'
import { redactBody } from './redact-body.ts'
import { redactValue } from './redact-json.ts'
import { redactParameter, redactUrl } from './redact-url.ts'
import { isSecretName } from './secret-names.ts'

const URL_HEADERS = new Set(['location', 'content-location', 'referer'])

/**
 * Hides every secret of an exchange: in the URL, headers, cookies, query and inline bodies.
 * Sizes and `Content-Length` stay those of the wire. A body already in a file is not looked into.
 */
export function redact(exchange: Exchange): Redacted<Exchange> {
  const { request, response } = exchange
  const { postData } = request
  const { _trailers: trailers } = response
  const clean: Exchange = {
    ...exchange,
    request: {
      ...request,
      url: redactUrl(request.url),
      cookies: request.cookies.map(redactCookie),
      headers: request.headers.map(redactHeader),
      queryString: request.queryString.map(({ name, value }) => ({
        name,
        value: redactParameter(name, value),
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
  }
  return clean as Redacted<Exchange>
}

function redactCookie(cookie: Cookie): Cookie {
  return { ...cookie, value: hide(cookie.value) }
}

/** A header without its secrets. */
export function redactHeader({ name, value }: NameValue): NameValue {
  return { name, value: redactHeaderValue(name.toLowerCase(), value) }
}

function redactHeaderValue(name: string, value: string): string {
  if (name === 'cookie') return value.split(';').map(hideCookie).join(';')
  if (name === 'set-cookie') return value.replace(/^[^;]*/, hideCookie)
  if (isSecretName(name)) return hide(value)
  return URL_HEADERS.has(name) ? redactUrl(value) : redactValue(value)
}

// A cookie without `=` is all value: RFC 6265bis, section 5.6.
function hideCookie(pair: string): string {
  const [, name = '', value = ''] = /^(\s*(?:[^=]*=)?\s*)(.*?)\s*$/s.exec(pair) ?? []
  return `${name}${hide(value)}`
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
