import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { readHost, readHostPattern, type Host, readHostList, type HostList } from '../routing/host.ts'
import type { Log } from './log.ts'
import { canHalfClose } from './connections.ts'
import { setTunnel, type Tunnel } from './request-head.ts'
import type { ServerCertificate } from './server-certificate.ts'
import { stateDirectory } from '../recording/redaction/state-directory.ts'
import type { RouteDefinition } from '../engine/route.ts'

/** The certificates that clients are shown, ready for use. */
export type ContextOf = (host: string) => SecureContext | Promise<SecureContext>

const MAX_HOSTS = 1_000
const RENEW_MS = 30 * 86_400_000

/**
 * Certificates of the local authority, made when they are first needed.
 * @param directory where it lives; it is read, or made, when the first client comes
 */
export function issuedContexts(directory: string = caDirectory()): ContextOf {
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
  return contextOf
}

/** What ending TLS needs. */
export interface EndTlsOptions {
  /** Takes the connections that come out of it. */
  readonly reenter: (socket: Duplex, encrypted: Duplex) => void
  readonly log: Log
  /** How long TLS may take to be agreed on. */
  readonly timeoutMs: number
}

/**
 * Ends TLS here, as the server that a client means: the requests in it are handled as all others.
 * @param host whose certificate a client gets that names no host in its greeting
 * @param tunnel the one that the client has opened before, if it has
 */
export type EndTls = (socket: Duplex, host: string, tunnel?: Tunnel) => Promise<void>

/** @param contextOf whose certificates are shown */
export function createEndTls(contextOf: ContextOf, { reenter, log, timeoutMs }: EndTlsOptions): EndTls {
  return async (socket, host, tunnel) => {
    if (socket instanceof Socket) socket.allowHalfOpen = false
    const secureContext = await contextOf(host)
    const timer = setTimeout(() => socket.destroy(), timeoutMs)
    socket.once('close', () => clearTimeout(timer))
    const decrypted = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: callbackify(async (servername: string) => {
        // No certificate is made for a name with a wildcard: it would stand for hosts that nobody requested.
        const named = readHost(servername)?.name
        return named === undefined || named.includes('*') ? secureContext : contextOf(named)
      }),
    })
    if (tunnel !== undefined) setTunnel(decrypted, tunnel)
    decrypted.on('error', (error: NodeJS.ErrnoException) => {
      if (/alert (unknown ca|bad certificate|certificate unknown)/i.test(error.message))
        log.warn(distrust(decrypted.servername || host))
      decrypted.destroy()
    })
    decrypted.once('secure', () => {
      clearTimeout(timer)
      decrypted.allowHalfOpen = canHalfClose(decrypted)
      // Node's own TLS server notes the end of the handshake in this way, and its HTTP/2 waits for the note.
      reenter(Object.assign(decrypted, { secureConnecting: false }), socket)
    })
  }
}

function distrust(host: string): string {
  return `A client does not trust the certificate made for ${host}: it must trust the file that sim ca prints`
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
  /** What clients are shown that speak TLS with the gateway itself (PEM); one of the authority by default. */
  readonly certificate?: ServerCertificate | undefined
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
