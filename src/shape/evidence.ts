import { TEXT } from './parse-xml.ts'
import { countDistinct } from './sketch.ts'
import type { Objects, Observation, Texts } from './observation.ts'

/** In how many whole values something always was, before it can be relied on. */
export const SURE = 3
/** Values of one place before its set may be closed, or its numbers bounded. */
export const ENOUGH = 12
/** Different texts that all have a format, before it is one. */
const DISTINCT_TEXTS = 3
const TIMES_EACH = 3
const MAX_IN_SET = 8

/** Whether a field holds an id, whose values say nothing of those that come. */
export function isIdName(name: string): boolean {
  return /(^|[_-])(id|ids|uuid|key|sku|slug|token|ID|UUID)$|[a-z](Id|Ids|ID|Key|Uuid)$/.test(name)
}

/** The kinds of values that were seen, null aside. */
export function kindsOf({ texts, numbers, booleans, lists, objects }: Observation): readonly string[] {
  const kinds = {
    text: texts.count,
    number: numbers.integers + numbers.decimals,
    boolean: booleans,
    list: lists.count,
    object: objects.count,
  }
  return Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
}

/** The names of fields that were in every object of a place. */
export function fieldsAlwaysIn({ fields, count }: Objects): string[] {
  // An XML element without text has none to show.
  return [...fields].filter(([name, part]) => part.count === count && name !== TEXT).map(([name]) => name)
}

/** The format that enough different texts have. */
export function formatOf({ formats: [format] = [], values }: Texts): string | undefined {
  return countDistinct(values) >= DISTINCT_TEXTS ? format : undefined
}

/** Whether all texts spell numbers, and enough different ones. */
export function areNumeric({ count, numeric, values }: Texts): boolean {
  return count === numeric && count >= ENOUGH && countDistinct(values) >= DISTINCT_TEXTS
}

/** The texts of a closed set: a few, each seen again and again, none looking like an id, a date or a sentence. */
export function closedSetOf({ count, words, values, formats = [] }: Texts): readonly string[] | undefined {
  const isClosed =
    count >= ENOUGH &&
    words === count &&
    formats.length === 0 &&
    countDistinct(values) <= MAX_IN_SET &&
    [...values.kept.values()].every((times) => times >= TIMES_EACH)
  return isClosed ? [...values.kept.keys()].toSorted() : undefined
}

/** What stands at each place of a tuple: lists of one short length, whose places hold values of different kinds. */
export function tupleOf({ lists }: Observation): readonly Observation[] | undefined {
  const { positions, count } = lists
  if (positions === undefined || count < SURE) return undefined
  const kinds = positions.map((place) => kindsOf(place).join())
  return new Set(kinds).size > 1 ? positions : undefined
}

/** Names that are data in every value that was seen need not be many. */
const MIN_DATA = 2
const MIN_ALIKE = 4
const MIN_RARE = 8

/**
 * Whether objects are dictionaries, whose names are data: ids, dates or whatever clients chose. Their names look like
 * data, or come and go while their values are alike.
 */
export function isDictionary(objects: Objects): boolean {
  const { count, fields, entries } = objects
  if (entries !== undefined) return true
  const parts = [...fields.values()]
  const always = fieldsAlwaysIn(objects).length
  const alike = areAlike(parts)
  const share = parts.reduce((sum, part) => sum + part.count, 0) / (count * parts.length)
  const isFixed = always === parts.length && count > 2
  const names = [...fields.keys()]
  if (alike && names.length > 0 && names.every(isAddress)) return true
  if (alike && !isFixed && names.length >= MIN_DATA && names.every(isData)) return true
  if (always > 0) return false
  return (
    (alike && parts.length >= MIN_ALIKE && share <= 2 / 3) || (parts.length >= MIN_RARE && share <= 1 / 4)
  )
}

/**
 * Whether the names of an object may still be data: all values are alike, and more names come and go than stay.
 * @param isPart whether it is a part of something that may have been seen again and again; then those that stay must have
 * had several values too
 */
export function mayBeLabels(objects: Objects, isPart: boolean): boolean {
  const parts = [...objects.fields.values()]
  const stay = parts.filter(({ count }) => count === objects.count)
  if (!areAlike(parts)) return false
  const isSame = ({ texts, count }: Observation): boolean =>
    texts.count === count && countDistinct(texts.values) < SURE
  return parts.length > 2 * stay.length || (isPart && stay.every(isSame))
}

function areAlike(parts: readonly Observation[]): boolean {
  const known = parts.filter((part) => kindsOf(part).length > 0)
  return known.every((part) => isAlike(part, known[0] ?? part))
}

function isAlike(a: Observation, b: Observation): boolean {
  if (kindsOf(a).join() !== kindsOf(b).join()) return false
  return a.objects.count === 0 || b.objects.count === 0 || shareNames(a.objects, b.objects)
}

function shareNames(a: Objects, b: Objects): boolean {
  return (
    (a.fields.size === 0 && b.fields.size === 0) || [...a.fields.keys()].some((name) => b.fields.has(name))
  )
}

// Numbers, dates, UUIDs, addresses, paths, hashes and names with a number at their end; not `line1`.
function isData(name: string): boolean {
  return /^[-+]?\d|\d{3}|[@/.:\s]/.test(name) || /[-_]\d+$/.test(name)
}

// Addresses of mail, nodes and servers, and URLs: nobody names a field so, and one is enough to say it.
function isAddress(name: string): boolean {
  return /^[\w.+-]+@[\w.-]+$|^\w+:\/\/|^[\w.-]+:\d+$/.test(name)
}

/** A member whose text decides which shape an object has, and the shapes. */
export interface Union {
  readonly member: string
  readonly variants: ReadonlyMap<string, Objects>
}

const TYPE_NAME = /(type|kind|typename|class|event|status|variant|op|action|method)$/i
/** How likely an explanation may be by mere chance. */
const BY_CHANCE = 0.01
const BY_CHANCE_OF_TYPE = 0.3

/** The member that best explains why objects of one place differ; `undefined` where they do not, or none does. */
export function unionOf(objects: Objects): Union | undefined {
  const differing = variationsOf(objects)
  if (differing.length === 0) return undefined
  const found = [...objects.splits].flatMap(([member, variants]) => {
    const left = Math.max(...[...variants.values()].map((each) => variationsOf(each).length))
    const chance = Math.min(...differing.map((name) => chanceOf(name, objects, variants)))
    const isType = TYPE_NAME.test(member)
    const isProven = chance * (isType ? 1 : objects.splits.size) <= (isType ? BY_CHANCE_OF_TYPE : BY_CHANCE)
    return isProven && left * 2 <= differing.length ? [{ member, variants, left, chance }] : []
  })
  const [best] = found.toSorted(
    (a, b) => a.left - b.left || a.chance - b.chance || (a.member < b.member ? -1 : 1),
  )
  return best
}

// The fields that are not always there, or not always of one kind.
function variationsOf({ fields, count }: Objects): readonly string[] {
  return [...fields].filter(([, part]) => part.count < count || isMixed(part)).map(([name]) => name)
}

function isMixed(part: Observation): boolean {
  const { items, positions } = part.lists
  if (kindsOf(part).length > 1) return true
  // What stands at one place is of one kind.
  if (positions !== undefined) return positions.some(isMixed)
  return items !== undefined && isMixed(items)
}

// How likely each variant would have a field always or never, if the member had nothing to do with it.
function chanceOf(name: string, { fields, count }: Objects, variants: ReadonlyMap<string, Objects>): number {
  const part = fields.get(name)
  if (part === undefined) return 1
  const share = part.count < count ? part.count / count : 1 / 2
  let [withIt, without] = [0, 0]
  for (const { count: all, fields: own } of variants.values()) {
    const inVariant = own.get(name)
    if (inVariant === undefined) without += all
    else if (inVariant.count < all || isMixed(inVariant)) return 1
    else withIt += all
  }
  return share ** withIt * (1 - share) ** without
}
