import type { CallModel, CallRule, ListRule, ObjectType } from '../../engine/call-model.ts'
import { madeKind } from '../../shape/made-values.ts'
import { freshLike } from '../match/nearest-answer.ts'
import { argumentsOf } from './call.ts'
import { confirm } from './confirm-rules.ts'
import { valueAt } from './envelope.ts'
import type { Item } from './objects.ts'
import { inOrder } from './object-types.ts'
import type { CallSample } from './call-sample.ts'
import { findTemplates, withTemplates } from './templates.ts'
import { countOf } from './totals.ts'
import { greatestOf } from '../../statistics.ts'

/** No more objects are made up than this. */
const MAX_UNSEEN = 1000
/** So many objects are tried as the example of those that were not seen. */
const MAX_EXAMPLES = 3

/**
 * A model with objects in place of those that results counted and did not show, where more calls come to what they came to
 * with them: pages between those that were requested, and the numbers of all.
 */
export function withUnseen(model: CallModel, calls: readonly CallSample[]): CallModel {
  return Object.keys(model.types).reduce((known, name) => {
    const type = known.types[name] as ObjectType
    const ids = idsOfUnseen(type, unseenOf(name, type, known, calls))
    if (ids === undefined) return known
    const references = referencesIn(name, known)
    let best = { model: known, right: confirm(known, calls).right }
    for (const example of examplesIn(type)) {
      const items = inOrder(
        [...type.items, ...ids.map((id) => madeUp(type, example, id, references))],
        type.id,
      )
      const tried = { ...known, types: { ...known.types, [name]: { ...type, items } } }
      const { right } = confirm(tried, calls)
      if (right > best.right) best = { model: tried, right }
    }
    return best.model
  }, model)
}

// How many more there were before any of them was changed than is known.
function unseenOf(
  name: string,
  { items }: ObjectType,
  { calls: rules }: CallModel,
  calls: readonly CallSample[],
): number {
  for (const { call, value, outcome } of calls) {
    const rule = rules[call.name]
    if (rule === undefined || rule.type !== name || outcome.error !== undefined) continue
    if (!/^(read|list)$/.test(rule.does)) return 0
    const { list } = rule
    if (list?.total === undefined || !isOfAll(rule, list, argumentsOf(call))) continue
    const count = countOf(valueAt(value, list.total)) - items.length
    return Number.isInteger(count) && count <= MAX_UNSEEN ? count : 0
  }
  return 0
}

// Whether the arguments choose none of them, but only a page or an order.
function isOfAll(
  { list: _list, ...rule }: CallRule,
  { filter, search, where, ids, countsAll, among = {} }: ListRule,
  args: ReturnType<typeof argumentsOf>,
): boolean {
  if (countsAll === true) return true
  if (rule.joined !== undefined) return false
  const choosing = new Set([...filter.map(({ argument }) => argument), search, where, ids])
  return ![...args.keys()].some((name) => {
    const [first = ''] = name.split('.')
    return choosing.has(name) || choosing.has(first) || Object.hasOwn(among, first)
  })
}

// Whole numbers that no object has, before the first that the server made; others are made up like those that there are.
function idsOfUnseen({ id, items, exampleId }: ObjectType, count: number): readonly unknown[] | undefined {
  const [first] = items
  if (first === undefined || count <= 0) return undefined
  const known = new Set(items.map((item) => String(item[id])))
  const isNumber = typeof first[id] === 'number'
  if ([...known].every((each) => /^\d{1,15}$/.test(each))) {
    const end = known.has(String(exampleId)) ? Infinity : Number(exampleId)
    const free: unknown[] = []
    for (let next = 1; free.length < count && next < end; next++)
      if (!known.has(String(next))) free.push(isNumber ? next : String(next))
    return free.length === count ? free : undefined
  }
  if (![...known].every((each) => madeKind(each) !== undefined)) return undefined
  return Array.from({ length: count }, (_, at) =>
    freshLike(String(first[id]), { seed: `unseen ${at}`, now: 0 }),
  )
}

// Of all that are known, some from the beginning to the end.
function examplesIn({ items }: ObjectType): readonly Item[] {
  const most = greatestOf(items.map((item) => Object.keys(item).length))
  const whole = items.filter((item) => Object.keys(item).length === most)
  const step = Math.max(1, Math.ceil(whole.length / MAX_EXAMPLES))
  return whole.filter((_, at) => at % step === 0)
}

// Members with the ids of other objects.
function referencesIn(name: string, { types }: CallModel): ReadonlySet<string> {
  const own = Object.entries(types[name]?.links ?? {}).flatMap(([member, { by }]) => [member, by ?? member])
  const others = Object.values(types).flatMap(({ links }) => Object.values(links))
  return new Set([...own, ...others.flatMap(({ type, from }) => (type === name ? (from ?? []) : []))])
}

// Like another one, but for its texts that no two have alike.
function madeUp(
  { id, items, templates }: ObjectType,
  example: Item,
  own: unknown,
  references: ReadonlySet<string>,
): Item {
  const made = {
    ...findTemplates(
      items.map((item) => ({ item, args: {} })),
      id,
    ),
    ...templates,
  }
  const entries = Object.entries(example).map(([name, value]): [string, unknown] => {
    if (name === id || references.has(name) || typeof value !== 'string') return [name, value]
    const all = items.flatMap((item) => item[name] ?? [])
    const isUnique = all.length > 1 && new Set(all).size === all.length
    if (!isUnique) return [name, value]
    if (madeKind(value) !== undefined)
      return [name, freshLike(value, { seed: `unseen ${String(own)} ${name}`, now: 0 })]
    return [name, WORDS.test(value) ? `${value} ${String(own)}` : value]
  })
  const item = { ...(Object.fromEntries(entries) as Item), [id]: own }
  return withTemplates(item, made, { [id]: own }, { seed: '', now: 0 })
}

const WORDS = /^[\p{L}\d][\p{L}\d' .,-]*$/u
