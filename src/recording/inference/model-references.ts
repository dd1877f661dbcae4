import type { Schema } from '../../engine/schema/schema.ts'
import { modelName } from './names.ts'
import { linkedFields, type StoredModel } from './resource-models.ts'
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
