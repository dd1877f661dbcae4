import { isDeepStrictEqual } from 'node:util'
import { pick } from '../../collections/item-output.ts'
import type { FieldCopy, ItemReference } from '../../engine/route-options.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import type { Item } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** The items of a collection as they were when an exchange came. */
export interface NamedItems {
  /** The path of its items, such as `/products/{id}`. */
  readonly path: string
  before(id: string, index: number): Item | undefined
}

/** What was made, with what was sent. */
interface Made {
  readonly sample: Pick<Sample, 'index'>
  /** What names other items. */
  readonly body: Item
  readonly item: Item
}

interface Copied {
  readonly refers: Readonly<Record<string, ItemReference>>
  /** The names of the fields that are copied. */
  readonly copied: ReadonlySet<string>
}

/** What is the same in fewer items may be so by chance. */
const MIN_NAMED = 2

/**
 * Finds fields that are copied from an item which the request names by its id, such as the name and the price of a product:
 * they are the same for several different ones, as these were then.
 * @param fields that may be
 */
export function copiedFields(
  made: readonly Made[],
  fields: readonly string[],
  named: readonly NamedItems[],
): Copied {
  const names = [...new Set(made.flatMap(({ body }) => Object.keys(body)))].toSorted()
  const copied = new Set<string>()
  const refers = names.flatMap((name): [string, ItemReference][] => {
    const naming = made.filter(({ body }) => isScalar(body[name]) && body[name] !== null)
    if (new Set(naming.map(({ body }) => body[name])).size < MIN_NAMED) return []
    for (const { path, before } of named) {
      const rows = naming.map(({ sample, body, item }) => ({
        item,
        from: before(String(body[name]), sample.index),
      }))
      if (!rows.every(({ from }) => from !== undefined)) continue
      const free = fields.filter((field) => !copied.has(field))
      const copies = Object.fromEntries(free.flatMap((field) => copyOf(field, rows) ?? []))
      if (Object.keys(copies).length === 0) continue
      for (const field of Object.keys(copies)) copied.add(field)
      return [[name, { at: path, copies }]]
    }
    return []
  })
  return { refers: Object.fromEntries(refers), copied }
}

// The field of the same name, if there is one, or a list whose entries have more.
function copyOf(
  field: string,
  rows: readonly { readonly item: Item; readonly from: Item | undefined }[],
): readonly (readonly [string, FieldCopy])[] | undefined {
  const values = rows.map(({ item }) => item[field])
  const areSeveral = new Set(values.map((value) => JSON.stringify(value))).size >= MIN_NAMED
  if (!areSeveral || values.some((value) => value === undefined || isObject(value))) return undefined
  const names = Object.keys(rows[0]?.from ?? {})
  const isCopy = (name: string, without: readonly string[] = []): boolean =>
    rows.every(({ item, from }) => isDeepStrictEqual(entriesWithout(from?.[name], without), item[field]))
  for (const name of [field, ...names.filter((each) => each !== field)]) {
    if (!names.includes(name)) continue
    if (isCopy(name)) return [[field, name]]
    const without = furtherIn(
      rows.map(({ from }) => from?.[name]),
      values,
    )
    if (without.length > 0 && isCopy(name, without)) return [[field, { from: name, without }]]
  }
  return undefined
}

function entriesWithout(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || !Array.isArray(value)) return value
  return value.map((entry: unknown) =>
    isObject(entry) ? pick(entry, (name) => !names.includes(name)) : entry,
  )
}

// The members that entries have, and not their copies.
function furtherIn(lists: readonly unknown[], copies: readonly unknown[]): readonly string[] {
  const namesIn = (all: readonly unknown[]): ReadonlySet<string> =>
    new Set(all.flat().flatMap((entry) => (isObject(entry) ? Object.keys(entry) : [])))
  const kept = namesIn(copies)
  return kept.size === 0 ? [] : [...namesIn(lists)].filter((name) => !kept.has(name)).toSorted()
}

/**
 * The numbers of bodies that were never more than a field of the item which they name, where requests were refused for
 * more: their answers say how much there is.
 * @param field the field that names the item
 */
export function mostOf(
  field: string,
  { path, before }: NamedItems,
  fine: readonly Sample[],
  refused: readonly Sample[],
):
  | {
      readonly atMost: Readonly<Record<string, string>>
      readonly isMore: (sample: Sample) => Item | undefined
    }
  | undefined {
  const rowOf = (
    sample: Sample,
  ): { readonly body: Item; readonly item: Item; readonly sample: Sample } | undefined => {
    const body = isObject(sample.body) ? sample.body : {}
    const item = before(String(body[field]), sample.index)
    return item && { body, item, sample }
  }
  const taken = fine.flatMap((sample) => rowOf(sample) ?? [])
  const others = refused.flatMap((sample) => rowOf(sample) ?? [])
  for (const { body, item } of others)
    for (const [name, wanted] of Object.entries(body))
      for (const [bound, there] of Object.entries(item)) {
        if (typeof wanted !== 'number' || typeof there !== 'number' || wanted <= there) continue
        const isWithin = taken.every((row) => Number(row.body[name]) <= Number(row.item[bound]))
        const isMore = (row: (typeof taken)[number]): boolean =>
          Number(row.body[name]) > Number(row.item[bound])
        const says = others.some(
          (row) => isMore(row) && speaksOf(textOfAnswer(row.sample.response), String(row.item[bound])),
        )
        if (!isWithin || taken.length < MIN_NAMED || !says || path === '') continue
        return {
          atMost: { [name]: bound },
          isMore: (sample) => others.find((row) => row.sample === sample && isMore(row))?.item,
        }
      }
  return undefined
}
