import { isObject, type Schema } from '../engine/schema/schema.ts'
import { addTo, entryOf } from '../grouping.ts'
import { formatsOf } from './formats.ts'

/** All that was seen of one place in many values. */
export interface Observations {
  count: number
  nulls: number
  booleans: number
  readonly texts: Texts
  integers: number
  decimals: number
  /** Of all numbers. */
  min: number
  max: number
  arrays: number
  /** Of arrays. */
  readonly lengths: { min: number; max: number }
  items?: Observations
  objects: number
  /** By name. */
  readonly fields: Map<string, Observations>
  /** What the fields of a map have in common, once there were too many names. */
  entries?: Observations
}

/** Texts: how many, and which as long as they are few. */
export interface Texts {
  count: number
  empty: number
  /** Each value with its count, cut short; no longer added to once there are more than `MAX_VALUES`. */
  readonly values: Map<string, number>
  /** The formats that all of them have. */
  formats?: readonly string[]
}

const MAX_VALUES = 8
const MAX_LETTERS = 40
const MAX_DEPTH = 64
const TIMES_EACH = 3

/** What was seen in these values. */
export function observationsOf(values: Iterable<unknown>): Observations {
  const seen = createObservations()
  for (const value of values) noteValue(seen, value)
  return seen
}

/** Nothing seen yet. */
export function createObservations(): Observations {
  return {
    ...{ count: 0, nulls: 0, booleans: 0, texts: { count: 0, empty: 0, values: new Map() } },
    ...{ integers: 0, decimals: 0, min: Infinity, max: -Infinity },
    ...{ arrays: 0, lengths: { min: Infinity, max: 0 }, objects: 0, fields: new Map() },
  }
}

/** Takes one more value in. @param maxFields different names of one place, above which objects are taken for maps */
export function noteValue(seen: Observations, value: unknown, maxFields = Infinity, depth = 0): void {
  seen.count++
  if (value === null) seen.nulls++
  else if (typeof value === 'boolean') seen.booleans++
  else if (typeof value === 'number') {
    if (Number.isInteger(value)) seen.integers++
    else seen.decimals++
    widen(seen, value, value)
  } else if (typeof value === 'string') noteText(seen.texts, value)
  else if (Array.isArray(value)) {
    seen.arrays++
    widen(seen.lengths, value.length, value.length)
    if (depth < MAX_DEPTH)
      for (const item of value) noteValue((seen.items ??= createObservations()), item, maxFields, depth + 1)
  } else if (isObject(value)) {
    seen.objects++
    if (depth < MAX_DEPTH)
      for (const [name, part] of Object.entries(value)) {
        // To a validator, every object seems to have it.
        if (name === '__proto__') continue
        const field = seen.entries ?? entryOf(seen.fields, name, createObservations)
        noteValue(field, part, maxFields, depth + 1)
        if (seen.fields.size > maxFields) seen.entries = joinFields(seen)
      }
  }
}

function noteText(texts: Texts, text: string): void {
  texts.count++
  if (text === '') texts.empty++
  if (texts.formats?.length !== 0) addFormats(texts, formatsOf(text))
  addValue(texts, text.slice(0, MAX_LETTERS + 1), 1)
}

function addFormats(texts: Texts, formats: readonly string[]): void {
  texts.formats = texts.formats?.filter((format) => formats.includes(format)) ?? formats
}

function addValue({ values }: Texts, text: string, times: number): void {
  if (values.has(text) || values.size <= MAX_VALUES) addTo(values, text, times)
}

function widen(bounds: { min: number; max: number }, min: number, max: number): void {
  bounds.min = Math.min(bounds.min, min)
  bounds.max = Math.max(bounds.max, max)
}

/** What was seen of several places, as of one. */
export function joinObservations(all: Iterable<Observations>): Observations {
  const joined = createObservations()
  for (const each of all) addObservations(joined, each)
  return joined
}

// The fields are those of a map: they have no names of their own from now on.
function joinFields(seen: Observations, ...others: readonly Observations[]): Observations {
  const joined = joinObservations([...others, ...seen.fields.values()])
  seen.fields.clear()
  return joined
}

const COUNTS = ['count', 'nulls', 'booleans', 'integers', 'decimals', 'arrays', 'objects'] as const

function addObservations(to: Observations, from: Observations): void {
  for (const name of COUNTS) to[name] += from[name]
  widen(to, from.min, from.max)
  widen(to.lengths, from.lengths.min, from.lengths.max)
  to.texts.count += from.texts.count
  to.texts.empty += from.texts.empty
  if (from.texts.formats !== undefined) addFormats(to.texts, from.texts.formats)
  for (const [text, times] of from.texts.values) addValue(to.texts, text, times)
  if (from.items !== undefined) addObservations((to.items ??= createObservations()), from.items)
  for (const [name, part] of from.fields)
    addObservations(to.entries ?? entryOf(to.fields, name, createObservations), part)
  if (from.entries !== undefined)
    to.entries = joinFields(to, from.entries, ...(to.entries === undefined ? [] : [to.entries]))
}

/** How values of each kind are described by a model. */
interface Describing {
  text(texts: Texts): Schema
  number(): Schema
  object(): Schema
  array(): Schema
}

/** A model of all kinds of values that were seen in a place; `undefined` where there was nothing but null. */
export function modelOfKinds(seen: Observations, describe: Describing): Schema | undefined {
  const forms = [
    ...(seen.texts.count > 0 ? [describe.text(seen.texts)] : []),
    ...(seen.integers + seen.decimals > 0 ? [describe.number()] : []),
    ...(seen.booleans > 0 ? [{ type: 'boolean' }] : []),
    ...(seen.objects > 0 ? [describe.object()] : []),
    ...(seen.arrays > 0 ? [describe.array()] : []),
  ]
  const [only, ...others] = forms
  if (only === undefined) return undefined
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

/** The names of fields that were in every object of a place. */
export function fieldsAlwaysIn({ fields, objects }: Observations): string[] {
  return [...fields].filter(([, part]) => part.count === objects).map(([name]) => name)
}

/** The texts of a closed set: a few, each seen again and again, none looking like an id or a sentence. */
export function closedSetOf({ count, values }: Texts, enough: number): readonly string[] | undefined {
  const isClosed =
    count >= enough &&
    values.size <= MAX_VALUES &&
    [...values].every(([text, times]) => times >= TIMES_EACH && /^[\w.:/+-]{1,40}$/.test(text))
  return isClosed ? [...values.keys()].toSorted() : undefined
}

/** Whether a field holds an id, whose values say nothing of those that come. */
export function isIdName(name: string): boolean {
  return /(^|[_-])(id|ids|uuid|key|sku|slug|token|ID|UUID)$|[a-z](Id|Ids|ID|Key|Uuid)$/.test(name)
}
