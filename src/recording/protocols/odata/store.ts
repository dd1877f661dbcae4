import { isObject } from '../../../engine/schema/schema.ts'
import { freshId, type Item, put } from '../../calls/objects.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { type Entities, ownValue } from './entities.ts'
import { NO_OPTIONS, type QueryOptions } from './query-options.ts'
import { Refusal } from './refusal.ts'
import { etagOf } from './request.ts'
import { type Owner, resolvePath } from './resource-path.ts'
import { type EntitySet, KEY, keyOf, listMember, membersIn, OWNER, predicateOf } from './service.ts'
import { segmentsBelow } from './segments.ts'

/** Stores an entity, and those within it. @throws Refusal where there is one with its key */
export function store(
  entities: Entities,
  set: string,
  body: Item,
  fresh: Fresh,
  owner: Owner | undefined,
): { readonly item: Item; readonly expand: QueryOptions['expand'] } {
  const own = entities.setOf(set)
  const objects = entities.objects(set)
  const { links } = own
  const plain = plainMembers(own, body)
  const [only = ''] = own.keys
  const given = {
    ...own.properties,
    ...madeMembers(own.made, fresh),
    ...plain,
    ...boundMembers(entities, set, body),
    ...(owner === undefined ? {} : ownedMembers(entities, owner)),
  } as Record<string, unknown>
  if (own.etag !== undefined) given['@odata.etag'] = nextEtag(own.etag, given, fresh)
  if (own.keys.length === 1 && (given[only] === undefined || given[only] === null))
    given[only] = freshId(objects, fresh)
  const key = keyOf(own, given)
  if (key === undefined)
    throw new Refusal('required', { set, property: own.keys.find((name) => given[name] == null) ?? '' })
  if (objects.items.has(key))
    throw new Refusal('exists', { set, key, predicate: predicateOf(own, given), keys: own.keys.join(',') })
  const item = own.keys.length > 1 ? { [KEY]: key, ...given } : given
  put(objects, item)
  const nested = Object.entries(body).filter(
    ([name, value]) => links[name] !== undefined && typeof value === 'object' && value !== null,
  )
  for (const [name, value] of nested) {
    const others = [value].flat().filter((each) => isObject(each))
    const link = { set, item, link: name }
    const stored = others.map((other, at) =>
      store(entities, links[name]?.to ?? '', other, { ...fresh, seed: `${fresh.seed} ${name} ${at}` }, link),
    )
    noteLinked(
      entities,
      link,
      stored.map((each) => each.item),
    )
  }
  if (owner !== undefined) noteLinked(entities, owner, [item])
  return {
    item: objects.items.get(key) ?? item,
    expand: nested.map(([name]) => ({ name, options: NO_OPTIONS, text: '' })),
  }
}

/** What a body says of an entity itself. */
export function plainMembers({ links }: EntitySet, body: Item): Item {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !name.includes('@') && links[name] === undefined),
  )
}

/** What a body says of what an entity is linked to: `author@odata.bind: "Authors(5)"`, or `author: { "@id": "Authors(5)" }`. */
export function boundMembers(entities: Entities, set: string, body: Item): Item {
  const found = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    const [, member] = /^(.+)@odata\.bind$/.exec(name) ?? []
    const id = membersIn(value)['@odata.id'] ?? membersIn(value)['@id']
    const [link, reference] = member === undefined ? [name, id] : [member, value]
    if (reference === undefined || entities.setOf(set).links[link] === undefined) return []
    const others = [reference]
      .flat()
      .flatMap((each) => (typeof each === 'string' ? referred(entities, each) : undefined) ?? [])
    const { by } = entities.setOf(set).links[link] ?? {}
    const [other] = others
    if (by !== undefined) return by.map(([ours, theirs]) => [ours, other?.item[theirs] ?? null])
    return [[listMember(link), others.map(({ set: to, item }) => keyOf(entities.setOf(to), item))]]
  })
  return Object.fromEntries(found)
}

function referred(
  entities: Entities,
  reference: string,
): { readonly set: string; readonly item: Item } | undefined {
  const path = URL.canParse(reference) ? new URL(reference).pathname : reference
  const { root } = entities.service
  const target = resolvePath(
    entities,
    segmentsBelow(path.startsWith(`${root}/`) ? path.slice(root.length) : path),
  )
  return target.kind === 'entity' && target.item !== undefined
    ? { set: target.set, item: target.item }
    : undefined
}

function ownedMembers(entities: Entities, { set, item, link }: Owner): Item {
  const { by = [], isMany } = entities.setOf(set).links[link] ?? { isMany: false }
  if (!isMany && !by.some(([, theirs]) => theirs === OWNER)) return {}
  return Object.fromEntries(by.map(([ours, theirs]) => [theirs, ownValue(entities, set, item, ours)]))
}

// What no property of the other says is kept with the entity.
function noteLinked(entities: Entities, { set, item, link }: Owner, others: readonly Item[]): void {
  const { by, isMany, to } = entities.setOf(set).links[link] ?? {}
  const objects = entities.objects(set)
  const current = objects.items.get(keyOf(entities.setOf(set), item) ?? '')
  if (current === undefined || to === undefined) return
  if (by === undefined) {
    const keys = others.map((other) => keyOf(entities.setOf(to), other))
    const before = isMany === true ? [current[listMember(link)] ?? []].flat() : []
    put(objects, { ...current, [listMember(link)]: [...before, ...keys] })
  } else if (isMany !== true && by.every(([, theirs]) => theirs !== OWNER)) {
    const [other = {}] = others
    put(objects, { ...current, ...Object.fromEntries(by.map(([ours, theirs]) => [ours, other[theirs]])) })
  }
}

/** Members that are made up of the time, by examples of them. */
export function madeMembers(made: EntitySet['made'], fresh: Fresh): Item {
  return Object.fromEntries(
    Object.entries(made ?? {}).map(([name, example]) => [name, freshLike(example, fresh)]),
  )
}

/**
 * The validator of an entity that is made or changed: of what it is made of, or a version that is counted; all others
 * are of the form of those before.
 * @param item as it is now, but for its validator
 */
export function nextEtag(example: string, item: Item, fresh: Fresh): string {
  const [, before = '', member, after = ''] = /^([^]*)\{(\w+)\}([^]*)$/.exec(example) ?? []
  if (member !== undefined) return `${before}${String(item[member])}${after}`
  const last = etagOf(item)
  const [, start = '', count, end = ''] = /^((?:W\/)?"'?)(\d{1,9})('?")$/.exec(last ?? example) ?? []
  if (count === undefined) return freshLike(example, fresh)
  return `${start}${last === undefined ? count : Number(count) + 1}${end}`
}
