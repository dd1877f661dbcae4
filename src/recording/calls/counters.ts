import type { CallModel, CallRule, ObjectLink, ObjectType } from '../../engine/call-model.ts'
import { madeKind } from '../../shape/made-values.ts'
import { addTo, entryOf } from '../../grouping.ts'
import { argumentsOf } from './call.ts'
import { isScalar } from '../inference/values.ts'
import { isInRange, type Item, type Objects } from './objects.ts'
import type { CallSample } from './call-sample.ts'

/**
 * A model whose types know which of their members name an object that they are not there without, such as the lease of a
 * key: their ids are those of that type, and once it is removed, they are not found.
 */
export function withReferences(model: CallModel, calls: readonly CallSample[]): CallModel {
  const ids = new Map(Object.keys(model.types).map((type) => [type, idsOf(type, model, calls)] as const))
  const types = Object.entries(model.types).map(([type, own]): [string, ObjectType] => {
    const members = Object.keys(own.defaults).filter((name) => name !== own.id)
    const within = members.flatMap((member): [string, string][] => {
      const values = new Set(valuesOf(type, member, model, calls))
      const isLong = [...values].every((value) => madeKind(value) !== undefined)
      const [other] = [...ids].filter(
        ([name, known]) =>
          name !== type && values.size > 0 && isLong && [...values].every((each) => known.has(each)),
      )
      return other === undefined || !isRemoved(other[0], model, calls) ? [] : [[member, other[0]]]
    })
    return [type, within.length === 0 ? own : { ...own, within: Object.fromEntries(within) }]
  })
  // An object may have the ids of those that name it.
  const linked = types.map(([type, own]): [string, ObjectType] => {
    const links = Object.entries(own.defaults).flatMap(([member, value]): [string, ObjectLink][] => {
      const other = types.find(([, { within = {} }]) => Object.values(within).includes(type))
      const from = Object.entries(other?.[1].within ?? {}).find(([, each]) => each === type)?.[0]
      if (!Array.isArray(value) || other === undefined || from === undefined) return []
      const known = ids.get(other[0])
      const listed = valuesIn(type, member, model, calls)
      return listed.length > 0 && listed.every((each) => known?.has(each) === true)
        ? [[member, { type: other[0], from, isIds: true }]]
        : []
    })
    return [
      type,
      links.length === 0 ? own : { ...own, links: { ...own.links, ...Object.fromEntries(links) } },
    ]
  })
  const rules = Object.entries(model.calls).map(([name, rule]): [string, CallRule] => {
    const within = Object.values(Object.fromEntries(types)[rule.type]?.within ?? {})
    if (rule.does !== 'put' || rule.missing !== undefined || within.length === 0) return [name, rule]
    const other = Object.values(model.calls).find(({ type, missing }) => within.includes(type) && missing)
    return [name, other?.missing === undefined ? rule : { ...rule, missing: other.missing }]
  })
  return { ...model, types: Object.fromEntries(linked), calls: Object.fromEntries(rules) }
}

function idsOf(
  type: string,
  { calls: rules, types }: CallModel,
  calls: readonly CallSample[],
): ReadonlySet<string> {
  const id = types[type]?.id ?? 'id'
  return new Set(
    calls.flatMap(({ call, objects }) =>
      rules[call.name]?.type === type ? objects.map(({ item }) => String(item[id])) : [],
    ),
  )
}

// The items of a member that is a list.
function valuesIn(
  type: string,
  member: string,
  { calls: rules }: CallModel,
  calls: readonly CallSample[],
): readonly string[] {
  return calls.flatMap(({ call, objects }) =>
    rules[call.name]?.type === type
      ? objects.flatMap(({ item }) => [item[member] ?? []].flat().map(String))
      : [],
  )
}

// The values of a member in what is shown and in what is given.
function valuesOf(
  type: string,
  member: string,
  { calls: rules }: CallModel,
  calls: readonly CallSample[],
): readonly string[] {
  return calls.flatMap(({ call, objects }) => {
    if (rules[call.name]?.type !== type) return []
    const values = [argumentsOf(call).get(member), ...objects.map(({ item }) => item[member])]
    return values.filter(isScalar).map(String)
  })
}

function isRemoved(type: string, { calls: rules }: CallModel, calls: readonly CallSample[]): boolean {
  return calls.some(({ call, outcome }) => {
    const rule = rules[call.name]
    return rule?.type === type && rule.does === 'remove' && outcome.error === undefined
  })
}

/** What became of an object. */
interface Written {
  readonly made: number
  readonly changed: number
  readonly writes: number
}

type Counts = keyof Written

/** A model that knows which types its counter counts the changes of, and which members count. */
export function withCounters(
  model: CallModel,
  calls: readonly CallSample[],
  types: ReadonlyMap<string, string>,
): CallModel {
  const { envelope } = model
  const counted = new Set(Object.keys(model.types).filter((type) => isCounted(type, model, calls)))
  const counters = findCounters(model, calls, types)
  const ranged = new Set(
    Object.values(model.calls).flatMap(({ type, list }) => (list?.range === undefined ? [] : [type])),
  )
  const own = Object.entries(model.types).map(([name, type]): [string, ObjectType] => [
    name,
    {
      ...type,
      ...(counted.has(name) && { isCounted: true }),
      ...(counters.has(name) && { counters: Object.fromEntries(counters.get(name) as Found) }),
      ...(ranged.has(name) && { isOrdered: true }),
    },
  ])
  const [first] = calls.filter(({ count }) => count !== undefined)
  const rule = first && model.calls[first.call.name]
  const isFirstWrite = rule !== undefined && counted.has(rule.type) && WRITES.has(rule.does)
  return {
    ...model,
    types: Object.fromEntries(own),
    ...(envelope !== undefined && {
      envelope: { ...envelope, start: (first?.count ?? envelope.start) - (isFirstWrite ? 1 : 0) },
    }),
  }
}

const WRITES = new Set(['put', 'create', 'change'])

function isCounted(type: string, { calls: rules }: CallModel, calls: readonly CallSample[]): boolean {
  let [before, advanced, all] = [undefined as number | undefined, 0, 0]
  for (const { call, count, isInner } of calls) {
    if (count === undefined) continue
    const rule = rules[call.name]
    const step = before === undefined ? undefined : count - before
    before = count
    if (isInner === true || rule?.type !== type || !WRITES.has(rule.does) || step === undefined) continue
    all++
    if (step > 0) advanced++
  }
  return all > 0 && advanced * 2 > all
}

type Found = ReadonlyMap<string, Counts>

const NAMES: readonly (readonly [RegExp, Counts])[] = [
  [/creat|made|born|added/i, 'made'],
  [/mod|chang|updat|last/i, 'changed'],
  [/version|writes|generation|count/i, 'writes'],
]

/** Follows what calls write, and compares it with what is shown. */
function findCounters(
  { calls: rules, types: objectTypes }: CallModel,
  calls: readonly CallSample[],
  types: ReadonlyMap<string, string>,
): ReadonlyMap<string, Found> {
  const written = new Map<string, Map<string, Written>>(
    Object.keys(objectTypes).map((type) => [type, new Map()]),
  )
  const possible = new Map<string, Map<string, Fitting>>()
  let now = 0
  for (const { call, outcome, count, objects } of calls) {
    if (outcome.error !== undefined) continue
    const rule = rules[call.name]
    const own = written.get(rule?.type ?? '')
    now = count ?? now
    const before = new Map(own)
    if (rule !== undefined && own !== undefined) note(own, rule, { call, objects }, now, objectTypes)
    for (const { item, id, place, pointer } of objects) {
      const type = types.get(place) ?? ''
      const isBefore = rule?.before !== undefined && pointer.startsWith(rule.before.at)
      const known = (isBefore && type === rule.type ? before : written.get(type))?.get(String(item[id]))
      if (known !== undefined) compare(item, known, possible, type)
    }
  }
  const given = new Set(
    calls.flatMap(({ call }) => {
      const rule = rules[call.name]
      return rule !== undefined && WRITES.has(rule.does)
        ? Object.keys(call.args).map((name) => `${rule.type} ${name}`)
        : []
    }),
  )
  return new Map(
    [...possible].flatMap(([type, members]): [string, Found][] => {
      const found = [...members].flatMap(([name, { total, right }]): [string, Counts][] => {
        const fits = new Set(
          [...right].flatMap(([counts, times]) => (times >= total * MIN_RIGHT ? [counts] : [])),
        )
        const [usual] = NAMES.filter(([form, counts]) => form.test(name) && fits.has(counts))
        const isOne = fits.size === 1 ? [...fits][0] : undefined
        const counts = usual?.[1] ?? isOne
        // What is given does not count, whatever small numbers it has.
        const isGiven = given.has(`${type} ${name}`)
        return counts === undefined || isGiven || name === objectTypes[type]?.id ? [] : [[name, counts]]
      })
      return found.length === 0 ? [] : [[type, new Map(found)]]
    }),
  )
}

function compare(
  item: Item,
  known: Written,
  possible: Map<string, Map<string, Fitting>>,
  type: string,
): void {
  const members = possible.get(type) ?? new Map<string, Fitting>()
  possible.set(type, members)
  for (const [name, value] of Object.entries(item)) {
    const isNumber = isScalar(value) && /^\d{1,15}$/.test(String(value))
    const { total, right } = entryOf(members, name, () => ({ total: 0, right: new Map<Counts, number>() }))
    members.set(name, { total: total + 1, right })
    for (const counts of isNumber ? ALL : []) if (known[counts] === Number(value)) addTo(right, counts)
  }
}

const ALL = ['made', 'changed', 'writes'] as const

/** How often a member was shown, and how often it was what each would be. */
interface Fitting {
  readonly total: number
  readonly right: Map<Counts, number>
}

/** What was once is shown too, where a request asks for that. */
const MIN_RIGHT = 0.7

function note(
  own: Map<string, Written>,
  rule: CallRule,
  { call, objects }: Pick<CallSample, 'call' | 'objects'>,
  now: number,
  types: CallModel['types'],
): void {
  const args = argumentsOf(call)
  const shown = rule.does === 'create' ? objects.find(({ pointer }) => pointer === rule.at) : undefined
  const id = rule.id === undefined ? shown?.item[shown.id] : args.get(rule.id)
  if (!isScalar(id)) return
  if (rule.does === 'remove') {
    const to = rule.until === undefined ? undefined : args.get(rule.until)
    const type: Objects['type'] | undefined = types[rule.type]
    for (const each of own.keys()) if (type !== undefined && isInRange(type, each, id, to)) own.delete(each)
  } else if (WRITES.has(rule.does)) {
    const before = own.get(String(id))
    if (before === undefined && rule.does === 'change') return
    own.set(String(id), { made: before?.made ?? now, changed: now, writes: (before?.writes ?? 0) + 1 })
  }
}
