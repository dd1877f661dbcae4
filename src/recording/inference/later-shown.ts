import { isDeepStrictEqual } from 'node:util'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import { isAnsweredEmpty } from './item-option.ts'
import { itemsIn } from './resource-models.ts'

/**
 * What items have wherever they are read, though no answer to what made them shows it, such as counts of what belongs to
 * them; with the value that all began with.
 * @param views the routes of a collection, as if items were all that is answered
 */
export function laterShown(
  views: readonly InferredRoute[],
  place: Pick<ItemPlace, 'id'>,
): ReadonlyMap<string, unknown> {
  const itemsOf = (method: string): readonly Item[] =>
    views
      .filter((view) => view.method === method && !isAnsweredEmpty(view))
      .flatMap(({ samples, output }) => samples.map((sample) => ({ sample, output })))
      .filter(({ sample: { status, response } }) => status < 300 && response !== undefined)
      .toSorted((a, b) => a.sample.index - b.sample.index)
      .flatMap(({ sample, output }) => itemsIn(sample.response, output))
  const [made, read] = [itemsOf('POST'), itemsOf('GET')]
  const firstRead = new Map<string, Item>()
  for (const item of read) {
    const id = idIn(item, place)
    if (id !== undefined && !firstRead.has(id)) firstRead.set(id, item)
  }
  const ids = new Set(made.map((item) => idIn(item, place)))
  const first = [...ids].flatMap((id): readonly Item[] => {
    const found = id === undefined ? undefined : firstRead.get(id)
    return found === undefined ? [] : [found]
  })
  const [one] = first
  if (one === undefined) return new Map()
  const names = Object.keys(one).filter(
    (name) =>
      read.every((item) => Object.hasOwn(item, name)) && !made.some((item) => Object.hasOwn(item, name)),
  )
  return new Map(
    names.flatMap((name): [string, unknown][] => {
      const value = one[name]
      const isSame = first.every((item) => isDeepStrictEqual(item[name], value))
      return isSame && first.length >= MIN_ALIKE && !holdsTime(value) ? [[name, value]] : []
    }),
  )
}

/** What fewer items have is not what all have. */
const MIN_ALIKE = 2
