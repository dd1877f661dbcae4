import { isObject } from '../../../engine/schema/schema.ts'
import { madeKind } from '../../../shape/made-values.ts'
import type { Item } from '../../calls/objects.ts'
import { readOptions } from './query-options.ts'
import { etagOf } from './request.ts'
import { ownerOf, setPlaceOf } from './named-sets.ts'
import { entitiesIn, type Seen } from './seen.ts'
import { type EntitySet, keyOf, membersIn, predicateOf, readPredicate } from './service.ts'
import { keyIn } from './segments.ts'
import { greatestOf } from '../../../statistics.ts'

/** A set with what the answers to requests show that read, make and change its entities. */
export function withMade(name: string, set: EntitySet, fine: readonly Seen[]): EntitySet {
  const own = fine.filter(({ segments }) => setPlaceOf(segments)?.set === name)
  const created = own.flatMap((each, at) => createdBy(each, own.slice(at + 1), set))
  const unsent = (member: string): readonly unknown[] =>
    created.filter(({ sent }) => !Object.hasOwn(sent, member)).map(({ got }) => got[member])
  const members = new Set([...Object.keys(set.properties), ...created.flatMap(({ got }) => Object.keys(got))])
  const properties: Record<string, unknown> = {}
  const times: Record<string, string> = {}
  for (const member of members) {
    if (member.includes('@') || set.links[member] !== undefined || set.keys.includes(member)) continue
    const values = unsent(member)
    const [first] = values
    const isFresh =
      values.length > 0 && values.every((value) => typeof value === 'string' && madeKind(value) !== undefined)
    if (isFresh) times[member] = String(first)
    else if (values.length === 0) properties[member] = set.properties[member] ?? null
    else if (first !== undefined && values.every((value) => JSON.stringify(value) === JSON.stringify(first)))
      properties[member] = first
    else if (values.some((value) => value !== undefined)) properties[member] = set.properties[member] ?? null
  }
  const touched = touchedMembers(own, set)
  const shown = own.flatMap(({ value }) => entitiesIn(value))
  const etag = shown
    .map((item) => item['@odata.etag'] ?? item['@etag'])
    .find((each) => typeof each === 'string')
  const pageSize = pageSizeOf(own)
  const kept = keptMembers(own, set)
  return {
    ...set,
    properties,
    ...(Object.keys(times).length > 0 && { made: times }),
    ...(Object.keys(touched).length > 0 && { touched }),
    ...annotationsOf(own, set),
    ...(typeof etag === 'string' && { etag: etagTemplate(etag, shown) }),
    ...(kept.length > 0 && { kept }),
    ...(pageSize !== undefined && { pageSize }),
  }
}

// What a request made, as it is answered, or as it is read next.
function createdBy(
  { method, body, value, segments }: Seen,
  later: readonly Seen[],
  set: EntitySet,
): readonly { readonly sent: Item; readonly got: Item }[] {
  if (method !== 'POST' || !isObject(body)) return []
  if (isObject(value)) return [{ sent: body, got: value }]
  const owned = ownerOf(segments)
  const id = keyOf(set, { ...body, ...owned })
  const isOf = (item: Item): boolean => id !== undefined && keyOf(set, { ...item, ...owned }) === id
  const next = later.find(({ value: read, query }) => !('$select' in query) && entitiesIn(read).some(isOf))
  const got = entitiesIn(next?.value).find(isOf)
  return got === undefined ? [] : [{ sent: body, got }]
}

// A validator may be made of a property.
function etagTemplate(example: string, shown: readonly Item[]): string {
  const [first = {}] = shown.filter((item) => etagOf(item) !== undefined)
  const names = Object.keys(first).filter((name) => {
    const value = first[name]
    return (
      !name.includes('@') &&
      typeof value === 'string' &&
      value.length > 9 &&
      etagOf(first)?.includes(value) === true
    )
  })
  const isMadeOf = (name: string): boolean =>
    shown.every(
      (item) =>
        item[name] === undefined || etagOf(item)?.includes(JSON.stringify(item[name]).slice(1, -1)) !== false,
    )
  const found = names.find(isMadeOf)
  return found === undefined
    ? example
    : (etagOf(first) ?? example).replace(String(first[found]), `{${found}}`)
}

// What came though others were selected, besides keys.
function keptMembers(own: readonly Seen[], set: EntitySet): readonly string[] {
  const found = own.flatMap(({ query, value }) => {
    const options = readOptions(query)
    if ('option' in options || options.select === undefined || options.select.includes('*')) return []
    const named = [...options.select, ...options.expand.map(({ name }) => name)]
    const names = entitiesIn(value).flatMap((item) => Object.keys(item))
    return names.filter((name) => !named.includes(name) && name in set.properties)
  })
  return [...new Set(found)].toSorted()
}

// Members that are other times after a change that did not name them.
function touchedMembers(own: readonly Seen[], set: EntitySet): Readonly<Record<string, string>> {
  const last = new Map<string, Seen['query']>()
  // By changes that were answered nothing.
  const changed = new Map<string, Item>()
  const found: Record<string, string> = {}
  for (const { method, segments, body, value } of own) {
    const owned = ownerOf(segments)
    const named = keyIn(setPlaceOf(segments)?.segment)
    const isChange = /^(PATCH|PUT|MERGE)$/.test(method)
    if (isChange && named !== undefined && !isObject(value)) {
      const id = keyOf(set, { ...readPredicate(set, named), ...owned })
      if (id !== undefined) changed.set(id, membersIn(body))
    }
    for (const item of entitiesIn(value)) {
      const id = keyOf(set, { ...item, ...owned })
      if (id === undefined || !isObject(value)) continue
      const before = last.get(id)
      const sent = isChange ? membersIn(body) : changed.get(id)
      changed.delete(id)
      if (before !== undefined && sent !== undefined)
        for (const [name, part] of Object.entries(item)) {
          const isSent = Object.hasOwn(sent, name)
          const isTime = typeof part === 'string' && madeKind(part) !== undefined
          if (!isSent && !name.includes('@') && isTime && part !== before[name] && before[name] !== undefined)
            found[name] = part
        }
      last.set(id, { ...before, ...item })
    }
  }
  return found
}

// Annotations that every entity has, with its key in them.
function annotationsOf(own: readonly Seen[], set: EntitySet): Pick<EntitySet, 'annotations'> {
  const items = own.flatMap(({ value }) => entitiesIn(value)).filter((item) => keyOf(set, item) !== undefined)
  const names = Object.keys(items[0] ?? {}).filter(
    (name) => name.startsWith('@') && !/(context|etag|count|nextLink|deltaLink|metadataEtag)$/.test(name),
  )
  const templates = names.flatMap((name): [string, string][] => {
    const texts = items.map((item) => String(item[name]).replace(predicateOf(set, item), '{key}'))
    return texts.every((text) => text === texts[0]) ? [[name, texts[0] ?? '']] : []
  })
  return templates.length === 0 ? {} : { annotations: Object.fromEntries(templates) }
}

// As many as are answered to who names no number and gets a link to more.
function pageSizeOf(own: readonly Seen[]): number | undefined {
  const pages = own.filter(
    ({ value, headers }) =>
      Object.keys(membersIn(value)).some((name) => name.endsWith('nextLink')) &&
      headers['prefer'] === undefined,
  )
  return pages.length === 0 ? undefined : greatestOf(pages.map(({ value }) => entitiesIn(value).length))
}
