import type { Schema } from '../../engine/model/schema.ts'
import { linkedModel, type InferredRoute, type Inference } from './infer-routes.ts'
import { modelName } from './model-name.ts'
import { filterOf, resourceModel, routesOf, storedModel } from './resource-models.ts'

/** A file of data-only routes as data, and the JSON files that it names. */
export interface RouteFile {
  readonly document: Readonly<Record<string, unknown>>
  /** By path relative to the route file. */
  readonly fixtures: ReadonlyMap<string, unknown>
}

/** Writes inferred routes down as a person would: models by name, routes in order of their paths. */
export function toRouteFile({ routes, resources }: Inference): RouteFile {
  const models = new Map<string, Schema>()
  const fixtures = new Map<string, unknown>()
  const stored = new Map<InferredRoute, Schema>()
  for (const resource of resources) {
    const own = routesOf(resource, routes)
    const model = resourceModel(own)
    for (const route of own) stored.set(route, storedModel(model, resource.idField, route))
  }
  const sorted = routes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : order(a) - order(b)))
  const entries = sorted
    .filter(({ samples }) => samples.some(({ status }) => status < 400))
    .map((route): [string, unknown] => [
      `${route.method} ${route.path}`,
      routeData(route, stored.get(route), models),
    ])

  const store: Record<string, unknown> = {}
  for (const { seeds } of resources) {
    for (const [collection, items] of seeds) {
      if (items.length === 0) continue
      const path = `fixtures/${fileNameOf(collection)}.json`
      fixtures.set(path, items)
      store[collection] = { path }
    }
  }
  const document = {
    ...(resources.length > 0 && { options: { stateful: true } }),
    ...(models.size > 0 && {
      models: Object.fromEntries([...models].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    }),
    routes: Object.fromEntries(entries),
    ...(Object.keys(store).length > 0 && { store }),
  }
  return { document, fixtures }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function order({ method }: InferredRoute): number {
  return METHODS.indexOf(method)
}

function routeData(
  route: InferredRoute,
  stored: Schema | undefined,
  models: Map<string, Schema>,
): Readonly<Record<string, unknown>> {
  const { method, input, output, status, listCount, errors } = route
  const model = stored ?? linkedModel(route)
  const filterBy = stored === undefined ? undefined : filterOf(route)
  // A store answers deletions with 204 unless told.
  const usual = method === 'DELETE' ? 204 : 200
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined &&
      model !== undefined && {
        output: outputData(nameOfModel(route, stored !== undefined), output.form, model, models),
      }),
    ...(status !== usual && { status }),
    ...(listCount !== undefined && { list_count: listCount }),
    ...(filterBy !== undefined && { filter_by: filterBy }),
    ...(errors.length > 0 && {
      errors: errors.map(({ field, equals, status: code, detail }) => ({
        when: { field, equals },
        status: code,
        ...(detail !== undefined && { detail }),
      })),
    }),
  }
}

function outputData(
  wanted: string,
  form: 'single' | 'list' | 'page' | 'slice',
  model: Schema,
  models: Map<string, Schema>,
): unknown {
  const isPlain = model['type'] !== 'object' || Object.keys(model['properties'] ?? {}).length === 0
  const reference = isPlain ? model : { $ref: `#/models/${nameFor(wanted, model, models)}` }
  return form === 'single' ? reference : { [form]: reference }
}

// What is stored has a model that is read, and others for those that write.
function nameOfModel({ method, path }: InferredRoute, isStored: boolean): string {
  return (isStored ? (ROLES[method] ?? '') : '') + modelName(path)
}

const ROLES: Readonly<Record<string, string>> = { POST: 'New', PUT: 'Changed', PATCH: 'Changed' }

// Routes whose items are alike share one model; another model of that name gets a number.
function nameFor(wanted: string, model: Schema, models: Map<string, Schema>): string {
  const text = JSON.stringify(model)
  let name = wanted
  for (let count = 2; models.has(name) && JSON.stringify(models.get(name)) !== text; count++)
    name = `${wanted}${count}`
  models.set(name, model)
  return name
}

function fileNameOf(collection: string): string {
  return collection.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'root'
}
