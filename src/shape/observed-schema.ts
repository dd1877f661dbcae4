import { isObject, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import {
  closedSetOf,
  fieldsAlwaysIn,
  isIdName,
  joinObservations,
  modelOfKinds,
  type Observations,
  observationsOf,
} from './observation.ts'

/** Values of one place before its set may be called closed, or its numbers bounded. */
const ENOUGH = 12

/** Never enough: inputs are not bounded by what a few clients happened to send. */
export const OPEN = Infinity

const ENTRY_KEYS = 12
const LONGEST_TUPLE = 4

/** The model of an object, a list or a value that all these values fit; `{}` where nothing is known of them. */
export function schemaOfValues(values: Iterable<unknown>, enough = ENOUGH): Schema {
  const model = schemaOf(observationsOf(values), enough)
  return isObject(model) ? model : {}
}

/** A JSON Schema (2020-12) that every value seen fits: types, required fields, formats, closed sets and lengths. */
export function schemaOf(seen: Observations, enough = ENOUGH): SchemaOrBoolean {
  const schema = modelOfKinds(seen, {
    text({ formats: [format] = [], ...texts }) {
      if (format !== undefined) return { type: 'string', format }
      const closed = closedSetOf(texts, enough)
      if (closed !== undefined) return { type: 'string', enum: closed }
      return { type: 'string', ...(texts.empty === 0 && texts.count >= enough && { minLength: 1 }) }
    },
    number: () => numberSchema(seen, enough),
    object: () => objectSchema(seen, enough),
    array: () => ({
      type: 'array',
      items: seen.items === undefined ? true : schemaOf(seen.items, enough),
      ...(seen.arrays >= enough && lengthsOf(seen)),
    }),
  })
  return schema ?? (seen.nulls > 0 ? { type: 'null' } : true)
}

function numberSchema({ integers, decimals, min, max }: Observations, enough: number): Schema {
  const type = decimals > 0 ? 'number' : 'integer'
  if (enough === OPEN) return { type }
  if (integers + decimals < enough) return { type, ...(min >= 0 && { minimum: 0 }) }
  return { type, minimum: min >= 0 ? 0 : -outward(-min), maximum: outward(Math.max(max, 1)) }
}

// The next of 1, 2, 5, 10, 20, 50 … that is at least twice as far: what was not seen yet lies beyond what was.
function outward(bound: number): number {
  const power = 10 ** Math.floor(Math.log10(bound * 2))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= bound * 2) ?? bound * 2
}

function objectSchema(seen: Observations, enough: number): Schema {
  const { fields } = seen
  if (isRecord(seen))
    return { type: 'object', additionalProperties: schemaOf(joinObservations(fields.values()), enough) }
  const required = fieldsAlwaysIn(seen)
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...fields].map(([name, part]) => [name, schemaOf(part, isIdName(name) ? OPEN : enough)]),
    ),
    ...(required.length > 0 && { required }),
  }
}

// Names that are data: many, hardly any of them seen twice, and none a word of its own.
function isRecord({ objects, fields }: Observations): boolean {
  if (fields.size < ENTRY_KEYS) return false
  return [...fields].every(([name, { count }]) => /\d/.test(name) && (count * 4 <= objects || objects === 1))
}

// Pairs and the like have one length; of longer lists only that they are never empty is worth a promise.
function lengthsOf({ lengths: { min, max } }: Observations): Schema {
  if (min === max && min > 0 && min <= LONGEST_TUPLE) return { minItems: min, maxItems: max }
  return min > 0 ? { minItems: 1 } : {}
}
