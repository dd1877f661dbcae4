import type { Commands } from './command.ts'
import { bigOf, floatOf, formatFloat, OK, type Reply, sumOf } from './reply.ts'
import type { Store } from './store.ts'
import { pairsOf } from './strings.ts'

/** Commands for fields with values. */
export const HASHES: Commands = {
  hset: [-4, ([key, ...args], store) => put(store, key, pairsOf(args, 'hset'))],
  hmset: [
    -4,
    ([key, ...args], store) => {
      put(store, key, pairsOf(args, 'hmset'))
      return OK
    },
  ],
  hsetnx: [
    4,
    ([key, field, value], store) => (fieldsOf(store, key).has(field) ? 0 : put(store, key, [[field, value]])),
  ],
  hget: [3, ([key, field], store) => fieldsOf(store, key).get(field) ?? null],
  hmget: [
    -3,
    ([key, ...fields], store) => {
      const all = fieldsOf(store, key)
      return fields.map((field) => all.get(field) ?? null)
    },
  ],
  hgetall: [2, ([key], store) => [...fieldsOf(store, key)].flat()],
  hkeys: [2, ([key], store) => [...fieldsOf(store, key).keys()]],
  hvals: [2, ([key], store) => [...fieldsOf(store, key).values()]],
  hlen: [2, ([key], store) => fieldsOf(store, key).size],
  hexists: [3, ([key, field], store) => Number(fieldsOf(store, key).has(field))],
  hstrlen: [3, ([key, field], store) => Buffer.byteLength(fieldsOf(store, key).get(field) ?? '')],
  hdel: [
    -3,
    ([key, ...names], store) => {
      const all = fieldsOf(store, key)
      const count = names.filter((name) => all.delete(name)).length
      store.change('hash', key, [...all])
      return count
    },
  ],
  hincrby: [
    4,
    ([key, field, by], store): Reply => {
      const amount = bigOf(by)
      const before = bigOf(fieldsOf(store, key).get(field) ?? '0', 'ERR hash value is not an integer')
      const sum = sumOf(before, amount)
      put(store, key, [[field, String(sum)]])
      return Number(sum)
    },
  ],
  hincrbyfloat: [
    4,
    ([key, field, by], store) => {
      const amount = floatOf(by)
      const before = floatOf(fieldsOf(store, key).get(field) ?? '0', 'ERR hash value is not a float')
      const sum = formatFloat(before + amount)
      put(store, key, [[field, sum]])
      return sum
    },
  ],
}

function fieldsOf(store: Store, key: string): Map<string, string> {
  return new Map(store.get('hash', key) ?? [])
}

function put(store: Store, key: string, pairs: readonly (readonly [string, string])[]): number {
  const all = fieldsOf(store, key)
  const before = all.size
  for (const [field, value] of pairs) all.set(field, value)
  store.change('hash', key, [...all])
  return all.size - before
}
