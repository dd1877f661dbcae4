import { memberAt, withMember } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { isSafe } from '../../message.ts'
import { idsOfThings, type Things } from './embedding-joins.ts'
import type { Folded } from './fold-paths.ts'
import { type Item, type ItemPlace, listIn } from './item-place.ts'
import type { Sample } from './sample.ts'

/** Where the items of a collection are, in answers about one of them and in lists. */
export interface Places {
  readonly place: ItemPlace
  readonly collection: string
  readonly own: Folded | undefined
}

/** The items that an answer has, and where they are. */
export interface Answer {
  readonly sample: Sample
  readonly path: readonly string[]
  readonly items: readonly Item[]
}

/** The answers of a path that have items. @param isList whether it lists them where it is read */
export function answersOf(
  folded: Folded | undefined,
  { answer }: ItemPlace,
  isList: boolean,
): readonly Answer[] {
  return (folded?.samples ?? []).flatMap((sample): readonly Answer[] => {
    const { status, response } = sample
    if (status >= 300) return []
    if (isList && isSafe(sample.method)) {
      const list = listIn(response)
      return list === undefined ? [] : [{ sample, path: list.path, items: list.items }]
    }
    const item = memberAt(response, answer)
    return isObject(item) ? [{ sample, path: answer, items: [item] }] : []
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
export function thingsOf(places: ReadonlyMap<Folded, Places>): readonly Things[] {
  return [...places].flatMap(([items, { place, own, collection }]): readonly Things[] => {
    const [id, ...deeper] = place.id
    if (id === undefined || deeper.length > 0 || collection.includes('{')) return []
    const answers = [...answersOf(items, place, false), ...answersOf(own, place, true)]
    return [
      {
        at: collection,
        id,
        known: idsOfThings(
          answers.flatMap(({ items: each }) => each),
          id,
        ),
      },
    ]
  })
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
