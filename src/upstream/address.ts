import type { LookupFunction } from 'node:net'

/** Where a server is. */
export interface Place {
  /** `http:` or `https:`. */
  readonly protocol: string
  /** A name or an address, that of IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
  /** Resolves the name; the system's way without it. */
  readonly lookup: LookupFunction | undefined
}

/** Where the server of an origin is. */
export function placeOf(origin: string, lookup: LookupFunction | undefined): Place {
  const { protocol, hostname, port } = new URL(origin)
  const defaultPort = protocol === 'https:' ? 443 : 80
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    lookup,
  }
}
