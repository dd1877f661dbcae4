import type { CallModel, CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, groupBy } from '../../grouping.ts'
import { typeOf } from '../inference/recorded.ts'
import type { Sample } from '../inference/sample.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { argumentsOf, type Call, isReading } from './call.ts'
import { findListRule, totalIn } from './list-rule.ts'
import { createObjects, type Item } from './objects.ts'
import { firstCalls, type Known, mergedItems, objectKey, objectType } from './object-types.ts'
import { type CallSample, type ObjectSeen, readCalls, typesOf } from './occurrences.ts'
import { ID, performCall, replaceAt } from './perform.ts'

/** What calls do, as a recording of one path shows it; `undefined` where it shows nothing of objects. */
export function inferCalls(samples: readonly Sample[], protocol: Protocol): CallModel | undefined {
  if (protocol.calls === undefined) return undefined
  const calls = readCalls(samples, protocol.calls)
  const [first] = samples.filter(({ status }) => status < 300)
  const contentType = first?.responseHeaders['content-type'] ?? typeOf(first?.mimeType ?? 'application/json')
  const { semantics } = protocol.calls
  if (semantics !== undefined)
    return { protocol: protocol.name, contentType, calls: {}, ...semantics.learn(calls) }
  const types = typesOf(calls)
  const known = { calls, types, firsts: firstCalls(calls, types) }
  const byName = groupBy(calls, ({ call }) => call.name)
  const found = [...byName].flatMap(([name, own]): [string, CallRule][] => {
    const rule = ruleOf(own, known)
    return rule === undefined ? [] : [[name, rule]]
  })
  const rules = new Map([...countsOf(byName, found), ...found])
  const makers = new Set(found.filter(([, { does }]) => does === 'create').map(([name]) => name))
  const objectTypes = Object.fromEntries(
    [...new Set(types.values())].map((type) => [type, objectType(type, known, makers)] as const),
  )
  const model = {
    ...{ protocol: protocol.name, contentType },
    types: objectTypes,
    calls: Object.fromEntries(rules),
  }
  const confirmed = Object.entries(confirmedOf(model, calls)).map(([name, rule]) => [
    name,
    withoutObjects(rule),
  ])
  return confirmed.length === 0 ? undefined : { ...model, calls: Object.fromEntries(confirmed) }
}

// What is around objects is kept, and not those that happened to be there.
function withoutObjects(rule: CallRule): CallRule {
  const { at, result } = rule
  return at === undefined ? rule : { ...rule, result: replaceAt(result, readPointer(at), null) }
}

// A call for the number of objects is as one for their list, as long as its answers agree with that.
function countsOf(
  byName: ReadonlyMap<string, readonly CallSample[]>,
  found: readonly (readonly [string, CallRule])[],
): readonly [string, CallRule][] {
  const lists = found.map(([, rule]) => rule).filter(({ does }) => does === 'list')
  return [...byName].flatMap(([name, [first]]): [string, CallRule][] => {
    const total = totalIn(first?.value, '')
    const [list] = lists.filter(
      ({ type }) => lists.length === 1 || name.toLowerCase().includes(type.toLowerCase()),
    )
    if (total === undefined || list === undefined || found.some(([each]) => each === name)) return []
    return [
      [
        name,
        { does: 'list', type: list.type, result: first?.value, list: { filter: [], ...list.list, total } },
      ],
    ]
  })
}

const REMOVING = /(delete|remove|destroy|drop|unregister|discard|erase|purge)/i
const CREATING = /(create|add|insert|register|new|put|make|save|post|append)/i

function ruleOf(own: readonly CallSample[], { calls, types, firsts }: Known): CallRule | undefined {
  const fine = own.filter(({ outcome, value }) => outcome.error === undefined && value !== null)
  const [example] = fine.toSorted((a, b) => b.objects.length - a.objects.length)
  if (example === undefined) return undefined
  const { name } = example.call
  const place = example.objects.find(({ parent }) => parent === undefined)
  if (place === undefined) return ruleWithoutObject(own, fine, firsts)
  const type = types.get(place.place) ?? ''
  const { frame } = example.outcome
  const common = { type, result: example.value, ...(frame !== undefined && { frame }) }
  if (place.pointer.includes('/-')) {
    const list = findListRule(
      fine,
      place,
      mergedItems(
        type,
        calls.flatMap(({ objects }) => objects),
        types,
      ),
    )
    return {
      does: 'list',
      ...common,
      at: place.pointer.slice(0, place.pointer.indexOf('/-')),
      list,
      ...showsOf(own, place),
    }
  }
  const items = fine.flatMap(({ call, objects }) => {
    const seen = objects.find(({ pointer }) => pointer === place.pointer)
    return seen === undefined ? [] : [{ call, seen }]
  })
  const id = [...argumentsOf(example.call).keys()].find((argument) =>
    items.every(({ call, seen }) => {
      const value = argumentsOf(call).get(argument)
      return value !== undefined && String(value) === String(seen.item[seen.id])
    }),
  )
  const isChange = example.call.isChange ?? !isReading(name)
  const areNew = items.every(({ call, seen }) => firsts.get(objectKey(seen, types))?.call === call)
  const rule = { ...common, at: place.pointer, ...(id !== undefined && { id }), ...showsOf(own, place) }
  if (isChange && areNew && (id === undefined || CREATING.test(name)) && !REMOVING.test(name))
    return { does: 'create', ...rule }
  if (id === undefined) return undefined
  const missing = missingOf(own, id)
  const does = isChange ? (REMOVING.test(name) ? 'remove' : 'change') : 'read'
  const sets = does === 'change' ? effectsOf(items, calls) : {}
  return {
    ...{ does, ...rule },
    ...(Object.keys(sets).length > 0 && { sets }),
    ...(missing !== undefined && { missing }),
  }
}

// What a call always makes of a member, such as `done` of what it finishes, where that was otherwise before.
function effectsOf(
  items: readonly { readonly call: Call; readonly seen: ObjectSeen }[],
  calls: readonly CallSample[],
): Item {
  const [first] = items
  const before = calls
    .slice(
      0,
      calls.findIndex(({ call }) => call === first?.call),
    )
    .flatMap(({ objects }) => objects)
    .findLast(({ item, id }) => first !== undefined && item[id] === first.seen.item[first.seen.id])
  const given = new Set(items.flatMap(({ call }) => [...argumentsOf(call).values()]))
  const isEffect = ([name, value]: readonly [string, unknown]): boolean =>
    before !== undefined &&
    Object.hasOwn(before.item, name) &&
    before.item[name] !== value &&
    (typeof value === 'boolean' || typeof value === 'string') &&
    !given.has(value) &&
    items.every(({ seen }) => seen.item[name] === value)
  return Object.fromEntries(Object.entries(first?.seen.item ?? {}).filter(isEffect))
}

// Some say only that they did it, or the id of what they made.
function ruleWithoutObject(
  own: readonly CallSample[],
  fine: readonly CallSample[],
  firsts: Known['firsts'],
): CallRule | undefined {
  const [{ call, value, outcome }] = fine as [CallSample]
  const framed = outcome.frame === undefined ? {} : { frame: outcome.frame }
  if (!(call.isChange ?? !isReading(call.name))) return undefined
  const types = new Set([...firsts.keys()].map((key) => key.slice(0, key.indexOf(' '))))
  for (const type of types) {
    const isKnown = (id: unknown): boolean => firsts.has(`${type} ${String(id)}`)
    if (CREATING.test(call.name) && fine.every((each) => isKnown(each.value)))
      return { does: 'create', type, result: value, at: '', isId: true, ...framed }
    const id = [...argumentsOf(call).keys()].find((argument) =>
      fine.every((each) => isKnown(argumentsOf(each.call).get(argument))),
    )
    if (id === undefined) continue
    const missing = missingOf(own, id)
    const rule = { type, result: value, id, ...framed, ...(missing !== undefined && { missing }) }
    return { does: REMOVING.test(call.name) ? 'remove' : 'change', ...rule }
  }
  return undefined
}

// Without a selection a result shows of an object what it always does.
function showsOf(own: readonly CallSample[], { pointer }: ObjectSeen): Pick<CallRule, 'shows'> {
  if (own.some(({ call }) => call.selects !== undefined)) return {}
  const seen = own.flatMap(({ objects }) => objects.filter((each) => each.pointer === pointer))
  return { shows: [...new Set(seen.flatMap(({ item }) => Object.keys(item)))] }
}

// What an answer says of an id is said of any.
function missingOf(own: readonly CallSample[], id: string): CallRule['missing'] | undefined {
  const sample = own.find(({ outcome, value }) => outcome.error !== undefined || value === null)
  const wanted = sample && argumentsOf(sample.call).get(id)
  if (sample === undefined || wanted === undefined) return undefined
  const text = String(wanted)
  const whole = new RegExp(
    `(?<![\\w.:/"=-])${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w:/"=-])`,
    'g',
  )
  const open = (part: unknown): unknown => {
    if (typeof part === 'number') return String(part) === text ? ID : part
    if (typeof part === 'string') return part.replaceAll(whole, ID)
    if (Array.isArray(part)) return part.map(open)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, open(each)]))
      : part
  }
  const { error, status } = sample.outcome
  return error === undefined
    ? { value: null }
    : { error: open(error), ...(status !== undefined && { status }) }
}

/** The rules by which at least half of their recorded calls come to what they came to. */
function confirmedOf(model: CallModel, calls: readonly CallSample[]): CallModel['calls'] {
  const all = createObjects(model)
  const right = new Map<string, number>()
  const total = countEach(calls.map(({ call }) => call.name))
  for (const { call, outcome, objects } of calls) {
    // Ids that the server made are known here, and made anew later.
    const rule = model.calls[call.name]
    const made = rule?.does === 'create' && rule.id === undefined ? objects[0]?.item : undefined
    const given = performCall(model, all, call, { seed: '', now: 0 })
    if (made !== undefined && rule !== undefined) renew(all, rule, made)
    if (given !== undefined && (made !== undefined || isAlike(given, outcome)))
      right.set(call.name, (right.get(call.name) ?? 0) + 1)
  }
  return Object.fromEntries(
    Object.entries(model.calls).filter(([name]) => (right.get(name) ?? 0) * 2 >= (total.get(name) ?? 0)),
  )
}

function renew(all: ReturnType<typeof createObjects>, { type }: CallRule, made: Item): void {
  const objects = all.get(type)
  const last = objects && [...objects.items.keys()].at(-1)
  if (objects === undefined || last === undefined) return
  const item = { ...objects.items.get(last), ...made }
  objects.items.delete(last)
  objects.items.set(String(item[objects.type.id]), item)
}

function isAlike(a: { readonly value?: unknown; readonly error?: unknown }, b: typeof a): boolean {
  return (
    JSON.stringify(a.value) === JSON.stringify(b.value) && (a.error === undefined) === (b.error === undefined)
  )
}
