import { join } from 'node:path'
import type { SimAPI } from '../api.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { describeApi } from './document-text.ts'
import { sampleRoutes, type AnsweredSample, type UnansweredSample } from './sampling/sample-routes.ts'
import { jsonText, writeFileWhole } from './write-file.ts'

/**
 * Writes a sampled answer of each route, and the OpenAPI document last.
 * @returns the routes that gave no answer, and so have no file
 * @throws FileNotWritten
 */
export async function exportFixtures(api: SimAPI, directory: string): Promise<readonly UnansweredSample[]> {
  const names = fixtureNames(api.routes)
  const samples = await sampleRoutes(api)
  for (const sample of samples) {
    if (sample.kind !== 'answered') continue
    writeFileWhole(join(directory, names.get(sample.route.key) ?? ''), jsonText(contentOf(sample)))
  }
  writeFileWhole(join(directory, 'openapi.json'), jsonText(describeApi(api)))
  return samples.filter((sample) => sample.kind !== 'answered')
}

// An answer without a body is known by its status.
function contentOf({ status, body }: AnsweredSample): unknown {
  return body === undefined ? { status } : body
}

const MAX_LETTERS = 150

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
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/[{}]/g, '')
    .replace(/[/\\:*?"<>|\s]/g, '_')
  return id.slice(0, MAX_LETTERS) || 'root'
}
