import type { Commands } from './command.ts'
import { between, integerOf, NO_KEY, OK, Refusal, type Reply, SYNTAX } from './reply.ts'
import type { Store } from './store.ts'

/** Commands for lists. */
export const LISTS: Commands = {
  rpush: [-3, ([key, ...items], store) => put(store, key, [...listOf(store, key), ...items])],
  lpush: [-3, ([key, ...items], store) => put(store, key, [...items.toReversed(), ...listOf(store, key)])],
  rpushx: [
    -3,
    ([key, ...items], store) =>
      listOf(store, key).length === 0 ? 0 : put(store, key, [...listOf(store, key), ...items]),
  ],
  lpushx: [
    -3,
    ([key, ...items], store) =>
      listOf(store, key).length === 0 ? 0 : put(store, key, [...items.toReversed(), ...listOf(store, key)]),
  ],
  llen: [2, ([key], store) => listOf(store, key).length],
  lrange: [4, ([key, from, to], store) => between(listOf(store, key), from, to)],
  lindex: [3, ([key, index], store) => listOf(store, key).at(integerOf(index)) ?? null],
  lset: [
    4,
    ([key, index, item], store) => {
      const all = listOf(store, key)
      if (all.length === 0) throw new Refusal(NO_KEY)
      const given = integerOf(index)
      const at = given < 0 ? all.length + given : given
      if (at < 0 || at >= all.length) throw new Refusal('ERR index out of range')
      store.change('list', key, all.with(at, item))
      return OK
    },
  ],
  ltrim: [
    4,
    ([key, from, to], store) => {
      store.change('list', key, between(listOf(store, key), from, to))
      return OK
    },
  ],
  lrem: [
    4,
    ([key, count, item], store) => {
      const wanted = integerOf(count)
      const all = listOf(store, key)
      const ordered = wanted < 0 ? all.toReversed() : [...all]
      let left = wanted === 0 ? Infinity : Math.abs(wanted)
      const kept = ordered.filter((each) => each !== item || left-- <= 0)
      store.change('list', key, wanted < 0 ? kept.toReversed() : kept)
      return all.length - kept.length
    },
  ],
  linsert: [
    5,
    ([key, where, pivot, item], store) => {
      if (!/^(before|after)$/i.test(where)) throw new Refusal(SYNTAX)
      const all = listOf(store, key)
      if (all.length === 0) return 0
      const at = all.indexOf(pivot)
      return at < 0 ? -1 : put(store, key, all.toSpliced(/^after$/i.test(where) ? at + 1 : at, 0, item))
    },
  ],
  lpop: [-2, ([key, count], store) => pop(store, key, count, false)],
  rpop: [-2, ([key, count], store) => pop(store, key, count, true)],
  rpoplpush: [
    3,
    ([from, to], store) => {
      listOf(store, to)
      const item = pop(store, from, undefined, true)
      if (typeof item === 'string') put(store, to, [item, ...listOf(store, to)])
      return item
    },
  ],
}

function listOf(store: Store, key: string): readonly string[] {
  return store.get('list', key) ?? []
}

function put(store: Store, key: string, items: readonly string[]): number {
  store.change('list', key, items)
  return items.length
}

function pop(store: Store, key: string, count: string | undefined, isLast: boolean): Reply {
  const wanted = count === undefined ? 1 : Number(count)
  if (count !== undefined && !/^\d+$/.test(count))
    throw new Refusal('ERR value is out of range, must be positive')
  const all = listOf(store, key)
  if (all.length === 0) return null
  const ordered = isLast ? all.toReversed() : all
  const kept = ordered.slice(wanted)
  store.change('list', key, isLast ? kept.toReversed() : kept)
  return count === undefined ? (ordered[0] ?? null) : ordered.slice(0, wanted)
}
