import type { HttpRequest } from '../message.ts'
import { SessionKeyInvalid } from '../errors.ts'

/** The header that names a request's session. It is ours: neither forwarded nor recorded. */
export const SESSION_HEADER = 'x-sim-session'

const PREFIX = /^\/__sim\/s\/([^/]+)(\/.*)?$/
const KEY = /^[\w.~:@-]{1,128}$/

/** A request whose session is not known yet. */
export interface Unkeyed extends Pick<HttpRequest, 'headers'> {
  path: string
  /** Who the client says it is to the proxy. */
  readonly user: string | undefined
}

/**
 * The session of a request: named by the path's prefix `/__sim/s/<key>`, which is taken off, by the header
 * `x-sim-session`, or by the user name of the proxy's own authentication, in this order. `''` where none is named.
 * @throws SessionKeyInvalid when the key is longer than 128 letters, or holds other than letters, digits and `_.~:@-`
 */
export function applySession(request: Unkeyed): string {
  const { path } = request
  if (path.startsWith('/__sim/s/')) {
    const [, prefixed, rest = '/'] = PREFIX.exec(path) ?? []
    if (prefixed !== undefined) {
      request.path = rest
      return checked(decoded(prefixed))
    }
  }
  const header = request.headers[SESSION_HEADER]
  const named = header === undefined || header === '' ? request.user : String(header)
  return named === undefined || named === '' ? '' : checked(named)
}

function checked(key: string): string {
  if (KEY.test(key)) return key
  throw new SessionKeyInvalid(key)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
