import { isObject } from '../engine/schema/schema.ts'

/** What is of a wrong type in a collection, and so passed over. */
export interface Mistake {
  readonly keys: readonly (string | number)[]
  readonly message: string
}

type Keys = Mistake['keys']
type Is = (value: unknown) => boolean

const isText: Is = (value) => typeof value === 'string'
const isList: Is = (value) => Array.isArray(value)
const isStatus: Is = (value) =>
  Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599

/** What members may be, where they are there; `null` stands for none. */
const REQUEST: readonly Rule[] = [
  ['method', 'a text', isText],
  ['url', 'a text or an object', (value) => isText(value) || isObject(value)],
  ['header', 'a list or a text', (value) => isText(value) || isList(value)],
  ['body', 'an object', isObject],
]
const URL_PARTS: readonly Rule[] = [
  ['raw', 'a text', isText],
  ['host', 'a list or a text', (value) => isText(value) || isList(value)],
  ['path', 'a list or a text', (value) => isText(value) || isList(value)],
  ['query', 'a list', isList],
]
const RESPONSE: readonly Rule[] = [
  ['code', 'a status of 100 to 599', isStatus],
  ['header', 'a list or a text', (value) => isText(value) || isList(value)],
  ['body', 'a text', isText],
]

type Rule = readonly [member: string, wanted: string, is: Is]

/** Finds what nothing can be made of in a collection (2.0 or 2.1). */
export function findMistakes(document: Readonly<Record<string, unknown>>): Mistake[] {
  const found: Mistake[] = []
  const check = (value: unknown, keys: Keys, wanted: string, is: Is): boolean => {
    const isRight = is(value)
    if (!isRight) found.push({ keys, message: `must be ${wanted}, not ${shown(value)}` })
    return isRight
  }
  const checkMembers = (value: unknown, keys: Keys, rules: readonly Rule[]): void => {
    if (!isObject(value)) return
    for (const [member, wanted, is] of rules)
      if (value[member] !== undefined && value[member] !== null)
        check(value[member], [...keys, member], wanted, is)
  }
  const checkItems = (items: unknown, keys: Keys): void => {
    if (!Array.isArray(items)) return
    for (const [index, item] of items.entries()) checkItem(item, [...keys, index])
  }
  const checkItem = (item: unknown, keys: Keys): void => {
    if (!check(item, keys, 'a request or a folder', isObject) || !isObject(item)) return
    const { item: items, request, response } = item
    if (items !== undefined && check(items, [...keys, 'item'], 'a list', isList))
      return checkItems(items, [...keys, 'item'])
    if (items !== undefined) return
    if (!check(request, [...keys, 'request'], 'a request', (value) => isText(value) || isObject(value)))
      return
    checkMembers(request, [...keys, 'request'], REQUEST)
    checkMembers(isObject(request) ? request['url'] : undefined, [...keys, 'request', 'url'], URL_PARTS)
    if (response === undefined || response === null) return
    if (!check(response, [...keys, 'response'], 'a list', isList)) return
    for (const [index, answer] of (response as unknown[]).entries()) {
      const place = [...keys, 'response', index]
      if (check(answer, place, 'a saved answer', isObject)) checkMembers(answer, place, RESPONSE)
    }
  }
  checkItems(document['item'], ['item'])
  return found
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 37)}...` : text
}
