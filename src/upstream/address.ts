import type { LookupFunction } from 'node:net'

/** Where a server is. */
export interface Address {
  /** `http:` or `https:`. */
  readonly protocol: string
  /** A name or an address, that of IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
  /** Resolves the name; as the system does without it. */
  readonly lookup: LookupFunction | undefined
}

/** Where the server of an origin is. */
export function addressOf(origin: string, lookup: LookupFunction | undefined): Address {
  const { protocol, hostname, port } = new URL(origin)
  const defaultPort = protocol === 'https:' ? 443 : 80
  return {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    lookup,
  }
}
