import { memberAt, withMember } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import { type Item, listIn } from './item-place.ts'
import { pathOf, type Sample } from './sample.ts'
import { segmentsOfReference } from './segment-evidence.ts'
import { isScalar } from './values.ts'

/** The member that items get, of which none has one. */
export const ID = 'id'

/**
 * Samples whose items have their ids as members, where only their own URLs have them: `{ "secret_ref": "https://…/secrets/7f3a" }`
 * of `/secrets/7f3a`.
 * @returns the changed samples, by their indexes
 */
export function withIdsOfUrls(samples: readonly Sample[]): ReadonlyMap<number, Sample> {
  const changed = new Map<number, Sample>()
  const fine = samples.filter(({ status, response }) => status < 300 && typeof response === 'object')
  const below = groupBy(
    fine.filter(({ segments }) => segments.length > 1),
    (sample) => sample.origin + pathOf({ segments: sample.segments.slice(0, -1) }),
  )
  const at = groupBy(fine, (sample) => sample.origin + pathOf(sample))
  for (const [collection, items] of below) {
    const member = ownUrlIn(items.filter(({ method }) => method === 'GET'))
    if (member === undefined) continue
    const above = items[0]?.segments.slice(0, -1) ?? []
    const others = (at.get(collection) ?? []).filter(({ method }) => method === 'GET' || method === 'POST')
    const all = [...items, ...others].map((sample) => ({ sample, ...completed(sample, member, above) }))
    const areNumbers = all.every(({ ids }) => ids.every((id) => /^\d{1,15}$/.test(id)))
    for (const { sample, ids, withIds } of all)
      if (ids.length > 0) changed.set(sample.index, { ...sample, response: withIds(areNumbers) })
  }
  return changed
}

// The member whose URL is that of the request, in all answers about one item, of which none has its id besides.
function ownUrlIn(reads: readonly Sample[]): string | undefined {
  const [first] = reads
  const ids = new Set(reads.map(({ segments }) => segments.at(-1) ?? ''))
  const isSure = ids.size > 1 || [...ids].every((id) => madeKind(id) !== undefined)
  if (first === undefined || !isSure || !reads.every(({ response }) => isObject(response))) return undefined
  const hasId = ({ response, segments }: Sample): boolean =>
    Object.entries(response as Item).some(
      ([name, value]) => name === ID || (isScalar(value) && String(value) === segments.at(-1)),
    )
  if (reads.some(hasId)) return undefined
  return Object.keys(first.response as Item).find((name) =>
    reads.every(({ response, segments }) => {
      const own = segmentsOf((response as Item)[name])
      return own?.length === segments.length && own.every((each, at) => each === segments[at])
    }),
  )
}

interface Completed {
  readonly ids: readonly string[]
  /** The answer with them. */
  withIds(areNumbers: boolean): unknown
}

function completed({ response }: Sample, member: string, above: readonly string[]): Completed {
  const idOf = (item: Item): string | undefined => {
    const own = segmentsOf(item[member])
    const isBelow = own?.length === above.length + 1 && above.every((each, at) => each === own[at])
    return isBelow && item[ID] === undefined ? own?.at(-1) : undefined
  }
  const withId = (item: Item, areNumbers: boolean): Item => {
    const id = idOf(item)
    return id === undefined ? item : { [ID]: areNumbers ? Number(id) : id, ...item }
  }
  const own = isObject(response) ? idOf(response) : undefined
  if (own !== undefined) return { ids: [own], withIds: (areNumbers) => withId(response as Item, areNumbers) }
  const { items = [], path = [] } = listIn(response) ?? {}
  return {
    ids: items.flatMap((item) => idOf(item) ?? []),
    withIds(areNumbers) {
      const list = (memberAt(response, path) as readonly unknown[]).map((item) =>
        isObject(item) ? withId(item, areNumbers) : item,
      )
      return path.length === 0 ? list : withMember(response as Item, path, list)
    },
  }
}

function segmentsOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'string' && /^(https?:\/\/|\/)/.test(value) ? segmentsOfReference(value) : undefined
}
