import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { type Item, listIn } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** A write that was answered with a list, and what it did to that. */
interface ListedWrite {
  readonly sample: Sample
  /** The item that it wrote; `undefined` for one that it removed. */
  readonly item: Item | undefined
  /** Whether the list is known to be what the last read showed, but for that item. */
  readonly isSure: boolean
}

/**
 * Samples in which writes that are answered with the whole list of their collection have the item that they wrote, so that
 * they can be learned from as if they had been answered so.
 */
export function withListedWrites(samples: readonly Sample[]): readonly Sample[] {
  const reads = new Map<string, unknown>()
  for (const sample of samples) if (isRead(sample)) reads.set(pathKey(sample), sample.response)
  const last = new Map<string, readonly Item[]>()
  const seen: (readonly [key: string, ListedWrite | undefined])[] = []
  for (const sample of samples) {
    const { method, status, response } = sample
    if (isRead(sample)) last.set(pathKey(sample), listIn(response)?.items ?? [])
    if (status >= 300 || !/^(POST|PUT|PATCH|DELETE)$/.test(method)) continue
    const above = pathKey({ ...sample, segments: sample.segments.slice(0, -1) })
    const at = method === 'POST' && reads.has(pathKey(sample)) ? pathKey(sample) : above
    const read = reads.get(at)
    if (read === undefined) continue
    const items = isLikeList(response, read) ? (listIn(response)?.items ?? []) : undefined
    seen.push([`${method} ${at}`, items && writeIn(sample, items, last.get(at), at === above)])
    if (items !== undefined) last.set(at, items)
  }
  const found = [...groupBy(seen, ([key]) => key).values()].flatMap((own) => {
    const writes = own.flatMap(([, write]) => write ?? [])
    return writes.length === own.length && writes.some(({ isSure }) => isSure) ? writes : []
  })
  if (found.length === 0) return samples
  const effects = new Map(found.map(({ sample, item }) => [sample, item]))
  return samples.map((sample): Sample => {
    if (!effects.has(sample)) return sample
    const { response: listed, ...rest } = sample
    const item = effects.get(sample)
    return { ...rest, listed, isEmpty: true, ...(item !== undefined && { response: item }) }
  })
}

function isRead({ method, status, query, response }: Sample): boolean {
  return method === 'GET' && status < 300 && Object.keys(query).length === 0 && listIn(response) !== undefined
}

function pathKey({ origin, segments }: Sample): string {
  return `${origin} ${segments.join('/')}`
}

// A list at the same place, with the same around it.
function isLikeList(response: unknown, read: unknown): boolean {
  if (!isDeepStrictEqual(listIn(response)?.path, listIn(read)?.path)) return false
  if (Array.isArray(response)) return Array.isArray(read)
  return isObject(response) && isObject(read) && isDeepStrictEqual(namesOf(response), namesOf(read))
}

function namesOf(value: Item): readonly string[] {
  return Object.keys(value).toSorted()
}

function writeIn(
  sample: Sample,
  items: readonly Item[],
  before: readonly Item[] | undefined,
  isItem: boolean,
): ListedWrite | undefined {
  const { method, body, segments } = sample
  const known = new Set((before ?? []).map((item) => JSON.stringify(item)))
  const others = items.filter((item) => !known.has(JSON.stringify(item)))
  if (isItem) {
    const id = segments.at(-1) ?? ''
    const own = items.filter((item) => isNamed(item, id))
    if (method === 'DELETE')
      return own.length > 0
        ? undefined
        : { sample, item: undefined, isSure: before?.length === items.length + 1 && others.length === 0 }
    const [item, ...more] = own
    if (item === undefined || more.length > 0) return undefined
    return { sample, item, isSure: before?.length === items.length && others.every((each) => each === item) }
  }
  if (method !== 'POST' || !isObject(body)) return undefined
  const item = others.findLast((each) => hasSent(each, body))
  const isSure = before !== undefined && items.length === before.length + 1 && others.length === 1
  return item && { sample, item, isSure }
}

function isNamed(item: Item, id: string): boolean {
  return Object.values(item).some((value) => isScalar(value) && String(value) === id)
}

function hasSent(item: Item, body: Item): boolean {
  const sent = Object.entries(body).filter(([name, value]) => isScalar(value) && Object.hasOwn(item, name))
  return sent.length > 0 && sent.every(([name, value]) => item[name] === value)
}
