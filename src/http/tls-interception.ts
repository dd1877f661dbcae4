import type { Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { readHost, readHostPattern, type Host, readHostList, type HostList } from '../routing/host.ts'
import { stateDirectory } from '../recording/redaction/state-directory.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** Ends TLS here, as the server that a client means. */
export interface TlsInterception {
  /** @param host the host that the tunnel leads to; a client that names another in its greeting gets that one's certificate */
  accept(socket: Socket, host: string): Promise<TLSSocket>
}

const MAX_HOSTS = 1_000
const RENEW_MS = 30 * 86_400_000

/** @param directory where the certificate authority lives; it is read, or made, when the first tunnel comes */
export function createTlsInterception(directory: string = caDirectory()): TlsInterception {
  const contexts = new LRUCache<string, Promise<SecureContext>>({ max: MAX_HOSTS, ttl: RENEW_MS })
  let issuing: Promise<(host: string) => Promise<SecureContext>> | undefined

  const contextOf = (host: string): Promise<SecureContext> => {
    const context = contexts.get(host) ?? (issuing ??= openIssuer(directory)).then((issue) => issue(host))
    contexts.set(host, context)
    // What failed once, such as a directory that was not writable, may work the next time.
    context.catch(() => {
      contexts.delete(host)
      issuing = undefined
    })
    return context
  }
  return {
    async accept(socket, host) {
      const secureContext = await contextOf(host)
      return new TLSSocket(socket, {
        isServer: true,
        secureContext,
        ALPNProtocols: ['h2', 'http/1.1'],
        SNICallback: callbackify(async (servername: string) => {
          // No certificate is made for a name with a wildcard: it would stand for hosts that nobody requested.
          const named = readHost(servername)?.name
          return named === undefined || named.includes('*') ? secureContext : contextOf(named)
        }),
      })
    },
  }
}

// The library that makes certificates takes longer to load than all the rest, so only those who intercept wait for it.
async function openIssuer(directory: string): Promise<(host: string) => Promise<SecureContext>> {
  const [{ openAuthority }, { createIssuer }] = await Promise.all([
    import('./certificate-authority.ts'),
    import('./certificates.ts'),
  ])
  const authority = await openAuthority(directory)
  const issue = await createIssuer(authority)
  return async (host) => {
    const { key, cert } = await issue(host)
    return createSecureContext({ key, cert: `${cert}\n${authority.cert}` })
  }
}

/** How clients get to use TLS. */
export interface TlsOptions {
  /** Hosts whose TLS ends at the gateway besides those it has to read anyway: `api.example.com`, `*.example.com`, `*`. */
  readonly intercept?: readonly string[] | undefined
  /** Hosts whose TLS always passes through unread. */
  readonly tunnel?: readonly string[] | undefined
  /** Where the certificate authority lives; this user's own by default. */
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

/** Where this user's certificate authority lives by default: `SIM_CA_DIR`, or beside the user's other keys. */
export function caDirectory(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { SIM_CA_DIR: named } = env
  return named !== undefined && named !== '' ? named : join(stateDirectory(env, platform), 'ca')
}
