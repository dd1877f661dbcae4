import type { ListRule } from '../../engine/call-model.ts'
import { pointerBelow } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { valueAt } from './envelope.ts'
import type { argumentsOf, Call } from './call.ts'
import type { Item } from './objects.ts'

/** A recorded list. */
export interface Listed {
  readonly call: Call
  readonly args: ReturnType<typeof argumentsOf>
  readonly shown: readonly Item[]
  /** The same, with all that is known of them. */
  readonly items: readonly Item[]
}

/** The argument with a token that an answer of the same call gave, and where answers have it. */
export function cursorOf(
  lists: readonly (Listed & { readonly value: unknown })[],
  names: readonly string[],
): ListRule['cursor'] {
  for (const argument of names)
    for (const [at, { args }] of lists.entries()) {
      const token = args.get(argument)
      const [place] = typeof token === 'string' && token !== '' ? placesOf(lists.slice(0, at), token) : []
      if (place === undefined) continue
      const ends = lists
        .map(({ value }) => valueAt(value, place))
        .filter((each) => each === '' || each === null)
      return { argument, at: place, ...(ends.length > 0 && { end: ends[0] }) }
    }
  return undefined
}

function placesOf(lists: readonly { readonly value: unknown }[], token: string): readonly string[] {
  const walk = (value: unknown, pointer: string): readonly string[] => {
    if (value === token) return [pointer]
    return isObject(value)
      ? Object.entries(value).flatMap(([name, part]) => walk(part, pointerBelow(pointer, name)))
      : []
  }
  return lists.flatMap(({ value }) => walk(value, ''))
}

/** Whether an argument is the id of the last object of the page before. */
export function isAfter(lists: readonly Listed[], name: string, id: string): boolean {
  const own = lists.filter(({ args }) => args.has(name))
  return (
    own.length > 0 &&
    own.every(({ args, shown }) => {
      const at = String(args.get(name))
      const isLast = lists.some((each) => String(each.shown.at(-1)?.[id]) === at)
      return isLast && !shown.some((item) => String(item[id]) === at)
    })
  )
}
