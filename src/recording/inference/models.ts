import { isObject, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import type { Sample } from './sample.ts'
import { merge, OPEN, schemaOf } from './shape-schema.ts'
import { addValue, createShape, type Shape } from './shape.ts'
import { formatsOf, readScalars } from './values.ts'

/** A field that came this often, and every time, is required. */
const MIN_ALWAYS = 3

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
    method === 'GET' ? refused.some(({ query }) => !Object.hasOwn(query, name)) : times >= MIN_ALWAYS
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

/** The answers of a route as an output model. */
export interface OutputModel {
  /**
   * How the items stand in the answer: `page` is `items, total, limit, offset`, `slice` is `items, next_page_token`, and
   * `paged` any other way to answer pages.
   */
  readonly form: 'single' | 'list' | 'page' | 'slice' | 'paged'
  /** Of one item, or of the whole answer where it is single or paged. */
  readonly model: Schema
  /** The field that holds the list of a paged answer; absent where the answer is the list. */
  readonly list?: string
}

const PAGE_FIELDS = 'items,limit,offset,total'
const SLICE_FIELDS = 'items,next_page_token'

/** @returns `undefined` where no answer has a JSON body */
export function outputModel(answered: readonly Sample[]): OutputModel | undefined {
  const bodies = answered.flatMap(({ response }) => (response === undefined ? [] : [response]))
  if (bodies.length === 0) return undefined
  if (bodies.every((body) => Array.isArray(body))) return { form: 'list', model: itemsOf(bodies) }
  const pages = listsIn(bodies, PAGE_FIELDS)
  if (pages !== undefined) return { form: 'page', model: itemsOf(pages) }
  const slices = listsIn(bodies, SLICE_FIELDS)
  if (slices !== undefined) return { form: 'slice', model: itemsOf(slices) }
  const model = schemaOf(shapeOf(bodies))
  return { form: 'single', model: isObject(model) ? model : {} }
}

/** The model of whole answers, whatever form they have; `undefined` where there are none. */
export function wholeModel(answered: readonly Sample[]): Schema | undefined {
  const bodies = answered.flatMap(({ response }) => (response === undefined ? [] : [response]))
  const model = bodies.length === 0 ? undefined : schemaOf(shapeOf(bodies))
  return isObject(model) ? model : undefined
}

/** What fields of an item begin with, named from the answer's root. */
export function itemPrefix({ form }: OutputModel): string {
  return form === 'list' ? '[].' : form === 'page' || form === 'slice' ? 'items[].' : ''
}

// The lists of envelopes that have just these fields.
function listsIn(bodies: readonly unknown[], fields: string): readonly (readonly unknown[])[] | undefined {
  const lists = bodies.flatMap((body) => {
    const isEnvelope = isObject(body) && Object.keys(body).toSorted().join(',') === fields
    return isEnvelope && Array.isArray(body['items']) ? [body['items'] as readonly unknown[]] : []
  })
  return lists.length === bodies.length ? lists : undefined
}

function itemsOf(lists: readonly (readonly unknown[])[]): Schema {
  const items = lists.flat()
  const model = items.length === 0 ? {} : schemaOf(shapeOf(items))
  return isObject(model) ? model : {}
}

function shapeOf(values: readonly unknown[]): Shape {
  const shape = createShape()
  for (const value of values) addValue(shape, value, formatsOf)
  return shape
}

/** One model of what several routes say of the same kind of item. */
export function sharedModel(values: readonly (readonly unknown[])[]): Schema {
  const model = schemaOf(merge(values.map(shapeOf)))
  return isObject(model) ? model : {}
}
