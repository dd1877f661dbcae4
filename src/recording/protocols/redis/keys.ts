import type { Commands } from './command.ts'
import { matcherOf } from './glob.ts'
import { integerOf, NO_KEY, OK, Refusal } from './reply.ts'
import type { Store } from './store.ts'

/** Commands for keys of any type, and for none. */
export const KEYS: Commands = {
  del: [-2, (keys, store) => keys.filter((key) => store.delete(key)).length],
  unlink: [-2, (keys, store) => keys.filter((key) => store.delete(key)).length],
  exists: [-2, (keys, store) => keys.filter((key) => store.entry(key) !== undefined).length],
  type: [2, ([key], store) => ({ ok: store.entry(key)?.type ?? 'none' })],
  keys: [
    2,
    ([pattern], store) => {
      const matches = matcherOf(pattern)
      return store.keys().filter(matches)
    },
  ],
  dbsize: [1, (_args, store) => store.keys().length],
  flushdb: [
    -1,
    (_args, store) => {
      store.clear()
      return OK
    },
  ],
  flushall: [
    -1,
    (_args, store) => {
      store.clear()
      return OK
    },
  ],
  rename: [
    3,
    ([from, to], store) => {
      rename(store, from, to)
      return OK
    },
  ],
  renamenx: [
    3,
    ([from, to], store) => {
      if (store.entry(from) === undefined) throw new Refusal(NO_KEY)
      if (store.entry(to) !== undefined) return 0
      rename(store, from, to)
      return 1
    },
  ],
  expire: [-3, ([key, time], store) => expire(store, key, [time, 1000])],
  pexpire: [-3, ([key, time], store) => expire(store, key, [time, 1])],
  expireat: [-3, ([key, time], store) => expire(store, key, [time, 1000, true])],
  pexpireat: [-3, ([key, time], store) => expire(store, key, [time, 1, true])],
  persist: [
    2,
    ([key], store) => {
      const entry = store.entry(key)
      if (entry?.until === undefined) return 0
      store.put(key, { ...entry, until: undefined })
      return 1
    },
  ],
  ttl: [2, ([key], store) => remaining(store, key, 1000)],
  pttl: [2, ([key], store) => remaining(store, key, 1)],
  ping: [-1, ([text]) => (text === undefined ? { ok: 'PONG' } : text)],
  echo: [2, ([text]) => text],
}

function rename(store: Store, from: string, to: string): void {
  const entry = store.entry(from)
  if (entry === undefined) throw new Refusal(NO_KEY)
  store.delete(from)
  store.put(to, entry)
}

function expire(
  store: Store,
  key: string,
  [time, unit, isAt = false]: readonly [string, number, boolean?],
): number {
  integerOf(time)
  const entry = store.entry(key)
  if (entry === undefined) return 0
  store.put(key, { ...entry, until: store.timeOf(time, unit, { isAt }) })
  store.entry(key)
  return 1
}

function remaining(store: Store, key: string, unit: number): number {
  const entry = store.entry(key)
  if (entry === undefined) return -2
  return entry.until === undefined ? -1 : Math.round((entry.until - store.now) / unit)
}
