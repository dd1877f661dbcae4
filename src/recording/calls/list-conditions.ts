import { isObject } from '../../engine/schema/schema.ts'
import { areConditions, meets } from './conditions.ts'
import type { Listed } from './list-pages.ts'
import { inOrderOf, orderingsOf } from './orderings.ts'

/** An argument with conditions, which all that is listed meets. */
export function whereOf(lists: readonly Listed[], members: ReadonlySet<string>): string | undefined {
  return argumentNames(lists).find((name) => {
    const own = lists.filter(({ call }) => isObject(call.args[name]))
    return (
      own.some(({ call, shown }) => shown.length > 0 && Object.keys(call.args[name] as object).length > 0) &&
      own.every(
        ({ call, items }) =>
          areConditions(call.args[name], members) &&
          items.every((item) => meets(item, call.args[name], () => undefined)),
      )
    )
  })
}

/** An argument with members, in the order of which all lists are. */
export function orderByOf(lists: readonly Listed[], members: ReadonlySet<string>): string | undefined {
  return argumentNames(lists).find((name) => {
    const own = lists.flatMap(({ call, items }) =>
      call.args[name] === undefined ? [] : [{ items, orderings: orderingsOf(call.args[name], members) }],
    )
    const isDirected = lists.some(({ call }) => /asc|desc/i.test(JSON.stringify(call.args[name] ?? '')))
    return (
      isDirected &&
      own.some(({ items }) => items.length > 1) &&
      own.every(({ items, orderings }) => {
        const sorted = orderings && inOrderOf(items, orderings)
        return sorted?.every((item, at) => item === items[at]) === true
      })
    )
  })
}

function argumentNames(lists: readonly Listed[]): readonly string[] {
  return [...new Set(lists.flatMap(({ call }) => Object.keys(call.args)))]
}
