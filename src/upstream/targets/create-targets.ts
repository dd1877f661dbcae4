import type { HttpRequest } from '../../message.ts'
import { hostOfCall, readHost, type NamedHost } from '../../routing/host.ts'
import { TargetRefused } from '../../errors.ts'
import { createGuard, type Listening, type Resolve } from './guard.ts'
import type { Target, Targets } from './targets.ts'
import { compileRule, type UpstreamRule } from './upstream-rule.ts'

/** Where requests may go. */
export interface TargetOptions {
  /** Servers by host and path; of those that take a request, the one that says most about it gets it. */
  readonly upstreams?: readonly UpstreamRule[] | undefined
  /** Whether clients may name the server to forward to, as those of a proxy do. */
  readonly proxy?: boolean | undefined
  /** The only hosts that clients may name, such as `api.example.com`, `*.example.com` or `10.0.0.7:8080`. */
  readonly allow?: readonly string[] | undefined
  /** Resolves the names that clients give; that of the system unless told. */
  readonly resolve?: Resolve | undefined
}

/**
 * Decides where requests go.
 * @param upstream the server of all that nothing else takes
 * @param listening where the gateway listens
 * @throws OptionInvalid for an upstream or allowed host that cannot be
 */
export function createTargets(
  options: TargetOptions,
  upstream: string | undefined,
  listening: () => readonly Listening[],
): Targets {
  const { upstreams = [], proxy = false, allow, resolve } = options
  const last: UpstreamRule[] = upstream === undefined ? [] : [{ url: upstream }]
  const rules = [...upstreams, ...last].map(compileRule).toSorted((a, b) => b.weight - a.weight)
  const guard = createGuard({ allow, listening, resolve })

  const checked = (authority: string, scheme?: 'http' | 'https'): NamedHost => {
    const written = readHost(authority)
    const host = hostOfCall({ host: authority, ...(scheme !== undefined && { scheme }) })
    if (written === undefined || host === undefined)
      throw new TargetRefused(shown(authority), 'that is not a host')
    if (!proxy) throw new TargetRefused(host.name, 'it is no forward proxy')
    if (scheme === undefined && written.port === undefined)
      throw new TargetRefused(host.name, 'CONNECT names a host and a port')
    if (host.port === 0) throw new TargetRefused(host.name, 'nothing has port 0')
    guard.check(host)
    return host
  }
  // What asks for a proxy of one that is none is a request like any other (RFC 9112, section 3.2.2).
  const isNamed = (isProxied: boolean): boolean => isProxied && proxy
  const named = (call: HttpRequest): Target => {
    const { name, port } = checked(call.host, call.scheme)
    const { origin } = new URL(`${call.scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`)
    const url = `${call.path}${call.search === '' ? '' : `?${call.search}`}`
    return { origin, url, requestHeaders: {}, responseHeaders: {}, lookup: guard.lookup(port) }
  }
  return {
    hasUpstream: rules.length > 0,
    of(call, isProxied) {
      for (const rule of rules) {
        const target = rule.targetOf(call, isNamed(isProxied))
        if (target === undefined) continue
        guard.checkLoop(rule.server)
        return target
      }
      return isNamed(isProxied) ? named(call) : undefined
    },
    tunnel(authority) {
      const { name, port } = checked(authority)
      return { hostname: name, port, lookup: guard.lookup(port) }
    },
  }
}

function shown(authority: string): string {
  // What comes before the @ may be a password.
  return JSON.stringify(authority.replace(/^.*@/s, '…@').slice(0, 100))
}
