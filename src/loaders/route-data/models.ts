import { shown } from '../../data-files/words.ts'
import { list, Paged, PageParams, PageSlice, PaginatedResponse } from '../../engine/schema/list.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'
import type { ReadOption } from './read-route-options.ts'
import { decodePointer, readSchema, type ReadSchema } from './read-schema.ts'

/** The forms that an output may give a model. */
const FORMS: Readonly<Record<string, (model: Schema) => Schema>> = {
  list,
  page: PaginatedResponse,
  slice: PageSlice,
  paged: Paged,
}

/** Readers of a document's models, where they are given a name and where routes use them. */
export interface Models {
  readonly input: ReadOption
  readonly output: ReadOption
}

/** Reads the models that a document gives a name. Whatever is wrong with them is reported, used or not. */
export function readModels(data: unknown, place: DataPlace): Models {
  if (data !== undefined && !isObject(data))
    place.report([], `must be JSON Schemas by name, not ${shown(data)}`)
  const own: Record<string, unknown> = { PageParams, ...(isObject(data) ? data : {}) }
  const names = Object.keys(own)
  const named = new Map<string, ReadSchema>()
  for (const [name, schema] of Object.entries(own)) {
    const read = readSchema(schema, placeBelow(place, name), names, name)
    if (read !== undefined) named.set(name, { ...read, model: { title: name, ...read.model } })
  }

  const read = (schema: unknown, at: DataPlace): Schema | undefined => {
    const whole = readSchema(schema, at, names)
    return whole === undefined ? undefined : withDefinitions(whole, named, at)
  }
  return {
    input: read,
    output(value, at) {
      const [form, ...others] = isObject(value) ? Object.entries(value) : []
      const wrap =
        form !== undefined && others.length === 0 && Object.hasOwn(FORMS, form[0])
          ? FORMS[form[0]]
          : undefined
      if (form === undefined || wrap === undefined) return read(value, at)
      const model = read(form[1], placeBelow(at, form[0]))
      if (model === undefined) return undefined
      const { $defs, ...item } = model
      return { ...wrap(item), ...($defs !== undefined && { $defs }) }
    },
  }
}

/** A model with the definitions of all that it refers to. */
function withDefinitions(
  { model, uses }: ReadSchema,
  named: ReadonlyMap<string, ReadSchema>,
  place: DataPlace,
): Schema {
  const found = new Map<string, Schema>()
  const add = (name: string): void => {
    const used = named.get(name)
    if (used === undefined || found.has(name)) return
    found.set(name, used.model)
    used.uses.forEach(add)
  }
  uses.forEach(add)
  if (found.size === 0) return model
  const own = isObject(model['$defs']) ? model['$defs'] : {}
  const twice = Object.keys(own).find((name) => found.has(name))
  if (twice !== undefined) place.report(['$defs', twice], `has the name of a model that is referred to`)
  return { ...withReferred(model, found), $defs: { ...own, ...Object.fromEntries(found) } }
}

// A model that is only a name of another one is that other one.
function withReferred(model: Schema, found: ReadonlyMap<string, Schema>): Schema {
  const { $ref: reference, ...others } = model
  const [, name] = /^#\/\$defs\/([^/]+)$/.exec(typeof reference === 'string' ? reference : '') ?? []
  const referred = name === undefined ? undefined : found.get(decodePointer(name))
  return referred !== undefined && Object.keys(others).length === 0 ? referred : model
}
