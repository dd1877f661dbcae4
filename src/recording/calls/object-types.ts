import type { ObjectType } from '../../engine/call-model.ts'
import { countEach } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { argumentsOf, type Call, CREATING, isReading, membersOf } from './call.ts'
import { findTemplates } from './templates.ts'
import type { Item } from './objects.ts'
import { findNumbers } from './server-numbers.ts'
import { linkCounts } from './link-counts.ts'
import { linkedValue } from './linked-lists.ts'
import { type Links, storedItem } from './object-links.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { firstsOf } from './occurrences.ts'
import { partsOfOwners, sequencesIn } from './sequences.ts'
import { fieldName } from './show.ts'

/** What is known of a recording's calls before any of them is a rule. */
export interface Known {
  readonly calls: readonly CallSample[]
  readonly types: ReadonlyMap<string, string>
  readonly links: Links
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
  const { calls, types, firsts, links: all } = known
  const seen = calls.flatMap((sample) =>
    sample.objects.filter(({ place }) => types.get(place) === type).map((each) => ({ ...each, sample })),
  )
  const [id = 'id'] = [...countEach(seen.map((each) => each.id))].toSorted(([, a], [, b]) => b - a)[0] ?? []
  const links = all.get(type) ?? {}
  const isChanged = new Set<string>()
  const items = new Map<string, Item>()
  const values = new Map<string, unknown[]>()
  for (const { sample, ...one } of seen) {
    const { item, place } = one
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
    const { __typename: _type, ...stored } = storedItem(one, types, all)
    if (before === undefined) items.set(key, stored)
    else if (!isChanged.has(key)) items.set(key, { ...stored, ...before })
  }
  const changes = calls.flatMap(({ call }) =>
    !(call.isChange ?? !isReading(call.name)) || CREATING.test(call.name) ? [] : [membersOf(call)],
  )
  const firstMade = (name: string): Iterable<unknown> =>
    firstsOf(
      seen.flatMap(({ item }): [string, unknown][] =>
        items.has(String(item[id])) || !Object.hasOwn(item, name) ? [] : [[String(item[id]), item[name]]],
      ),
    ).values()
  const firstSeen = firstsOf(seen.map((each) => [String(each.item[id]), each] as const))
  const makerOf = (key: string, { call }: CallSample): Call | undefined =>
    isReading(call.name) ? calls.find((each) => answersId(each, key))?.call : call
  const makerOfSeen = (key: string, sample: CallSample): Item => givenTo(makerOf(key, sample))
  // What a call did not give is as it is without that.
  const leftOut = (name: string): readonly unknown[] =>
    [...firstSeen].flatMap(([key, { item, sample }]) => {
      const isMade = sample.call.isChange === true && !items.has(key) && Object.hasOwn(item, name)
      return isMade && !Object.hasOwn(makerOfSeen(key, sample), name) ? [item[name]] : []
    })
  const defaults = [...values].flatMap(([name, all]): [string, unknown][] => {
    if (name === id) return []
    const link = links[fieldName(name)]
    if (link?.shown !== undefined) return []
    if (link !== undefined && (link.by !== undefined || Array.isArray(all[0])))
      return [[name, Array.isArray(all[0]) ? [] : null]]
    if (link !== undefined) return [[name, usualOf(all.map(linkedValue))]]
    // A list that was never empty is as it usually is.
    if (all.some((value) => Array.isArray(value) && value.length === 0)) return [[name, []]]
    const plain = leftOut(name)
    if (plain.length > 0) return [[name, usualOf(plain)]]
    // What a change gave is not what was there before, and what was there from the beginning may be otherwise.
    const others = all.filter((value) => !changes.some((given) => given[name] === value))
    const made = [...firstMade(name)].filter((value) => others.includes(value))
    return [[name, usualOf(made.length > 0 ? made : others.length > 0 ? others : all)]]
  })
  const ids = new Set(seen.map(({ item }) => String(item[id])))
  const seenIds = seen.map(({ item }) => item[id])
  const example =
    seenIds.find((each) => madeKind(String(each)) !== undefined) ??
    leastOf(seenIds.filter((each) => !items.has(String(each)))) ??
    seenIds[0]
  const fresh = [...values].flatMap(([name, all]) => {
    const own = [...firstSeen.values()].map(({ item }) => item[name]).filter((each) => each !== undefined)
    const kinds = own.map((each) => (typeof each === 'string' ? madeKind(each) : undefined))
    const areMade = !kinds.includes(undefined)
    const areTimes = kinds.every((each) => /date|time/.test(each ?? ''))
    // What was renamed is there twice.
    const areDifferent = areTimes || new Set(own).size > own.length * MIN_DIFFERENT
    return name !== id && own.length > 0 && all.length > 0 && areMade && areDifferent ? [name] : []
  })
  const isMakerKnown = [...firstSeen.values()].some(({ sample }) => sample.call.isChange === true)
  // What a call made may be shown whole by others, until it is changed.
  const shownBefore = (key: string, maker: CallSample): Item => {
    const after = seen.slice(seen.findIndex(({ sample }) => sample === maker) + 1)
    const own = after.filter(({ item }) => String(item[id]) === key)
    const changed = own.findIndex(({ sample }) => sample.call.isChange === true)
    const shown = changed === -1 ? own : own.slice(0, changed)
    return Object.assign({}, ...shown.map(({ item }) => item)) as Item
  }
  const ofMade = [...firstSeen].filter(([, { sample }]) => sample.call.isChange === true)
  const sequences = sequencesIn(
    ofMade.map(([key, { sample, ...one }]) => ({
      item: storedItem(one, types, all),
      given: makerOfSeen(key, sample),
    })),
    links,
  )
  const hasSequences = Object.keys(sequences).length > 0
  const seenAs = (wanted: string, key: string): Item =>
    Object.assign(
      {},
      ...calls
        .flatMap(({ objects }) => objects)
        .filter((each) => types.get(each.place) === wanted && String(each.item[each.id]) === key)
        .map(({ item }) => item),
    ) as Item
  const ownersOf = ({ sample: _sample, ...one }: ObjectSeen & { readonly sample: CallSample }): Item =>
    hasSequences ? partsOfOwners({ links, sequences }, storedItem(one, types, all), seenAs) : {}
  const templates = findTemplates(
    // What was only read was made otherwise than those that are known to be made.
    [...firstSeen]
      .filter(([, { sample }]) => !isMakerKnown || sample.call.isChange === true)
      .map(([key, each]) => {
        const { item, sample } = each
        const args = { ...makerOfSeen(key, sample), ...ownersOf(each) }
        const isWhole = sample.call.isChange !== true
        return { item: isWhole ? item : { ...withoutOther(shownBefore(key, sample), args), ...item }, args }
      }),
    id,
    new Set([
      ...Object.keys(sequences),
      ...[...firstSeen.values()].flatMap((each) => Object.keys(ownersOf(each))),
    ]),
  )
  const made = fresh.filter((name) => !Object.hasOwn(templates, name))
  const counts = linkCounts(
    seen.map(({ item }) => item),
    links,
  )
  const isNamed = seen.some(({ isHandle }) => isHandle === true)
  const numbers = isNamed ? findNumbers(seen) : {}
  const hasBytes = [...ids].every(isBase64) && (ids.size > 2 || [...ids].some((each) => each.endsWith('=')))
  return {
    ...{
      id,
      items: inOrder([...items.values()], id),
      links: withUnseen(links, items),
      defaults: Object.fromEntries(defaults),
    },
    ...(example !== undefined && { exampleId: example }),
    ...(hasBytes && { hasBytes }),
    ...(hasSequences && { sequences }),
    ...(Object.keys(templates).length > 0 && { templates }),
    ...(made.length > 0 && { fresh: made }),
    ...(Object.keys(counts).length > 0 && { counts }),
    ...(Object.keys(numbers).length > 0 && { numbers }),
    ...(isNamed && areSorted(known.calls, type, known.types) && { isOrdered: true }),
  }
}

// Whether lists of several objects are in the order of their ids.
function areSorted(calls: readonly CallSample[], type: string, types: Known['types']): boolean {
  const lists = calls.map(({ objects }) =>
    objects
      .filter(({ place, pointer }) => pointer.endsWith('/-') && types.get(place) === type)
      .map(({ item, id }) => String(item[id])),
  )
  const long = lists.filter(({ length }) => length > 2)
  return long.length > 0 && long.every((ids) => ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? '')))
}

// What is called as something that was given, and is not that, is something else.
function withoutOther(item: Item, args: Readonly<Record<string, unknown>>): Item {
  const entries = Object.entries(item)
  return Object.fromEntries(
    entries.filter(([name, value]) => !Object.hasOwn(args, name) || args[name] === value),
  )
}

function answersId({ call, value, outcome }: CallSample, id: string): boolean {
  return outcome.error === undefined && !isReading(call.name) && String(value) === id
}

/** What a call gives to what it makes: members by name, arguments without names by their places, and parts of URLs. */
export function givenTo(call: Call | undefined): Readonly<Record<string, unknown>> {
  if (call === undefined) return {}
  const others = [...argumentsOf(call)].filter(([name]) => /^\d|\?/.test(name))
  return { ...Object.fromEntries(others), ...membersOf(call) }
}

// What was made while recording has only what was given to it.
function withUnseen(links: ObjectType['links'], items: ReadonlyMap<string, Item>): ObjectType['links'] {
  const entries = Object.entries(links).map(([name, { unseen = [], ...link }]) => {
    const left = unseen.filter((id) => items.has(id))
    return [name, left.length === 0 ? link : { ...link, unseen: left }]
  })
  return Object.fromEntries(entries) as ObjectType['links']
}

const MIN_DIFFERENT = 0.6

// The most frequent value, or null where it may be that.
function usualOf(all: readonly unknown[]): unknown {
  if (all.includes(null)) return null
  const counts = [...countEach(all.map((value) => JSON.stringify(value)))]
  const [usual] = counts.toSorted(([, a], [, b]) => b - a)
  return JSON.parse(usual?.[0] ?? 'null') as unknown
}

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

/** Objects in the order of their ids, where these are numbers, or end in them after the same text. */
export function inOrder(items: readonly Item[], id: string): readonly Item[] {
  const areNumbers = items.every((item) => Number.isFinite(Number(item[id])))
  if (areNumbers) return items.toSorted((a, b) => Number(a[id]) - Number(b[id]))
  const ends = new Map(items.map((item) => [item, /^(.*?)([1-9]\d{0,14})$/.exec(String(item[id]))]))
  const prefixes = new Set([...ends.values()].map((found) => found?.[1]))
  if (prefixes.size !== 1 || prefixes.has(undefined)) return items
  const numberOf = (item: Item): number => Number(ends.get(item)?.[2])
  return items.toSorted((a, b) => numberOf(a) - numberOf(b))
}
