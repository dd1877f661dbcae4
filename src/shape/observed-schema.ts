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
import { momentSchema } from './made-values.ts'
import { haveVaried, mergeObservations, type Objects, type Observation } from './observation.ts'
import { observationOf } from './observe.ts'

/**
 * What a schema is for: to make `answers` like those seen, to take `inputs`, which are not bounded by what a few clients
 * happened to send, `bodies`, which may have null in what can be left out, for
 * items that are `stored` and have what inputs had, or for `comparison` with values that come, of
 * which new ones of the old kind must fit.
 */
export type Purpose = 'answers' | 'inputs' | 'bodies' | 'stored' | 'comparison'

/** In a schema for comparison: names that were always there, though not often enough to be required. */
export const USUAL = 'x-sim-usual'
/**
 * In how many values a place and its parts were seen, where they were too few to rely on, or more than what is around
 * them. That a value was never null, or nothing but null, proves little where they were few.
 */
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
export function schemaOf(
  seen: Observation,
  purpose: Purpose = 'answers',
  name = '',
  { around = Infinity, isPart = false }: Place = {},
): SchemaOrBoolean {
  const { texts, numbers, booleans, objects, lists } = seen
  const evidence = evidenceOf(seen)
  const isNoted = purpose !== 'inputs' && purpose !== 'bodies' && trustIn(evidence) !== trustIn(around)
  const noted = isNoted ? { [SEEN]: evidence } : {}
  const place = { around: isNoted ? evidence : around, isPart }
  const forms = [
    ...(texts.count > 0 ? [textSchema(seen, purpose, name)] : []),
    ...(numbers.integers + numbers.decimals > 0 ? [numberSchema(seen, purpose, name)] : []),
    ...(booleans > 0 ? [{ type: 'boolean' }] : []),
    ...(objects.count > 0 ? [objectSchema(objects, purpose, place)] : []),
    ...(lists.count > 0 ? [listSchema(seen, purpose, place)] : []),
  ]
  const [only, ...others] = forms
  if (only === undefined)
    return seen.nulls > 0 && purpose !== 'comparison' && purpose !== 'bodies'
      ? { type: 'null', ...noted }
      : true
  if (others.length > 0) return { anyOf: [...forms, ...(seen.nulls > 0 ? [{ type: 'null' }] : [])], ...noted }
  return { ...(seen.nulls > 0 ? nullable(only) : only), ...noted }
}

/** Where a place is. */
interface Place {
  /** The evidence for what it is a part of. */
  readonly around?: number
  /** Whether it is a member of something. */
  readonly isPart?: boolean
}

// Items of one list prove together no more than one value does.
function evidenceOf({ documents, count }: Observation): number {
  return documents < SURE ? documents : count
}

/** How far it can be relied on that something was always so in as many values: 0 hardly, 1 somewhat, 2 fully. */
export function trustIn(seen: number): 0 | 1 | 2 {
  if (seen >= ENOUGH) return 2
  return seen >= SURE ? 1 : 0
}

/** The schema that null fits too. */
export function orNull(model: Schema): Schema
export function orNull(model: SchemaOrBoolean): SchemaOrBoolean
export function orNull(model: SchemaOrBoolean): SchemaOrBoolean {
  if (!isObject(model)) return model
  const { type, anyOf } = model
  const forms = Array.isArray(anyOf) ? (anyOf as Schema[]) : undefined
  if (forms !== undefined)
    return forms.some((form) => form['type'] === 'null')
      ? model
      : { ...model, anyOf: [...forms, { type: 'null' }] }
  return type === undefined || [type].flat().includes('null') ? model : nullable(model)
}

/** Likewise for what a body may have as null: objects are left out, or sent with what they have. */
export function orEmpty(model: SchemaOrBoolean): SchemaOrBoolean {
  return isObject(model) && model['type'] === 'object' ? model : orNull(model)
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
  if (format === 'date-time' && (purpose === 'answers' || purpose === 'stored'))
    return momentSchema(texts.shortest, texts.longest)
  if (format !== undefined) return { type: 'string', format }
  if (isUnbounded(purpose) || isIdName(name)) return { type: 'string' }
  const closed = closedSetOf(texts)
  if (closed !== undefined) return { type: 'string', enum: closed }
  return { type: 'string', ...(areNumeric(texts) && { pattern: NUMERIC }) }
}

function isUnbounded(purpose: Purpose): boolean {
  return purpose === 'inputs' || purpose === 'bodies' || purpose === 'stored'
}

function numberSchema({ numbers }: Observation, purpose: Purpose, name: string): Schema {
  const { integers, decimals, min, max } = numbers
  const count = integers + decimals
  const isId = isIdName(name)
  // A few values say little, however often they come.
  const areWhole = decimals === 0 && (isId || (count >= ENOUGH && haveVaried(numbers)))
  if (purpose === 'comparison') {
    const isBounded = count >= ENOUGH && !isId && max > 0
    return {
      type: areWhole ? 'integer' : 'number',
      ...(isBounded && { ...(min >= 0 && { minimum: 0 }), maximum: roundUp(max * FAR) }),
    }
  }
  const isExact = Math.max(max, -min) <= Number.MAX_SAFE_INTEGER
  const isSent = purpose === 'inputs' || purpose === 'bodies'
  if (decimals === 0 && !areWhole && !isSent)
    return {
      type: 'number',
      ...(isExact && { multipleOf: 1 }),
      ...(purpose === 'answers' && min >= 0 && { minimum: 0 }),
    }
  const type = decimals > 0 ? 'number' : 'integer'
  if (isUnbounded(purpose) || isId) return { type }
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

function listSchema(seen: Observation, purpose: Purpose, place: Place): Schema {
  const { items } = seen.lists
  const tuple = tupleOf(seen)
  if (tuple !== undefined)
    return {
      type: 'array',
      prefixItems: tuple.map((each) => schemaOf(each, purpose, '', place)),
      ...{ minItems: tuple.length, maxItems: tuple.length },
    }
  return {
    type: 'array',
    items: items === undefined ? true : schemaOf(items, purpose, '', place),
    ...(purpose === 'answers' && lengthsOf(seen)),
  }
}

// Pairs and the like have one length; of longer lists only that they are never empty is worth a promise.
function lengthsOf({ lists: { count, min, max, positions } }: Observation): Schema {
  if (count < ENOUGH) return {}
  if (positions !== undefined) return { minItems: min, maxItems: max }
  return min > 0 ? { minItems: 1 } : {}
}

function objectSchema(objects: Objects, purpose: Purpose, place: Place): Schema {
  if (isDictionary(objects)) {
    const entries = objects.entries ?? mergeObservations(objects.fields.values())
    // Entries of one value are one document.
    const documents = Math.min(entries.documents, objects.documents)
    return { type: 'object', additionalProperties: schemaOf({ ...entries, documents }, purpose, '', place) }
  }
  const union = purpose === 'comparison' ? unionOf(objects) : undefined
  return {
    type: 'object',
    ...fieldSchemas(objects, purpose, place),
    ...(union && { [FORMS]: formsOf(union, place) }),
  }
}

/** The forms of objects, by the text of the member that decides which one it is. */
export interface Forms {
  readonly member: string
  readonly byText: Readonly<Record<string, Schema>>
}

function formsOf({ member, variants }: Union, place: Place): Forms {
  const forms = [...variants].map(([text, variant]): [string, Schema] => [
    text,
    { type: 'object', ...fieldSchemas(variant, 'comparison', place) },
  ])
  return { member, byText: Object.fromEntries(forms) }
}

function fieldSchemas(objects: Objects, purpose: Purpose, place: Place): Schema {
  const always = fieldsAlwaysIn(objects)
  const isSure = objects.documents >= SURE && !mayBeLabels(objects, place.isPart === true)
  const ofField = (name: string, part: Observation): SchemaOrBoolean => {
    const model = schemaOf(part, purpose, name, { ...place, isPart: true })
    const isOptional = purpose === 'bodies' && !(isSure && always.includes(name))
    return isOptional ? orEmpty(model) : model
  }
  return {
    properties: Object.fromEntries([...objects.fields].map(([name, part]) => [name, ofField(name, part)])),
    ...(isSure && always.length > 0 && { required: always }),
    ...(!isSure && always.length > 0 && purpose === 'comparison' && { [USUAL]: always }),
  }
}
