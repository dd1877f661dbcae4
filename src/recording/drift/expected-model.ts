import type { Schema, SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { joinObservations, MAX_VALUES, type Observations, type Tally } from './observations.ts'

/** Values of one place before it is said to be closed, whole or bounded. */
const ENOUGH = 12
/** Texts of one place before it is said to have a format. */
const ENOUGH_TEXTS = 3
/** How often each value of a closed set has to come. */
const TIMES_EACH = 3
/** How much larger than all before a number must be to be of another kind, such as cents in place of euros. */
const FAR = 100

/**
 * What values that come may be like, by those that were seen: types, fields that always come, formats, closed sets and
 * rough bounds. It says less than a model for generating values would, so that no new value of the old kind is reported.
 * @param name of the field; that of an id says that its values are not counted
 */
export function expectedModel(seen: Observations, name = ''): SchemaOrBoolean {
  const forms = [
    ...(seen.texts.count > 0 ? [textModel(seen.texts, name)] : []),
    ...(seen.integers + seen.decimals > 0 ? [numberModel(seen, name)] : []),
    ...(seen.booleans > 0 ? [{ type: 'boolean' }] : []),
    ...(seen.objects > 0 ? [objectModel(seen)] : []),
    ...(seen.arrays > 0
      ? [{ type: 'array', items: seen.items === undefined ? true : expectedModel(seen.items) }]
      : []),
  ]
  const [only, ...others] = forms
  // What was only ever null can be anything once it is there.
  if (only === undefined) return true
  if (others.length > 0) return { anyOf: [...forms, ...(seen.nulls > 0 ? [{ type: 'null' }] : [])] }
  return seen.nulls > 0 ? nullable(only) : only
}

function nullable(model: Schema): Schema {
  const closed = model['enum']
  return {
    ...model,
    type: [model['type'], 'null'],
    ...(Array.isArray(closed) && { enum: [...(closed as unknown[]), null] }),
  }
}

function textModel(texts: Tally, name: string): Schema {
  const [format] = texts.formats ?? []
  if (format !== undefined && texts.count >= ENOUGH_TEXTS) return { type: 'string', format }
  if (!isIdName(name) && isClosed(texts)) return { type: 'string', enum: [...texts.values.keys()].toSorted() }
  return { type: 'string' }
}

// A few texts, each seen again and again, none of them looking like a sentence.
function isClosed({ count, values }: Tally): boolean {
  return (
    count >= ENOUGH &&
    values.size <= MAX_VALUES &&
    [...values].every(([text, times]) => times >= TIMES_EACH && /^[\w.:/+-]{1,40}$/.test(text))
  )
}

function numberModel({ integers, decimals, min, max }: Observations, name: string): Schema {
  const count = integers + decimals
  const isId = isIdName(name)
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
    const entries = seen.entries ?? joinObservations([...seen.fields.values()])
    return { type: 'object', additionalProperties: expectedModel(entries) }
  }
  const fields = [...seen.fields]
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, part]) => [name, expectedModel(part, name)])),
    required: fields.filter(([, part]) => part.count === seen.objects).map(([name]) => name),
  }
}

function isIdName(name: string): boolean {
  return /(^|[_-])(id|ids|uuid|key|sku|slug|token|ID|UUID)$|[a-z](Id|Ids|ID|Key|Uuid)$/.test(name)
}

/** Names that are data in every value that was seen need not be many. */
const MIN_DATA = 2
const MIN_ALIKE = 4
const MIN_RARE = 8

/**
 * Whether objects that were seen in one place are maps, whose names are data: ids, dates or whatever clients chose.
 * Their names look like data, or come and go while their values are alike.
 */
export function isMap({ objects, fields, entries }: Observations): boolean {
  if (entries !== undefined) return true
  const parts = [...fields.values()]
  const always = parts.filter((part) => part.count === objects).length
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
  const counts = {
    text: texts.count,
    number: integers + decimals,
    boolean: booleans,
    list: arrays,
    object: objects,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
    .join(' ')
}

function shareNames(a: Observations, b: Observations): boolean {
  return (
    (a.fields.size === 0 && b.fields.size === 0) || [...a.fields.keys()].some((name) => b.fields.has(name))
  )
}
