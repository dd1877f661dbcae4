import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import type { Stream } from '../random.ts'

/** Words of one kind, such as first names. */
export type WordList = keyof ReturnType<typeof readLists>

/** A word from faker's English data; the data is loaded when a word is first drawn. */
export function pickWord(list: WordList, stream: Stream): string {
  lists ??= readLists()
  return stream.pick(lists[list]) ?? 'word'
}

let lists: ReturnType<typeof readLists> | undefined

/** The bytes of a list's words: within a JSON string, or of their ASCII letters and digits alone. */
export function encodedWords(list: WordList, form: 'json' | 'ascii'): readonly Uint8Array[] {
  const known = encoded[form].get(list)
  if (known !== undefined) return known
  lists ??= readLists()
  const bytes = lists[list].map((word) =>
    Buffer.from(form === 'ascii' ? asciiOf(word) : JSON.stringify(word).slice(1, -1)),
  )
  encoded[form].set(list, bytes)
  return bytes
}

const encoded = {
  json: new Map<WordList, readonly Uint8Array[]>(),
  ascii: new Map<WordList, readonly Uint8Array[]>(),
}

/** Lower-case ASCII letters and digits of a text. */
export function asciiOf(text: string): string {
  const known = plainTexts.get(text)
  if (known !== undefined) return known
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const ascii = plain === '' ? 'x' : plain
  plainTexts.set(text, ascii)
  return ascii
}

// There are only so many words.
const plainTexts = new Map<string, string>()

// Faker's functions cost microseconds a call; its word lists, read once, cost nothing.
function readLists() {
  const require = createRequire(import.meta.url)
  const { faker } = require('@faker-js/faker/locale/en') as { faker: Faker }
  const { animal, color, commerce, company, date, location, lorem, music, person, science, word } =
    faker.rawDefinitions
  return {
    firstName: texts(person?.first_name?.generic),
    lastName: texts(person?.last_name?.generic),
    word: texts(lorem?.word),
    noun: texts(word?.noun),
    adjective: texts(word?.adjective),
    city: texts(location?.city_name),
    country: texts(location?.country),
    countryCode: texts(location?.country_code, 'alpha2'),
    state: texts(location?.state),
    street: texts(location?.street_name),
    language: texts(location?.language, 'name'),
    timeZone: texts(date?.time_zone ?? location?.time_zone),
    color: texts(color?.human),
    department: texts(commerce?.department),
    product: texts(commerce?.product_name?.product),
    productAdjective: texts(commerce?.product_name?.adjective),
    material: texts(commerce?.product_name?.material),
    companyNoun: texts(company?.noun),
    companyAdjective: texts(company?.adjective),
    jobDescriptor: texts(person?.job_descriptor),
    jobArea: texts(person?.job_area),
    jobType: texts(person?.job_type),
    genre: texts(music?.genre),
    animal: texts(animal?.type),
    unit: texts(science?.unit, 'name'),
  }
}

function texts(data: unknown, property?: string): readonly string[] {
  const items: readonly unknown[] = Array.isArray(data) ? data : []
  const named = items.map((item) =>
    property !== undefined && item !== null && typeof item === 'object'
      ? (item as Record<string, unknown>)[property]
      : item,
  )
  return named.filter((item): item is string => typeof item === 'string')
}

/** Draws a text. */
export interface Draw {
  (stream: Stream): string
  /** The lists of which it draws a word each, with spaces between them, where that is all it does. */
  readonly lists?: readonly WordList[]
}
