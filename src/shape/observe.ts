import { isObject } from '../engine/schema/schema.ts'
import { entryOf } from '../grouping.ts'
import { formatsOf, isNumeric } from './formats.ts'
import {
  createObjects,
  createObservation,
  dropSplits,
  haveVaried,
  isOfOneLength,
  joinFields,
  keepFormats,
  leastOf,
  type Lists,
  MAX_FIELDS,
  mayVary,
  type Numbers,
  type Objects,
  type Observation,
  type Texts,
  variantsOf,
  widenLists,
  WORD,
} from './observation.ts'
import { addText } from './sketch.ts'

const MAX_LETTERS = 40
const MAX_DEPTH = 64
/** What was seen in these values. */
export function observationOf(values: Iterable<unknown>): Observation {
  const seen = createObservation()
  for (const value of values) observe(seen, value)
  return seen
}

/** Takes one more whole value in: JSON, or what `readValue` made of another media type. */
export function observe(seen: Observation, value: unknown): void {
  note(seen, value, { root: {}, isSplit: true }, 0)
}

interface Noting {
  /** Of the whole value; parts of one value are one document. */
  readonly root: object
  readonly isSplit: boolean
}

// Variants are not split again.
function asWhole(noting: Noting): Noting {
  return noting.isSplit ? { root: noting.root, isSplit: false } : noting
}

function note(seen: Observation, value: unknown, noting: Noting, depth: number): void {
  countIn(seen, noting)
  if (value === null) seen.nulls++
  else if (typeof value === 'boolean') seen.booleans++
  else if (typeof value === 'number') noteNumber(seen.numbers, value)
  else if (typeof value === 'string') noteText(seen.texts, value)
  else if (depth >= MAX_DEPTH) return
  else if (Array.isArray(value)) noteList(seen.lists, value, noting, depth)
  else if (isObject(value)) noteObject(seen.objects, value, noting, depth)
}

function countIn(seen: Observation | Objects, { root }: Noting): void {
  seen.count++
  if (seen.last === root) return
  seen.last = root
  seen.documents++
}

function noteNumber(numbers: Numbers, value: number): void {
  if (Number.isInteger(value)) numbers.integers++
  else numbers.decimals++
  numbers.min = Math.min(numbers.min, value)
  numbers.max = Math.max(numbers.max, value)
  const { least } = numbers
  if (!least.includes(value) && (!haveVaried(numbers) || value < (least.at(-1) as number)))
    numbers.least = leastOf([...least, value])
}

function noteText(texts: Texts, text: string): void {
  texts.count++
  if (text === '') texts.empty++
  if (isNumeric(text)) texts.numeric++
  if (WORD.test(text)) texts.words++
  texts.shortest = Math.min(texts.shortest, text.length)
  texts.longest = Math.max(texts.longest, text.length)
  if (texts.formats?.length !== 0) keepFormats(texts, formatsOf(text))
  addText(texts.values, text.slice(0, MAX_LETTERS + 1))
}

function noteList(lists: Lists, items: readonly unknown[], noting: Noting, depth: number): void {
  widenLists(lists, items.length, items.length, 1)
  if (items.length > 0) lists.items ??= createObservation()
  for (const item of items) note(lists.items as Observation, item, noting, depth + 1)
  if (!isOfOneLength(lists)) {
    delete lists.positions
    return
  }
  lists.positions ??= items.map(createObservation)
  const places = lists.positions
  const whole = asWhole(noting)
  items.forEach((item, index) => note(places[index] as Observation, item, whole, depth + 1))
}

type Entries = Readonly<Record<string, unknown>>

function noteObject(objects: Objects, value: Entries, noting: Noting, depth: number): void {
  // Before it is noted, since what was seen until now may be all that has another text.
  const variants = noting.isSplit ? variantsFor(objects, value) : []
  noteFields(objects, value, noting, depth)
  if (variants.length > 0) {
    const whole = asWhole(noting)
    for (const variant of variants) noteFields(variant, value, whole, depth)
  }
  dropSplits(objects)
}

function noteFields(objects: Objects, value: Entries, noting: Noting, depth: number): void {
  countIn(objects, noting)
  for (const [name, part] of Object.entries(value)) {
    // To a validator, every object seems to have it.
    if (name === '__proto__') continue
    note(objects.entries ?? entryOf(objects.fields, name, createObservation), part, noting, depth + 1)
    if (objects.fields.size > MAX_FIELDS) joinFields(objects)
  }
}

// Of each member that may decide the shape, what has the same text.
function variantsFor(objects: Objects, value: Entries): readonly Objects[] {
  if (objects.count === 0) return []
  const found: Objects[] = []
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' || !mayVary(objects, name, text) || !WORD.test(text)) continue
    const variants = variantsOf(objects, name)
    if (variants === undefined || (variants.size === 1 && variants.has(text))) continue
    objects.splits.set(name, variants)
    found.push(entryOf(variants, text, createObjects))
  }
  return found
}
