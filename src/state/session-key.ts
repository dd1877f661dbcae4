import type { HttpRequest } from '../message.ts'
import { SessionKeyInvalid } from '../errors.ts'

/** The header that names a request's session. It is ours: neither forwarded nor recorded. */
export const SESSION_HEADER = 'x-sim-session'

const PREFIX = /^\/__sim\/s\/([^/]+)(\/.*)?$/
const KEY = /^[\w.~:@-]{1,128}$/

/** A request's session and the call it makes there. */
export interface Keyed {
  readonly key: string
  readonly call: HttpRequest
}

/**
 * The session of a call: named by the path's prefix `/__sim/s/<key>`, which is no part of the call, by the header
 * `x-sim-session`, or by the user name of the proxy's own authentication, in this order. `''` where none is named.
 * @throws SessionKeyInvalid when the key is longer than 128 letters, or holds other than letters, digits and `_.~:@-`
 */
export function readSession(call: HttpRequest, user?: string): Keyed {
  const [, prefixed, rest = '/'] = PREFIX.exec(call.path) ?? []
  if (prefixed !== undefined) return { key: checked(decoded(prefixed)), call: { ...call, path: rest } }
  const header = call.headers[SESSION_HEADER]
  const named = header === undefined || header === '' ? user : String(header)
  return { key: named === undefined || named === '' ? '' : checked(named), call }
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
