import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import { isAnsweredEmpty } from './item-option.ts'
import { itemsIn } from './resource-models.ts'

/**
 * What items have wherever one route reads them, though no answer to what made them shows it, or not all of it, such as counts
 * of what belongs to them; with the value that all began with.
 * @param views the routes of a collection, as if items were all that is answered
 */
export function laterShown(
  views: readonly InferredRoute[],
  place: Pick<ItemPlace, 'id'>,
): ReadonlyMap<string, unknown> {
  const made = views.filter(({ method }) => method === 'POST').flatMap(itemsOf)
  const reads = views.filter(({ method }) => method === 'GET').map(itemsOf)
  const ids = new Set(made.map((item) => idIn(item, place)))
  const found = reads.map((read) => {
    const byId = new Map(read.toReversed().map((item) => [idIn(item, place), item]))
    const first = [...ids].flatMap((id): readonly Item[] => {
      const item = id === undefined ? undefined : byId.get(id)
      return item === undefined ? [] : [item]
    })
    const names = Object.keys(first[0] ?? {}).filter((name) =>
      read.every((item) => Object.hasOwn(item, name)),
    )
    return names.map((name) => ({ name, values: first.map((item) => item[name]) }))
  })
  // What another route shows of some items alone may be missing in any.
  const isAlways = (name: string): boolean =>
    reads.every((read) => new Set(read.map((item) => Object.hasOwn(item, name))).size < 2)
  const byName = groupBy(found.flat(), ({ name }) => name)
  return new Map(
    [...byName].flatMap(([name, all]): [string, unknown][] => {
      const before = made.flatMap((item) => (Object.hasOwn(item, name) ? [item[name]] : []))
      const [first, ...others] = [...before, ...all.flatMap((each) => each.values)]
      const value = others.reduce((known, each) => united(known, each), first)
      const isKnown = isBlank(value) || all.some((each) => each.values.length >= MIN_ALIKE)
      if (value === undefined || !isKnown || !isAlways(name) || holdsTime(value)) return []
      return before.length > 0 && isDeepStrictEqual(value, before[0]) ? [] : [[name, value]]
    }),
  )
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

function itemsOf(view: InferredRoute): readonly Item[] {
  if (isAnsweredEmpty(view)) return []
  return view.samples
    .filter(({ status, response }) => status < 300 && response !== undefined)
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ response }) => itemsIn(response, view.output))
}

/** Whether a value says that there is nothing, as what is new has it. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === 0 || value === false || value === ''
}

/** What fewer items have is not what all have. */
const MIN_ALIKE = 2
