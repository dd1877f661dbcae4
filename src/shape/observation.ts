import { entryOf } from '../grouping.ts'
import { addSketch, countDistinct, createSketch, type Sketch } from './sketch.ts'

/**
 * All that was seen of one place in many values, in bounded memory. Observations of parts of the values, in any order
 * and however split, merge to that of all.
 */
export interface Observation {
  count: number
  /** In how many whole values the place came, however often in each. */
  documents: number
  nulls: number
  booleans: number
  readonly texts: Texts
  readonly numbers: Numbers
  readonly lists: Lists
  readonly objects: Objects
  /** Stands for the whole value that was counted last. */
  last: object | undefined
}

/** What was seen of texts. */
export interface Texts {
  count: number
  empty: number
  /** How many spell a number. */
  numeric: number
  /** How many are names or words, as those of a closed set are. */
  words: number
  /** Which there were, cut short. */
  readonly values: Sketch
  shortest: number
  longest: number
  /** The formats that all of them have. */
  formats?: readonly string[]
}

export interface Numbers {
  integers: number
  decimals: number
  min: number
  max: number
  /** The least of them, each once, as far as they say how many different ones there were. */
  least: readonly number[]
}

/** How many different numbers are counted. */
const MAX_LEAST = 4

/** The least of some numbers, each once. */
export function leastOf(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b).slice(0, MAX_LEAST)
}

/** Whether at least as many different numbers were seen as are counted. */
export function haveVaried({ least }: Numbers): boolean {
  return least.length === MAX_LEAST
}

export interface Lists {
  count: number
  min: number
  max: number
  items?: Observation
  /** What stood where, as long as all lists have the same short length. */
  positions?: readonly Observation[]
}

/** What was seen of objects. */
export interface Objects {
  count: number
  /** In how many whole values. */
  documents: number
  last: object | undefined
  /** By name. */
  readonly fields: Map<string, Observation>
  /** What the fields have in common, once there were too many names. */
  entries?: Observation
  /** The objects again by the text of a member that may decide their shape, once it had two. */
  readonly splits: Map<string, Map<string, Objects>>
}

/** Different names of one place, above which its objects are taken for dictionaries. */
export const MAX_FIELDS = 300
/** The longest list whose places may each mean something of their own. */
const LONGEST_TUPLE = 4
/** How many texts of a member may decide the shape. */
const MAX_VARIANTS = 8

/** A name or word, as those of a closed set are. */
export const WORD = /^[\w.:/@#+-]{1,40}$/

/** Nothing seen yet. */
export function createObservation(): Observation {
  return {
    ...{ count: 0, documents: 0, nulls: 0, booleans: 0, last: undefined },
    texts: {
      count: 0,
      empty: 0,
      numeric: 0,
      words: 0,
      shortest: Infinity,
      longest: 0,
      values: createSketch(),
    },
    numbers: { integers: 0, decimals: 0, min: Infinity, max: -Infinity, least: [] },
    lists: { count: 0, min: Infinity, max: 0 },
    objects: createObjects(),
  }
}

/** No object seen yet. */
export function createObjects(): Objects {
  return { count: 0, documents: 0, last: undefined, fields: new Map(), splits: new Map() }
}

/** Keeps the formats that further texts have too. */
export function keepFormats(texts: Texts, formats: readonly string[]): void {
  texts.formats = texts.formats?.filter((format) => formats.includes(format)) ?? formats
}

/** Counts further lists, whose lengths are between these. */
export function widenLists(lists: Lists, min: number, max: number, count: number): void {
  lists.count += count
  lists.min = Math.min(lists.min, min)
  lists.max = Math.max(lists.max, max)
}

/** Whether all lists have the same short length, as tuples have. */
export function isOfOneLength({ min, max }: Lists): boolean {
  return min === max && min > 1 && max <= LONGEST_TUPLE
}

/** What objects are like by the text of a member; `undefined` where it decides nothing. */
export function variantsOf(objects: Objects, name: string): Map<string, Objects> | undefined {
  const known = objects.splits.get(name)
  if (known !== undefined) return known
  const [only] = objects.fields.get(name)?.texts.values.kept.keys() ?? []
  if (only === undefined || !mayDecide(objects, name)) return undefined
  return new Map([[only, copyOf(objects)]])
}

/** Whether a further text of a member may show that it decides what objects are like. */
export function mayVary(objects: Objects, name: string, text: string): boolean {
  if (objects.splits.has(name)) return true
  // Before all is copied, which most members never need.
  const [only] = objects.fields.get(name)?.texts.values.kept.keys() ?? []
  return only !== text && mayDecide(objects, name)
}

// Whether every object has it, as one of a few words.
function mayDecide({ count, fields, entries }: Objects, name: string): boolean {
  const texts = fields.get(name)?.texts
  return (
    entries === undefined &&
    texts?.words === count &&
    fields.get(name)?.count === count &&
    countDistinct(texts.values) <= MAX_VARIANTS
  )
}

/** Forgets the members that decide nothing any more. */
export function dropSplits(objects: Objects): void {
  for (const name of objects.splits.keys()) if (!mayDecide(objects, name)) objects.splits.delete(name)
}

/** What was seen in several places or at several times, as of one. */
export function mergeObservations(all: Iterable<Observation>): Observation {
  const merged = createObservation()
  for (const each of all) addObservation(merged, each, true)
  return merged
}

const COUNTS = ['count', 'documents', 'nulls', 'booleans'] as const

function addObservation(to: Observation, from: Observation, isSplit: boolean): void {
  for (const name of COUNTS) to[name] += from[name]
  to.last = from.last ?? to.last
  addTexts(to.texts, from.texts)
  addNumbers(to.numbers, from.numbers)
  addLists(to.lists, from.lists, isSplit)
  addObjects(to.objects, from.objects, isSplit)
}

function addTexts(to: Texts, from: Texts): void {
  for (const name of ['count', 'empty', 'numeric', 'words'] as const) to[name] += from[name]
  to.shortest = Math.min(to.shortest, from.shortest)
  to.longest = Math.max(to.longest, from.longest)
  if (from.formats !== undefined) keepFormats(to, from.formats)
  addSketch(to.values, from.values)
}

function addNumbers(to: Numbers, from: Numbers): void {
  to.integers += from.integers
  to.decimals += from.decimals
  to.min = Math.min(to.min, from.min)
  to.max = Math.max(to.max, from.max)
  to.least = leastOf([...to.least, ...from.least])
}

function addLists(to: Lists, from: Lists, isSplit: boolean): void {
  if (from.count === 0) return
  const isFirst = to.count === 0
  widenLists(to, from.min, from.max, from.count)
  if (from.items !== undefined) addObservation((to.items ??= createObservation()), from.items, isSplit)
  if (!isOfOneLength(to) || from.positions === undefined) delete to.positions
  else {
    const places = isFirst ? from.positions.map(createObservation) : (to.positions ?? [])
    from.positions.forEach((place, index) => addObservation(places[index] as Observation, place, false))
    to.positions = places
  }
}

function addObjects(to: Objects, from: Objects, isSplit: boolean): void {
  if (from.count === 0) return
  const splits = isSplit ? mergedSplits(to, from) : new Map<string, Map<string, Objects>>()
  to.count += from.count
  to.documents += from.documents
  to.last = from.last ?? to.last
  for (const [name, part] of from.fields)
    addObservation(to.entries ?? entryOf(to.fields, name, createObservation), part, isSplit)
  if (from.entries !== undefined) joinFields(to, from.entries)
  else if (to.fields.size > MAX_FIELDS) joinFields(to)
  to.splits.clear()
  for (const [name, variants] of splits) to.splits.set(name, variants)
  dropSplits(to)
}

function mergedSplits(to: Objects, from: Objects): Map<string, Map<string, Objects>> {
  const merged = new Map<string, Map<string, Objects>>()
  const names = new Set([...from.fields.keys()].filter((name) => to.count === 0 || to.fields.has(name)))
  for (const name of names) {
    const own = to.count === 0 ? new Map<string, Objects>() : variantsOf(to, name)
    const others =
      own === undefined || (to.count === 0 && !from.splits.has(name)) ? undefined : variantsOf(from, name)
    if (own === undefined || others === undefined) continue
    const texts = new Set([...own.keys(), ...others.keys()])
    if (texts.size < 2 || texts.size > MAX_VARIANTS) continue
    const variants = [...texts].map((text): [string, Objects] => [
      text,
      copyOf(own.get(text), others.get(text)),
    ])
    merged.set(name, new Map(variants))
  }
  return merged
}

function copyOf(...all: readonly (Objects | undefined)[]): Objects {
  const copy = createObjects()
  for (const each of all) if (each !== undefined) addObjects(copy, each, false)
  return copy
}

/** Takes the fields for entries of a dictionary: they have no names of their own from now on. */
export function joinFields(objects: Objects, ...others: readonly Observation[]): void {
  const known = objects.entries === undefined ? [] : [objects.entries]
  objects.entries = mergeObservations([...known, ...others, ...objects.fields.values()])
  objects.fields.clear()
}
