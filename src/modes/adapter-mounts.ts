import { OptionInvalid } from '../errors.ts'
import type { Awaitable, HttpRequest, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Policies, Route } from '../pipeline/route.ts'
import { HOST_FORM, hostOfCall, readHostPattern } from '../routing/host.ts'

/** What answers requests for a vendor's API, as those do that `createAdapter` of `sim-gateway/adapter` makes. */
export interface Mountable {
  readonly name: string
  /** Its routes at a place of a gateway: finds that of a request, always one. */
  routesAt(place: MountPlace): (exchange: Exchange) => Route
  /** Answers a request for one of its control paths, from clients who may use them. */
  control(exchange: Exchange, path: string): Awaitable<HttpResponse>
  /** Puts everything back to the beginning. */
  reset(): void
}

/** Where an adapter is mounted. */
export interface MountPlace {
  readonly host: string | undefined
  /** What is not part of its own paths, without a slash at the end; `''` for nothing. */
  readonly prefix: string
  /** What the plugins of the gateway do. */
  readonly policies: Policies
}

/** An adapter, and what it answers: all requests for a host, below a prefix, or both. */
export interface AdapterMount {
  readonly adapter: Mountable
  /** A host, such as `api.example.com` or `*.example.com`. Default: any. */
  readonly host?: string | undefined
  /** A path such as `/vendor`, which the adapter does not see. Default: none. */
  readonly prefix?: string | undefined
}

/** The adapters of a gateway. */
export interface Mounts {
  readonly list: readonly AdapterMount[]
  /** The route of the first adapter that a request is for. */
  routeOf(exchange: Exchange): Route | undefined
}

/** @throws OptionInvalid for a host or prefix that cannot be */
export function createMounts(mounts: readonly AdapterMount[] = [], policies: Policies = {}): Mounts {
  const compiled = mounts.map((mount) => compile(mount, policies))
  return {
    list: mounts,
    routeOf: (exchange) => compiled.find(({ fits }) => fits(exchange))?.routeOf(exchange),
  }
}

function compile({ adapter, host, prefix = '' }: AdapterMount, policies: Policies) {
  const pattern = host === undefined ? undefined : readHostPattern(host)
  if (host !== undefined && pattern === undefined)
    throw new OptionInvalid(`The host of the adapter ${adapter.name} must be ${HOST_FORM}, not '${host}'`)
  if (prefix !== '' && !prefix.startsWith('/'))
    throw new OptionInvalid(`The prefix of the adapter ${adapter.name} must start with '/', not '${prefix}'`)
  const below = prefix.replace(/\/+$/, '')

  return {
    fits(request: HttpRequest): boolean {
      const { path } = request
      if (below !== '' && path !== below && !path.startsWith(`${below}/`)) return false
      const called = pattern && hostOfCall(request)
      return pattern === undefined || (called !== undefined && pattern.matches(called))
    },
    routeOf: adapter.routesAt({ host, prefix: below, policies }),
  }
}
