import type { Item, Objects } from '../../calls/objects.ts'
import { fieldOf } from '../../../collections/list-query.ts'
import { orderValues } from '../../../collections/order-values.ts'
import { type EntitySet, KEY, keyOf, type Link, listMember, type Service } from './service.ts'

/** The entities of a session. */
export interface Entities {
  readonly service: Service
  /** The entities of a set in their usual order. */
  all(set: string): readonly Item[]
  find(set: string, key: string): Item | undefined
  objects(set: string): Objects
  setOf(name: string): EntitySet
}

const NO_SET: EntitySet = { keys: [], quoted: [], properties: {}, links: {} }

/** @param all by the names of their sets */
export function entitiesOf(service: Service, all: ReadonlyMap<string, Objects>): Entities {
  const setOf = (name: string): EntitySet => service.sets[name] ?? NO_SET
  const objects = (set: string): Objects => {
    const found = all.get(set)
    if (found === undefined) throw new TypeError(`no set ${set}`)
    return found
  }
  return {
    service,
    setOf,
    objects,
    find: (set, key) => objects(set).items.get(key),
    all(set) {
      const items = [...objects(set).items.values()]
      if (!service.style.sorts) return items
      const { keys, types } = setOf(set)
      // Those of keys that are made up are in no order.
      if (types?.[keys[0] ?? ''] === 'Guid') return items
      return items.toSorted(
        (a, b) => keys.map((name) => orderValues(a[name], b[name], 'first')).find((sign) => sign !== 0) ?? 0,
      )
    },
  }
}

/** What an entity is linked to by a property. */
export function linked(entities: Entities, set: string, item: Item, name: string): readonly Item[] {
  const link = entities.setOf(set).links[name]
  if (link === undefined) return []
  const { by, to } = link
  if (by === undefined) {
    const keys = [item[listMember(name)] ?? []].flat().map(String)
    return keys.flatMap((key): Item[] => [entities.find(to, key) ?? []].flat())
  }
  const wanted = by.map(([own]) => ownValue(entities, set, item, own))
  if (wanted.some((value) => value === undefined || value === null)) return []
  return entities
    .all(to)
    .filter((other) => by.every(([, theirs], at) => String(other[theirs]) === String(wanted[at])))
}

/** What an entity has that others have as theirs, too. */
export function ownValue(entities: Entities, set: string, item: Item, name: string): unknown {
  return name === KEY ? keyOf(entities.setOf(set), item) : item[name]
}

/** What names in filters stand for: properties, and those of what is linked. */
export function readerOf(entities: Entities, set: string, item: Item): (field: string) => unknown {
  const read = (of: string, from: Item, names: readonly string[]): unknown => {
    const [first = '', ...rest] = names
    const link: Link | undefined = entities.setOf(of).links[first]
    if (link === undefined) return fieldOf(from, names.join('.'))
    const others = linked(entities, of, from, first)
    if (rest[0] === '$count') return others.length
    if (rest.length === 0) return link.isMany ? others : others[0]
    const values = others.map((other) => read(link.to, other, rest))
    return link.isMany ? values : values[0]
  }
  return (field) => read(set, item, field.split('.'))
}
