import { isObject, LINK, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { linkOfEcho } from './infer-route.ts'
import { attachLinks } from './model-fields.ts'
import { modelName } from './names.ts'
import type { StoredModel } from './resource-models.ts'
import { computedPart } from './templates.ts'
import { writtenModel } from './written-model.ts'

/** A model by its name, once the file has it; one without fields as it is. */
export function reference(model: Schema, name: string, models: Map<string, Schema>): Schema {
  const isPlain = model['type'] !== 'object' || Object.keys(model['properties'] ?? {}).length === 0
  return isPlain ? model : { $ref: `#/models/${nameFor(name, model, models)}` }
}

const ROLES: Readonly<Record<string, string>> = { POST: 'New', PUT: 'Changed', PATCH: 'Changed' }

/** What is stored has a model that is read, and others for those that write: that model with links. */
export function storedReference(stored: StoredModel, models: Map<string, Schema>): Schema {
  const { view, resource } = stored
  const { method } = view
  const name = modelName(resource.path)
  const plain = reference(stored.model, name, models)
  // What a change does not send may be whatever the item has.
  const isOfItem = view.path === resource.path && resource.path !== resource.collection
  const isChange = isOfItem && resource.writes.deeds.get(method) === 'change'
  if (stored.sent !== undefined && (method === 'POST' || method === 'PUT') && !isChange)
    return reference(writtenModel(stored), `${ROLES[method] ?? ''}${name}`, models)
  const links = linkedFields(stored)
  if (links === undefined) return plain
  const linked = nameFor(`${ROLES[method] ?? ''}${name}`, { ...plain, ...links }, models)
  return { $ref: `#/models/${linked}` }
}

// Routes whose items are alike share one model; another model of that name gets a number.
function nameFor(wanted: string, model: Schema, models: Map<string, Schema>): string {
  const text = JSON.stringify(model)
  let name = wanted
  for (let count = 2; models.has(name) && JSON.stringify(models.get(name)) !== text; count++)
    name = `${wanted}${count}`
  models.set(name, model)
  return name
}

/**
 * The fields that a route which writes takes from its requests, as keywords beside a reference to the model; `undefined`
 * for a route that takes none, and for those that read the store.
 */
export function linkedFields({
  model,
  resource: { place },
  view: { method, echoes, input },
  sent,
}: StoredModel): Schema | undefined {
  if (method === 'GET') return undefined
  const [idField, ...deeper] = place.id
  const before = new Map(propertiesOf(model))
  const links = echoes
    .filter(({ source }) => source.in !== 'query')
    // Ids that are counted meet other small numbers by chance.
    .filter(({ field, source }) => field !== idField || source.name === idField)
    // An id within a member is that of the item.
    .filter(({ field }) => deeper.length === 0 || field !== place.id.join('.'))
    .filter(({ field }) => before.has(field.split(/[.[]/)[0] ?? ''))
    .map(linkOfEcho)
  const able = new Set(propertiesOf(input ?? {}).map(([name]) => name))
  const rendered = [...(sent?.renders ?? [])].flatMap(([name, template]): [string, Schema][] => {
    const part = before.get(name)
    return able.has(name) && isObject(part) ? [[name, computedPart(template, part, [name])]] : []
  })
  if (links.length + rendered.length === 0) return undefined
  const linked = propertiesOf(attachLinks(model, links)) as [string, Schema][]
  // A plain field's own keywords need not be said twice, but for its type, which shows a reader what is linked.
  const changed = linked
    .filter(([name, part]) => part !== before.get(name))
    .map(([name, { type, ...part }]) => [
      name,
      { ...(type !== undefined && { type }), ...(part[LINK] === undefined ? part : { [LINK]: part[LINK] }) },
    ])
  return { properties: Object.fromEntries([...changed, ...rendered]) as Record<string, Schema> }
}
