import type { ItemOption } from '../../../engine/route-options.ts'
import type { InferredRoute } from '../infer-route.ts'
import { idIn } from '../item-place.ts'
import type { Resource } from '../resources.ts'
import type { LoginRoutes } from './login-options.ts'

/** Collections without the users that requests make. */
export function withoutUsers(resources: readonly Resource[], { users, ids }: LoginRoutes): readonly Resource[] {
  return resources.map((resource) => {
    if (resource.collection !== users) return resource
    const seeds = [...resource.seeds].map(
      ([path, items]) => [path, items.filter((item) => !ids.has(idIn(item, resource.place) ?? ''))] as const,
    )
    return { ...resource, seeds: new Map(seeds) }
  })
}

/** Where the users are stored that a route makes, whose path is not that of their collection. */
export function registerOption({ login, path }: InferredRoute): ItemOption | undefined {
  if (login?.does !== 'register' || login.user === undefined) return undefined
  return {
    ...(login.users !== path && { at: login.users }),
    ...(login.user !== '' && { answer: login.user }),
    ...(login.id !== undefined && { id: `/${login.id}` }),
  }
}
