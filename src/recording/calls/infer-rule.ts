import type { CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf, CHANGING, CREATING, isReading, REMOVING } from './call.ts'
import { conflictIn, goneOf, missingOf } from './failures.ts'
import { findListRule } from './list-rule.ts'
import { copiesOf, effectsOf, placedOf, remainingOf, type Shown } from './made-members.ts'
import { type Known, mergedItems, objectKey } from './object-types.ts'
import type { CallSample, ObjectSeen } from './occurrences.ts'
import { nameKey } from './show.ts'

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

export function ruleOf(own: readonly CallSample[], { calls, types, firsts }: Known): CallRule | undefined {
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
  const rule = { ...common, at: place.pointer, ...(id !== undefined && { id }), ...showsOf(own, place) }
  const merged = mergedItems(
    type,
    calls.flatMap(({ objects }) => objects),
    types,
  )
  const placed = placedOf(items)
  const { conflict } = conflictIn(own)
  const isWhole = rule.shows?.length === 1 && id === undefined
  const ids = new Set(items.map(({ seen }) => seen.item[seen.id]))
  const given = new Set(items.map(({ call }) => canonicalText(call.args)))
  // An id of what was made differs from one to the next.
  if (isChange && items.length > 1 && ids.size === 1 && given.size === items.length && id === undefined)
    return undefined
  if (isChange && areNew && (id === undefined || CREATING.test(name)) && !REMOVING.test(name))
    return {
      ...{ does: 'create', ...rule, ...copiesWith(copiesOf(items, merged).copies, placed) },
      ...(isWhole && { isWhole }),
      ...(conflict !== undefined && { conflict }),
    }
  if (id === undefined) return undefined
  const missing = missingOf(own, id) ?? goneOf(own, id, calls)
  const does = isChange ? (REMOVING.test(name) ? 'remove' : 'change') : 'read'
  const sets = does === 'change' ? effectsOf(items, calls) : {}
  const asks = Object.keys(example.call.args).filter(
    (argument) => example.call.args[argument] === true && rule.shows?.includes(argument) === true,
  )
  return {
    ...{ does, ...rule },
    ...(does === 'change' && copiesWith({}, placed)),
    ...(Object.keys(sets).length > 0 && { sets }),
    ...(asks.length > 0 && { asks }),
    ...remainingOf(items, merged, calls),
    ...(missing !== undefined && { missing }),
  }
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
  const types = [...new Set([...firsts.keys()].map((key) => key.slice(0, key.indexOf(' '))))].toSorted(
    (a, b) => namedIn(b, call.name) - namedIn(a, call.name),
  )
  const isMaking = CREATING.test(call.name) && !REMOVING.test(call.name) && !CHANGING.test(call.name)
  for (const type of types) {
    const isKnown = (id: unknown): boolean => firsts.has(`${type} ${String(id)}`)
    if (CREATING.test(call.name) && fine.every((each) => isKnown(each.value))) {
      const items = fine.flatMap((each): Shown[] => {
        const first = firsts.get(`${type} ${String(each.value)}`)
        const seen = first?.objects.find(({ item, id }) => String(item[id]) === String(each.value))
        return seen === undefined ? [] : [{ call: each.call, seen }]
      })
      return {
        ...{ does: 'create', type, result: value, at: '', isId: true, ...framed },
        ...copiesWith({}, placedOf(items)),
      }
    }
    // Clients make up texts as ids; a small number is met by chance.
    const isId = (value: unknown): boolean => isKnown(value) && !(isMaking && /^\d{1,6}$/.test(String(value)))
    const share = (argument: string): number =>
      fine.filter((each) => isId(argumentsOf(each.call).get(argument))).length / fine.length
    // Some of what is put or removed is never shown.
    const least = isMaking || REMOVING.test(call.name) ? 0.5 : 1
    const id = [...argumentsOf(call).keys()].find((argument) => share(argument) >= least)
    if (id === undefined) continue
    const { conflict, others } = isMaking ? conflictIn(own) : { others: own }
    const missing = missingOf(others, id)
    const rule = {
      ...{ type, result: value, id, ...framed },
      ...(missing !== undefined && { missing }),
      ...(conflict !== undefined && { conflict }),
    }
    const counted = isObject(value)
      ? Object.keys(value).find((name) => /^\d{1,15}$/.test(String(value[name])))
      : undefined
    if (REMOVING.test(call.name) && !isContainer(type, call.name))
      return { does: 'remove', ...rule, ...(counted !== undefined && { touched: `/${counted}` }) }
    const isPut = isMaking && missing === undefined && !isContainer(type, call.name)
    // What says nothing of what it made made all of that.
    const isWhole = isPut && fine.every((each) => each.count === undefined && membersIn(each.value) === 0)
    return { does: isPut ? 'put' : 'change', ...rule, ...(isWhole && { isWhole }) }
  }
  return undefined
}

// How much of a call's name is the name of a type.
function namedIn(type: string, name: string): number {
  return nameKey(name.toLowerCase()).includes(nameKey(type.toLowerCase())) ? type.length : 0
}

// What something is removed from stays.
function isContainer(type: string, name: string): boolean {
  const [, container = ''] = /(?:from|in|to|for)_?([A-Z_].*)$/i.exec(name) ?? []
  const [whole, own] = [container, type].map((each) => nameKey(each.toLowerCase())) as [string, string]
  return whole !== '' && (whole.includes(own) || own.includes(whole))
}

function copiesWith(
  copies: CallRule['copies'],
  placed: NonNullable<CallRule['copies']>,
): Pick<CallRule, 'copies'> {
  const all = { ...placed, ...copies }
  return Object.keys(all).length === 0 ? {} : { copies: all }
}

// Without a selection a result shows of an object what it always does.
function showsOf(own: readonly CallSample[], { pointer }: ObjectSeen): Pick<CallRule, 'shows'> {
  if (own.some(({ call }) => call.selects !== undefined)) return {}
  const seen = own.flatMap(({ objects }) => objects.filter((each) => each.pointer === pointer))
  return { shows: [...new Set(seen.flatMap(({ item }) => Object.keys(item)))] }
}
