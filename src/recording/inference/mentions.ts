import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from './sample.ts'

/** In which fields of answers a text or number was seen: what proves that a path segment is a value. */
export interface Mentions {
  /** Names of the fields that held the value in answers to other requests than those given. */
  fieldsOf(value: string, except: ReadonlySet<number>): ReadonlySet<string>
}

/** Mentions that more answers are added to. */
export interface GrowingMentions extends Mentions {
  /** Reads one more answer, of the request with this number. */
  add(response: unknown, index: number): void
}

const MAX_PLACES = 64

/** @param isWanted which texts are ever asked for; others take no room */
export function createMentions(isWanted: (text: string) => boolean = () => true): GrowingMentions {
  const places = new Map<string, { readonly index: number; readonly field: string }[]>()
  const note = (value: unknown, field: string, index: number): void => {
    if (Array.isArray(value)) for (const item of value) note(item, field, index)
    else if (isObject(value)) for (const [name, part] of Object.entries(value)) note(part, name, index)
    else if (field !== '' && (typeof value === 'string' || typeof value === 'number'))
      notePlace(String(value), field, index)
  }
  const notePlace = (text: string, field: string, index: number): void => {
    if (!isWanted(text)) return
    const known = places.get(text) ?? []
    places.set(text, known)
    if (known.length >= MAX_PLACES) return
    if (known.every((place) => place.index !== index || place.field !== field)) known.push({ index, field })
  }
  return {
    add: (response, index) => note(response, '', index),
    fieldsOf(value, except) {
      const found = (places.get(value) ?? []).filter(({ index }) => !except.has(index))
      return new Set(found.map(({ field }) => field))
    },
  }
}

/** Reads all answers of a recording once. */
export function findMentions(samples: readonly Sample[]): Mentions {
  const mentions = createMentions()
  for (const { response, status, index } of samples) if (status < 400) mentions.add(response, index)
  return mentions
}
