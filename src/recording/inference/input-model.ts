import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { readScalars } from './read-scalar.ts'
import type { Sample } from './sample.ts'
import { OPEN, schemaOf } from './shape-schema.ts'
import { addValue, createShape } from './shape.ts'
import { formatsOf } from './text-formats.ts'

/** A field that came this often, and every time, is required. */
const LEAST_ALWAYS = 3

/**
 * The model of a route's input: the path's parameters, and the fields of the query for GET, else of the body.
 * @returns `undefined` for a route that takes none
 */
export function inputModel(method: string, folded: Folded, accepted: readonly Sample[]): Schema | undefined {
  const path = folded.parameters.map((name): [string, SchemaOrBoolean] => {
    const texts = folded.samples.map((sample) => folded.values(sample)[name] ?? '')
    return [name, modelOf(readScalars(texts))]
  })
  const own = method === 'GET' ? queryFields(accepted) : bodyFields(accepted)
  const refused = folded.samples.filter(({ status }) => status === 400 || status === 422)
  // A query parameter is needed where leaving it out was refused; a change may leave out what does not change.
  const isNeeded = ({ name, times }: Field): boolean =>
    method === 'GET' ? refused.some(({ query }) => !Object.hasOwn(query, name)) : times >= LEAST_ALWAYS
  const required =
    method === 'PATCH' ? [] : own.filter((field) => field.times === accepted.length && isNeeded(field))
  const fields = [...own.map(({ name, model }): [string, SchemaOrBoolean] => [name, model]), ...path]
  if (fields.length === 0) return undefined
  const names = [...required.map(({ name }) => name), ...folded.parameters]
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(names.length > 0 && { required: [...new Set(names)] }),
  }
}

interface Field {
  readonly name: string
  readonly model: SchemaOrBoolean
  /** In how many of the requests it came. */
  readonly times: number
}

function queryFields(samples: readonly Sample[]): Field[] {
  const values = new Map<string, (string | readonly string[])[]>()
  for (const { query } of samples) {
    for (const [name, value] of Object.entries(query)) {
      const known = values.get(name) ?? []
      values.set(name, known)
      known.push(value)
    }
  }
  return [...values].map(([name, all]) => {
    const texts = all.flat()
    const item = modelOf(readScalars(texts))
    const isList = all.some((value) => typeof value !== 'string')
    return { name, times: all.length, model: isList ? { type: 'array', items: item } : item }
  })
}

function bodyFields(samples: readonly Sample[]): Field[] {
  const shape = createShape()
  for (const { body } of samples) if (isObject(body)) addValue(shape, body, formatsOf)
  return [...shape.properties].map(([name, part]) => ({
    name,
    model: schemaOf(part, OPEN),
    times: part.count,
  }))
}

function modelOf(values: readonly unknown[]): SchemaOrBoolean {
  const shape = createShape()
  for (const value of values) addValue(shape, value, formatsOf)
  return schemaOf(shape, OPEN)
}
