import { compareTexts } from '../../../grouping.ts'
import type { Commands } from './command.ts'
import { between, floatOf, formatFloat, integerOf, Refusal, type Reply, SYNTAX } from './reply.ts'
import type { Store, Values } from './store.ts'

type Scored = Values['zset']

/** Commands for members with scores. */
export const SORTED_SETS: Commands = {
  zadd: [-4, ([key, ...args], store) => add(store, key, args)],
  zincrby: [4, ([key, by, member], store) => add(store, key, ['INCR', by, member])],
  zscore: [3, ([key, member], store) => scoreIn(scoredOf(store, key), member)],
  zmscore: [
    -3,
    ([key, ...members], store) => {
      const all = scoredOf(store, key)
      return members.map((member) => scoreIn(all, member))
    },
  ],
  zcard: [2, ([key], store) => scoredOf(store, key).length],
  zrem: [
    -3,
    ([key, ...members], store) => {
      const all = scoredOf(store, key)
      const kept = all.filter(([member]) => !members.includes(member))
      store.change('zset', key, kept)
      return all.length - kept.length
    },
  ],
  zrank: [3, ([key, member], store) => rankIn(scoredOf(store, key), member)],
  zrevrank: [3, ([key, member], store) => rankIn(scoredOf(store, key).toReversed(), member)],
  zcount: [4, ([key, from, to], store) => scoredBetween(scoredOf(store, key), from, to).length],
  zrange: [-4, ([key, from, to, ...options], store) => range(store, key, [from, to], options)],
  zrevrange: [-4, ([key, from, to, ...options], store) => range(store, key, [from, to], ['REV', ...options])],
  zrangebyscore: [
    -4,
    ([key, from, to, ...options], store) => range(store, key, [from, to], ['BYSCORE', ...options]),
  ],
  zrevrangebyscore: [
    -4,
    ([key, from, to, ...options], store) => range(store, key, [from, to], ['BYSCORE', 'REV', ...options]),
  ],
  zremrangebyscore: [
    4,
    ([key, from, to], store) => without(store, key, (all) => scoredBetween(all, from, to)),
  ],
  zremrangebyrank: [4, ([key, from, to], store) => without(store, key, (all) => between(all, from, to))],
  zpopmin: [-2, ([key, count], store) => pop(store, key, count, false)],
  zpopmax: [-2, ([key, count], store) => pop(store, key, count, true)],
}

function scoredOf(store: Store, key: string): Scored {
  return store.get('zset', key) ?? []
}

/** Members with their scores in the order that Redis has them in. */
export function byScore(all: Iterable<readonly [string, number]>): Scored {
  return [...all].toSorted(([a, one], [b, other]) =>
    one === other ? compareTexts(a, b) : one < other ? -1 : 1,
  )
}

function scoreIn(all: Scored, member: string): string | null {
  const score = new Map(all).get(member)
  return score === undefined ? null : formatFloat(score)
}

function rankIn(all: Scored, member: string): number | null {
  const at = all.findIndex(([each]) => each === member)
  return at < 0 ? null : at
}

function add(store: Store, key: string, args: readonly string[]): Reply {
  const first = args.findIndex((arg) => !/^(nx|xx|gt|lt|ch|incr)$/i.test(arg))
  const flags = new Set(args.slice(0, first < 0 ? args.length : first).map((arg) => arg.toUpperCase()))
  const pairs = first < 0 ? [] : args.slice(first)
  if (pairs.length === 0 || pairs.length % 2 === 1) throw new Refusal(SYNTAX)
  const [isAdding, isReturned] = [flags.has('INCR'), flags.has('CH')]
  if (flags.has('NX') && flags.has('XX'))
    throw new Refusal('ERR XX and NX options at the same time are not compatible')
  if (flags.has('NX') && (flags.has('GT') || flags.has('LT')))
    throw new Refusal('ERR GT, LT, and/or NX options at the same time are not compatible')
  if (isAdding && pairs.length > 2)
    throw new Refusal('ERR INCR option supports a single increment-element pair')
  const scores = pairs.filter((_pair, at) => at % 2 === 0).map((score) => floatOf(score))
  const all = new Map(scoredOf(store, key))
  const size = all.size
  let [changed, last]: [number, number | undefined] = [0, undefined]
  for (const [at, score] of scores.entries()) {
    const member = pairs[at * 2 + 1] ?? ''
    const before = all.get(member)
    const now = isAdding ? (before ?? 0) + score : score
    if (before === undefined ? flags.has('XX') : flags.has('NX')) continue
    if (before !== undefined && ((flags.has('GT') && now <= before) || (flags.has('LT') && now >= before)))
      continue
    if (before !== now) changed++
    all.set(member, now)
    last = now
  }
  store.change('zset', key, byScore(all))
  if (isAdding) return last === undefined ? null : formatFloat(last)
  return isReturned ? changed : all.size - size
}

const NOT_SCORES = 'ERR min or max is not a float'

function scoredBetween(all: Scored, from: string, to: string): Scored {
  const [least, most] = [from, to].map((text) => floatOf(text.replace(/^\(/, ''), NOT_SCORES)) as [
    number,
    number,
  ]
  return all.filter(
    ([, score]) =>
      (from.startsWith('(') ? score > least : score >= least) &&
      (to.startsWith('(') ? score < most : score <= most),
  )
}

function range(
  store: Store,
  key: string,
  [from, to]: readonly [string, string],
  options: readonly string[],
): Reply {
  const all = scoredOf(store, key)
  const flags = new Set<string>()
  let limit: readonly [number, number] | undefined
  for (let at = 0; at < options.length; at++) {
    const name = (options[at] ?? '').toUpperCase()
    if (name === 'LIMIT' && at + 2 < options.length)
      limit = [integerOf(options[++at] ?? ''), integerOf(options[++at] ?? '')]
    else if (/^(REV|BYSCORE|WITHSCORES)$/.test(name)) flags.add(name)
    else throw new Refusal(SYNTAX)
  }
  const isReversed = flags.has('REV')
  const ordered = isReversed ? all.toReversed() : all
  if (!flags.has('BYSCORE') && limit !== undefined)
    throw new Refusal(`${SYNTAX}, LIMIT is only supported in combination with either BYSCORE or BYLEX`)
  const [least, most] = isReversed ? [to, from] : [from, to]
  const found = flags.has('BYSCORE') ? scoredBetween(ordered, least, most) : between(ordered, from, to)
  const [offset, count] = limit ?? [0, -1]
  const shown = found.slice(offset, count < 0 ? undefined : offset + count)
  return shown.flatMap(([member, score]) =>
    flags.has('WITHSCORES') ? [member, formatFloat(score)] : [member],
  )
}

function without(store: Store, key: string, find: (all: Scored) => Scored): number {
  const all = scoredOf(store, key)
  const found = new Set(find(all))
  store.change(
    'zset',
    key,
    all.filter((each) => !found.has(each)),
  )
  return found.size
}

function pop(store: Store, key: string, count: string | undefined, isLast: boolean): Reply {
  const wanted = count === undefined ? 1 : integerOf(count)
  if (wanted < 0) throw new Refusal('ERR value is out of range, must be positive')
  const all = scoredOf(store, key)
  const found = (isLast ? all.toReversed() : all).slice(0, wanted)
  without(store, key, () => found)
  return found.flatMap(([member, score]) => [member, formatFloat(score)])
}
