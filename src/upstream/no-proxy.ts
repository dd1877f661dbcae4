import { BlockList, isIP } from 'node:net'

/**
 * Reads `NO_PROXY`: hosts, domains (`.example.com` or `*.example.com`, with what is below them), addresses, networks
 * (`10.0.0.0/8`), each with a port if only that is meant, between commas or spaces; `*` means every host.
 * @returns whether a host is reached directly
 */
export function readNoProxy(text: string): (hostname: string, port: number) => boolean {
  const rules = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => readRule(entry.toLowerCase()))
  return (hostname, port) => rules.some((matches) => matches(hostname.toLowerCase().replace(/\.$/, ''), port))
}

type Rule = (hostname: string, port: number) => boolean

function readRule(entry: string): Rule {
  if (entry === '*') return () => true
  if (entry.includes('/')) return networkRule(entry)
  const [, host = entry, onlyPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  const name = host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
  return (hostname, port) =>
    (hostname === name || (isIP(name) === 0 && hostname.endsWith(`.${name}`))) &&
    (onlyPort === undefined || Number(onlyPort) === port)
}

function networkRule(entry: string): Rule {
  const [address = '', bits = ''] = entry.split('/')
  const family = isIP(address)
  const network = new BlockList()
  const most = family === 6 ? 128 : 32
  if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return () => false
  network.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  return (hostname) => isIP(hostname) === family && network.check(hostname, family === 6 ? 'ipv6' : 'ipv4')
}
