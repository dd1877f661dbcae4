import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import { isAnsweredEmpty } from './item-option.ts'
import { itemsIn } from './resource-models.ts'

/**
 * What items have wherever one route reads them, though no answer to what made them shows it, such as counts of what belongs
 * to them; with the value that all began with.
 * @param views the routes of a collection, as if items were all that is answered
 */
export function laterShown(
  views: readonly InferredRoute[],
  place: Pick<ItemPlace, 'id'>,
): ReadonlyMap<string, unknown> {
  const made = views.filter(({ method }) => method === 'POST').flatMap(itemsOf)
  const reads = views.filter(({ method }) => method === 'GET').map(itemsOf)
  const ids = new Set(made.map((item) => idIn(item, place)))
  const shown = new Set(made.flatMap((item) => Object.keys(item)))
  const found = reads.map((read) => {
    const byId = new Map(read.toReversed().map((item) => [idIn(item, place), item]))
    const first = [...ids].flatMap((id): readonly Item[] => {
      const item = id === undefined ? undefined : byId.get(id)
      return item === undefined ? [] : [item]
    })
    const names = Object.keys(first[0] ?? {}).filter(
      (name) => !shown.has(name) && read.every((item) => Object.hasOwn(item, name)),
    )
    return names.map((name) => ({ name, values: first.map((item) => item[name]) }))
  })
  // What another route shows of some items alone may be missing in any.
  const isAlways = (name: string): boolean =>
    reads.every((read) => new Set(read.map((item) => Object.hasOwn(item, name))).size < 2)
  const byName = groupBy(found.flat(), ({ name }) => name)
  return new Map(
    [...byName].flatMap(([name, all]): [string, unknown][] => {
      const values = all.flatMap((each) => each.values)
      const [value] = values
      const isSame = values.every((each) => isDeepStrictEqual(each, value))
      const isKnown = isBlank(value) || all.some((each) => each.values.length >= MIN_ALIKE)
      return isSame && isKnown && isAlways(name) && !holdsTime(value) ? [[name, value]] : []
    }),
  )
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
