import { entryOf, groupBy } from '../../../grouping.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { idMember } from '../../calls/id-members.ts'
import type { Item } from '../../calls/objects.ts'
import { readOptions } from './query-options.ts'
import { setPlaceOf } from './named-sets.ts'
import { entitiesIn, type Seen } from './seen.ts'
import { type EntitySet, type Link, readPredicate } from './service.ts'
import { headOf, keyIn } from './segments.ts'

/** What answers show of the sets of a service that does not describe itself. */
export function observeSets(seen: readonly Seen[]): Readonly<Record<string, EntitySet>> {
  const shown = new Map<string, Shown>()
  const showOf = (name: string): Shown =>
    entryOf(shown, name, () => ({ items: [], wholes: [], named: [], links: new Map() }))
  const fine = seen.filter(({ status, value }) => status < 300 && isObject(value))
  for (const { segments, query, value, answered } of fine) {
    const [first, second] = segments
    if (first === undefined || first.startsWith('$')) continue
    const place = setPlaceOf(segments)
    const own = showOf(place?.set ?? headOf(first))
    if (
      place === undefined &&
      segments.length === 2 &&
      second !== undefined &&
      /^[A-Za-z_]\w*$/.test(second)
    ) {
      const isMany = isObject(value) && Array.isArray(value['value'])
      const isLink = isMany || !Object.hasOwn(value as Item, 'value')
      if (isLink)
        own.links.set(second, {
          isMany,
          others: [...(own.links.get(second)?.others ?? []), ...entitiesIn(value)],
        })
    }
    if (place === undefined) continue
    const items = entitiesIn(value)
    const isWhole = !('$select' in query)
    for (const item of items) {
      own.items.push(item)
      if (isWhole) own.wholes.push(item)
    }
    const key = keyIn(place.segment) ?? keyIn(answered['location']?.split('/').at(-1))
    const [item] = items
    if (key !== undefined && item !== undefined && items.length === 1) own.named.push({ key, item })
    const options = readOptions(query)
    for (const { name } of 'option' in options ? [] : options.expand) {
      const parts = items.map((each) => each[name])
      const isMany = parts.some((part) => Array.isArray(part))
      const others = parts.flat().filter((part): part is Item => isObject(part))
      const before = own.links.get(name)
      own.links.set(name, {
        isMany: isMany || before?.isMany === true,
        others: [...(before?.others ?? []), ...others],
      })
    }
  }
  const plain = new Map([...shown].map(([name, each]) => [name, setOf(each)]))
  return Object.fromEntries(
    [...plain].map(([name, set]) => [name, { ...set, links: linksOf(shown.get(name), set, plain) }]),
  )
}

interface Shown {
  readonly items: Item[]
  /** Those with all that they have. */
  readonly wholes: Item[]
  readonly named: { readonly key: string; readonly item: Item }[]
  readonly links: Map<string, { readonly isMany: boolean; readonly others: readonly Item[] }>
}

function setOf({ items, wholes, named, links }: Shown): EntitySet {
  const names = new Set(items.flatMap((item) => Object.keys(item)))
  const properties = [...names].filter((name) => !name.includes('@') && !links.has(name))
  const keys = keysOf(items, named)
  const literals = named.flatMap(({ key }) => (keys.length === 1 ? [key.replace(/^\w+=/, '')] : []))
  const quoted = keys.filter((name) =>
    literals.length > 0
      ? literals.every((text) => text.startsWith("'"))
      : items.some((item) => typeof item[name] === 'string'),
  )
  // A property of the set is what all of its entities have.
  const everywhere = properties.filter((name) => wholes.every((item) => Object.hasOwn(item, name)))
  return {
    ...{ keys, quoted, properties: Object.fromEntries(everywhere.map((name) => [name, null])), links: {} },
    ...(everywhere.length < properties.length && { isOpen: true }),
  }
}

function keysOf(items: readonly Item[], named: Shown['named']): readonly string[] {
  const [first] = named
  if (first !== undefined && /^[A-Za-z_]\w*=/.test(first.key))
    return Object.keys(readPredicate({ keys: [] }, first.key) ?? {})
  const found = Object.keys(first?.item ?? {}).filter((name) =>
    named.every(
      ({ key, item }) =>
        String(Object.values(readPredicate({ keys: [''] }, key) ?? {})[0]) === String(item[name]),
    ),
  )
  const usual = idMember(items[0] ?? {}, new Set(found))
  return [usual !== undefined && (found.length === 0 || found.includes(usual)) ? usual : (found[0] ?? 'ID')]
}

function linksOf(
  shown: Shown | undefined,
  own: EntitySet,
  sets: ReadonlyMap<string, EntitySet>,
): EntitySet['links'] {
  const found = [...(shown?.links ?? [])].flatMap(([name, { isMany, others }]): [string, Link][] => {
    const to = targetOf(others, sets)
    if (to === undefined) return []
    const by = constraintOf(shown?.items ?? [], name, own, sets.get(to))
    return [[name, { to, isMany, by }]]
  })
  return Object.fromEntries(found)
}

// The set whose entities have the most in common with those that are linked.
function targetOf(others: readonly Item[], sets: ReadonlyMap<string, EntitySet>): string | undefined {
  const names = new Set(others.flatMap((other) => Object.keys(other)).filter((name) => !name.includes('@')))
  const shared = [...sets].map(([set, { properties }]) => ({
    set,
    count: [...names].filter((name) => Object.hasOwn(properties, name)).length,
    all: Object.keys(properties).length,
  }))
  const [best] = shared.toSorted((a, b) => b.count - a.count || a.all - b.all)
  return best !== undefined && best.count * 2 > names.size ? best.set : undefined
}

// A property that repeats the key of the other, or one of all others that repeats the own key.
function constraintOf(
  items: readonly Item[],
  name: string,
  own: EntitySet,
  other: EntitySet | undefined,
): Link['by'] {
  const pairs = items.flatMap((item) =>
    [item[name] ?? []].flat().flatMap((part: unknown) => (isObject(part) ? [{ item, part }] : [])),
  )
  const [first] = pairs
  if (first === undefined || other === undefined) return undefined
  const candidates = Object.keys(first.item)
    .filter((ours) => !ours.includes('@') && ours !== name)
    .flatMap((ours) => Object.keys(first.part).map((theirs) => [ours, theirs] as const))
    .filter(([ours, theirs]) => ours !== theirs || !other.keys.includes(theirs))
    .filter(([ours, theirs]) =>
      pairs.every(
        ({ item, part }) =>
          item[ours] !== null && typeof item[ours] !== 'object' && item[ours] === part[theirs],
      ),
    )
  const kept = candidates.filter(([ours, theirs]) => other.keys.includes(theirs) || own.keys.includes(ours))
  const values = (pair: readonly [string, string]): number => groupBy(pairs, ({ item }) => item[pair[0]]).size
  const [best] = kept.toSorted((a, b) => values(b) - values(a))
  return best === undefined ? undefined : [best]
}
