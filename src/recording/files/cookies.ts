import type { Cookie } from './exchange.ts'

/** The cookies of a `Cookie` header (RFC 6265, section 4.2.1). */
export function readCookies(header: string): Cookie[] {
  const pairs = header.split(';').filter((pair) => pair.trim() !== '')
  return pairs.map(cookieOf)
}

/** The cookie of a `Set-Cookie` header (RFC 6265, section 5.2); an attribute that cannot be read is left out. */
export function readSetCookie(header: string): Cookie {
  const [pair = '', ...attributes] = header.split(';')
  const read = new Map(attributes.map(cookieOf).map(({ name, value }) => [name.toLowerCase(), value]))
  const flags = new Set(attributes.map((attribute) => attribute.trim().toLowerCase()))
  const path = read.get('path')
  const domain = read.get('domain')
  const expires = Date.parse(read.get('expires') ?? '')
  return {
    ...cookieOf(pair),
    ...(path !== undefined && { path }),
    ...(domain !== undefined && { domain }),
    ...(!Number.isNaN(expires) && { expires: new Date(expires).toISOString() }),
    ...(flags.has('httponly') && { httpOnly: true }),
    ...(flags.has('secure') && { secure: true }),
  }
}

// A cookie without `=` is all value: RFC 6265bis, section 5.6.
function cookieOf(pair: string): Cookie {
  const equals = pair.indexOf('=')
  return { name: pair.slice(0, Math.max(0, equals)).trim(), value: pair.slice(equals + 1).trim() }
}
