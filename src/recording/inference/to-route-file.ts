import type { Schema } from '../../engine/schema/schema.ts'
import { fixtureData } from './fixture-data.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Inference } from './infer-routes.ts'
import { resourceModel, routesOf, type StoredModel } from './resource-models.ts'
import { routeData } from './route-data.ts'

/** A file of data-only routes as data, and the JSON files that it names. */
export interface RouteFile {
  readonly document: Readonly<Record<string, unknown>>
  /** By path relative to the route file. */
  readonly fixtures: ReadonlyMap<string, unknown>
}

/** Writes inferred routes down as a person would: models by name, routes in order of their paths. */
export function toRouteFile({ routes, resources }: Inference): RouteFile {
  const models = new Map<string, Schema>()
  const files = createFiles()
  const stored = new Map<InferredRoute, StoredModel>()
  for (const resource of resources) {
    const own = routesOf(resource, routes)
    const model = resourceModel(own)
    for (const route of own) stored.set(route, { model, idField: resource.idField })
  }
  const store: Record<string, unknown> = {}
  for (const { host = '', seeds } of resources) {
    for (const [collection, items] of seeds) {
      if (items.length > 0) store[`${host}${collection}`] = { path: files.add(`${host}${collection}`, items) }
    }
  }
  const isStateful = resources.length > 0
  const entries = routes.toSorted(byPlace).map((route): [string, unknown] => {
    const { method, host = '', path, fixtures } = route
    const file = fixtures && files.path(`${host}${path}${method === 'GET' ? '' : `-${method.toLowerCase()}`}`)
    const fixture = fixtures && file !== undefined ? fixtureData(fixtures, file) : undefined
    if (fixture !== undefined && file !== undefined) files.set(file, fixture.document)
    const isTaken = isStateful && (route.isFailure || speaksOfItems(route, resources))
    return [
      `${method} ${host}${path}`,
      routeData(route, { models, stored: stored.get(route), fixture, isTaken }),
    ]
  })
  const document = {
    ...(isStateful && { options: { stateful: true } }),
    ...(models.size > 0 && {
      models: Object.fromEntries([...models].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    }),
    routes: Object.fromEntries(entries),
    ...(Object.keys(store).length > 0 && { store }),
  }
  return { document, fixtures: files.all }
}

// A store would answer lists and items of any path, and keep what is posted to it.
function speaksOfItems(
  { host, method, path, output }: InferredRoute,
  resources: Inference['resources'],
): boolean {
  if (resources.some((each) => each.host === host && each.path === path)) return false
  const isItem = path.endsWith('}')
  const isList = output !== undefined && output.form !== 'single'
  return isItem || (method === 'GET' ? isList : method === 'POST' && output !== undefined)
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function byPlace(a: InferredRoute, b: InferredRoute): number {
  const [one, other] = [a, b].map(({ host = '', path }) => `${host}${path}`) as [string, string]
  return one < other ? -1 : one > other ? 1 : METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
}

interface Files {
  readonly all: ReadonlyMap<string, unknown>
  /** A path that no other file has. */
  path(name: string): string
  set(path: string, data: unknown): void
  add(name: string, data: unknown): string
}

function createFiles(): Files {
  const all = new Map<string, unknown>()
  const path = (name: string): string => {
    const plain = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'root'
    let file = `fixtures/${plain}.json`
    for (let count = 2; all.has(file); count++) file = `fixtures/${plain}-${count}.json`
    return file
  }
  return {
    all,
    path,
    set: (file, data) => all.set(file, data),
    add(name, data) {
      const file = path(name)
      all.set(file, data)
      return file
    },
  }
}
