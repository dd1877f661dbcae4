import type { Socket } from 'node:net'
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls'
import { callbackify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { readHost } from '../routing/host.ts'
import { caDirectory } from './ca-directory.ts'

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
