import { MemoryTransport, type MemoryRequest } from '../http/memory-transport.ts'
import type { ChaosEntry } from '../state/chaos.ts'
import type { Session } from '../state/session.ts'
import { Exchange } from './exchange.ts'
import type { Services } from './handle.ts'
import { compilePlan, runPlan } from './plan.ts'
import type { Plugin, Route } from './route.ts'

/** What happens to one request. */
export interface Scheduled {
  readonly route: string
  /** How many requests of the route come before. */
  readonly ordinal: number
  readonly entries: readonly ChaosEntry[]
}

/** Says what chaos does to each of so many requests like this one, were they the next of a session. */
export type Schedule = (
  session: Session,
  request: MemoryRequest,
  count: number,
) => Promise<readonly Scheduled[]>

const DONE = { status: 200, headers: [] }

/**
 * What chaos does to each of the first requests like this one: the steps that decide on it run, and nothing is answered.
 * @param plugins the policies that decide
 */
export async function scheduleOf(
  services: Pick<Services, 'sessionOf' | 'routeFor'>,
  plugins: readonly Plugin[],
  request: MemoryRequest,
  count: number,
): Promise<readonly Scheduled[]> {
  const scheduled: Scheduled[] = []
  for (let index = 0; index < count; index++) {
    const exchange = new Exchange(new MemoryTransport(request))
    const session = await services.sessionOf(exchange)
    exchange.session = session
    if (!session.clock.isFrozen) session.clock.freeze(session.chaos.since)
    const route = await services.routeFor(exchange)
    exchange.routeId = route.id
    exchange.key = route.countKey === undefined ? (route.id ?? '') : route.countKey(exchange)
    await runPlan(compilePlan(withoutAnswer(route), session, plugins), exchange)
    const entries = session.chaos.log.newest().toReversed()
    await session.chaos.log.clear()
    scheduled.push({ route: exchange.key, ordinal: exchange.ordinal, entries })
  }
  return scheduled
}

// Errors by what is in a request are not chaos.
function withoutAnswer(route: Route): Route {
  const { errors: _errors, ...policies } = route.policies
  return { ...route, plugins: [], policies, handlerFor: () => () => DONE, formatError: () => DONE }
}
