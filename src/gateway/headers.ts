import { SESSION_HEADER } from './sessions/session-key.ts'

/** A header's name and value, as on the wire. */
export type HeaderPair = [name: string, value: string]

// RFC 9110, section 7.6.1, and the proxy fields that browsers and old clients send.
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization'],
  // The session is between the client and this gateway.
  SESSION_HEADER,
])

/** The headers that may pass to the next hop: without the hop-by-hop ones and those that `Connection` names. */
export function endToEnd(pairs: readonly HeaderPair[]): HeaderPair[] {
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase())
  const dropped = new Set([...HOP_BY_HOP, ...named])
  // What begins with a colon is HTTP/2's request line in the form of headers.
  return pairs.filter(([name]) => !name.startsWith(':') && !dropped.has(name.toLowerCase()))
}

/** Name and value pairs from the flat list that Node and undici give. */
export function pairsOf(flat: readonly (string | Buffer)[]): HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([textOf(flat[i]), textOf(flat[i + 1])])
  return pairs
}

// Header bytes are ISO-8859-1 to Node, in and out, so that none is changed on the way.
function textOf(value: string | Buffer | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}
