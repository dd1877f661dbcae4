import { isObject } from '../../engine/schema/schema.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { literalPattern } from '../../routing/path-template.ts'
import { argumentsOf, isReading, type ReadCall, REMOVING } from './call.ts'
import type { Item } from './objects.ts'

const IDS = ['id', '_id', 'ID', 'Id', 'uuid', 'guid', 'uid', 'gid']

/** Whether a member is called as ids usually are. */
export function isUsualId(name: string): boolean {
  return IDS.includes(name)
}

/** Members that have the id of something else. */
const OTHER_ID = /^(__|deleted|removed|destroyed|client_?mutation)/i
const OWN_ID = /^(.{3,}?)[-_]?(id|name|arn|key|no|number)$/i

/**
 * The member of an object that has its id: as ids are usually called, one that is named for what the object is, or one
 * that results repeat an argument in.
 * @param what the object is called
 * @param handles the members that calls name objects by, whatever ids they have
 * @param alike the members that objects of one list have alike, which no ids are
 */
export function idMember(
  value: Item,
  repeated: ReadonlySet<string> = NONE,
  what = '',
  handles: ReadonlySet<string> = NONE,
  alike: ReadonlySet<string> = NONE,
): string | undefined {
  const isId = (name: string): boolean => typeof value[name] === 'string' || typeof value[name] === 'number'
  const names = Object.keys(value).filter((name) => isId(name) && !OTHER_ID.test(name) && !alike.has(name))
  const word = what.toLowerCase().replaceAll(/[-_]/g, '')
  const stemOf = (name: string): string | undefined =>
    OWN_ID.exec(name)?.[1]?.toLowerCase().replaceAll(/[-_]/g, '')
  const named = names.filter((name) => word.includes(stemOf(name) ?? ' '))
  // The last word says what it is, and those before whose it is: a `PoolClient` is a client.
  const last = named.filter((name) => new RegExp(`${literalPattern(stemOf(name) ?? '')}(s|es)?$`).test(word))
  const own = last.length > 0 ? last : named
  return (
    [...handles].find((name) => names.includes(name)) ??
    IDS.find((name) => names.includes(name)) ??
    own.find((name) => repeated.has(name)) ??
    own.find((name) => !/name$/i.test(name)) ??
    names.find((name) => repeated.has(name)) ??
    own[0] ??
    names.find((name) => names.length === 1 && OWN_ID.test(name)) ??
    names.find((name) => /(_id|Id|ID|Key|_key)$/.test(name))
  )
}

const NONE: ReadonlySet<string> = new Set()

/** Members that are called as ids are, and have one value in all objects, of which lists have several. */
export function alikeMembers(calls: readonly Pick<ReadCall, 'value'>[]): ReadonlySet<string> {
  const objects = calls.flatMap(({ value }) => objectsWithin(value))
  const lists = calls.flatMap(({ value }) => listsWithin(value))
  return new Set(
    IDS.filter(
      (name) =>
        lists.some((items) => items.filter((item) => Object.hasOwn(item, name)).length > 1) &&
        new Set(objects.flatMap((object) => object[name] ?? [])).size === 1,
    ),
  )
}

function listsWithin(value: unknown, depth = 0): readonly (readonly Item[])[] {
  if (depth > MAX_WITHIN || typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap((part) => listsWithin(part, depth + 1))
  return Array.isArray(value) ? [value.filter(isObject), ...within] : within
}

/** Some objects have longer names, too, such as one with that of the group before it. */
const MIN_REPEATED = 0.8

/** The members that repeat one argument of their calls, which had several values. */
export function repeatedMembers(calls: readonly Pick<ReadCall, 'call' | 'value'>[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const own of groupBy(calls, ({ call }) => call.name).values()) {
    const fine = own.flatMap(({ call, value }) => {
      const object = outermost(value)
      return object === undefined ? [] : [{ args: argumentsOf(call), object }]
    })
    const [first] = fine
    for (const argument of first?.args.keys() ?? []) {
      const wanted = fine.map(({ args }) => String(args.get(argument)))
      // Beside an id, a number of another name is an amount.
      const isAmount = !isUsualId(argument) && [...(first?.args.keys() ?? [])].some(isUsualId)
      for (const name of Object.keys(first?.object ?? {})) {
        if (isAmount && name !== argument && typeof first?.object[name] === 'number') continue
        const alike = fine.filter(({ object }, at) => String(object[name]) === wanted[at])
        const isMost = alike.length >= fine.length * MIN_REPEATED
        if (isMost && new Set(alike.map(({ object }) => object[name])).size > 1) found.add(name)
      }
    }
  }
  const named = new Map<string, Set<string>>()
  for (const { call, value } of calls.filter(({ call: { name } }) => !isReading(name) || isOne(name)))
    for (const [name, given] of Object.entries(call.args)) {
      const own = outermost(value)?.[name]
      if ((typeof own === 'string' || typeof own === 'number') && String(own) === String(given))
        entryOf(named, name, () => new Set<string>()).add(call.name)
    }
  // What is read or removed by it alone is known by it.
  for (const { call } of calls)
    if (isOne(call.name) && Object.keys(call.args).length === 1)
      for (const name of Object.keys(call.args)) if (named.has(name)) found.add(name)
  for (const { call, value } of calls.filter(({ call: { name } }) => isReading(name))) {
    const lists = isObject(value) ? Object.values(value).filter((part) => Array.isArray(part)) : []
    const [item] = lists.length === 1 && lists[0]?.length === 1 ? (lists[0] as unknown[]) : []
    // A list of the one that was wanted repeats its id under the same name.
    for (const [name, wanted] of argumentsOf(call))
      if (isObject(item) && item[name] === wanted && typeof wanted !== 'boolean') found.add(name)
  }
  return found
}

/**
 * The members that calls name objects by to remove them, where objects have an id besides that no change is for: a wiki's
 * pages have numbers, and are changed by their titles.
 */
export function handlesIn(calls: readonly Pick<ReadCall, 'call' | 'value'>[]): ReadonlySet<string> {
  const isChange = ({ call }: Pick<ReadCall, 'call'>): boolean => call.isChange ?? !isReading(call.name)
  const given = new Set(calls.filter(isChange).flatMap(({ call }) => Object.keys(call.args)))
  const objects = calls.filter((each) => !isChange(each)).flatMap(({ value }) => objectsWithin(value))
  const hasOther = (name: string): boolean =>
    objects.some(
      (object) =>
        typeof object[name] === 'string' &&
        Object.entries(object).some(
          ([other, value]) => typeof value === 'number' && /id$/i.test(other) && !given.has(other),
        ),
    )
  const removed = calls.filter((each) => isChange(each) && REMOVING.test(each.call.name))
  const named = removed.flatMap(({ call, value }) =>
    Object.entries(call.args).flatMap(([name, wanted]) =>
      typeof wanted === 'string' && outermost(value)?.[name] === wanted ? [name] : [],
    ),
  )
  return new Set(named.filter(hasOther))
}

function objectsWithin(value: unknown, depth = 0): readonly Item[] {
  if (depth > MAX_WITHIN || typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap((part) => objectsWithin(part, depth + 1))
  return isObject(value) ? [value, ...within] : within
}

const MAX_WITHIN = 4

/** Whether an item of a list only says that what was requested is not there. */
export function isAbsent(item: Item): boolean {
  return Object.entries(item).some(
    ([name, value]) =>
      (value === true && /^(is_?)?(missing|absent|not_?found)$/i.test(name)) ||
      (value === false && /^(is_?)?(found|exists)$/i.test(name)),
  )
}

function isOne(name: string): boolean {
  return /(get|read|show|describe|fetch|info|delete|remove)/i.test(name)
}

/** What answers say of a call beside what came of it. */
const OF_CALLS = /^(result|text|status|message|msg|code|success|ok|error|tag|seq|version)$/i

/** How many members of a value say more than how the call went. */
export function membersIn(value: unknown): number {
  return isObject(value) ? Object.entries(value).filter(([name, part]) => !saysHow(name, part)).length : 0
}

function saysHow(name: string, part: unknown): boolean {
  return OF_CALLS.test(name) && (typeof part !== 'object' || part === null)
}

// An answer may have the object as its only part, beside how the call went.
function outermost(value: unknown): Item | undefined {
  if (!isObject(value)) return undefined
  const [only, ...others] = Object.entries(value).filter(([name, part]) => !saysHow(name, part))
  return others.length === 0 && isObject(only?.[1]) ? only[1] : value
}
