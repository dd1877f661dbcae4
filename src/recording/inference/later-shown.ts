import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import { isAnsweredEmpty } from './item-option.ts'
import { itemsIn } from './resource-models.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** An item as an answer shows it. */
interface Shown {
  readonly item: Item
  readonly sample: Sample
}

/**
 * What items have wherever one route reads them, though no answer to what made them shows it, or not all of it, such as counts
 * of what belongs to them; with the value that all began with.
 * @param views the routes of a collection, as if items were all that is answered
 * @param writes all requests that may change items, in their order
 */
export function laterShown(
  views: readonly InferredRoute[],
  place: Pick<ItemPlace, 'id'>,
  writes: readonly Sample[],
): ReadonlyMap<string, unknown> {
  const made = views.filter(({ method }) => method === 'POST').flatMap(itemsOf)
  const reads = views.filter(({ method }) => method === 'GET').map(itemsOf)
  const ids = new Set(made.map(({ item }) => idIn(item, place)))
  const untouched = whatIsUntouched(made, place, writes)
  const found = reads.map((read) => {
    const byId = new Map(read.toReversed().map((shown) => [idIn(shown.item, place), shown]))
    const first = [...ids].flatMap((id): readonly Shown[] => {
      const shown = id === undefined ? undefined : byId.get(id)
      return shown === undefined ? [] : [shown]
    })
    const names = Object.keys(first[0]?.item ?? {}).filter((name) =>
      read.every(({ item }) => Object.hasOwn(item, name)),
    )
    return names.map((name) => ({ name, shown: first }))
  })
  // What another route shows of some items alone may be missing in any.
  const isAlways = (name: string): boolean =>
    reads.every((read) => new Set(read.map(({ item }) => Object.hasOwn(item, name))).size < 2)
  const byName = groupBy(found.flat(), ({ name }) => name)
  return new Map(
    [...byName].flatMap(([name, all]): [string, unknown][] => {
      const before = (of: readonly Shown[]): readonly unknown[] =>
        of.flatMap(({ item }) => (Object.hasOwn(item, name) ? [item[name]] : []))
      const valueOf = (isFit: (each: Shown) => boolean): unknown => {
        const values = all.map(({ shown }) => shown.filter(isFit).map(({ item }) => item[name]))
        const [first, ...others] = [...before(made.filter(isFit)), ...values.flat()]
        const value = others.reduce((known, each) => united(known, each), first)
        return isBlank(value) || values.some((each) => each.length >= MIN_ALIKE) ? value : undefined
      }
      // Where items were changed before they were read, the others show what all began with.
      const value = valueOf(() => true) ?? valueOf(untouched)
      if (value === undefined || !isAlways(name) || holdsTime(value)) return []
      const [shown] = before(made)
      return shown !== undefined && isDeepStrictEqual(value, shown) ? [] : [[name, value]]
    }),
  )
}

// Whether an item was read before a request that names it could change it.
function whatIsUntouched(
  made: readonly Shown[],
  place: Pick<ItemPlace, 'id'>,
  writes: readonly Sample[],
): (read: Shown) => boolean {
  const ids = new Set(made.map(({ item }) => String(idIn(item, place))))
  // A copy begins with what the other item had.
  const copying = new Set(
    writes.flatMap(({ index, segments }) => (segments.some((each) => ids.has(each)) ? [index] : [])),
  )
  const madeAt = new Map(
    made.flatMap(({ item, sample: { index } }): [string, number][] =>
      copying.has(index) ? [] : [[String(idIn(item, place)), index]],
    ),
  )
  const changedAt = new Map<string, number>()
  for (const { status, index, segments, body } of writes)
    for (const name of status < 400 ? [...segments, ...scalarsIn(body)] : [])
      if (index > (madeAt.get(name) ?? Infinity) && !changedAt.has(name)) changedAt.set(name, index)
  return ({ item, sample }) => {
    const id = String(idIn(item, place))
    return madeAt.has(id) && sample.index < (changedAt.get(id) ?? Infinity)
  }
}

function scalarsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(scalarsIn)
  if (isObject(value)) return Object.values(value).flatMap(scalarsIn)
  return isScalar(value) ? [String(value)] : []
}

// What two routes show of one thing, of which each may leave something out; `undefined` where they say different things.
function united(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other)) return one
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    const all = one.map((each, at): unknown => united(each, other[at]))
    return all.includes(undefined) ? undefined : all
  }
  if (!isObject(one) || !isObject(other)) return undefined
  const both = Object.keys(one).filter((name) => Object.hasOwn(other, name))
  const parts = both.map((name) => [name, united(one[name], other[name])] as const)
  const isUnlike = both.length === 0 || parts.some(([, part]) => part === undefined)
  return isUnlike ? undefined : { ...one, ...other, ...Object.fromEntries(parts) }
}

function itemsOf(view: InferredRoute): readonly Shown[] {
  if (isAnsweredEmpty(view)) return []
  return view.samples
    .filter(({ status, response }) => status < 300 && response !== undefined)
    .toSorted((a, b) => a.index - b.index)
    .flatMap((sample) => itemsIn(sample.response, view.output).map((item) => ({ item, sample })))
}

/** Whether a value says that there is nothing, as what is new has it. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === 0 || value === false || value === ''
}

/** What fewer items have is not what all have. */
const MIN_ALIKE = 2
