import { isObject } from '../../../engine/schema/schema.ts'
import type { Item } from '../item-place.ts'
import { pathOf, type Sample } from '../sample.ts'
import { isScalar } from '../values.ts'
import { isTurnedAway } from './find-logins.ts'

/** What was last known, before each request, of the item that its path names. */
export function itemsBefore(samples: readonly Sample[]): (sample: Sample) => Item | undefined {
  const items = new Map<string, Item>()
  const before = new Map<number, Item>()
  for (const sample of samples) {
    const path = `${sample.origin}${pathOf(sample)}`
    const own = items.get(path)
    if (own !== undefined) before.set(sample.index, own)
    const { method, status } = sample
    if (status >= 300) continue
    if (method === 'DELETE') items.delete(path)
    for (const item of shownIn(sample.response)) {
      const id = item['id'] ?? item['_id']
      if (!isScalar(id)) continue
      if (method === 'POST')
        items.set(`${path}/${String(id)}`, { ...items.get(`${path}/${String(id)}`), ...item })
      else if (String(id) === sample.segments.at(-1)) items.set(path, { ...own, ...item })
    }
  }
  return ({ index }) => before.get(index)
}

function shownIn(response: unknown): readonly Item[] {
  if (!isObject(response)) return []
  return [response, ...Object.values(response).filter((part) => isObject(part))]
}

/** A request of a user, with what is known of the item that it is about or sends. */
interface Case {
  readonly sample: Sample
  readonly item: Item
}

/** The field of items that names the user whose they are: all that is refused is of others, and nothing else is. */
export function ownerField(
  samples: readonly Sample[],
  itemOf: (sample: Sample) => Item | undefined,
  isOfUsers: boolean,
): string | undefined {
  const cases = samples.flatMap((sample): readonly Case[] => {
    const shown = sample.method === 'POST' ? sample.body : isRead(sample) ? sample.response : undefined
    const item = itemOf(sample) ?? (isObject(shown) ? shown : undefined)
    return sample.user === undefined || item === undefined ? [] : [{ sample, item }]
  })
  const refused = cases.filter(({ sample }) => isRefusal(sample))
  const fine = cases.filter(({ sample: { status } }) => status < 300)
  const names = new Set(
    refused.flatMap(({ item }) => Object.keys(item)).filter((name) => isOfUsers || !/^_?id$/.test(name)),
  )
  const isOwn = (name: string, { sample, item }: Case): boolean =>
    isScalar(item[name]) && String(item[name]) === sample.caller
  return [...names].find(
    (name) =>
      fine.some((each) => isOwn(name, each)) &&
      fine.every((each) => isOwn(name, each)) &&
      refused.every((each) => isScalar(each.item[name]) && !isOwn(name, each)),
  )
}

function isRead({ method, status }: Sample): boolean {
  return method === 'GET' && status < 300
}

function isRefusal(sample: Sample): boolean {
  return sample.status >= 400 && (isTurnedAway(sample) || sample.status === 404)
}

/** The field that all items listed for a user have the user's id in, where what others made is left out. */
export function listOwner(lists: readonly Sample[], all: readonly Sample[]): string | undefined {
  const plain = lists.filter(({ query, caller = '' }) => !Object.values(query).flat().includes(caller))
  const listed = plain.flatMap(({ response, caller }) => {
    const items = [response, ...Object.values(isObject(response) ? response : {})].find((each) =>
      Array.isArray(each),
    )
    return ((items ?? []) as readonly unknown[]).flatMap((item) => (isObject(item) ? [{ item, caller }] : []))
  })
  const [first] = listed
  if (listed.length < 2) return undefined
  return Object.keys(first?.item ?? {}).find((name) => {
    if (/^_?id$/.test(name)) return false
    const ofUser = listed.every(({ item, caller }) => isScalar(item[name]) && String(item[name]) === caller)
    if (!ofUser) return false
    const made = all.filter(({ method, status }) => method === 'POST' && status < 300)
    return plain.some(({ index, segments, caller }) =>
      made.some(
        (each) =>
          each.index < index &&
          each.segments.join('/') === segments.join('/') &&
          shownIn(each.response).some((item) => isScalar(item[name]) && String(item[name]) !== caller),
      ),
    )
  })
}

const ROLE = /role|type|admin|group|level|perm|scope|plan|staff/i

/** The values of a field that all users have who may do it, and none of the others; no id where nobody may. */
export function allowedUsers(
  samples: readonly Sample[],
  idName: string,
): Readonly<Record<string, readonly unknown[]>> | undefined {
  const of = (some: readonly Sample[]): readonly Item[] =>
    some.flatMap(({ user }) => (user === undefined ? [] : [user]))
  const refused = of(samples.filter(({ status }) => status === 403 || status === 401))
  const fine = of(samples.filter(({ status }) => status < 300))
  if (refused.length > 0 && refused.length === samples.length) return { [idName]: [] }
  if (refused.length === 0 || fine.length === 0) return undefined
  for (const name of Object.keys(fine[0] ?? {})) {
    const able = new Set(fine.map((user) => user[name]))
    if (ROLE.test(name) && refused.every((user) => !able.has(user[name]))) return { [name]: [...able] }
  }
  return undefined
}
