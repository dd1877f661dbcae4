import { isDeepStrictEqual } from 'node:util'
import { createComputed } from '../../collections/computed-members.ts'
import { createEntryChange } from '../../collections/entry-operation.ts'
import { copiedFrom } from '../../collections/references.ts'
import { templateLike } from '../../collections/id-template.ts'
import type { EntryOption, ItemReference } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isUuid } from '../../shape/made-values.ts'
import type { Computes } from './computed-fields.ts'
import { copiedFields, type NamedItems } from './copied-fields.ts'
import type { Item } from './item-place.ts'
import { learnIds } from './learn-ids.ts'
import type { Sample } from './sample.ts'
import { isIdName, rankOfId } from './segment-evidence.ts'
import { isScalar } from './values.ts'

/** A list of an item before and after a request that adds to it. */
interface Row {
  readonly sample: Sample
  readonly body: Item
  readonly before: readonly Item[]
  readonly after: readonly Item[]
  /** The entry that is new; `undefined` where one that was there has more. */
  readonly added: Item | undefined
}

/** How entries are made of what is sent of them, and which items they copy fields of. */
export interface MadeEntries {
  readonly entry: EntryOption
  readonly refers?: Readonly<Record<string, ItemReference>>
}

/**
 * Finds how requests add entries that have more than is sent: an id, fields of an item that the request names, such as the
 * price of a product, and what is computed; those that name one which is there may add to that.
 * @param steps items before and after
 */
export function findMadeEntries(
  steps: readonly { readonly sample: Sample; readonly before: Item; readonly after: Item }[],
  computes: Computes,
  named: readonly NamedItems[],
): MadeEntries | undefined {
  for (const list of Object.keys(steps[0]?.after ?? {})) {
    const rows = steps.flatMap(({ sample, before, after }): Row[] => {
      const [was, is] = [before[list], after[list]]
      if (!isObject(sample.body) || !isList(was) || !isList(is)) return []
      const added = is.length === was.length + 1 ? is.at(-1) : undefined
      return added !== undefined || is.length === was.length
        ? [{ sample, body: sample.body, before: was, after: is, added }]
        : []
    })
    const found = rows.length < steps.length ? undefined : madeIn(list, rows, computes, named)
    if (found !== undefined) return found
  }
  return undefined
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every(isObject)
}

function madeIn(
  list: string,
  rows: readonly Row[],
  computes: Computes,
  named: readonly NamedItems[],
): MadeEntries | undefined {
  const added = rows.flatMap(({ sample, body, added: item }) =>
    item === undefined ? [] : [{ sample, body, item }],
  )
  const [first] = added
  if (first === undefined) return undefined
  const key = keyOf(added)
  const ids = key === undefined ? undefined : idsOf(added.map(({ item }) => item[key]))
  const isComputed = (name: string): boolean => Object.hasOwn(computes, pointerTo([list, '-', name]))
  const isSent = ({ body, item }: (typeof added)[number], name: string): boolean =>
    Object.hasOwn(body, name) && isDeepStrictEqual(body[name], item[name])
  const rest = [...new Set(added.flatMap(({ item }) => Object.keys(item)))].filter(
    (name) => name !== key && !isComputed(name) && !added.every((each) => isSent(each, name)),
  )
  const { refers, copied } = copiedFields(added, rest, named)
  const fixed = rest.filter((name) => !copied.has(name))
  const begins = Object.fromEntries(fixed.map((name) => [name, first.item[name]]))
  if ((key !== undefined && ids === undefined) || (Object.keys(refers).length === 0 && key === undefined))
    return undefined
  const entry = {
    list: pointerTo([list]),
    ...(key !== undefined && ids !== undefined && { ids, ...(key !== 'id' && { key: pointerTo([key]) }) }),
    ...(fixed.length > 0 && { begins }),
  }
  const again = rows.filter((row) => row.added === undefined)
  const able = again.length === 0 ? [undefined] : sameOf(again)
  return able
    .map((same) => ({ ...entry, ...(same && { same }) }))
    .filter((option) => {
      const change = createEntryChange('POST', option)
      return rows.every((row) => {
        const params = {}
        const copies = copiesOf(row, refers, named)
        const assign = (): unknown => (key === undefined ? undefined : row.added?.[key])
        const made = change(row.before, { body: row.body, params, refers: copies, assign })
        return isDeepStrictEqual(createComputed(entryFormulas(computes))({ [list]: made })[list], row.after)
      })
    })
    .map((option) => ({ entry: option, ...(Object.keys(refers).length > 0 && { refers }) }))[0]
}

/** The formulas for the entries of lists. */
export function entryFormulas(computes: Computes): Computes {
  return Object.fromEntries(Object.entries(computes).filter(([pointer]) => pointer.includes('/-/')))
}

// What no two entries have alike, and no request sends.
function keyOf(added: readonly { readonly body: Item; readonly item: Item }[]): string | undefined {
  const names = Object.keys(added[0]?.item ?? {}).filter(
    (name) =>
      isIdName(name) &&
      added.every(
        ({ body, item }) => !Object.hasOwn(body, name) && isScalar(item[name]) && item[name] !== null,
      ) &&
      new Set(added.map(({ item }) => item[name])).size === added.length,
  )
  return names.toSorted((a, b) => rankOfId(a) - rankOfId(b))[0]
}

function idsOf(values: readonly unknown[]): string | undefined {
  if (values.every((value) => typeof value === 'number')) return 'number'
  const texts = values.map(String)
  if (texts.every(isUuid)) return 'uuid'
  return learnIds([texts], []) ?? templateLike(texts[0] ?? '')
}

// The members of bodies that an entry has already, each with a number that is added to that of the entry.
function sameOf(rows: readonly Row[]): readonly NonNullable<EntryOption['same']>[] {
  const names = Object.keys(rows[0]?.body ?? {})
  const isNumber = (name: string): boolean => rows.every(({ body }) => typeof body[name] === 'number')
  const isThere = (name: string): boolean =>
    rows.every(({ body, before }) => before.some((entry) => entry[name] === body[name]))
  return names
    .filter(isThere)
    .flatMap((by) => names.filter((name) => name !== by && isNumber(name)).map((adds) => ({ by, adds })))
}

function copiesOf(
  { sample, body }: Row,
  refers: Readonly<Record<string, ItemReference>>,
  named: readonly NamedItems[],
): Item {
  return Object.fromEntries(
    Object.entries(refers).flatMap(([field, { at, copies = {} }]) => {
      const item = named.find(({ path }) => path === at)?.before(String(body[field]), sample.index)
      return Object.entries(copiedFrom(item ?? {}, copies))
    }),
  )
}
