import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Services that say to a cloud's machines who they are, outside of the link-local range. */
const METADATA = new Map([
  ['fd00:ec2::254', 'AWS'],
  ['fd20:ce::254', 'Google Cloud'],
  ['100.100.100.200', 'Alibaba Cloud'],
  ['168.63.129.16', 'Azure'],
  ['192.0.0.192', 'Oracle Cloud'],
])

const RANGES: Readonly<Record<string, string>> = {
  linkLocal: 'a link-local address',
  unspecified: 'the unspecified address, which means this machine',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
}

/** Why an address may never be forwarded to; undefined when it may. */
export function refuseAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return 'not an address'
  const address = plain(ipaddr.parse(text))
  const cloud = METADATA.get(address.toString())
  if (cloud !== undefined) return `the metadata service of ${cloud}`
  return RANGES[address.range()]
}

/** Whether an address is a way to this machine alone. */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && plain(ipaddr.parse(text)).range() === 'loopback'
}

/** An address in the one spelling that it is compared in. */
export function plainAddress(text: string): string {
  return ipaddr.isValid(text) ? plain(ipaddr.parse(text)).toString() : text
}

// Where IPv6 holds an IPv4 address, packets may end up there: RFC 4291, section 2.5.5; RFC 6052; RFC 3056; RFC 4380.
function plain(address: Address): Address {
  if (address.kind() === 'ipv4') return address
  const { parts, zoneId } = address as ipaddr.IPv6
  const inner = innerParts(parts, address.range())
  if (inner !== undefined) return ipaddr.fromByteArray(inner.flatMap((part) => [part >> 8, part & 0xff]))
  return zoneId === undefined ? address : new ipaddr.IPv6(parts)
}

function innerParts(parts: readonly number[], range: string): number[] | undefined {
  const last = parts.slice(6)
  const isCompatible =
    parts.slice(0, 6).every((part) => part === 0) && (parts[6] !== 0 || Number(parts[7]) > 1)
  if (isCompatible || ['ipv4Mapped', 'rfc6145', 'rfc6052'].includes(range)) return last
  if (range === '6to4') return parts.slice(1, 3)
  return range === 'teredo' ? last.map((part) => part ^ 0xffff) : undefined
}
