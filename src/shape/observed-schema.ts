import { isObject, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import {
  areNumeric,
  closedSetOf,
  ENOUGH,
  fieldsAlwaysIn,
  formatOf,
  isDictionary,
  isIdName,
  mayBeLabels,
  SURE,
  tupleOf,
  type Union,
  unionOf,
} from './evidence.ts'
import { NUMERIC } from './formats.ts'
import { mergeObservations, type Objects, type Observation } from './observation.ts'
import { observationOf } from './observe.ts'

/**
 * What a schema is for: to make `answers` like those seen, to take `inputs`, which are not bounded by what a few clients
 * happened to send, or for `comparison` with values that come, of which new ones of the old kind must fit.
 */
export type Purpose = 'answers' | 'inputs' | 'comparison'

/** In a schema for comparison: names that were always there, though not often enough to be required. */
export const USUAL = 'x-sim-usual'
/** In a schema for comparison: in how many whole values a place was seen, where they were too few to rely on. */
export const SEEN = 'x-sim-seen'

/** In a schema for comparison: the `Forms` of objects. */
export const FORMS = 'x-sim-forms'

/** How much larger than all before a number must be to be of another kind, such as cents in place of euros. */
const FAR = 100

/** The model of an object, a list or a value that all these values fit; `{}` where nothing is known of them. */
export function schemaOfValues(values: Iterable<unknown>, purpose?: Purpose): Schema {
  const model = schemaOf(observationOf(values), purpose)
  return isObject(model) ? model : {}
}

/**
 * The JSON Schema (2020-12) that says the least of what was seen: every value fits, and what it claims besides types has
 * evidence: fields always there, formats, closed sets, tuples, dictionaries, unions by a member.
 * @param name of the field; that of an id says that its values are not counted
 */
export function schemaOf(seen: Observation, purpose: Purpose = 'answers', name = ''): SchemaOrBoolean {
  const { texts, numbers, booleans, objects, lists } = seen
  const forms = [
    ...(texts.count > 0 ? [textSchema(seen, purpose, name)] : []),
    ...(numbers.integers + numbers.decimals > 0 ? [numberSchema(seen, purpose, name)] : []),
    ...(booleans > 0 ? [{ type: 'boolean' }] : []),
    ...(objects.count > 0 ? [objectSchema(objects, purpose)] : []),
    ...(lists.count > 0 ? [listSchema(seen, purpose)] : []),
  ]
  const [only, ...others] = forms
  if (only === undefined) return seen.nulls > 0 && purpose !== 'comparison' ? { type: 'null' } : true
  const isNew = purpose === 'comparison' && seen.documents < SURE
  const noted = isNew ? { [SEEN]: seen.documents } : {}
  if (others.length > 0) return { anyOf: [...forms, ...(seen.nulls > 0 ? [{ type: 'null' }] : [])], ...noted }
  return { ...(seen.nulls > 0 ? nullable(only) : only), ...noted }
}

function nullable(model: Schema): Schema {
  const closed = model['enum']
  return {
    ...model,
    type: [model['type'], 'null'],
    ...(Array.isArray(closed) && { enum: [...(closed as unknown[]), null] }),
  }
}

function textSchema({ texts }: Observation, purpose: Purpose, name: string): Schema {
  const format = formatOf(texts)
  if (format !== undefined) return { type: 'string', format }
  if (purpose === 'inputs' || isIdName(name)) return { type: 'string' }
  const closed = closedSetOf(texts)
  if (closed !== undefined) return { type: 'string', enum: closed }
  return { type: 'string', ...(areNumeric(texts) && { pattern: NUMERIC }) }
}

function numberSchema({ numbers }: Observation, purpose: Purpose, name: string): Schema {
  const { integers, decimals, min, max } = numbers
  const count = integers + decimals
  const isId = isIdName(name)
  if (purpose === 'comparison') {
    const isBounded = count >= ENOUGH && !isId && max > 0
    return {
      type: decimals === 0 && (count >= ENOUGH || isId) ? 'integer' : 'number',
      ...(isBounded && { ...(min >= 0 && { minimum: 0 }), maximum: roundUp(max * FAR) }),
    }
  }
  const type = decimals > 0 ? 'number' : 'integer'
  if (purpose === 'inputs' || isId) return { type }
  if (count < ENOUGH) return { type, ...(min >= 0 && { minimum: 0 }) }
  return { type, minimum: min >= 0 ? 0 : -outward(-min), maximum: outward(Math.max(max, 1)) }
}

// To one digit: a bound that looks measured would say more than is known.
function roundUp(bound: number): number {
  const power = 10 ** Math.floor(Math.log10(bound))
  return Number.isFinite(bound) && power > 0 ? Math.ceil(bound / power) * power : Number.MAX_VALUE
}

// The next of 1, 2, 5, 10, 20, 50 … that is at least twice as far: what was not seen yet lies beyond what was.
function outward(bound: number): number {
  const power = 10 ** Math.floor(Math.log10(bound * 2))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= bound * 2) ?? bound * 2
}

function listSchema(seen: Observation, purpose: Purpose): Schema {
  const { items } = seen.lists
  const tuple = tupleOf(seen)
  if (tuple !== undefined)
    return {
      type: 'array',
      prefixItems: tuple.map((place) => schemaOf(place, purpose)),
      ...{ minItems: tuple.length, maxItems: tuple.length },
    }
  return {
    type: 'array',
    items: items === undefined ? true : schemaOf(items, purpose),
    ...(purpose === 'answers' && lengthsOf(seen)),
  }
}

// Pairs and the like have one length; of longer lists only that they are never empty is worth a promise.
function lengthsOf({ lists: { count, min, max, positions } }: Observation): Schema {
  if (count < ENOUGH) return {}
  if (positions !== undefined) return { minItems: min, maxItems: max }
  return min > 0 ? { minItems: 1 } : {}
}

function objectSchema(objects: Objects, purpose: Purpose): Schema {
  if (isDictionary(objects)) {
    const entries = objects.entries ?? mergeObservations(objects.fields.values())
    // Entries of one value are one document.
    const documents = Math.min(entries.documents, objects.documents)
    return { type: 'object', additionalProperties: schemaOf({ ...entries, documents }, purpose) }
  }
  const union = purpose === 'comparison' ? unionOf(objects) : undefined
  return { type: 'object', ...fieldSchemas(objects, purpose), ...(union && { [FORMS]: formsOf(union) }) }
}

/** The forms of objects, by the text of the member that decides which one it is. */
export interface Forms {
  readonly member: string
  readonly byText: Readonly<Record<string, Schema>>
}

function formsOf({ member, variants }: Union): Forms {
  const forms = [...variants].map(([text, variant]): [string, Schema] => [
    text,
    { type: 'object', ...fieldSchemas(variant, 'comparison') },
  ])
  return { member, byText: Object.fromEntries(forms) }
}

function fieldSchemas(objects: Objects, purpose: Purpose): Schema {
  const always = fieldsAlwaysIn(objects)
  const isSure = objects.documents >= SURE && !mayBeLabels(objects)
  return {
    properties: Object.fromEntries(
      [...objects.fields].map(([name, part]) => [name, schemaOf(part, purpose, name)]),
    ),
    ...(isSure && always.length > 0 && { required: always }),
    ...(!isSure && always.length > 0 && purpose === 'comparison' && { [USUAL]: always }),
  }
}
