import { isDeepStrictEqual } from 'node:util'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { bodyPlace } from './body-place.ts'
import { answerPlaces, idIn, type Item, type ItemPlace, listIn, textOf } from './item-place.ts'
import type { Sample } from './sample.ts'

/** Where items are that a path made and lists: answers to its POSTs have ids that its lists have later. */
export function findListedPlace(own: readonly Sample[]): ItemPlace | undefined {
  const made = own.filter(
    ({ method, status, response }) => method === 'POST' && status < 300 && isObject(response),
  )
  const bodies = made.map(({ response }) => response as Item)
  const listed = own.flatMap(({ method, status, response }) =>
    method === 'GET' && status < 300 ? (listIn(response)?.items ?? []) : [],
  )
  if (bodies.length === 0 || listed.length === 0) return undefined
  const found = answerPlaces(bodies).flatMap((answer) =>
    ['id', '_id', 'uuid', 'uid', 'guid'].flatMap((name) => {
      const ids = bodies.map((body) => textOf(memberAt(body, [...answer, name])))
      const isListed = listed.some((item) => ids.includes(textOf(item[name]) ?? ''))
      return ids.includes(undefined) || !isListed ? [] : [{ answer, id: [name] }]
    }),
  )
  const [best = namedPlace(made, listed)] = found
  return best && { ...best, body: bodyPlace(own, best.answer) }
}

/** What names an item where it has no id. */
const NAMING = ['name', 'key', 'value', 'slug', 'code', 'tag', 'label', 'email', 'username', 'login', 'path']

// What has no id is named by what requests send, where no two have the same.
function namedPlace(
  made: readonly Sample[],
  listed: readonly Item[],
): Pick<ItemPlace, 'answer' | 'id'> | undefined {
  const isId = (name: string): boolean => {
    const values = made.map(({ body, response }) => {
      const [sent, shown] = [body, response].map((each) => textOf(memberAt(each, [name])))
      return sent === shown ? sent : undefined
    })
    const areDistinct = values.length > 1 && new Set(values).size === values.length
    return areDistinct && values.every((value) => listed.some((item) => textOf(item[name]) === value))
  }
  const hasId = listed.some((item) => Object.keys(item).some((name) => /id$/i.test(name)))
  const name = hasId ? undefined : NAMING.find(isId)
  return name === undefined ? undefined : { answer: [], id: [name] }
}

/** What was requested at a path. */
interface Listing {
  readonly samples: readonly Sample[]
}

/** Where items of a list are, if some of what was made at another path, or is listed there, is listed as it is there. */
export function placeOfMadeAt(own: Listing, { samples }: Listing): ItemPlace | undefined {
  const made = samples.filter(isMaking)
  const place = findListedPlace([...own.samples, ...samples.filter(isRead), ...made])
  if (place === undefined) return undefined
  const known = new Map(listedBy(own).map((item) => [idIn(item, place), item]))
  const isListed = (item: unknown): boolean => isDeepStrictEqual(known.get(idIn(item, place)), item)
  return made.some(({ response }) => isListed(memberAt(response, place.answer))) ||
    areListed(listedBy({ samples }), isListed)
    ? place
    : undefined
}

// Nor are they others where it was not listed since, and what is listed where it was made is listed here, too.
function areListed(items: readonly Item[], isListed: (item: Item) => boolean): boolean {
  const count = items.filter(isListed).length
  return count > 1 && count * 2 > items.length
}

function listedBy({ samples }: Listing): readonly Item[] {
  return samples.filter(isRead).flatMap(({ response }) => listIn(response)?.items ?? [])
}

function isRead({ method, status }: Sample): boolean {
  return method === 'GET' && status < 300
}

/** Whether something was made. */
export function isMaking({ method, status }: Sample): boolean {
  return method === 'POST' && status < 300
}
