import type { Engine } from '../engine/engine.ts'
import type { Seed } from '../engine/random.ts'
import { createRouter } from '../routing/router.ts'
import { hostOf, joinRoutes, type RouteDefinition } from '../engine/route.ts'
import type { Store, StoreSnapshot } from '../state/store.ts'

/**
 * One engine for the routes of several, each of which keeps answering its own. They share one store: that of the first
 * that has one, to which the items of the others are added.
 * @param seed what chaos is drawn from; each engine's content keeps the engine's seed
 * @throws DuplicateRoute when two of them answer the same method and path
 */
export function joinEngines(engines: readonly Engine<Store>[], seed: Seed): Engine<Store> {
  const owners = new Map<RouteDefinition, Engine<Store>>()
  for (const engine of engines) for (const route of engine.routes) owners.set(route, engine)
  const routes = joinRoutes([...owners.keys()])
  const router = createRouter(routes, { hostOf })
  const store = joinStores(engines.map((engine) => engine.store).filter((each) => each !== undefined))
  return joined(owners, { seed, routes, store, ...router })
}

type Common = Pick<Engine<Store>, 'seed' | 'routes' | 'store' | 'match' | 'readsBody' | 'allowed'>

function joined(owners: ReadonlyMap<RouteDefinition, Engine<Store>>, common: Common): Engine<Store> {
  const { seed, store } = common
  const ownerOf = (route: RouteDefinition): Engine<Store> => owners.get(route) as Engine<Store>

  return {
    ...common,
    maxItemsOf: (route) => ownerOf(route).maxItemsOf(route),
    isStored: (route) => ownerOf(route).isStored(route),
    inputReader: (route) => ownerOf(route).inputReader(route),
    answer(match, call, input, state = {}) {
      const { store: own = store, seed: requested } = state
      const others = requested === seed ? undefined : requested
      return ownerOf(match.route).answer(match, call, input, { store: own, seed: others })
    },
    findItem(match, call, { store: own = store, seed: requested } = {}) {
      const others = requested === seed ? undefined : requested
      ownerOf(match.route).findItem(match, call, { store: own, seed: others })
    },
    userOf(match, call, { store: own = store, seed: requested } = {}) {
      const others = requested === seed ? undefined : requested
      return ownerOf(match.route).userOf(match, call, { store: own, seed: others })
    },
    answerError(route, error, call, input, { store: own = store, seed: requested } = {}) {
      const others = requested === seed ? undefined : requested
      return ownerOf(route).answerError(route, error, call, input, { store: own, seed: others })
    },
    jsonWriter: (route, requested) =>
      ownerOf(route).jsonWriter(route, requested === seed ? undefined : requested),
    observed(observer) {
      const seen = new Map([...new Set(owners.values())].map((each) => [each, each.observed(observer)]))
      return joined(new Map([...owners].map(([route, owner]) => [route, seen.get(owner) ?? owner])), common)
    },
  }
}

function joinStores(stores: readonly Store[]): Store | undefined {
  const [first, ...others] = stores
  for (const { path, assigned, items } of others.flatMap(collectionsOf)) {
    const collection = first?.collection(path)
    for (const [id, item] of items) collection?.set(id, item)
    if (collection !== undefined && assigned > 0) collection.assigned += assigned
  }
  return first
}

type Snapshot = StoreSnapshot['collections'][string]

function collectionsOf(store: Store): readonly (Snapshot & { readonly path: string })[] {
  return Object.entries(store.snapshot().collections).map(([path, snapshot]) => ({ path, ...snapshot }))
}
