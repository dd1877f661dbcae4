import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { bodyPlace } from './body-place.ts'
import { answerPlaces, type Item, type ItemPlace, listIn, textOf } from './item-place.ts'
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
