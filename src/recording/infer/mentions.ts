import { isObject } from '../../engine/model/schema.ts'
import type { Sample } from './sample.ts'

/** In which fields of answers a text or number was seen: what proves that a path segment is a value. */
export interface Mentions {
  /** Names of the fields that held the value in answers to other requests than those given. */
  fieldsOf(value: string, except: ReadonlySet<number>): ReadonlySet<string>
}

const MOST_PLACES = 64

/** Reads all answers of a recording once. */
export function findMentions(samples: readonly Sample[]): Mentions {
  const places = new Map<string, { readonly index: number; readonly field: string }[]>()
  const note = (value: unknown, field: string, index: number): void => {
    if (Array.isArray(value)) for (const item of value) note(item, field, index)
    else if (isObject(value)) for (const [name, part] of Object.entries(value)) note(part, name, index)
    else if (typeof value === 'string' || typeof value === 'number') {
      const known = places.get(String(value)) ?? []
      places.set(String(value), known)
      if (known.length < MOST_PLACES && field !== '') known.push({ index, field })
    }
  }
  for (const { response, status, index } of samples) if (status < 400) note(response, '', index)
  return {
    fieldsOf(value, except) {
      const found = (places.get(value) ?? []).filter(({ index }) => !except.has(index))
      return new Set(found.map(({ field }) => field))
    },
  }
}
