import type { CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { argumentsOf, CREATING, isReading, REMOVING } from './call.ts'
import { conflictIn } from './conflicts.ts'
import { stepsOf } from './stepped-members.ts'
import { changedLists } from './changed-lists.ts'
import { alreadyOf, heldOf, stateRefusals, unexplained } from './state-refusals.ts'
import { expectedIn, goneOf, isGoneAfter, missingOf, needsOf } from './failures.ts'
import { combined, valueAt } from './envelope.ts'
import { joinedLists } from './list-pages.ts'
import { fieldsOf, findListRule } from './list-rule.ts'
import { copiesOf, echoesOf, effectsOf, placedOf, remainingOf } from './made-members.ts'
import { alsoIn, linkedMembers, storedOf } from './linked-members.ts'
import { storedItem } from './object-links.ts'
import { againOf } from './made-again.ts'
import { namedBy } from './named-by.ts'
import { type Known, objectKey } from './object-types.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { absentIn, sayingsOf } from './put-sayings.ts'
import { copiesWith, membersIn, ruleWithoutObject } from './rule-without-object.ts'

// Of what is selected each result has a part.
function wholeResult({ call, value }: CallSample, fine: readonly CallSample[]): unknown {
  if (call.selects === undefined) return value
  return fine.map((each) => each.value).reduce(combined, value)
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

export function ruleOf(own: readonly CallSample[], known: Known): CallRule | undefined {
  const { calls, types, firsts } = known
  const done = own.filter(({ outcome }) => outcome.error === undefined)
  const some = done.filter(({ value }) => value !== null)
  // What only changes something may have nothing to say.
  const saysNothing = some.length === 0 && done.every(({ call }) => call.selects === undefined)
  const fine = saysNothing ? done : some
  const [example] = fine.toSorted(
    (a, b) => b.objects.length - a.objects.length || membersIn(b.value) - membersIn(a.value),
  )
  if (example === undefined) return undefined
  const { name } = example.call
  const outer = example.objects.filter(({ parent }) => parent === undefined)
  // What a call makes is what it is about, rather than what that belongs to.
  const place =
    outer.find((seen) => example.call.isChange === true && firsts.get(objectKey(seen, types)) === example) ??
    outer[0]
  if (place === undefined) {
    const found = ruleWithoutObject(own, fine, known)
    const isRemoving = found?.does === 'change' && isGoneAfter(fine, found, known)
    const rule: CallRule | undefined = isRemoving ? { ...found, does: 'remove' } : found
    return saysNothing && rule !== undefined && !doesSomething(rule) ? undefined : rule
  }
  const type = types.get(place.place) ?? ''
  if ((example.call.isChange ?? !isReading(name)) && isBefore(place, fine)) {
    const rule = ruleWithoutObject(own, fine, known)
    return rule && { ...rule, before: beforeOf(place, fine) }
  }
  const { frame } = example.outcome
  const common = { type, result: wholeResult(example, fine), ...(frame !== undefined && { frame }) }
  if (place.pointer.includes('/-')) {
    const { main, plain, samples } = joinedLists(fine, place, types)
    const found = {
      ...findListRule(samples, { ...place, pointer: main }, storedOf(type, known), (seen) =>
        storedItem(seen, types, known.links),
      ),
      ...(plain.length > 0 && { plain }),
    }
    const absent = absentIn(fine, main, found.ids)
    const list = absent === undefined ? found : { ...found, absent }
    // A page that is not the last has a token for the next one.
    const { at: token } = found.cursor ?? {}
    const hasToken = (value: unknown): boolean =>
      token !== undefined && ![undefined, null].includes(valueAt(value, token) as null)
    const paged = fine.find(({ value }) => hasToken(value))
    const isPlain = token === undefined || hasToken(common.result)
    return {
      does: 'list',
      ...common,
      ...(!isPlain && paged !== undefined && { result: paged.value }),
      at: main.slice(0, main.indexOf('/-')),
      list: place.isName === true ? { ...list, isOfIds: true } : list,
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
  // To make what is there already may give that.
  const areNew = items.every(({ call, seen }) => {
    const first = firsts.get(objectKey(seen, types))?.call
    return first === call || (CREATING.test(name) && first?.name === name)
  })
  const also = alsoIn(items, outer, known)
  const orTypes = [
    ...new Set(items.map(({ seen }) => types.get(seen.place) ?? '').filter((each) => each !== type)),
  ]
  const echoes = isChange ? echoesOf(fine, place.pointer) : {}
  const rule = {
    ...common,
    at: place.pointer,
    ...(id !== undefined && { id }),
    ...showsOf(own, place),
    ...(Object.keys(echoes).length > 0 && { echoes }),
    ...(Object.keys(also).length > 0 && { also }),
    ...(orTypes.length > 0 && { orTypes }),
  }
  const merged = storedOf(type, known)
  const placed = placedOf(items)
  const linked = linkedMembers(type, known)
  const expected = expectedIn(own)
  const { conflict } = conflictIn(own)
  const isWhole = rule.shows?.length === 1 && id === undefined
  const ids = new Set(items.map(({ seen }) => seen.item[seen.id]))
  const given = new Set(items.map(({ call }) => canonicalText(call.args)))
  // An id of what was made differs from one to the next, unless that was removed in between.
  const isRemoved = calls.some(
    ({ call }) =>
      REMOVING.test(call.name) &&
      [...argumentsOf(call).values()].some((each) => String(each) === String([...ids][0])),
  )
  const isSame = items.length > 1 && ids.size === 1 && given.size === items.length && !isRemoved
  if (isChange && isSame && id === undefined) return undefined
  const withNeeds = (found: CallRule): CallRule => {
    const needs = needsOf(
      own,
      found,
      (member) => linked.get(member),
      (of, key) => firsts.has(`${of} ${String(key)}`),
      new Set(types.values()),
    )
    return needs.length === 0 ? found : { ...found, needs }
  }
  if (isChange && areNew && (id === undefined || CREATING.test(name)) && !REMOVING.test(name))
    return withNeeds({
      ...{ does: 'create', ...rule },
      ...copiesWith(copiesOf(items, merged, new Set(linked.keys())), placed),
      ...(isWhole && { isWhole }),
      ...(id === undefined && againOf(fine, type, known, merged)),
      ...(conflict !== undefined && { conflict }),
    })
  if (isChange && id !== undefined && place.isHandle === true && !REMOVING.test(name)) {
    const said = sayingsOf(items, (key) => firsts.get(`${type} ${key}`)?.call)
    if (said.made !== undefined)
      return {
        ...{ does: 'put', ...rule, ...expected, said, isWhole: true },
        ...(conflict !== undefined && { conflict }),
      }
  }
  const [only] = ids
  const named = id !== undefined || isChange ? undefined : namedBy(items, merged)
  const key = id ?? named?.argument
  if (key === undefined)
    return example.call.selects !== undefined && ids.size === 1 && argumentsOf(example.call).size === 0
      ? { does: isChange ? 'change' : 'read', ...rule, only }
      : undefined
  const fields = fieldsOf(
    items.map(({ call, seen }) => ({ call, shown: [seen.item] })),
    new Set(rule.shows),
  )
  const isKnown = ({ call }: CallSample): boolean => {
    const wanted = String(argumentsOf(call).get(key))
    return named === undefined ? firsts.has(`${type} ${wanted}`) : named.values.has(wanted)
  }
  const isOfType = (seen: ObjectSeen): boolean => types.get(seen.place) === type
  const found = isChange ? stepsOf(fine, key, calls, isOfType) : { rule: {}, failed: [], before: [] }
  const refusals = stateRefusals(found)
  const others = unexplained(own, own, refusals.explained)
  const missing = missingOf(others, key, place.pointer, isKnown) ?? goneOf(own, key, calls)
  const does = isChange ? (REMOVING.test(name) ? 'remove' : 'change') : 'read'
  const sets = does === 'change' ? effectsOf(items, calls, isOfType) : {}
  const already = Object.keys(sets).length === 0 ? undefined : alreadyOf(own, key, calls)
  const held = does === 'remove' ? heldOf(own, key, type, known) : undefined
  const asks = Object.keys(example.call.args).filter(
    (argument) => example.call.args[argument] === true && rule.shows?.includes(argument) === true,
  )
  return {
    ...{ does, ...rule },
    ...(named !== undefined && { id: named.argument, by: named.member }),
    ...(does === 'change' && copiesWith({}, placed)),
    ...(Object.keys(sets).length > 0 && { sets }),
    ...(already !== undefined && { already }),
    ...(does === 'change' &&
      id !== undefined && {
        ...found.rule,
        ...changedLists(found, isOfType),
      }),
    ...refusals.rule,
    ...(held !== undefined && { held }),
    ...(asks.length > 0 && { asks }),
    ...(fields !== undefined && { fields }),
    ...remainingOf(items, merged, calls),
    ...(missing !== undefined && { missing }),
  }
}

function doesSomething({ does, sets, steps, adds, drops, renames }: CallRule): boolean {
  return does === 'remove' || [sets, steps, adds, drops, renames].some((each) => each !== undefined)
}

// Without a selection a result shows of an object what it always does.
function showsOf(own: readonly CallSample[], { pointer }: ObjectSeen): Pick<CallRule, 'shows'> {
  if (own.some(({ call }) => call.selects !== undefined)) return {}
  const seen = own.flatMap(({ objects }) => objects.filter((each) => each.pointer === pointer))
  return { shows: [...new Set(seen.flatMap(({ item }) => Object.keys(item)))] }
}
