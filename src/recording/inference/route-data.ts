import { isObject, type Schema } from '../../engine/schema/schema.ts'
import type { FixtureData } from './fixture-data.ts'
import { linkedModel, type InferredRoute } from './infer-route.ts'
import { modelName } from './model-name.ts'
import type { OutputModel } from './output-model.ts'
import { filterOf, linkedFields, type StoredModel } from './resource-models.ts'

/** What the file around a route has, which the route may use. */
export interface Surroundings {
  /** Models by name; new ones are added. */
  readonly models: Map<string, Schema>
  /** The model of the items that the route reads or writes; `undefined` where nothing is stored. */
  readonly stored: StoredModel | undefined
  readonly fixture: FixtureData | undefined
  /** Whether a store that is there would answer in the route's place. */
  readonly isTaken: boolean
}

/** A route's options as data files name them. */
export function routeData(route: InferredRoute, around: Surroundings): Readonly<Record<string, unknown>> {
  const { method, input, status, headers, listCount, paging, errors, errorCodes } = route
  const filterBy = around.stored === undefined ? undefined : filterOf(route)
  const output = outputOf(route, around)
  // A store answers deletions with 204 unless told.
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
