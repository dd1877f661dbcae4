import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from './sample.ts'
import { pathOfReference } from './segment-evidence.ts'
import { isScalar } from './values.ts'

/**
 * Samples in which a write that was answered without a body has what the next read showed of what it wrote, so that it
 * can be learned from as if it had been answered so.
 */
export function withEffects(samples: readonly Sample[]): readonly Sample[] {
  /** What later reads showed, by path, until something else was written there. */
  const shown = new Map<string, unknown>()
  const changed = samples.toReversed().map((sample): Sample => {
    const { method, status, origin, segments, query, response, responseHeaders } = sample
    const place = `${origin} ${segments.join('/')}`
    if (status >= 300 || method === 'HEAD') return sample
    if (method === 'GET') {
      if (isObject(response) && Object.keys(query).length === 0) shown.set(place, response)
      return sample
    }
    const isEmpty = response === undefined && sample.binary === undefined && method !== 'DELETE'
    const made = method === 'POST' ? pathOfReference(responseHeaders['location']) : segments.join('/')
    const at = made === undefined ? madeBelow(place, sample.body, shown) : `${origin} ${made}`
    const effect = isEmpty && at !== undefined ? shown.get(at) : undefined
    shown.delete(place)
    if (at !== undefined) shown.delete(at)
    return effect === undefined ? sample : { ...sample, response: effect, mimeType: '', isEmpty: true }
  })
  return changed.toReversed()
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
    const { response: _response, isEmpty: _isEmpty, ...answered } = sample
    return answered
  })
}
