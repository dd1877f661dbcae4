import type { RouteDefinition } from '../engine/route.ts'

const MOST_LETTERS = 150

/**
 * File names for routes, by their keys: `/users/{id}` is `users_id_GET.json`, `/` is `root_GET.json`.
 * Paths that would share a name are numbered, in the order they were declared.
 */
export function fixtureNames(routes: readonly RouteDefinition[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { path } of routes) {
    if (ids.has(path)) continue
    const id = routeId(path)
    let free = id
    // Some file systems take letters of either case for the same.
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${id}_${number}`
    taken.add(free.toLowerCase())
    ids.set(path, free)
  }
  return new Map(routes.map(({ key, path, method }) => [key, `${ids.get(path)}_${method}.json`]))
}

function routeId(path: string): string {
  const id = path
    .replace(/^\/+|\/+$/g, '')
    .replace(/[{}]/g, '')
    .replace(/[/\\:*?"<>|\s]/g, '_')
  return id.slice(0, MOST_LETTERS) || 'root'
}
