import { isObject } from '../../engine/schema/schema.ts'
import { createMentions, type Mentions } from '../inference/mentions.ts'
import type { Sample } from '../inference/sample.ts'

/** What of many samples tells which segments of paths are values: little enough that it can be held at once. */
export interface ThinSamples {
  /** Those that differ, in the order they came, numbered by their `index`. */
  readonly samples: readonly Sample[]
  readonly mentions: Mentions
  add(sample: Sample): void
}

/** As many names of an object as tell its form. */
const NAMES = 3

/** @param words the segments of all paths: nothing else that answers hold is of interest */
export function createThinSamples(words: ReadonlySet<string>): ThinSamples {
  const samples = new Map<string, Sample>()
  const skeletons = new Map<string, unknown>()
  const mentions = createMentions((text) => words.has(text))
  return {
    get samples() {
      return [...samples.values()]
    },
    mentions,
    add({ method, segments, status, response }) {
      const form = JSON.stringify(skeletonOf(response)) ?? ''
      const key = JSON.stringify([method, segments, status, form])
      if (!skeletons.has(form)) skeletons.set(form, skeletonOf(response))
      const known = samples.get(key) ?? {
        ...{ index: samples.size, method, segments, status, response: skeletons.get(form) },
        // The same API at two hosts is one.
        ...{ origin: '', query: {}, headers: {}, responseHeaders: {}, mimeType: '' },
      }
      samples.set(key, known)
      if (status < 400) mentions.add(response, known.index)
    },
  }
}

// The form of an answer: types, and the first names of objects.
function skeletonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [skeletonOf(value[0])]
  if (isObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .slice(0, NAMES)
        .map((name) => [name, null]),
    )
  return typeof value === 'string' ? '' : typeof value === 'number' ? 0 : value
}
