import { HANDLED, type Awaitable, type HttpResponse } from '../message.ts'
import { OptionInvalid } from '../errors.ts'
import type { Session } from '../state/session.ts'
import type { Exchange } from './exchange.ts'
import type { AfterStep, Plugin, Step } from './route.ts'
import type { Handler, Route } from './route.ts'

/** What is done with each request of one route in one session. */
export interface Plan {
  readonly before: readonly Step[]
  readonly handler: Handler
  readonly after: readonly AfterStep[]
  readonly last: readonly AfterStep[]
  /** What is done with requests that name an `Origin`, as those of pages do; absent where that is the same. */
  readonly forPages?: Plan
}

/** Asks each plugin for its steps. A policy that has nothing to do for the route adds none. */
export function compilePlan(route: Route, session: Session, plugins: readonly Plugin[]): Plan {
  const own = route.plugins === undefined ? plugins : orderPlugins(plugins, route.plugins)
  const planned = own.map((plugin) => ({ plugin, steps: plugin.plan(route, session) }))
  const handler = route.handlerFor(session)
  const of = (some: typeof planned): Plan => {
    const all = some.map(({ steps }) => (typeof steps === 'function' ? { before: steps } : steps))
    return {
      before: all.flatMap((each) => each?.before ?? []),
      handler,
      after: all.flatMap((each) => each?.after ?? []),
      last: all.flatMap((each) => each?.last ?? []),
    }
  }
  const forAll = planned.filter(({ plugin, steps }) => steps === undefined || plugin.onlyForPages !== true)
  const plan = forAll.length === planned.length ? of(planned) : { ...of(forAll), forPages: of(planned) }
  const { around } = route
  return around === undefined ? plan : withAround(plan, around)
}

function withAround(plan: Plan, around: NonNullable<Route['around']>): Plan {
  const [before, after, last] = [[], [], []]
  const planOf = (exchange: Exchange): Plan =>
    exchange.headers['origin'] === undefined ? plan : (plan.forPages ?? plan)
  const handler: Handler = (exchange) => around(exchange, () => runPlan(planOf(exchange), exchange))
  return { before, handler, after, last }
}

/**
 * Runs synchronously up to the first step that really waits: until then no promise is made.
 * @param from the step that it goes on with
 */
export function runPlan(plan: Plan, exchange: Exchange, from = 0): Awaitable<HttpResponse> {
  const { before, handler, after, last } = plan
  for (let index = from; index < before.length; index++) {
    const outcome = (before[index] as Step)(exchange)
    if (outcome === undefined) continue
    if (!(outcome instanceof Promise)) return runEach(last, exchange, outcome)
    return outcome.then((given) =>
      given === undefined ? runPlan(plan, exchange, index + 1) : runEach(last, exchange, given),
    )
  }
  // What it answers from is the state that it finds.
  exchange.storeVersion = exchange.session.store?.version
  let response = handler(exchange)
  if (after.length > 0) response = runEach(after, exchange, response)
  return last.length > 0 ? runEach(last, exchange, response) : response
}

function runEach(
  steps: readonly AfterStep[],
  exchange: Exchange,
  response: Awaitable<HttpResponse>,
  next = 0,
): Awaitable<HttpResponse> {
  let current = response
  for (let index = next; index < steps.length; index++) {
    if (current instanceof Promise) return current.then((given) => runEach(steps, exchange, given, index))
    if (current === HANDLED) return current
    current = (steps[index] as AfterStep)(exchange, current)
  }
  return current
}

/** The plans of a gateway's routes, by session. */
export interface Plans {
  /** Compiled when it is first needed, and again when seed or rules of the session have changed. */
  of(session: Session, route: Route): Plan
}

/** Plans by these plugins; what the control plane answers meets none of them. */
export function createPlans(plugins: readonly Plugin[]): Plans {
  const known = new WeakMap<Session, { readonly revision: number; readonly plans: Map<Route, Plan> }>()
  return {
    of(session, route) {
      let own = known.get(session)
      if (own === undefined || own.revision !== session.revision) {
        own = { revision: session.revision, plans: new Map() }
        known.set(session, own)
      }
      let plan = own.plans.get(route)
      if (plan === undefined) {
        plan = compilePlan(route, session, route.source === 'control' ? [] : plugins)
        own.plans.set(route, plan)
      }
      return plan
    },
  }
}

/** Built-in plugins in their order, and those of a user at their places. @throws OptionInvalid for a place there is none of */
export function orderPlugins(builtIn: readonly Plugin[], users: readonly Plugin[]): readonly Plugin[] {
  const ordered = [...builtIn]
  for (const plugin of users) {
    const { name, before } = plugin
    const at = before === undefined ? ordered.length : ordered.findIndex((each) => each.name === before)
    if (at < 0)
      throw new OptionInvalid(
        `plugins: ${name} is to come before '${before ?? ''}', which is none of ${builtIn.map((each) => each.name).join(', ')}`,
      )
    ordered.splice(at, 0, plugin)
  }
  return ordered
}
