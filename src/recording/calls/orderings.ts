import { isObject } from '../../engine/schema/schema.ts'
import { compareValues, type Item } from './objects.ts'

/** A member that objects are in the order of. */
export interface Ordering {
  readonly member: string
  readonly isDown: boolean
}

const DIRECTION = /^(asc|desc)(end(ing)?)?([_ ].*)?$/i
const MEMBER = /^(by|field|column|sort|key|property|name|orderBy|sortBy)$/i
const WAY = /^(direction|dir|order|ordering|sortOrder|sort_?order)$/i

/**
 * The order that a value says, such as `[{ price: 'asc' }]`, `{ field: 'PRICE', direction: 'DESC' }` or `PRICE_DESC`;
 * `undefined` where it says none.
 */
export function orderingsOf(value: unknown, members: ReadonlySet<string>): readonly Ordering[] | undefined {
  const memberOf = (word: string): string | undefined => {
    const wanted = wordOf(word)
    return [...members].find((member) => wordOf(member) === wanted)
  }
  const one = (name: string, isDown: boolean): readonly Ordering[] | undefined => {
    const member = memberOf(name)
    return member === undefined ? undefined : [{ member, isDown }]
  }
  if (typeof value === 'string') {
    const [, name = '', way = ''] = /^(.+?)[_ :.](asc|desc)$/i.exec(value) ?? []
    return name === ''
      ? one(value.replace(/^[-+]/, ''), value.startsWith('-'))
      : one(name, /^desc$/i.test(way))
  }
  if (Array.isArray(value)) {
    const all = value.map((each: unknown) => orderingsOf(each, members))
    return all.includes(undefined) ? undefined : all.flatMap((each) => each ?? [])
  }
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const by = entries.find(
    ([name, part]) => MEMBER.test(name) && typeof part === 'string' && !DIRECTION.test(part),
  )
  if (by !== undefined) {
    const way = entries.find(([name]) => WAY.test(name))
    return one(String(by[1]), typeof way?.[1] === 'string' && /^desc/i.test(way[1]))
  }
  const all = entries.map(([name, way]) =>
    DIRECTION.test(String(way)) ? one(name, /^desc/i.test(String(way))) : undefined,
  )
  return all.includes(undefined) ? undefined : all.flatMap((each) => each ?? [])
}

function wordOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** Items in an order; those that are alike stay as they were. */
export function inOrderOf(items: readonly Item[], orderings: readonly Ordering[]): readonly Item[] {
  return items.toSorted((a, b) => {
    for (const { member, isDown } of orderings) {
      const order = compareValues(a[member], b[member])
      if (order !== 0) return isDown ? -order : order
    }
    return 0
  })
}
