import type { ObjectLink, ObjectType } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, groupBy } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { isReading, membersOf } from './call.ts'
import { findTemplates } from './templates.ts'
import type { Item } from './objects.ts'
import { idMember } from './id-members.ts'
import { type CallSample, firstsOf, type ObjectSeen } from './occurrences.ts'

/** What is known of a recording's calls before any of them is a rule. */
export interface Known {
  readonly calls: readonly CallSample[]
  readonly types: ReadonlyMap<string, string>
  /** The call that showed an object first, by type and id. */
  readonly firsts: ReadonlyMap<string, CallSample>
}

/** The calls that showed objects first. */
export function firstCalls(calls: readonly CallSample[], types: Known['types']): Known['firsts'] {
  return firstsOf(
    calls.flatMap((each) => each.objects.map((seen): [string, CallSample] => [objectKey(seen, types), each])),
  )
}

/** An object among all, by type and id. */
export function objectKey({ place, item, id }: ObjectSeen, types: Known['types']): string {
  return `${types.get(place) ?? ''} ${String(item[id])}`
}

/**
 * Objects of one type as they were in the beginning.
 * @param makers the calls that make objects, by what was made by each
 */
export function objectType(type: string, known: Known, makers: Makers): ObjectType {
  const { calls, types, firsts } = known
  const seen = calls.flatMap((sample) =>
    sample.objects.filter(({ place }) => types.get(place) === type).map((each) => ({ ...each, sample })),
  )
  const [id = 'id'] = [...countEach(seen.map((each) => each.id))].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const links = linksOf(type, known)
  const isChanged = new Set<string>()
  const items = new Map<string, Item>()
  const values = new Map<string, unknown[]>()
  for (const { item, sample, place } of seen) {
    const key = String(item[id])
    const own = Object.entries(item).filter(([name]) => name !== '__typename')
    for (const [name, value] of own) values.set(name, [...(values.get(name) ?? []), value])
    const objectName = `${types.get(place) ?? ''} ${key}`
    const first = firsts.get(objectName)
    if (first !== undefined && makers.isMade(objectName, first, item)) continue
    const isChange = sample.call.isChange ?? !isReading(sample.call.name)
    if (isChange) isChanged.add(key)
    const before = items.get(key)
    // What a change showed first says nothing of what was there before but what did not change since.
    if (before === undefined) items.set(key, stored(Object.fromEntries(own), links))
    else if (!isChanged.has(key)) items.set(key, { ...stored(Object.fromEntries(own), links), ...before })
  }
  const defaults = [...values].flatMap(([name, all]): [string, unknown][] => {
    if (name === id || links[name] !== undefined)
      return links[name] === undefined ? [] : [[name, Array.isArray(all[0]) ? [] : null]]
    // A list that was never empty is as it usually is.
    if (all.some((value) => Array.isArray(value) && value.length === 0)) return [[name, []]]
    const [usual] = [...countEach(all.map((value) => JSON.stringify(value)))].toSorted(
      ([, a], [, b]) => b - a,
    )
    return [[name, all.includes(null) ? null : (JSON.parse(usual?.[0] ?? 'null') as unknown)]]
  })
  const ids = new Set(seen.map(({ item }) => String(item[id])))
  const seenIds = seen.map(({ item }) => item[id])
  const example =
    seenIds.find((each) => madeKind(String(each)) !== undefined) ??
    leastOf(seenIds.filter((each) => !items.has(String(each)))) ??
    seenIds[0]
  const firstSeen = firstsOf(seen.map((each) => [String(each.item[id]), each] as const))
  const fresh = [...values].flatMap(([name, all]) => {
    const own = [...firstSeen.values()].map(({ item }) => item[name]).filter((each) => each !== undefined)
    const kinds = own.map((each) => (typeof each === 'string' ? madeKind(each) : undefined))
    const areMade = !kinds.includes(undefined)
    const areTimes = kinds.every((each) => /date|time/.test(each ?? ''))
    // What was renamed is there twice.
    const areDifferent = areTimes || new Set(own).size > own.length * MIN_DIFFERENT
    return name !== id && own.length > 0 && all.length > 0 && areMade && areDifferent ? [name] : []
  })
  const templates = findTemplates(
    [...firstSeen.values()].map(({ item, sample: { call } }) => ({
      item,
      args: isReading(call.name) ? {} : membersOf(call),
    })),
    id,
  )
  const hasBytes = [...ids].every(isBase64) && (ids.size > 2 || [...ids].some((each) => each.endsWith('=')))
  return {
    ...{ id, items: inOrder([...items.values()], id), links, defaults: Object.fromEntries(defaults) },
    ...(example !== undefined && { exampleId: example }),
    ...(hasBytes && { hasBytes }),
    ...(Object.keys(templates).length > 0 && { templates }),
    ...(fresh.length > 0 && { fresh }),
  }
}

const MIN_DIFFERENT = 0.6

// Objects may be seen in another order than they were made in.
function leastOf(ids: readonly unknown[]): unknown {
  const areNumbers = ids.every((each) => Number.isSafeInteger(Number(each)))
  return areNumbers ? ids.toSorted((a, b) => Number(a) - Number(b))[0] : ids[0]
}

function isBase64(text: string): boolean {
  return text !== '' && Buffer.from(text, 'base64').toString('base64') === text
}

/** Says which objects calls made that were recorded. */
export interface Makers {
  /** @param key of the object, as `objectKey` says it @param first the call that showed it first, as `item` */
  isMade(key: string, first: CallSample, item: Item): boolean
}

function inOrder(items: readonly Item[], id: string): readonly Item[] {
  const areNumbers = items.every((item) => Number.isFinite(Number(item[id])))
  return areNumbers ? items.toSorted((a, b) => Number(a[id]) - Number(b[id])) : items
}

// Objects within an object are stored by themselves, and it has their ids where nothing else says which they are.
function stored(item: Item, links: ObjectType['links']): Item {
  const entries = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    const link = links[name]
    if (link === undefined) return [[name, value]]
    if (link.by !== undefined || link.from !== undefined) return []
    const idOf = (each: unknown): unknown => (isObject(each) ? each[idMember(each) ?? 'id'] : null)
    return [[name, Array.isArray(value) ? value.map(idOf) : idOf(value)]]
  })
  return Object.fromEntries(entries)
}

function linksOf(type: string, { calls, types }: Known): Readonly<Record<string, ObjectLink>> {
  const all = calls.flatMap(({ objects }) => objects)
  const within = all.filter(({ parent }) => parent !== undefined && types.get(parent.seen.place) === type)
  const members = groupBy(within, ({ parent }) => parent?.member ?? '')
  const merged = (wanted: string): ReadonlyMap<string, Item> => mergedItems(wanted, all, types)
  const own = merged(type)
  return Object.fromEntries(
    [...members].flatMap(([member, seen]): [string, ObjectLink][] => {
      const to = types.get(seen[0]?.place ?? '') ?? ''
      if (seen.some(({ place }) => types.get(place) !== to)) return []
      const others = merged(to)
      const pairs = seen.flatMap(({ parent, ...each }) =>
        parent === undefined
          ? []
          : [
              {
                other: { ...each, item: others.get(idText(each)) ?? each.item },
                one: { ...parent.seen, item: own.get(idText(parent.seen)) ?? {} },
              },
            ],
      )
      const isList = seen.some(({ pointer }) => pointer.endsWith('/-'))
      const by = isList ? undefined : referenceIn(pairs.map(({ one, other }) => [one, idText(other)]))
      const from = isList ? referenceIn(pairs.map(({ one, other }) => [other, idText(one)])) : undefined
      return [[member, { type: to, ...(by !== undefined && { by }), ...(from !== undefined && { from }) }]]
    }),
  )
}

/** All that was ever said of objects of a type, by their ids. */
export function mergedItems(
  type: string,
  all: readonly ObjectSeen[],
  types: Known['types'],
): ReadonlyMap<string, Item> {
  const found = new Map<string, Item>()
  for (const each of all)
    if (types.get(each.place) === type) found.set(idText(each), { ...found.get(idText(each)), ...each.item })
  return found
}

function idText({ item, id }: Pick<ObjectSeen, 'item' | 'id'>): string {
  return String(item[id])
}

// The member that has an id wherever it was seen.
function referenceIn(
  pairs: readonly (readonly [Pick<ObjectSeen, 'item' | 'id'>, string])[],
): string | undefined {
  const names = new Set(pairs.flatMap(([{ item }]) => Object.keys(item)))
  return [...names].find((name) => {
    const known = pairs.filter(([{ item, id }]) => item[name] !== undefined && name !== id)
    return known.length > 0 && known.every(([{ item }, wanted]) => String(item[name]) === wanted)
  })
}
