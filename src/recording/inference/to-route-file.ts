import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { fixtureData, type FixtureData } from './fixture-answers.ts'
import { type InferredRoute, linkedModel } from './infer-route.ts'
import type { Inference } from './infer-routes.ts'
import type { OutputModel } from './models.ts'
import { modelName } from './names.ts'
import { filterOf, linkedFields, resourceModel, routesOf, type StoredModel } from './resource-models.ts'

/** A file of data-only routes as data, and the JSON files that it names. */
interface RouteFile {
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

/** What the file around a route has, which the route may use. */
interface Surroundings {
  /** Models by name; new ones are added. */
  readonly models: Map<string, Schema>
  /** The model of the items that the route reads or writes; `undefined` where nothing is stored. */
  readonly stored: StoredModel | undefined
  readonly fixture: FixtureData | undefined
  /** Whether a store that is there would answer in the route's place. */
  readonly isTaken: boolean
}

/** A route's options as data files name them. */
function routeData(route: InferredRoute, around: Surroundings): Readonly<Record<string, unknown>> {
  const { method, input, status, headers, listCount, paging, errors, errorCodes } = route
  const filterBy = around.stored === undefined ? undefined : filterOf(route)
  const output = outputOf(route, around)
  // A store answers deletions with 204 by default.
  const usual = method === 'DELETE' ? 204 : 200
  const count = around.stored === undefined ? paging && totalOf(route) : undefined
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(status !== usual && { status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...((listCount ?? count) !== undefined && { list_count: listCount ?? count }),
    ...(filterBy !== undefined && { filter_by: filterBy }),
    ...(around.isTaken && around.stored === undefined && { stateful: false }),
    ...(errors.length > 0 && {
      errors: errors.map(({ field, equals, exchanges: _exchanges, ...answer }) => ({
        when: { field, equals },
        ...answer,
      })),
    }),
    ...(errorCodes.length > 0 && { error_codes: errorCodes }),
  }
}

function totalOf({ paging }: InferredRoute): number | undefined {
  const [list] = paging?.lists.values() ?? []
  return list?.total
}

function outputOf(route: InferredRoute, { models, stored, fixture }: Surroundings): unknown {
  const { output } = route
  if (output === undefined) return undefined
  if (output.form === 'paged') {
    const model = stored === undefined ? (linkedModel(route) ?? output.model) : output.model
    return { paged: withItems(model, output, (item) => refer(stored?.model ?? item, route, models)) }
  }
  if (stored !== undefined) return wrap(output.form, storedReference(route, stored, models))
  const model = linkedModel(route) ?? output.model
  if (fixture === undefined) return wrap(output.form, refer(model, route, models))
  const reference = refer(model, route, models)
  return { ...(output.form === 'list' ? { type: 'array', items: reference } : reference), ...fixture.link }
}

function wrap(form: string, model: Schema): unknown {
  return form === 'single' ? model : { [form]: model }
}

function withItems(model: Schema, { list }: OutputModel, change: (item: Schema) => Schema): Schema {
  if (list === undefined)
    return isObject(model['items']) ? { ...model, items: change(model['items']) } : model
  const properties = (model['properties'] ?? {}) as Readonly<Record<string, unknown>>
  const part = properties[list]
  if (!isObject(part) || !isObject(part['items'])) return model
  return { ...model, properties: { ...properties, [list]: { ...part, items: change(part['items']) } } }
}

/** A model by its name, once the file has it; one without fields as it is. */
function refer(model: Schema, route: InferredRoute, models: Map<string, Schema>): Schema {
  const isPlain = model['type'] !== 'object' || Object.keys(model['properties'] ?? {}).length === 0
  return isPlain ? model : { $ref: `#/models/${nameFor(modelName(route.path), model, models)}` }
}

// What is stored has a model that is read, and others for those that write: that model with links.
function storedReference(route: InferredRoute, stored: StoredModel, models: Map<string, Schema>): Schema {
  const reference = refer(stored.model, route, models)
  const links = linkedFields(stored, route)
  if (links === undefined) return reference
  const wanted = `${ROLES[route.method] ?? ''}${modelName(route.path)}`
  return { $ref: `#/models/${nameFor(wanted, { ...reference, ...links }, models)}` }
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
