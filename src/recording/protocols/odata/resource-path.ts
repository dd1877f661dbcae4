import type { Item } from '../../calls/objects.ts'
import { type Entities, linked } from './entities.ts'
import { Refusal } from './refusal.ts'
import { byNamer, isNamedSet } from './named-sets.ts'
import { keyText, membersIn, predicateOf, readPredicate, shownKeys } from './service.ts'

/** What a path leads to; an operation is what only the service itself knows. */
export type Target =
  | { readonly kind: 'service' | 'metadata' | 'operation' }
  | ListTarget
  | EntityTarget
  | {
      readonly kind: 'property'
      readonly entity: EntityTarget & { readonly item: Item }
      readonly names: readonly string[]
      readonly isRaw: boolean
      readonly value: unknown
    }

/** Entities of a set, those linked to another one where there is an owner. */
export interface ListTarget {
  readonly kind: 'list' | 'count' | 'references'
  readonly set: string
  readonly items: readonly Item[]
  readonly owner?: Owner | undefined
}

/** One entity, or where it would be. */
export interface EntityTarget {
  readonly kind: 'entity' | 'reference'
  readonly set: string
  readonly item: Item | undefined
  /** What the path says of its key. */
  readonly key: Item
  readonly owner?: Owner | undefined
}

/** What a path names before the last entity. */
export interface Owner {
  readonly set: string
  readonly item: Item
  readonly link: string
}

/** @throws Refusal for what there is not */
export function resolvePath(entities: Entities, segments: readonly string[]): Target {
  const [first, ...rest] = byNamer(segments, entities.service.namer)
  if (first === undefined) return { kind: 'service' }
  if (first === '$metadata' && rest.length === 0) return { kind: 'metadata' }
  const { sets, operations } = entities.service
  const [, name = '', key] = SEGMENT.exec(first) ?? []
  if (operations.includes(name) || first.startsWith('$')) return { kind: 'operation' }
  const set = sets[name]
  if (set === undefined) throw new Refusal('resource', { path: name })
  const items = entities.all(name)
  const start: Target = set.isSingleton
    ? { kind: 'entity', set: name, item: items[0], key: {} }
    : { kind: 'list', set: name, items }
  const found = key === undefined ? start : byKey(entities, start, key)
  return walk(entities, found, rest)
}

const SEGMENT = /^([^()]+)(?:\((.*)\))?$/s

function walk(entities: Entities, target: Target, [segment, ...rest]: readonly string[]): Target {
  if (segment === undefined) return target
  const [, name = '', key] = SEGMENT.exec(segment) ?? []
  if (name.includes('.') || entities.service.operations.includes(name)) return { kind: 'operation' }
  if (target.kind === 'list') {
    if (segment === '$count') return { ...target, kind: 'count' }
    if (segment === '$ref') return { ...target, kind: 'references' }
    if (segment.startsWith('$')) return { kind: 'operation' }
    // Some have keys as segments of their own.
    const { keys, quoted } = entities.setOf(target.set)
    const isText = quoted.some((each) => each === keys[0])
    return walk(
      entities,
      byKey(entities, target, isText ? `'${segment.replaceAll("'", "''")}'` : segment),
      rest,
    )
  }
  if (target.kind === 'property') {
    const value = membersIn(target.value)[name]
    if (segment === '$value' && rest.length === 0) return { ...target, isRaw: true }
    return walk(entities, { ...target, names: [...target.names, name], value }, rest)
  }
  if (target.kind !== 'entity') return { kind: 'operation' }
  const { set, item } = target
  if (segment === '$ref' && rest.length === 0) return { ...target, kind: 'reference' }
  if (segment.startsWith('$')) return { kind: 'operation' }
  const { links, properties } = entities.setOf(set)
  const link = links[name]
  if (item === undefined) {
    if (link !== undefined && isNamedSet(link.to))
      throw new Refusal('resource', { path: keyText(Object.values(target.key)) })
    throw missing(entities, target)
  }
  if (link !== undefined) {
    const owner = { set, item, link: name }
    const items = linked(entities, set, item, name)
    if (!link.isMany) {
      const next: EntityTarget = { kind: 'entity', set: link.to, item: items[0], key: {}, owner }
      return walk(entities, next, rest)
    }
    const list: ListTarget = { kind: 'list', set: link.to, items, owner }
    return walk(entities, key === undefined ? list : byKey(entities, list, key), rest)
  }
  if (key !== undefined || !(Object.hasOwn(properties, name) || Object.hasOwn(item, name)))
    throw new Refusal('resource', { path: name, property: name, set })
  const names = [name]
  return walk(
    entities,
    { kind: 'property', entity: { ...target, item }, names, isRaw: false, value: item[name] },
    rest,
  )
}

/** That an entity is not there. */
export function missing(entities: Entities, { set, key }: Pick<EntityTarget, 'set' | 'key'>): Refusal {
  const own = entities.setOf(set)
  const keys = shownKeys(own)
  const values = keys.map((name) => key[name])
  return new Refusal('entity', {
    ...{ set, key: keyText(values), predicate: predicateOf(own, key) },
    keys: keys.join(','),
  })
}

function byKey(entities: Entities, target: Target, text: string): Target {
  if (target.kind !== 'list') return { kind: 'operation' }
  const { set, items, owner } = target
  const own = entities.setOf(set)
  // What a path has said already need not be in the key.
  const given = readPredicate(own, text)
  if (given === undefined) throw new Refusal('resource', { path: `${set}(${text})` })
  const isSame = (item: Item): boolean =>
    Object.entries(given).every(([name, value]) => String(item[name]) === String(value))
  return { kind: 'entity', set, item: items.find(isSame), key: given, owner }
}
