import type { Commands } from './command.ts'
import {
  between,
  bigOf,
  floatOf,
  formatFloat,
  integerOf,
  NOT_FLOAT,
  OK,
  Refusal,
  type Reply,
  sumOf,
  SYNTAX,
} from './reply.ts'
import type { Store } from './store.ts'

/** Commands for texts and numbers. */
export const STRINGS: Commands = {
  get: [2, ([key], store) => store.get('string', key) ?? null],
  set: [-3, ([key, value, ...options], store) => set(key, value, options, store)],
  setnx: [3, ([key, value], store) => (put(store, key, value, store.entry(key) === undefined) ? 1 : 0)],
  setex: [4, ([key, seconds, value], store) => setUntil(store, key, value, [seconds, 1000, 'setex'])],
  psetex: [4, ([key, time, value], store) => setUntil(store, key, value, [time, 1, 'psetex'])],
  getset: [
    3,
    ([key, value], store) => {
      const before = store.get('string', key) ?? null
      put(store, key, value)
      return before
    },
  ],
  getdel: [
    2,
    ([key], store) => {
      const before = store.get('string', key) ?? null
      store.delete(key)
      return before
    },
  ],
  append: [
    3,
    ([key, more], store) => {
      const text = (store.get('string', key) ?? '') + more
      store.change('string', key, text)
      return Buffer.byteLength(text)
    },
  ],
  strlen: [2, ([key], store) => Buffer.byteLength(store.get('string', key) ?? '')],
  getrange: [
    4,
    ([key, from, to], store) =>
      Buffer.from(between([...Buffer.from(store.get('string', key) ?? '')], from, to)).toString(),
  ],
  incr: [2, ([key], store) => add(store, key, 1n)],
  decr: [2, ([key], store) => add(store, key, -1n)],
  incrby: [3, ([key, by], store) => add(store, key, bigOf(by))],
  decrby: [3, ([key, by], store) => add(store, key, -bigOf(by))],
  incrbyfloat: [
    3,
    ([key, by], store) => {
      const sum = formatFloat(floatOf(store.get('string', key) ?? '0', NOT_FLOAT) + floatOf(by))
      store.change('string', key, sum)
      return sum
    },
  ],
  mget: [-2, (keys, store) => keys.map((key) => textAt(store, key))],
  mset: [
    -3,
    (args, store) => {
      for (const [key, value] of pairsOf(args, 'mset')) put(store, key, value)
      return OK
    },
  ],
  msetnx: [
    -3,
    (args, store) => {
      const pairs = pairsOf(args, 'msetnx')
      if (pairs.some(([key]) => store.entry(key) !== undefined)) return 0
      for (const [key, value] of pairs) put(store, key, value)
      return 1
    },
  ],
}

/** Arguments two by two. @throws Refusal for an odd one */
export function pairsOf(args: readonly string[], command: string): readonly (readonly [string, string])[] {
  if (args.length % 2 === 1) throw new Refusal(`ERR wrong number of arguments for '${command}' command`)
  return args.flatMap((arg, at) => (at % 2 === 0 ? [[arg, args[at + 1] ?? ''] as const] : []))
}

// A value of another type is none.
function textAt(store: Store, key: string): string | null {
  return store.entry(key)?.type === 'string' ? (store.get('string', key) ?? null) : null
}

function put(store: Store, key: string, value: string, isWanted = true): boolean {
  if (isWanted) store.put(key, { type: 'string', value })
  return isWanted
}

function setUntil(
  store: Store,
  key: string,
  value: string,
  [time, unit, command]: readonly [string, number, string],
): Reply {
  store.put(key, { type: 'string', value, until: store.timeOf(time, unit, { command }) })
  return OK
}

function add(store: Store, key: string, by: bigint): Reply {
  const sum = sumOf(bigOf(store.get('string', key) ?? '0'), by)
  store.change('string', key, String(sum))
  return Number(sum)
}

const UNITS = new Map([
  ['EX', { unit: 1000 }],
  ['PX', { unit: 1 }],
  ['EXAT', { unit: 1000, isAt: true }],
  ['PXAT', { unit: 1, isAt: true }],
])

function set(key: string, value: string, options: readonly string[], store: Store): Reply {
  const before = store.entry(key)
  let until: number | undefined
  const flags = new Set<string>()
  for (let at = 0; at < options.length; at++) {
    const name = (options[at] ?? '').toUpperCase()
    const unit = UNITS.get(name)
    if (unit !== undefined) {
      const time = options[++at]
      if (time === undefined || until !== undefined) throw new Refusal(SYNTAX)
      integerOf(time)
      until = store.timeOf(time, unit.unit, { ...unit, command: 'set' })
    } else if (/^(NX|XX|GET|KEEPTTL)$/.test(name)) flags.add(name)
    else throw new Refusal(SYNTAX)
  }
  if ((flags.has('NX') && flags.has('XX')) || (flags.has('KEEPTTL') && until !== undefined))
    throw new Refusal(SYNTAX)
  const old = flags.has('GET') ? (store.get('string', key) ?? null) : null
  const isLeft = flags.has('NX') ? before !== undefined : flags.has('XX') && before === undefined
  if (!isLeft) store.put(key, { type: 'string', value, until: flags.has('KEEPTTL') ? before?.until : until })
  return flags.has('GET') ? old : isLeft ? null : OK
}
