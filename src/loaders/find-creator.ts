import type { RouteDefinition } from '../engine/route.ts'
import { pathShape } from '../routing/path-template.ts'

const LAST_PARAMETER = /\/\{[^{}]+\}$/

/**
 * The route whose request makes a stateful app hold an item that another route speaks of: the POST of its collection,
 * or else the PUT of the same item. `undefined` where there is none, and for a route that creates items itself.
 */
export function findCreator(
  route: RouteDefinition,
  routes: readonly RouteDefinition[],
): RouteDefinition | undefined {
  if (route.method === 'POST') return undefined
  const collection = route.path.replace(LAST_PARAMETER, '')
  const find = (method: string, path: string): RouteDefinition | undefined =>
    routes.find((each) => each.method === method && pathShape(each.path) === pathShape(path))

  const post = find('POST', collection)
  if (post !== undefined || !isOfItem(route) || route.method === 'PUT') return post
  return find('PUT', route.path)
}

/** Whether a route speaks of one item of a collection, whose id ends its path. */
export function isOfItem({ path }: RouteDefinition): boolean {
  return LAST_PARAMETER.test(path)
}
