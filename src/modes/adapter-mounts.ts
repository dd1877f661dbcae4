import { OptionInvalid } from '../errors.ts'
import type { Awaitable, HttpRequest, HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Policies, Route } from '../pipeline/route.ts'
import { HOST_FORM, hostOfCall, readHostPattern } from '../routing/host.ts'
import type { OwnedState } from '../state/world.ts'
import type { WorldRoutes } from './worlds.ts'

/** What answers requests for a vendor's API, as those do that `createAdapter` of `sim-gateway/adapter` makes. */
export interface Mountable {
  readonly name: string
  /** Its routes at a place of a gateway: finds that of a request, always one. */
  routesAt(place: MountPlace): (exchange: Exchange) => Route
  /** Answers a request for one of its control paths, from clients who may use them. */
  control(exchange: Exchange, path: string): Awaitable<HttpResponse>
  /** Puts everything back to the beginning. */
  reset(): void
  /**
   * Has other gateways go on with its state. Absent where none can.
   * @param family what it is called, the same in all gateways
   * @param digestOf names a token without giving it away
   */
  share?(family: string, digestOf: (token: string) => string): void
  /** What a request reads and changes, where other gateways go on with it. */
  worldOf?(exchange: Exchange): OwnedState | undefined
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
  /** The route of the first adapter that a request is for; absent where there is no adapter. */
  routeOf?(exchange: Exchange): Route | undefined
  /**
   * Has the gateways that share a state share the adapters as well.
   * @throws OptionInvalid where one cannot be shared
   */
  share(worlds: WorldRoutes, digestOf: (token: string) => string): void
  /** Answers a request for one of an adapter's control paths. */
  control(adapter: Mountable, exchange: Exchange, path: string): Awaitable<HttpResponse>
  /** Puts an adapter back to its beginning. */
  reset(adapter: Mountable): Awaitable<void>
}

/** @throws OptionInvalid for a host or prefix that cannot be */
export function createMounts(mounts: readonly AdapterMount[] = [], policies: Policies = {}): Mounts {
  const compiled = mounts.map((mount) => compile(mount, policies))
  const families = new Map<Mountable, string>()
  let worlds: WorldRoutes | undefined
  return {
    list: mounts,
    ...(compiled.length > 0 && {
      routeOf: (exchange) => compiled.find(({ fits }) => fits(exchange))?.routeOf(exchange),
    }),
    share(given, digestOf) {
      worlds = given
      for (const { adapter } of mounts) {
        const { name } = adapter
        if (families.has(adapter)) continue
        if (adapter.share === undefined)
          throw new OptionInvalid(
            `The adapter ${name} keeps its state in one process: createAdapter makes those that gateways can share`,
          )
        const before = [...families.keys()].filter((each) => each.name === name).length
        const family = before === 0 ? name : `${name} ${before + 1}`
        families.set(adapter, family)
        adapter.share(family, digestOf)
      }
    },
    control(adapter, exchange, path) {
      const work = (): Awaitable<HttpResponse> => adapter.control(exchange, path)
      const world = adapter.worldOf?.(exchange)
      return worlds === undefined || world === undefined ? work() : worlds.run(exchange, world, work)
    },
    reset(adapter) {
      const family = families.get(adapter)
      return worlds === undefined || family === undefined ? adapter.reset() : worlds.reset(family)
    },
  }
}

function compile({ adapter, host, prefix = '' }: AdapterMount, policies: Policies) {
  const pattern = host === undefined ? undefined : readHostPattern(host)
  if (host !== undefined && pattern === undefined)
    throw new OptionInvalid(`The host of the adapter ${adapter.name} must be ${HOST_FORM}, not '${host}'`)
  if (prefix !== '' && !prefix.startsWith('/'))
    throw new OptionInvalid(`The prefix of the adapter ${adapter.name} must start with '/', not '${prefix}'`)
  const below = prefix.replace(/(?<!\/)\/+$/, '')

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
