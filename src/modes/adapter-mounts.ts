import type { HttpRequest, Headers } from '../message.ts'
import { HOST_FORM, hostOfCall, readHostPattern } from '../routing/host.ts'
import { OptionInvalid } from '../errors.ts'
import type { SeenAt } from '../http/forwarded-headers.ts'

/** A request as an adapter sees it, whether it came over a socket, in process or by way of the gateway. */
export interface AdapterRequest {
  readonly method: string
  /** Path and query as they were sent, percent escapes and all, but without the prefix of a mount. */
  readonly url: string
  /** By name in lower case. */
  readonly headers: Headers
  readonly body: Buffer
  /** The address of the client; absent in process. */
  readonly remoteAddress?: string | undefined
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** An answer of an adapter. */
export interface AdapterAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly body: Buffer | string
}

/** What answers requests for a vendor's API, as those do that `createAdapter` of `sim-gateway/adapter` makes. */
export interface Mountable {
  readonly name: string
  /** The longest body it takes, in bytes. */
  readonly bodyLimit: number
  handle(request: AdapterRequest): Promise<AdapterAnswer>
  /** Puts everything back to the beginning. */
  reset(): void
}

/** An adapter, and what it answers: all requests for a host, below a prefix, or both. */
export interface AdapterMount {
  readonly adapter: Mountable
  /** A host, such as `api.example.com` or `*.example.com`. Default: any. */
  readonly host?: string | undefined
  /** A path such as `/vendor`, which the adapter does not see. Default: none. */
  readonly prefix?: string | undefined
}

/** An adapter and what it is asked. */
export interface MountedCall {
  readonly adapter: Pick<Mountable, 'name' | 'bodyLimit' | 'handle'>
  readonly url: string
  /** Where the client sees the adapter; absent where nothing is between the two. */
  readonly seenAt?: SeenAt
}

/** The adapters of a gateway. */
export interface Mounts {
  readonly list: readonly AdapterMount[]
  /** The first adapter that a call is for. */
  of(call: HttpRequest): MountedCall | undefined
}

/** @throws OptionInvalid for a host or prefix that cannot be */
export function createMounts(mounts: readonly AdapterMount[] = []): Mounts {
  const compiled = mounts.map(compile)
  return {
    list: mounts,
    of(call) {
      for (const find of compiled) {
        const found = find(call)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

function compile({ adapter, host, prefix = '' }: AdapterMount): Mounts['of'] {
  const pattern = host === undefined ? undefined : readHostPattern(host)
  if (host !== undefined && pattern === undefined)
    throw new OptionInvalid(`The host of the adapter ${adapter.name} must be ${HOST_FORM}, not '${host}'`)
  if (prefix !== '' && !prefix.startsWith('/'))
    throw new OptionInvalid(`The prefix of the adapter ${adapter.name} must start with '/', not '${prefix}'`)
  const below = prefix.replace(/\/+$/, '')

  return (call) => {
    const { path, search } = call
    if (below !== '' && path !== below && !path.startsWith(`${below}/`)) return undefined
    if (pattern !== undefined) {
      const called = hostOfCall(call)
      if (called === undefined || !pattern.matches(called)) return undefined
    }
    const rest = path.slice(below.length) || '/'
    const seenAt = { scheme: call.scheme, host: call.host, prefix: `${call.prefix ?? ''}${below}` }
    return { adapter, url: search === '' ? rest : `${rest}?${search}`, seenAt }
  }
}
