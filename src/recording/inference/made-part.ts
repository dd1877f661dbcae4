import { isDeepStrictEqual } from 'node:util'
import {
  isObject,
  LINK,
  propertiesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { formOfDrawn, formOfMade, madeKind } from '../../shape/made-values.ts'
import { schemaOfValues } from '../../shape/observed-schema.ts'
import { countEach } from '../../grouping.ts'
import type { Item } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** The model of what a server makes of a field that requests do not send. @param usual where nothing shows that */
export function madePart(seen: readonly unknown[], usual: SchemaOrBoolean): SchemaOrBoolean {
  const [first] = seen
  const isOne = seen.every((value) => isDeepStrictEqual(value, first))
  const found =
    (isOne ? knownPart(seen) : undefined) ?? formOfMade(seen) ?? formOfDrawn(seen) ?? knownPart(seen)
  if (found !== undefined || !isObject(usual)) return found ?? usual
  const ofLists = listPart(seen, usual)
  if (ofLists !== undefined || !seen.every(isObject)) return ofLists ?? usual
  // What fewer than half of them have is another's.
  const counts = countEach(seen.flatMap((value) => Object.keys(value)))
  const names = [...counts].flatMap(([name, times]) => (times === seen.length ? [name] : []))
  const isOdd = [...counts.values()].some((times) => times < seen.length && times * 2 >= seen.length)
  if (names.length === 0 || isOdd) return usual
  const known = new Map(propertiesOf(usual))
  const parts = names.map((name) => [
    name,
    madePart(
      seen.map((value) => value[name]),
      known.get(name) ?? {},
    ),
  ])
  return { type: 'object', properties: Object.fromEntries(parts) as Schema, required: names }
}

// Lists of objects that are always as long as each other.
function listPart(seen: readonly unknown[], usual: Schema): Schema | undefined {
  const lists = seen.filter((value): value is readonly unknown[] => Array.isArray(value))
  const [{ length } = []] = lists
  const isAlike = length > 0 && length <= MAX_ENTRIES && lists.every((list) => list.length === length)
  const { items } = usual
  if (!isAlike || lists.length < seen.length || !isObject(items) || !lists.flat().every(isObject))
    return undefined
  return { type: 'array', items: madePart(lists.flat(), items), minItems: length, maxItems: length }
}

/** Longer lists are as long by chance. */
const MAX_ENTRIES = 4

/** Whether a part is always the same, or made up in one way. */
export function isKnown(part: SchemaOrBoolean): part is Schema {
  return isObject(part) && ['const', 'pattern', 'format', 'properties'].some((keyword) => keyword in part)
}

/** Fewer requests say nothing of what is usual. */
const MIN_USUAL = 3

/**
 * What is made of a field by most requests, where those that send something besides get one other value of it;
 * `undefined` where that explains nothing.
 */
export function usuallyMade(written: readonly Sample[], name: string): Schema | undefined {
  const rows = written.flatMap(({ body, response }) =>
    isObject(body) && isObject(response) && response[name] !== undefined
      ? [{ body, value: response[name] }]
      : [],
  )
  const fields = [...new Set(rows.flatMap(({ body }) => Object.keys(body)))]
  const { type } = schemaOfValues(
    rows.map(({ value }) => value),
    'stored',
  )
  const typed = type === undefined ? {} : { type }
  for (const own of fields) {
    const usual = rows.filter(({ body }) => !Object.hasOwn(body, own))
    const others = rows.filter(({ body }) => Object.hasOwn(body, own))
    const [first] = others
    const isExplained =
      usual.length >= MIN_USUAL &&
      first !== undefined &&
      isScalar(first.body[own]) &&
      others.every(
        ({ body, value }) => body[own] === first.body[own] && isDeepStrictEqual(value, first.value),
      ) &&
      !usual.some(({ value }) => isDeepStrictEqual(value, first.value))
    if (!isExplained || isObject(first.value)) continue
    const seen = usual.map(({ value }) => value)
    const repeated = fields.find((each) =>
      usual.every(({ body, value }) => isScalar(value) && body[each] === value),
    )
    if (repeated !== undefined && new Set(seen).size > 1) return { ...typed, [LINK]: { fromInput: repeated } }
    const found = madePart(seen, {})
    if (!isKnown(found) || (!('const' in found) && !('pattern' in found))) continue
    const then = { computedFrom: { fields: [], template: first.value } }
    return {
      ...typed,
      ...('const' in found ? { examples: [found['const']] } : { pattern: found['pattern'] }),
      [LINK]: { whenInput: { field: own, equals: first.body[own], then } },
    }
  }
  return undefined
}

/** So few values of a field that requests do not send are all that there are. */
const MAX_VALUES = 8

/** What is made of a field that is not sent is what it was without. */
export function withUnsent(
  part: SchemaOrBoolean,
  values: readonly unknown[],
  isAlways: boolean,
): SchemaOrBoolean {
  const texts = new Set(values.map((value) => JSON.stringify(value)))
  const isPlain =
    isAlways || values.every((value) => !isObject(value) && value !== undefined && !holdsMade(value))
  if (!isObject(part) || texts.size === 0 || texts.size > MAX_VALUES || !isPlain) return part
  return { ...part, examples: [...texts].toSorted().map((text): unknown => JSON.parse(text)) }
}

/** A model of just the values that were seen; `undefined` where a server makes them up anew. */
function knownPart(seen: readonly unknown[]): Schema | undefined {
  const values = [...new Map(seen.map((value) => [JSON.stringify(value), value])).values()]
  const [first] = values
  if (values.length === 1 && !holdsMade(first)) return { const: first }
  if (!values.some((value) => isObject(value)))
    return values.length > MAX_VALUES || values.some(holdsMade) ? undefined : { enum: values }
  if (!values.every(isObject)) return undefined
  const names = Object.keys(first as Item)
  const isAlike = values.every((value) => Object.keys(value).join() === names.join())
  const parts = names.map((name) => [name, knownPart(seen.map((value) => (value as Item)[name]))] as const)
  if (!isAlike || parts.some(([, part]) => part === undefined)) return undefined
  return { type: 'object', properties: Object.fromEntries(parts), required: names }
}

/** Whether a value, or a part of it, may be a time. */
export function holdsTime(value: unknown): boolean {
  if (typeof value === 'number') return value > EPOCH
  if (typeof value === 'string') return /^(?:.*(?:date|time)|long number)/.test(madeKind(value) ?? '')
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsTime)
}

/** Seconds since 1970 that are not just large numbers. */
const EPOCH = 1_000_000_000

/** Whether a server makes up a value, or a part of it. */
export function holdsMade(value: unknown): boolean {
  if (typeof value === 'string') return madeKind(value) !== undefined
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMade)
}
