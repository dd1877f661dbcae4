import { readHostPattern, type Host } from '../routing/host.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { readHostList, type HostList } from '../routing/host-list.ts'

/** How clients get to use TLS. */
export interface TlsOptions {
  /** Hosts whose TLS ends at the gateway besides those it has to read anyway: `api.example.com`, `*.example.com`, `*`. */
  readonly intercept?: readonly string[] | undefined
  /** Hosts whose TLS always passes through unread. */
  readonly tunnel?: readonly string[] | undefined
  /** Where the certificate authority lives; this user's own unless told. */
  readonly caDirectory?: string | undefined
}

/** Whose traffic the gateway has to read. */
export interface Reading {
  readonly routes: readonly RouteDefinition[]
  /** Hosts whose requests go to another server than the one they name. */
  readonly redirected?: readonly string[] | undefined
  /** Whether everything is, because it is recorded, replayed or compared. */
  readonly everything: () => boolean
}

/**
 * The hosts whose TLS ends at the gateway: those it simulates, records or replays, those of upstreams, and those that are listed.
 * A route without a host is simulated for all of them.
 * @throws OptionInvalid when a listed host is none
 */
export function interceptedHosts(
  { intercept, tunnel }: TlsOptions,
  { routes, redirected = [], everything }: Reading,
): HostList {
  const isListed = readHostList('tls.intercept', intercept)
  const isLeft = readHostList('tls.tunnel', tunnel)
  const hosts = [...new Set([...routes.map(({ options }) => options.host), ...redirected])]
  const patterns = hosts.map((host) => (host === undefined ? undefined : readHostPattern(host)))
  const isSimulated = (host: Host): boolean =>
    patterns.some((pattern) => pattern === undefined || pattern.matches(host))
  return (host) => !isLeft(host) && (isListed(host) || everything() || isSimulated(host))
}
