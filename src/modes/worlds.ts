import { setTimeout as wait } from 'node:timers/promises'
import { StateElsewhere } from '../errors.ts'
import { PASSED_HEADER } from '../http/passed-on.ts'
import { rewindableBody, streamOf, type RewindableBody } from '../http/read-body.ts'
import { after, HANDLED, type Awaitable, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Route } from '../pipeline/route.ts'
import { HOLDER_KNOWN_MS, type Holder, type HeldWorld, type OwnedStates } from '../state/worlds.ts'
import type { OwnedState } from '../state/world.ts'
import type { Peers } from '../upstream/peers.ts'
import { hasBody } from '../upstream/sent-request.ts'
import { addedHeaders } from './forward.ts'

/** Has requests answered by the gateways that hold what they are about. */
export interface WorldRoutes {
  /** The route of a request as it is where this gateway holds what it is about; else another answers it. */
  place(exchange: Exchange, find: () => Awaitable<Route>): Awaitable<Route>
  /** Runs what changes a world, or reads it, where this gateway holds it; else another answers the request. */
  run(exchange: Exchange, world: OwnedState, work: () => Awaitable<HttpResponse>): Promise<HttpResponse>
  /** The gateway that holds a world now; `undefined` where none does. */
  holder(world: OwnedState): Promise<Holder | undefined>
  /** Puts all worlds of a family back to their beginning. */
  reset(family: string): Promise<void>
  /** Gives up what is held, so that others can go on. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Bodies up to this are kept until they are answered, so that they can be sent to a second gateway. */
const MAX_KEPT = 64 * 1024
/** How long a gateway may take to give something up. */
const MAX_WAIT_MS = 1500
const POLL_MS = 20
const MOVED = [PASSED_HEADER, 'moved']

/** The route of requests that another gateway has answered. */
const ANSWERED: Route = {
  ...{ id: undefined, source: 'control', policies: {} },
  handlerFor: () => () => HANDLED,
}

export function createWorldRoutes(worlds: OwnedStates, peers: Peers): WorldRoutes {
  const own = new WeakMap<Route, Route>()
  let passedAt = -Infinity
  const held = (world: OwnedState): HeldWorld => {
    const found = worlds.held(world)
    if (found === undefined) throw new StateElsewhere('another gateway has taken it over', 1)
    return found
  }
  const ownRoute = (route: Route): Route => {
    const known = own.get(route)
    if (known !== undefined) return known
    const around: Route['around'] = (exchange, run) => held(route.world?.(exchange) as OwnedState).run(run)
    const made = { ...route, around }
    own.set(route, made)
    return made
  }
  const forgotten: Route = {
    ...ANSWERED,
    handlerFor:
      () =>
      ({ transport }) => {
        worlds.forget(transport.passed?.forget ?? '')
        return { status: 204, headers: [] }
      },
  }
  // One that was passed on goes no further: who did so looks again.
  const reachHere = async (exchange: Exchange, world: OwnedState): Promise<true> => {
    const found = await worlds.claim(world).catch((error: unknown) => {
      if (error instanceof StateElsewhere) exchange.responseHeaders = MOVED
      throw error
    })
    if ('run' in found) return true
    exchange.responseHeaders = MOVED
    throw new StateElsewhere(`${found.gateway} has it by now`, 1)
  }
  // Whether this gateway holds it now; otherwise the request was answered.
  const reach = async (exchange: Exchange, world: OwnedState): Promise<boolean> => {
    if (exchange.transport.passed !== undefined) return reachHere(exchange, world)
    const until = performance.now() + MAX_WAIT_MS
    let isKept: boolean | undefined
    for (;;) {
      const found = await worlds.claim(world)
      if ('run' in found) return true
      isKept ??= await keepBody(exchange)
      const passed = await pass(exchange, found)
      if (passed === 'answered') return false
      const seconds = Math.max(1, Math.ceil((await worlds.doubt(world)) / 1000))
      if (passed === 'lost')
        throw new StateElsewhere(`${found.gateway} broke off, and may have done what was requested`, seconds)
      if (!isKept || performance.now() > until || (passed === 'refused' && seconds > 1))
        throw new StateElsewhere(`${found.gateway} cannot be reached at ${found.peer ?? ''}`, seconds)
      await wait(POLL_MS)
    }
  }
  const pass = async (exchange: Exchange, { id, gateway, peer }: Holder): ReturnType<Peers['pass']> => {
    if (peer === undefined)
      throw new StateElsewhere(
        `${gateway} has no address for other gateways: set gateway.state.peer there`,
        1,
      )
    const { scheme, host, isProxied, user, url, node, transport, received } = exchange
    const { remoteAddress } = transport
    return peers.pass(
      { id, url: peer },
      {
        ...{ node, url, body: received?.rewind(), from: { scheme, host, isProxied, user, remoteAddress } },
        sized: (bytes) => (exchange.responseLength = bytes),
        begin(status, flat) {
          if (status >= 400) exchange.advice = flat
          const added = addedHeaders(exchange)
          node.takeOver()
          return added
        },
      },
    )
  }
  return {
    place(exchange, find) {
      const { passed } = exchange.transport
      if (passed?.forget !== undefined) return forgotten
      if (passed !== undefined) {
        passedAt = performance.now()
        exchange.addHeaders(PASSED_HEADER, 'answered')
      }
      return after(find(), (route) => {
        const world = route.world?.(exchange)
        if (world === undefined) return route
        if (worlds.held(world) !== undefined) return ownRoute(route)
        const elsewhere = (): Promise<Route> =>
          reach(exchange, world).then((isHere) => (isHere ? ownRoute(route) : ANSWERED))
        if (passed !== undefined || route.needsNoWorld === undefined) return elsewhere()
        return after(route.needsNoWorld(exchange), (isAlone) => (isAlone ? route : elsewhere()))
      })
    },
    async run(exchange, world, work) {
      if (worlds.held(world) === undefined && !(await reach(exchange, world))) return HANDLED
      return held(world).run(work)
    },
    holder: (world) => worlds.holder(world),
    reset: (family) =>
      worlds.reset(family, async ({ id, peer }, name) => {
        if (peer !== undefined) await peers.forget({ id, url: peer }, name)
      }),
    async drain() {
      await worlds.drain()
      // Who has passed requests on to it lately may not know yet that it holds nothing.
      const since = performance.now() - passedAt
      if (since < HOLDER_KNOWN_MS * 4) await wait(HOLDER_KNOWN_MS * 1.5)
    },
    close: () => peers.close(),
  }
}

// Reads a body that is not long, so that it can be sent more than once. Says whether it can.
async function keepBody(exchange: Exchange): Promise<boolean> {
  const { node } = exchange
  if (!hasBody(node.request)) return true
  const received = exchange.received ?? rewindableBody(node.request)
  const bytes = await received.read(MAX_KEPT)
  exchange.received = bytes === undefined ? received : bodyOf(bytes)
  return bytes !== undefined
}

function bodyOf(bytes: Buffer): RewindableBody {
  return {
    read: (max) => Promise.resolve(bytes.length > max ? undefined : bytes),
    rewind: () => streamOf(bytes),
  }
}
