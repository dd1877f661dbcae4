import type { Schema, SchemaOrBoolean } from '../engine/schema/schema.ts'
import {
  closedSetOf,
  fieldsAlwaysIn,
  isIdName,
  joinObservations,
  modelOfKinds,
  type Observations,
} from './observation.ts'

/** Values of one place before it is said to be closed, whole or bounded. */
const ENOUGH = 12
/** Texts of one place before it is said to have a format. */
const ENOUGH_TEXTS = 3
/** How much larger than all before a number must be to be of another kind, such as cents in place of euros. */
const FAR = 100

/**
 * What values that come may be like, by those that were seen: types, fields that always come, formats, closed sets and
 * rough bounds. It says less than a model for generating values would, so that no new value of the old kind is reported.
 * @param name of the field; that of an id says that its values are not counted
 */
export function expectedModel(seen: Observations, name = ''): SchemaOrBoolean {
  const model = modelOfKinds(seen, {
    text({ formats: [format] = [], ...texts }) {
      if (format !== undefined && texts.count >= ENOUGH_TEXTS) return { type: 'string', format }
      const closed = isIdName(name) ? undefined : closedSetOf(texts, ENOUGH)
      return { type: 'string', ...(closed !== undefined && { enum: closed }) }
    },
    number: () => numberModel(seen, isIdName(name)),
    object: () => objectModel(seen),
    array: () => ({ type: 'array', items: seen.items === undefined ? true : expectedModel(seen.items) }),
  })
  // What was only ever null can be anything once it is there.
  return model ?? true
}

function numberModel({ integers, decimals, min, max }: Observations, isId: boolean): Schema {
  const count = integers + decimals
  const isWhole = decimals === 0 && (count >= ENOUGH || isId)
  const isBounded = count >= ENOUGH && !isId && max > 0
  return {
    type: isWhole ? 'integer' : 'number',
    ...(isBounded && { ...(min >= 0 && { minimum: 0 }), maximum: roundUp(max * FAR) }),
  }
}

// To one digit: a bound that looks measured would say more than is known.
function roundUp(bound: number): number {
  const power = 10 ** Math.floor(Math.log10(bound))
  return Number.isFinite(bound) && power > 0 ? Math.ceil(bound / power) * power : Number.MAX_VALUE
}

function objectModel(seen: Observations): Schema {
  if (isMap(seen)) {
    const entries = seen.entries ?? joinObservations(seen.fields.values())
    return { type: 'object', additionalProperties: expectedModel(entries) }
  }
  return {
    type: 'object',
    properties: Object.fromEntries([...seen.fields].map(([name, part]) => [name, expectedModel(part, name)])),
    required: fieldsAlwaysIn(seen),
  }
}

/** Names that are data in every value that was seen need not be many. */
const MIN_DATA = 2
const MIN_ALIKE = 4
const MIN_RARE = 8

/**
 * Whether objects that were seen in one place are maps, whose names are data: ids, dates or whatever clients chose.
 * Their names look like data, or come and go while their values are alike.
 */
export function isMap(seen: Observations): boolean {
  const { objects, fields, entries } = seen
  if (entries !== undefined) return true
  const parts = [...fields.values()]
  const always = fieldsAlwaysIn(seen).length
  const known = parts.filter((part) => kindOf(part) !== '')
  const areAlike = known.every((part) => isAlike(part, known[0] ?? part))
  const share = parts.reduce((sum, part) => sum + part.count, 0) / (objects * parts.length)
  const isFixed = always === parts.length && objects > 2
  if (areAlike && !isFixed && parts.length >= MIN_DATA && [...fields.keys()].every(isData)) return true
  if (always > 0) return false
  return (
    (areAlike && parts.length >= MIN_ALIKE && share <= 2 / 3) || (parts.length >= MIN_RARE && share <= 1 / 4)
  )
}

// Numbers, dates, UUIDs, addresses and paths; not `line1`.
function isData(name: string): boolean {
  return /^[-+]?\d|\d{3}|[@/.:\s]/.test(name)
}

function isAlike(a: Observations, b: Observations): boolean {
  return kindOf(a) === kindOf(b) && (a.objects === 0 || b.objects === 0 || shareNames(a, b))
}

function kindOf({ texts, integers, decimals, booleans, arrays, objects }: Observations): string {
  const kinds = {
    text: texts.count,
    number: integers + decimals,
    boolean: booleans,
    list: arrays,
    object: objects,
  }
  return Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
    .join(' ')
}

function shareNames(a: Observations, b: Observations): boolean {
  return (
    (a.fields.size === 0 && b.fields.size === 0) || [...a.fields.keys()].some((name) => b.fields.has(name))
  )
}
