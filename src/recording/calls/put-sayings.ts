import type { CallRule, CallSaying, PutKind } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { Call } from './call.ts'
import { opened } from './failures.ts'
import { isAbsent } from './id-members.ts'
import { valueAt } from './envelope.ts'
import type { Shown } from './made-members.ts'
import type { CallSample } from './call-sample.ts'

/**
 * What calls that make or change an object say of it: of one that was not there, of another one than was there, or of the
 * same again.
 * @param makerOf the call that showed an object first
 */
export function sayingsOf(
  items: readonly Shown[],
  makerOf: (key: string) => Call | undefined,
): NonNullable<CallRule['said']> {
  const last = new Map<string, Call>()
  const kinds = items.map(({ call, seen }): readonly [PutKind, Shown] => {
    const key = String(seen.item[seen.id])
    const before = last.get(key)
    last.set(key, call)
    const isSame = Object.entries(call.args).every(
      ([name, value]) => canonicalText(before?.args[name]) === canonicalText(value),
    )
    const kind = makerOf(key) === call ? 'made' : before !== undefined && isSame ? 'same' : 'changed'
    return [kind, { call, seen }]
  })
  const entries = [...groupBy(kinds, ([kind]) => kind)].map(([kind, own]): [PutKind, CallSaying] => {
    const all = own.map(([, { seen }]) => seen.item)
    const shows = [...new Set(all.flatMap((item) => Object.keys(item)))]
    const sets = shows.filter((name) => all.every((item) => item[name] === true))
    return [
      kind,
      { shows, ...(sets.length > 0 && { sets: Object.fromEntries(sets.map((name) => [name, true])) }) },
    ]
  })
  return Object.fromEntries(entries)
}

/** What lists say of an id that no object has. @param at where they have the objects, as a JSON pointer */
export function absentIn(fine: readonly CallSample[], at: string, ids: string | undefined): unknown {
  const place = at.slice(0, at.indexOf('/-'))
  const found = fine.flatMap(({ call, value }) => {
    const listed = readPointer(place).length === 0 ? value : valueAt(value, place)
    const absent = [listed ?? []].flat().find((each) => isObject(each) && isAbsent(each))
    const wanted = [ids === undefined ? [] : call.args[ids]].flat()
    const id = wanted.find((each) => isObject(absent) && Object.values(absent).includes(each))
    return absent === undefined || id === undefined ? [] : [opened(absent, id)]
  })
  return found[0]
}
