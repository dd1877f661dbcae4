import { remembered } from '../../engine/lazy.ts'
import { memberAt, withMember } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { isSafe } from '../../message.ts'
import { idsOfThings, type Things } from './embedding-joins.ts'
import type { Folded } from './fold-paths.ts'
import { idIn, type Item, type ItemPlace, listIn } from './item-place.ts'
import type { Sample } from './sample.ts'

/** Where the items of a collection are, in answers about one of them and in lists. */
export interface Places {
  readonly place: ItemPlace
  readonly collection: string
  readonly own: Folded | undefined
  /** Paths below those of the items that may be answered with them. */
  readonly below?: readonly Folded[]
}

/** The items that an answer has, and where they are. */
export interface Answer {
  readonly sample: Sample
  /** Whether it is a list of them. */
  readonly isList: boolean
  readonly path: readonly string[]
  readonly items: readonly Item[]
}

/** The answers that have items of a collection: those about one of them, and then those of its own path. */
export function answersOf(items: Folded, { place, own, below = [] }: Places): readonly Answer[] {
  const at = items.path.split('/').length - 2
  const isOfItem = ({ sample, items: [item] }: Answer): boolean =>
    !isSafe(sample.method) && idIn(item, place) === sample.segments[at]
  const others = below.flatMap((each) => answersAt(each, place, false).filter(isOfItem))
  return [...answersAt(items, place, false), ...others, ...answersAt(own, place, true)]
}

function answersAt(folded: Folded | undefined, { answer }: ItemPlace, isList: boolean): readonly Answer[] {
  return (folded?.samples ?? []).flatMap((sample): readonly Answer[] => {
    const { status, response } = sample
    if (status >= 300) return []
    if (isList && isSafe(sample.method)) {
      const list = listIn(response)
      return list === undefined ? [] : [{ sample, isList, path: list.path, items: list.items }]
    }
    const item = memberAt(response, answer)
    return isObject(item) ? [{ sample, isList: false, path: answer, items: [item] }] : []
  })
}

/** An exchange that was answered with other items. */
export function withItems({ sample, path, items: before }: Answer, items: readonly Item[]): Sample {
  const whole = memberAt(sample.response, path)
  const next = new Map(before.map((item, at) => [item, items[at]]))
  const value: unknown = Array.isArray(whole)
    ? whole.map((item: unknown) => next.get(item as Item) ?? item)
    : items[0]
  const response = path.length === 0 ? value : withMember(sample.response as Item, path, value)
  return { ...sample, response }
}

/** What is known of the items of all collections. */
export const thingsOf = remembered(
  (places: ReadonlyMap<Folded, Places>): readonly Things[] =>
    [...places].flatMap(([items, about]) => thingsIn(items, about)),
  new WeakMap(),
)

function thingsIn(items: Folded, about: Places): readonly Things[] {
  const { place, collection } = about
  const [id, ...deeper] = place.id
  const parameters = collection.split('/').filter((segment) => segment.startsWith('{'))
  const [parameter] = parameters
  if (id === undefined || deeper.length > 0 || parameters.length > 1) return []
  const answers = answersOf(items, about)
  const known = idsOfThings(
    answers.flatMap(({ items: each }) => each),
    id,
  )
  if (parameter === undefined) return [{ at: collection, id, known }]
  const within = parametersWithin(answers, id, collection.split('/').indexOf(parameter) - 1)
  return [{ at: collection, id, known, within: { parameter: parameter.slice(1, -1), of: within } }]
}

// Which values of a segment the paths had that showed an item.
function parametersWithin(
  answers: readonly Answer[],
  id: string,
  at: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { sample, items } of answers)
    for (const item of items) entryOf(found, String(item[id]), () => new Set()).add(sample.segments[at] ?? '')
  return found
}

/** Whether a member has other items within it. */
export function isEmbedded(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isObject) : isObject(value)
}

/** Whether it has their ids. */
export function isReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && !value.some(isObject)
  return typeof value === 'string' || typeof value === 'number'
}
