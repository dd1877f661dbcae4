import { pathKey, type Exchange } from '../pipeline/exchange.ts'
import type { Handler, Policies, Route } from '../pipeline/route.ts'
import { describedError } from './described-error.ts'
import { forward } from './forward.ts'
import type { ModeName } from './choose-mode.ts'
import type { Mode, ModeParts } from './mode.ts'
import { simulate } from './simulate.ts'

/** Those with much code of their own, which few gateways use. */
const LOADERS: Partial<Record<ModeName, () => Promise<Mode>>> = {
  replay: async () => (await import('./replay.ts')).replay,
  spy: async () => (await import('./spy.ts')).spy,
  'new-episodes': async () => (await import('./spy.ts')).newEpisodes,
  diff: async () => (await import('./diff.ts')).diff,
}

/** The routes of all that is not declared: one for each mode. */
export interface ModeRoutes {
  of(mode: ModeName): Route
  /** Loads modes, so that the first requests in them need not wait. */
  load(names: readonly ModeName[]): Promise<void>
}

/** @param parts known once the gateway is open */
export function createModeRoutes(policies: Policies, parts: () => ModeParts): ModeRoutes {
  // That there is a recorder for mode `record` was checked when the mode was chosen.
  // Where mode `shadow` has nothing to compare, it is mode `simulate`.
  const loaded: Partial<Record<ModeName, Mode>> = { simulate, forward, record: forward, shadow: simulate }
  const routes = new Map<ModeName, Route>()
  const load = async (name: ModeName): Promise<void> => {
    const loader = LOADERS[name]
    if (loader !== undefined) loaded[name] ??= await loader()
  }
  const handlerOf = (name: ModeName, known: ModeParts): Handler => {
    const answer: Handler = (exchange) => {
      const mode = loaded[name]
      return mode === undefined ? load(name).then(() => answer(exchange)) : mode(exchange, known)
    }
    return answer
  }
  const routeOf = (name: ModeName): Route => ({
    id: undefined,
    source: 'upstream',
    policies,
    countKey: pathKey,
    ...(name === 'new-episodes' && {
      world: () => parts().recorders.shared,
      needsNoWorld: async (exchange: Exchange) => (await import('./spy.ts')).isRecorded(exchange, parts()),
    }),
    ...(name === 'simulate' && {
      formatError: (error, exchange) => describedError(error, exchange, parts().engine, policies),
    }),
    handlerFor: () => handlerOf(name, parts()),
  })
  return {
    of(mode) {
      const route = routes.get(mode) ?? routeOf(mode)
      routes.set(mode, route)
      return route
    },
    async load(names) {
      await Promise.all(names.map(load))
    },
  }
}
