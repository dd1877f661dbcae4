import type { CallModel, CallOutcome, CallRule, ListRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, groupBy } from '../../grouping.ts'
import { constantHeaders } from '../inference/answer-headers.ts'
import { typeOf } from '../inference/recorded.ts'
import type { Sample } from '../inference/sample.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { argumentsOf, type Call, isReading } from './call.ts'
import { withCounters, withReferences } from './counters.ts'
import { leavesOutEmpty, replaceAt, withoutEmpty } from './envelope.ts'
import { findListRule, totalIn } from './list-rule.ts'
import { createObjects, type Item } from './objects.ts'
import { firstCalls, type Known, type Makers, mergedItems, objectKey, objectType } from './object-types.ts'
import { type CallSample, firstsOf, type ObjectSeen, readCalls, typesOf } from './occurrences.ts'
import { ID, performCall } from './perform.ts'

/** What calls do, as a recording shows it; `undefined` where it shows nothing of objects. */
export function inferCalls(samples: readonly Sample[], protocol: Protocol): CallModel | undefined {
  if (protocol.calls === undefined) return undefined
  const { calls, envelope, choices } = readCalls(samples, protocol.calls)
  const [first] = samples.filter(({ status }) => status < 300)
  const contentType = first?.responseHeaders['content-type'] ?? typeOf(first?.mimeType ?? 'application/json')
  const { semantics } = protocol.calls
  if (semantics !== undefined)
    return { protocol: protocol.name, contentType, calls: {}, ...semantics.learn(calls) }
  const types = typesOf(calls)
  const known = { calls, types, firsts: firstCalls(calls, types) }
  const byName = groupBy(calls, ({ call }) => call.name)
  const ranges = new Map<string, ListRule['range']>()
  const single = new Map(
    [...byName].flatMap(([name, own]): [string, CallRule][] => {
      const rule = choices.has(name) ? undefined : ruleOf(own, known)
      if (rule?.list?.range !== undefined) ranges.set(rule.type, rule.list.range)
      return rule === undefined ? [] : [[name, rule]]
    }),
  )
  const found = [...single].map(([name, rule]): [string, CallRule] => [
    name,
    withRange(rule, ranges.get(rule.type)),
  ])
  const rules = new Map([...countsOf(byName, found), ...found])
  for (const [name, choice] of choices) {
    const inner = Object.values(choice.calls).map(({ call }) => rules.get(call)?.type)
    rules.set(name, {
      does: 'choose',
      type: inner.find((type) => type !== undefined) ?? '',
      result: null,
      choice,
    })
  }
  if (envelope !== undefined)
    for (const [name, own] of byName) {
      const fine = own.filter(({ outcome }) => outcome.error === undefined)
      const isBare = fine.every(({ count }) => count === undefined)
      const rule = rules.get(name) ?? sayingRule(fine)
      if (rule !== undefined) rules.set(name, isBare ? { ...rule, isBare } : rule)
    }
  const refused = new Map([...byName].map(([name, own]) => [name, refusalOf(own)]))
  const made = madeBefore(calls, rules)
  const makers: Makers = {
    isMade: (key, { call, ...sample }) =>
      rules.get(call.name)?.does === 'create' ||
      (made.get(key) ?? Infinity) <
        calls.findIndex((each) => each.call === call && each.value === sample.value),
  }
  const objectTypes = Object.fromEntries(
    [...new Set(types.values())].map((type) => [type, objectType(type, known, makers)] as const),
  )
  const values = calls.map(({ value }) => value)
  const headers = constantHeaders(samples.filter(({ status }) => status < 300))
  const plain = {
    ...{ protocol: protocol.name, contentType },
    ...(Object.keys(headers).length > 0 && { headers }),
    types: objectTypes,
    calls: Object.fromEntries(
      [...rules].map(([name, rule]) => [name, withRefusal(rule, name, refused, rules)]),
    ),
    ...(protocol.calls.isOfPaths === true && leavesOutEmpty(values) && { omitsEmpty: true }),
    ...(envelope !== undefined && { envelope }),
  }
  const model = withCounters(withReferences(plain, calls), calls, types)
  const confirmed = Object.entries(confirmedOf(model, calls)).map(([name, rule]) => [
    name,
    withoutObjects(rule),
  ])
  return confirmed.length === 0 ? undefined : { ...model, calls: Object.fromEntries(confirmed) }
}

// A range is said alike by all calls of a type.
function withRange(rule: CallRule, range: ListRule['range']): CallRule {
  const isOfRange = range !== undefined && rule.does === 'remove' && rule.id === range.from
  return isOfRange ? { ...rule, until: range.to } : rule
}

// What always says the same is about no object.
function sayingRule(fine: readonly CallSample[]): CallRule | undefined {
  const [first] = fine
  const text = JSON.stringify(first?.value)
  if (first === undefined || !fine.every(({ value }) => JSON.stringify(value) === text)) return undefined
  const { frame } = first.outcome
  return { does: 'say', type: '', result: first.value, ...(frame !== undefined && { frame }) }
}

// Where objects are that calls made without showing them: the first call with each id.
function madeBefore(
  calls: readonly CallSample[],
  rules: ReadonlyMap<string, CallRule>,
): ReadonlyMap<string, number> {
  return firstsOf(
    calls.flatMap(({ call }, at): [string, number][] => {
      const rule = rules.get(call.name)
      if (rule?.does !== 'put' || rule.id === undefined) return []
      return [[`${rule.type} ${String(argumentsOf(call).get(rule.id))}`, at]]
    }),
  )
}

// An argument that all calls have which succeeded, and one that failed has not.
function refusalOf(own: readonly CallSample[]): readonly [string, CallOutcome] | undefined {
  const [fine, failed] = [true, false].map((isFine) =>
    own.filter(({ outcome }) => (outcome.error === undefined) === isFine),
  ) as [CallSample[], CallSample[]]
  const names = [...argumentsOf(fine[0]?.call ?? { name: '', args: {} }).keys()].filter((name) =>
    fine.every(({ call }) => argumentsOf(call).has(name)),
  )
  for (const { call, outcome } of failed) {
    const lacking = names.find((name) => !argumentsOf(call).has(name))
    const { error, status } = outcome
    if (lacking !== undefined) return [lacking, { error, ...(status !== undefined && { status }) }]
  }
  return undefined
}

// What one call of a type refuses, others of it refuse alike.
function withRefusal(
  rule: CallRule,
  name: string,
  refused: ReadonlyMap<string, readonly [string, CallOutcome] | undefined>,
  rules: ReadonlyMap<string, CallRule>,
): CallRule {
  const own = refused.get(name)
  const id = rule.id ?? rule.list?.range?.from
  const alike = [...refused].find(
    ([other, each]) => each !== undefined && each[0] === id && rules.get(other)?.type === rule.type,
  )?.[1]
  const found = own ?? alike
  return found === undefined ? rule : { ...rule, refused: { [found[0]]: found[1] } }
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

function membersIn(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : 0
}

// What a change shows of an object is as it was before, where it has not what the change gave it.
function isBefore(place: ObjectSeen, fine: readonly CallSample[]): boolean {
  const name = place.pointer.replace(/\/-$/, '').split('/').at(-1) ?? ''
  if (/^(prev|old|before|last|former)/i.test(name)) return true
  return fine.some(({ call, objects }) => {
    const seen = objects.find(({ pointer }) => pointer === place.pointer)
    const args = argumentsOf(call)
    return (
      seen !== undefined &&
      args.get(seen.id) === seen.item[seen.id] &&
      [...args].some(
        ([each, value]) =>
          typeof value !== 'boolean' && Object.hasOwn(seen.item, each) && seen.item[each] !== value,
      )
    )
  })
}

function beforeOf({ pointer }: ObjectSeen, fine: readonly CallSample[]): NonNullable<CallRule['before']> {
  const isList = pointer.endsWith('/-')
  const [some, others] = [true, false].map((isShown) =>
    fine.filter(({ objects }) => objects.some((each) => each.pointer === pointer) === isShown),
  ) as [CallSample[], CallSample[]]
  const [by] = Object.keys(some[0]?.call.args ?? {}).filter(
    (name) =>
      some.every(({ call }) => call.args[name] === true) &&
      !others.every(({ call }) => call.args[name] === true),
  )
  const only = Object.keys(some[0]?.call.args ?? {}).find((name) =>
    some.every(({ call }) => call.args[name] === true),
  )
  const flag = by ?? only
  return {
    at: pointer.replace(/\/-$/, ''),
    ...(isList && { isList }),
    ...(flag !== undefined && { by: flag }),
  }
}

const REMOVING =
  /(delete|remove|destroy|drop|unregister|discard|erase|purge|revoke|cancel|release|evict|clear)|(^|[./_-])(del|rm|unset)/i
const CREATING = /(create|add|insert|register|new|put|make|save|post|append)/i

function ruleOf(own: readonly CallSample[], { calls, types, firsts }: Known): CallRule | undefined {
  const fine = own.filter(({ outcome, value }) => outcome.error === undefined && value !== null)
  const [example] = fine.toSorted(
    (a, b) => b.objects.length - a.objects.length || membersIn(b.value) - membersIn(a.value),
  )
  if (example === undefined) return undefined
  const { name } = example.call
  const place = example.objects.find(({ parent }) => parent === undefined)
  if (place === undefined) return ruleWithoutObject(own, fine, firsts)
  const type = types.get(place.place) ?? ''
  if ((example.call.isChange ?? !isReading(name)) && isBefore(place, fine)) {
    const rule = ruleWithoutObject(own, fine, firsts)
    return rule && { ...rule, before: beforeOf(place, fine) }
  }
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
  const merged = mergedItems(
    type,
    calls.flatMap(({ objects }) => objects),
    types,
  )
  if (isChange && areNew && (id === undefined || CREATING.test(name)) && !REMOVING.test(name))
    return { does: 'create', ...rule, ...copiesOf(items, merged) }
  if (id === undefined) return undefined
  const missing = missingOf(own, id) ?? goneOf(own, id, calls)
  const does = isChange ? (REMOVING.test(name) ? 'remove' : 'change') : 'read'
  const sets = does === 'change' ? effectsOf(items, calls) : {}
  const asks = Object.keys(example.call.args).filter(
    (argument) => example.call.args[argument] === true && rule.shows?.includes(argument) === true,
  )
  return {
    ...{ does, ...rule },
    ...(Object.keys(sets).length > 0 && { sets }),
    ...(asks.length > 0 && { asks }),
    ...remainingOf(items, merged, calls),
    ...(missing !== undefined && { missing }),
  }
}

// Members that repeat what the object was made with, under a longer name.
function copiesOf(items: readonly Shown[], merged: ReadonlyMap<string, Item>): Pick<CallRule, 'copies'> {
  const [first] = items
  const whole = first && merged.get(String(first.seen.item[first.seen.id]))
  const entries = Object.keys(whole ?? {}).flatMap((member): [string, string][] => {
    const from = [...argumentsOf(first?.call ?? { name: '', args: {} }).keys()].find(
      (argument) =>
        argument !== member &&
        member.toLowerCase().includes(argument.toLowerCase()) &&
        items.every(
          ({ call, seen }) =>
            String(merged.get(String(seen.item[seen.id]))?.[member]) ===
            String(argumentsOf(call).get(argument)),
        ),
    )
    return from === undefined ? [] : [[member, from]]
  })
  return entries.length === 0 ? {} : { copies: Object.fromEntries(entries) }
}

/** The seconds that may have passed while a session was recorded. */
const MAX_PASSED = 60

// A number of seconds that was given and is a little less when it is read again.
function remainingOf(
  items: readonly Shown[],
  merged: ReadonlyMap<string, Item>,
  calls: readonly CallSample[],
): Pick<CallRule, 'remaining'> {
  const passed = ({ call, seen }: Shown, member: string): number | undefined => {
    const made = calls.find(
      (each) => each.call !== call && each.objects.some(({ item, id }) => item[id] === seen.item[seen.id]),
    )
    const given = made?.objects.find(({ item }) => Object.hasOwn(item, member))?.item[member]
    return given === undefined ? undefined : Number(given) - Number(seen.item[member])
  }
  const remaining = Object.keys(items[0]?.seen.item ?? {}).find(
    (member) =>
      /ttl|remaining|expire|left|timeout/i.test(member) &&
      items.every((each) => {
        const seconds = passed(each, member)
        return seconds !== undefined && seconds >= 0 && seconds <= MAX_PASSED
      }) &&
      items.some((each) => passed(each, member) !== 0),
  )
  return remaining === undefined || merged.size === 0 ? {} : { remaining }
}

/** A call and an object in its result. */
interface Shown {
  readonly call: Call
  readonly seen: ObjectSeen
}

// What is said of an object that was removed, where that does not fail.
function goneOf(
  own: readonly CallSample[],
  id: string,
  calls: readonly CallSample[],
): CallRule['missing'] | undefined {
  const isGone = ({ call }: CallSample): boolean => {
    const wanted = String(argumentsOf(call).get(id))
    const at = calls.findIndex((each) => each.call === call)
    const last = calls
      .slice(0, at)
      .findLast(
        (each) =>
          each.outcome.error === undefined &&
          [...argumentsOf(each.call).values()].some((value) => String(value) === wanted) &&
          !isReading(each.call.name),
      )
    return last !== undefined && REMOVING.test(last.call.name)
  }
  const sample = own.find((each) => each.outcome.error === undefined && isGone(each))
  return sample && { value: opened(sample.value, String(argumentsOf(sample.call).get(id))) }
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

// Some say only that they did it, how many objects it was, or the id of what they made.
function ruleWithoutObject(
  own: readonly CallSample[],
  fine: readonly CallSample[],
  firsts: Known['firsts'],
): CallRule | undefined {
  const [{ call, outcome }] = fine as [CallSample]
  const [{ value }] = fine.toSorted((a, b) => membersIn(b.value) - membersIn(a.value)) as [CallSample]
  const framed = outcome.frame === undefined ? {} : { frame: outcome.frame }
  if (!(call.isChange ?? !isReading(call.name))) return undefined
  const types = new Set([...firsts.keys()].map((key) => key.slice(0, key.indexOf(' '))))
  const isMaking = CREATING.test(call.name) && !REMOVING.test(call.name)
  for (const type of types) {
    const isKnown = (id: unknown): boolean => firsts.has(`${type} ${String(id)}`)
    if (CREATING.test(call.name) && fine.every((each) => isKnown(each.value)))
      return { does: 'create', type, result: value, at: '', isId: true, ...framed }
    const share = (argument: string): number =>
      fine.filter((each) => isKnown(argumentsOf(each.call).get(argument))).length / fine.length
    // Some of what is put or removed is never shown.
    const least = isMaking || REMOVING.test(call.name) ? 0.5 : 1
    const id = [...argumentsOf(call).keys()].find((argument) => share(argument) >= least)
    if (id === undefined) continue
    const missing = missingOf(own, id)
    const rule = { type, result: value, id, ...framed, ...(missing !== undefined && { missing }) }
    const counted = isObject(value)
      ? Object.keys(value).find((name) => /^\d{1,15}$/.test(String(value[name])))
      : undefined
    if (REMOVING.test(call.name))
      return { does: 'remove', ...rule, ...(counted !== undefined && { touched: `/${counted}` }) }
    return { does: isMaking && missing === undefined ? 'put' : 'change', ...rule }
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
  const { error, status } = sample.outcome
  return error === undefined
    ? { value: null }
    : { error: opened(error, String(wanted)), ...(status !== undefined && { status }) }
}

/** A value with `ID` in place of an id. */
function opened(value: unknown, id: string): unknown {
  const whole = new RegExp(
    `(?<![\\w.:/"=-])${id.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w:/"=-])`,
    'g',
  )
  const open = (part: unknown): unknown => {
    if (typeof part === 'number') return String(part) === id ? ID : part
    if (typeof part === 'string') return part.replaceAll(whole, ID)
    if (Array.isArray(part)) return part.map(open)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, open(each)]))
      : part
  }
  return open(value)
}

/** The rules by which at least half of their recorded calls come to what they came to. */
function confirmedOf(model: CallModel, calls: readonly CallSample[]): CallModel['calls'] {
  const all = createObjects(model)
  const [some] = all.values()
  const right = new Map<string, number>()
  const outer = calls.filter(({ isInner }) => isInner !== true)
  const total = countEach(outer.map(({ call }) => call.name))
  for (const { call, outcome, value, objects } of outer) {
    // Ids that the server made are known here, and made anew later.
    const rule = model.calls[call.name]
    const made = rule?.does === 'create' && rule.id === undefined ? objects[0]?.item : undefined
    if (some !== undefined) some.changes.isAdvanced = false
    const given = performCall(model, all, call, { seed: '', now: 0 })
    if (made !== undefined && rule !== undefined) renew(all, rule, made)
    const plain =
      given && (model.omitsEmpty === true ? { ...given, value: withoutEmpty(given.value) } : given)
    if (plain !== undefined && (made !== undefined || isAlike(plain, { ...outcome, value })))
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
    canonicalText(a.value) === canonicalText(b.value) && (a.error === undefined) === (b.error === undefined)
  )
}
