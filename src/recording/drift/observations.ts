import { isObject } from '../../engine/schema/schema.ts'
import { formatsOf } from '../inference/values.ts'

/** All that was seen of one place in many values; its size is bounded, however many they are. */
export interface Observations {
  count: number
  nulls: number
  booleans: number
  readonly texts: Tally
  integers: number
  decimals: number
  /** Of all numbers. */
  min: number
  max: number
  arrays: number
  items?: Observations
  objects: number
  /** By name. */
  readonly fields: Map<string, Observations>
  /** What the fields of a map have in common, once there were too many names. */
  entries?: Observations
}

/** Texts: how many, and which as long as they are few. */
export interface Tally {
  count: number
  /** Each value with its count; no longer added to once there are more than `MAX_VALUES`. */
  readonly values: Map<string, number>
  /** The formats that all of them have. */
  formats?: readonly string[]
}

/** How many different texts of one place are kept. */
export const MAX_VALUES = 8

const MAX_LETTERS = 40
const MAX_FIELDS = 300
const MAX_DEPTH = 64

/** Nothing seen yet. */
export function createObservations(): Observations {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    texts: { count: 0, values: new Map() },
    integers: 0,
    decimals: 0,
    min: Infinity,
    max: -Infinity,
    arrays: 0,
    objects: 0,
    fields: new Map(),
  }
}

/** Takes one more value in. */
export function noteValue(seen: Observations, value: unknown, depth = 0): void {
  seen.count++
  if (value === null) seen.nulls++
  else if (typeof value === 'boolean') seen.booleans++
  else if (typeof value === 'number') noteNumber(seen, value)
  else if (typeof value === 'string') noteText(seen.texts, value)
  else if (Array.isArray(value)) {
    seen.arrays++
    if (depth < MAX_DEPTH)
      for (const item of value) noteValue((seen.items ??= createObservations()), item, depth + 1)
  } else if (isObject(value)) {
    seen.objects++
    if (depth < MAX_DEPTH)
      for (const [name, part] of Object.entries(value)) noteField(seen, name, part, depth)
  }
}

function noteNumber(seen: Observations, value: number): void {
  if (Number.isInteger(value)) seen.integers++
  else seen.decimals++
  seen.min = Math.min(seen.min, value)
  seen.max = Math.max(seen.max, value)
}

function noteText(texts: Tally, text: string): void {
  texts.count++
  if (texts.formats?.length !== 0) {
    const formats = formatsOf(text)
    texts.formats = texts.formats?.filter((format) => formats.has(format)) ?? [...formats]
  }
  addTimes(texts.values, text.slice(0, MAX_LETTERS + 1), 1)
}

function addTimes(values: Map<string, number>, text: string, times: number): void {
  const known = values.get(text)
  if (known !== undefined || values.size <= MAX_VALUES) values.set(text, (known ?? 0) + times)
}

function noteField(seen: Observations, name: string, part: unknown, depth: number): void {
  const known = seen.entries ?? seen.fields.get(name)
  if (known !== undefined) return noteValue(known, part, depth + 1)
  const first = createObservations()
  seen.fields.set(name, first)
  noteValue(first, part, depth + 1)
  if (seen.fields.size <= MAX_FIELDS) return
  seen.entries = joinObservations([...seen.fields.values()])
  seen.fields.clear()
}

/** What was seen of several places, as of one. */
export function joinObservations(all: readonly Observations[]): Observations {
  const joined = createObservations()
  for (const each of all) addObservations(joined, each)
  return joined
}

function addObservations(to: Observations, from: Observations): void {
  to.count += from.count
  to.nulls += from.nulls
  to.booleans += from.booleans
  to.integers += from.integers
  to.decimals += from.decimals
  to.min = Math.min(to.min, from.min)
  to.max = Math.max(to.max, from.max)
  to.arrays += from.arrays
  to.objects += from.objects
  addTexts(to.texts, from.texts)
  if (from.items !== undefined) addObservations((to.items ??= createObservations()), from.items)
  for (const [name, part] of from.fields) addField(to, name, part)
  if (from.entries === undefined) return
  to.entries = joinObservations([from.entries, ...(to.entries ? [to.entries] : []), ...to.fields.values()])
  to.fields.clear()
}

function addTexts(to: Tally, { count, values, formats }: Tally): void {
  to.count += count
  if (formats !== undefined) to.formats = to.formats?.filter((format) => formats.includes(format)) ?? formats
  for (const [text, times] of values) addTimes(to.values, text, times)
}

function addField(to: Observations, name: string, part: Observations): void {
  if (to.entries !== undefined) return addObservations(to.entries, part)
  const known = to.fields.get(name) ?? createObservations()
  to.fields.set(name, known)
  addObservations(known, part)
}
