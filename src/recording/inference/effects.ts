import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import { type Item, listIn } from './item-place.ts'
import { withListedWrites } from './listed-writes.ts'
import type { Sample } from './sample.ts'
import { locatedPath } from './segment-evidence.ts'
import { isScalar } from './values.ts'

/**
 * Samples in which a write that was answered without a body has what the next read showed of what it wrote, so that it
 * can be learned from as if it had been answered so.
 */
export function withEffects(samples: readonly Sample[]): readonly Sample[] {
  return withLaterReads(withPresence(withListedWrites(samples)))
}

/**
 * Of some things, such as stars and members, answers say nothing but whether they are there: what is read and put without
 * a body is then as if it had been answered with its name.
 */
function withPresence(samples: readonly Sample[]): readonly Sample[] {
  const byParent = groupBy(samples, ({ origin, segments }) => `${origin} ${segments.slice(0, -1).join('/')}`)
  const present = new Set(
    [...byParent.values()].filter(sayOnlyPresence).flatMap((own) => own.filter(isFineAndBare)),
  )
  if (present.size === 0) return samples
  return samples.map((sample) =>
    present.has(sample)
      ? { ...sample, response: { id: sample.segments.at(-1) ?? '' }, mimeType: '', isEmpty: true }
      : sample,
  )
}

function isFineAndBare(sample: Sample): boolean {
  return sample.status < 300 && /^(GET|PUT)$/.test(sample.method) && isBare(sample)
}

function isBare({ response, binary, isCut }: Sample): boolean {
  return response === undefined && binary === undefined && isCut !== true
}

function sayOnlyPresence(own: readonly Sample[]): boolean {
  const about = own.filter(({ method, query }) => method === 'PUT' || Object.keys(query).length === 0)
  const isSome = (method: string, isAbsent: boolean): boolean =>
    about.some((each) => each.method === method && (isAbsent ? each.status === 404 : each.status < 300))
  return (
    isSome('PUT', false) &&
    isSome('GET', false) &&
    isSome('GET', true) &&
    about.every((each) => each.status >= 300 || (isBare(each) && each.body === undefined))
  )
}

function withLaterReads(samples: readonly Sample[]): readonly Sample[] {
  /** What later reads showed, by path, until something else was written there. */
  const shown = new Map<string, unknown>()
  /** What the next list of a path showed, and the paths below it that were written before that. */
  const lists = new Map<string, Listed>()
  const changed = samples.toReversed().map((sample): Sample => {
    const { method, status, origin, segments, query, response } = sample
    const place = `${origin} ${segments.join('/')}`
    if (status >= 300 || method === 'HEAD') return sample
    if (method === 'GET') {
      if (isObject(response) && Object.keys(query).length === 0) shown.set(place, response)
      const listed = listIn(response)?.items ?? []
      if (listed.length > 0) lists.set(place, { items: listed, written: new Set() })
      return sample
    }
    const isEmpty = isBare(sample) && sample.listed === undefined && method !== 'DELETE'
    const made = method === 'POST' ? locatedPath(sample) : segments.join('/')
    const at = made === undefined ? madeBelow(place, sample.body, shown) : `${origin} ${made}`
    const above = at?.slice(0, at.lastIndexOf('/')) ?? place
    const listed = lists.get(above)
    const isKnown = isEmpty && at !== undefined
    const effect = isKnown ? (shown.get(at) ?? (listed && itemAt(at, listed))) : undefined
    // What is put without a body is what it was before.
    const isSaid = method !== 'PUT' || sample.body !== undefined
    if (isSaid) shown.delete(place)
    if (isSaid && at !== undefined) shown.delete(at)
    listed?.written.add(at ?? place)
    return effect === undefined ? sample : { ...sample, response: effect, mimeType: '', isEmpty: true }
  })
  return changed.toReversed()
}

/** A list that was read, and the paths below its own that were written since what is looked at. */
interface Listed {
  readonly items: readonly Item[]
  readonly written: Set<string>
}

// The only item of the list that has the name at which something was made.
function itemAt(at: string, { items, written }: Listed): Item | undefined {
  if (written.has(at)) return undefined
  const name = at.slice(at.lastIndexOf('/') + 1)
  const [item, ...others] = items.filter((each) => Object.values(each).some((value) => isNamed(value, name)))
  return others.length === 0 ? item : undefined
}

function isNamed(value: unknown, name: string): boolean {
  return isScalar(value) && String(value) === name
}

// What names itself in the body of a POST is below its path by that name, and still has it there.
function madeBelow(place: string, body: unknown, shown: ReadonlyMap<string, unknown>): string | undefined {
  if (!isObject(body)) return undefined
  return Object.entries(body)
    .filter(([, value]) => isScalar(value))
    .map(([name, value]) => ({ name, value, at: `${place}/${String(value)}` }))
    .find(({ name, value, at }) => {
      const item = shown.get(at)
      return isObject(item) && item[name] === value
    })?.at
}

/** The samples as they were answered. */
export function withoutEffects(samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => {
    if (sample.isEmpty !== true) return sample
    const { response: _response, isEmpty: _isEmpty, listed, ...answered } = sample
    return listed === undefined ? answered : { ...answered, response: listed }
  })
}
