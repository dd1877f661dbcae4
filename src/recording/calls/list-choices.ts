import type { ListFilter, ListRule } from '../../engine/call-model.ts'
import { isScalar } from '../inference/values.ts'
import { COMPARE } from './list-items.ts'
import type { Listed } from './list-pages.ts'
import { isInRange, type Item } from './objects.ts'

// An argument that is the only id, or the first where another one ends the range.
export function rangeOf(lists: readonly Listed[], names: readonly string[], id: string): ListRule['range'] {
  const some = lists.filter(({ shown }) => shown.length > 0)
  const [own] = names.filter(
    (name) =>
      names.some((each) => UNTIL.test(each) && each !== name) &&
      some.every(({ args }) => args.has(name)) &&
      (name === id ||
        some.some(({ args, shown }) => shown.length === 1 && shown[0]?.[id] === args.get(name))),
  )
  const to = names.find((name) => UNTIL.test(name) && name !== own)
  if (own === undefined || to === undefined) return undefined
  const isOfRange = ({ args, shown }: Listed): boolean =>
    shown.every(
      (item) =>
        isInRange({ hasBytes: true }, item[id], args.get(own), args.get(to)) ||
        isInRange({}, item[id], args.get(own), args.get(to)),
    )
  return some.every(isOfRange) ? { from: own, to } : undefined
}

/** The argument with the ids that are wanted, and another member that it may have in their place. */
export function idsOf(lists: readonly Listed[], id: string): Pick<ListRule, 'ids' | 'alsoIds'> {
  const others = new Set(lists.flatMap(({ items }) => items.flatMap((item) => Object.keys(item))))
  for (const also of [undefined, ...others]) {
    const ids = idsBy(lists, id, also)
    if (ids !== undefined) return { ids, ...(also !== undefined && { alsoIds: also }) }
  }
  return {}
}

function idsBy(lists: readonly Listed[], id: string, also: string | undefined): string | undefined {
  const names = new Set(lists.flatMap(({ call }) => Object.keys(call.args)))
  return [...names].find((name) => {
    const own = lists.filter(({ call, shown }) => Array.isArray(call.args[name]) && shown.length > 0)
    return (
      own.length > 0 &&
      own.every(({ call, shown, items }) => {
        const wanted = (call.args[name] as unknown[]).map(String)
        const isOther = (at: number): boolean =>
          also !== undefined && wanted.includes(String(items[at]?.[also]))
        return shown.every((item, at) => wanted.includes(String(item[id])) || isOther(at))
      })
    )
  })
}

// Arguments that are called as several of a member are, as `pageids` is of `pageid`.
export function amongOf(
  lists: readonly Listed[],
  members: ReadonlySet<string>,
  ids: string | undefined,
): NonNullable<ListRule['among']> {
  const names = new Set(lists.flatMap(({ call }) => Object.keys(call.args)))
  const entries = [...names].flatMap((name): [string, string][] => {
    const member = name.replace(/s$/, '')
    const own = lists.filter(({ call }) => Array.isArray(call.args[name]))
    const holds = own.every(({ call, items }) => {
      const wanted = (call.args[name] as unknown[]).map(String)
      return items.every((item) => wanted.includes(String(item[member])))
    })
    return name !== ids && member !== name && members.has(member) && own.length > 0 && holds
      ? [[name, member]]
      : []
  })
  return Object.fromEntries(entries)
}

const UNTIL = /(^|[._])(end|until|to|stop|upper|last)$/i

/** The member that is what an argument says in all that is listed, and something else in others. */
export function sameOf(
  argument: string,
  own: readonly Listed[],
  members: ReadonlySet<string>,
  known: ReadonlyMap<string, Item>,
): ListFilter | undefined {
  const pairs = own.flatMap(({ args, items }) =>
    items.map((item) => [item, args.get(argument) ?? ''] as const),
  )
  if (pairs.length < MIN_SAME) return undefined
  const wanted = new Set(pairs.map(([, value]) => String(value)))
  const member = [...members].find(
    (name) =>
      pairs.every(([item, value]) => isScalar(item[name]) && COMPARE.eq(item[name], value)) &&
      [...known.values()].some((item) => isScalar(item[name]) && !wanted.has(String(item[name]))),
  )
  return member === undefined ? undefined : { argument, member, by: 'eq' }
}

/** One object has a member of any value by chance. */
const MIN_SAME = 2
