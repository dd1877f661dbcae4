import { isIP, type LookupFunction } from 'node:net'
import { UpstreamOffline } from '../errors.ts'
import { isLoopback } from '../http/loopback.ts'
import type { Connect } from './connector.ts'
import type { Resolve } from './targets/guard.ts'

const LOCAL_NAME = /^(?:.+\.)?localhost$/i
const LOCAL_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Connects to loopback alone: to its addresses, and to the names that stand for it (RFC 6761, section 6.3).
 * @throws UpstreamOffline for all else, before a name is resolved
 */
export function keepOffline(connect: Connect): Connect {
  return async (address, allowH2) => {
    const { protocol, hostname, port, lookup = lookupLocally } = address
    if (isIP(hostname) === 0 ? !LOCAL_NAME.test(hostname) : !isLoopback(hostname))
      throw new UpstreamOffline(`${protocol}//${hostname}:${port}`)
    return connect({ ...address, lookup }, allowH2)
  }
}

/** Resolves the names that stand for loopback, and no others, without a resolver. */
export const resolveLocally: Resolve = (name, _options, done) => {
  if (LOCAL_NAME.test(name)) done(null, LOCAL_ADDRESSES)
  else done(new UpstreamOffline(name), [])
}

const lookupLocally: LookupFunction = (_name, { all = false }, done) => {
  if (all) done(null, LOCAL_ADDRESSES)
  else done(null, '127.0.0.1', 4)
}
