import { isDeepStrictEqual } from 'node:util'
import type { SimAPI } from '../../api.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { createRouter } from '../../routing/router.ts'
import { addressOf } from '../../collections/address.ts'
import type { StoreSnapshot } from '../../state/store.ts'

type Collections = StoreSnapshot['collections']

/** An app whose store may outlive it, and what its store began with. */
export interface Begun {
  readonly api: SimAPI
  readonly begin: StoreSnapshot
}

/** An app that has just been loaded. */
export function beginOf(api: SimAPI): Begun {
  return { api, begin: api.store.snapshot() }
}

/**
 * Gives an app what the store of its last version holds. A collection begins anew where the new version declares other
 * items for it, answers no path of its, or has a model that one of its items does not fit.
 * @returns the collections that could not be kept, each with why
 */
export function keepStore(last: Begun, next: Begun): readonly string[] {
  const lost: string[] = []
  const kept: Record<string, Collections[string]> = {}
  for (const [path, collection] of Object.entries(last.api.store.snapshot().collections)) {
    const [before, now] = [last.begin.collections[path], next.begin.collections[path]]
    if (!isDeepStrictEqual(before, now)) continue
    const problem = findMisfit(path, collection.items, next.api)
    if (problem === undefined) kept[path] = collection
    else lost.push(`${path} begins anew: ${problem}`)
  }
  next.api.store.restore({ version: 1, collections: { ...next.begin.collections, ...kept } })
  return lost
}

function findMisfit(
  path: string,
  items: Collections[string]['items'],
  { routes }: SimAPI,
): string | undefined {
  const router = createRouter(routes)
  const route = (router.match({ method: 'GET', path }) ?? router.match({ method: 'POST', path }))?.route
  if (route === undefined) return 'no route answers it any more'
  const { model } = addressOf(route, routes)
  if (model === undefined) return undefined
  const checker = createChecker(model)
  for (const [id, item] of items) {
    const [violation] = checker.check(item)
    if (violation !== undefined)
      return `item ${id} does not fit its model: ${[violation.path.join('.'), violation.message].filter((text) => text !== '').join(': ')}`
  }
  return undefined
}
