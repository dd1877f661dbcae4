import { entryOf } from '../../../grouping.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../../calls/objects.ts'
import { ownerOf, setPlaceOf } from './named-sets.ts'
import { readOptions } from './query-options.ts'
import { entitiesIn, type Seen } from './seen.ts'
import {
  type EntitySet,
  isHidden,
  KEY,
  keyOf,
  listMember,
  OWNER,
  predicateOf,
  readPredicate,
} from './service.ts'
import { headOf, keyIn } from './segments.ts'

/** An entity as an answer shows it. */
export interface ShownEntity {
  readonly set: string
  readonly item: Item
  /** Whether it is the whole of the answer, or in a list of the set itself in its usual order. */
  readonly isOrdered: boolean
}

/** What is known of the entities of a set before a recording changed it. */
export interface Known {
  readonly items: Map<string, Record<string, unknown>>
  readonly created: Set<string>
  readonly changed: Map<string, Set<string>>
  readonly order: string[]
}

type Sets = Readonly<Record<string, EntitySet>>

/** The entities that there were before the recording began, by set. */
export function initialEntities(seen: readonly Seen[], sets: Sets): ReadonlyMap<string, readonly Item[]> {
  const known = new Map<string, Known>()
  const of = (set: string): Known =>
    entryOf(known, set, () => ({ items: new Map(), created: new Set(), changed: new Map(), order: [] }))
  for (const each of seen) {
    if (each.status >= 300) continue
    noteWritten(each, sets, of)
    for (const shown of shownEntities(each, sets)) noteShown(shown, sets, of)
  }
  noteReferred(seen, sets, of)
  return new Map(
    Object.entries(sets).map(([name, set]) => {
      const { items, order } = of(name)
      const rank = (id: string): number => (order.includes(id) ? order.indexOf(id) : Number.MAX_SAFE_INTEGER)
      const ordered = [...items].toSorted(([a], [b]) => rank(a) - rank(b)).map(([, item]) => item)
      return [name, ordered.map((item) => whole(item, set, ordered))]
    }),
  )
}

// What an entity names is there, unless it was seen not to be.
function noteReferred(seen: readonly Seen[], sets: Sets, of: (set: string) => Known): void {
  const gone = new Set(seen.filter(({ status }) => status === 404).map(({ segments }) => segments[0] ?? ''))
  for (const [name, { links }] of Object.entries(sets))
    for (const { to, isMany, by = [] } of Object.values(links)) {
      const other = sets[to]
      const isKey = other !== undefined && by.every(([, theirs], at) => other.keys[at] === theirs)
      if (isMany || !isKey || by.length !== other.keys.length || by.length === 0) continue
      for (const item of of(name).items.values()) {
        const named = Object.fromEntries(by.map(([ours, theirs]) => [theirs, item[ours]]))
        const id = keyOf(other, named)
        const { items, created } = of(to)
        if (id === undefined || items.has(id) || created.has(id)) continue
        if (!gone.has(`${to}${predicateOf(other, named)}`))
          items.set(id, { ...(by.length > 1 && { [KEY]: id }), ...named })
      }
    }
}

// What no answer showed of an entity is nothing where others have nothing, and else as it is of another one.
function whole(item: Item, { properties }: EntitySet, all: readonly Item[]): Item {
  const left = Object.keys(properties).filter((name) => item[name] === undefined)
  const parts = left.map((name) => {
    const values = all.map((other) => other[name]).filter((value) => value !== undefined)
    return [name, values.includes(null) ? null : (values[0] ?? properties[name])] as const
  })
  return { ...item, ...Object.fromEntries(parts) }
}

function noteShown({ set, item, isOrdered }: ShownEntity, sets: Sets, of: (set: string) => Known): void {
  const own = sets[set]
  const id = own && keyOf(own, item)
  if (own === undefined || id === undefined) return
  const { items, created, changed, order } = of(set)
  if (created.has(id)) return
  if (isOrdered && !order.includes(id)) order.push(id)
  const before = items.get(id)
  const gone = changed.get(id)
  const fresh = Object.entries(item).filter(
    ([name]) => own.links[name] === undefined && isData(name) && before?.[name] === undefined,
  )
  // What a change made of it is better than nothing.
  const usable = gone?.has('') === true && before === undefined ? [] : fresh
  if (usable.length === 0) return
  items.set(id, { ...(own.keys.length > 1 && { [KEY]: id }), ...before, ...Object.fromEntries(usable) })
}

function isData(name: string): boolean {
  return !name.includes('@') || isHidden(name) || name === '@odata.etag' || name === '@etag'
}

function noteWritten(
  { method, segments, body, value, status, answered }: Seen,
  sets: Sets,
  of: (set: string) => Known,
): void {
  const place = setPlaceOf(segments)
  const set = place?.set ?? headOf(segments[0])
  const own = sets[set]
  if (method === 'GET' || own === undefined) return
  const owned = ownerOf(segments)
  const key = keyIn(place?.segment ?? segments[0])
  const given = key === undefined ? undefined : { ...readPredicate(own, key), ...owned }
  const id = given && keyOf(own, given)
  if (method === 'POST' && place !== undefined) {
    const located = keyIn(
      answered['location']?.split('/').at(-1) ?? answered['odata-entityid']?.split('/').at(-1),
    )
    const named = located === undefined ? undefined : readPredicate(own, located)
    const made = { ...named, ...(isObject(body) && body), ...(isObject(value) && value), ...owned }
    noteCreated(set, made, sets, of)
  } else if (method === 'POST' && segments.length === 2 && isObject(value)) {
    const to = own.links[headOf(segments[1])]?.to
    if (to !== undefined) noteCreated(to, value, sets, of)
  } else if (id !== undefined && place !== undefined) {
    const isNew = method === 'PUT' && !of(set).items.has(id) && own.keys.includes(OWNER)
    if (method === 'DELETE' || status === 201 || isNew) of(set).created.add(id)
    else for (const name of Object.keys(isObject(body) ? body : {})) noteChange(of(set), id, name)
  } else if (id !== undefined && segments.length === 2) noteChange(of(set), id, headOf(segments[1]))
}

function noteChange({ changed }: Known, id: string, name: string): void {
  entryOf(changed, id, () => new Set<string>()).add(name)
}

function noteCreated(set: string, item: Item, sets: Sets, of: (set: string) => Known): void {
  const own = sets[set]
  const id = own && keyOf(own, item)
  if (own === undefined || id === undefined) return
  of(set).created.add(id)
  for (const [name, { to }] of Object.entries(own.links))
    for (const part of [item[name] ?? []].flat()) if (isObject(part)) noteCreated(to, part, sets, of)
}

/** All entities that an answer shows, those within others included. */
export function shownEntities({ segments, query, value }: Seen, sets: Sets): readonly ShownEntity[] {
  if (!isObject(value)) return []
  let set = headOf(segments[0])
  let owner: { readonly set: string; readonly id: string | undefined } | undefined
  for (const [at, segment] of segments.slice(1).entries()) {
    const own = sets[set]
    const link = own?.links[headOf(segment)]
    if (own === undefined || link === undefined) return []
    const key = keyIn(segments[at])
    const given = key === undefined ? undefined : readPredicate(own, key)
    owner = { set, id: given && keyOf(own, given) }
    set = link.to
  }
  if (sets[set] === undefined) return []
  const options = readOptions(query)
  const isUsual = 'option' in options || options.order.length === 0
  const isOrdered = setPlaceOf(segments) !== undefined && isUsual && Array.isArray(value['value'])
  const within = owner?.id !== undefined && set.includes('/') ? { [OWNER]: owner.id } : {}
  return entitiesIn(value).flatMap((item) =>
    withParts({ set, item: { ...item, ...within }, isOrdered }, sets),
  )
}

function withParts({ set, item, isOrdered }: ShownEntity, sets: Sets): readonly ShownEntity[] {
  const own = sets[set]
  const id = own && keyOf(own, item)
  const links = Object.entries(own?.links ?? {}).filter(([name]) => Object.hasOwn(item, name))
  const parts = links.flatMap(([name, { to }]) =>
    [item[name] ?? []]
      .flat()
      .filter((part) => isObject(part))
      .map((part) => ({ name, to, part })),
  )
  const lists = links
    .filter(([, { by }]) => by === undefined)
    .map(([name, { to }]): [string, unknown] => [
      listMember(name),
      parts.flatMap((each) => (each.name === name && sets[to] ? (keyOf(sets[to], each.part) ?? []) : [])),
    ])
  const within = (to: string): Item => (to.includes('/') && id !== undefined ? { [OWNER]: id } : {})
  return [
    { set, item: { ...item, ...Object.fromEntries(lists) }, isOrdered },
    ...parts.flatMap(({ to, part }) =>
      withParts({ set: to, item: { ...part, ...within(to) }, isOrdered: false }, sets),
    ),
  ]
}
