import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { DATE, UUID } from '../../shape/formats.ts'
import { areInNoOrder, hasMixedCase } from '../../shape/made-values.ts'
import type { Sample } from './sample.ts'

/** What of an answer has no parts, by its path from the root: `meta.count`; items of a list share theirs, `items[].tag`. */
export function leavesOf(answer: unknown): ReadonlyMap<string, readonly unknown[]> {
  const leaves = new Map<string, unknown[]>()
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`)
    else if (isObject(value)) {
      for (const [name, part] of Object.entries(value)) walk(part, path === '' ? name : `${path}.${name}`)
    } else entryOf(leaves, path, () => []).push(value)
  }
  walk(answer, '')
  return leaves
}

/** In which fields of answers a text or number was seen: what proves that a path segment is a value. */
export interface Mentions {
  /** Names of the fields that held the value in answers to other requests than those given. */
  fieldsOf(value: string, except: ReadonlySet<number>): ReadonlySet<string>
  /** Reads one more answer, of the request with this number. */
  add(response: unknown, index: number): void
}

const MAX_PLACES = 64

/** @param isWanted which texts are ever looked up; others are not kept */
export function createMentions(isWanted: (text: string) => boolean = () => true): Mentions {
  const places = new Map<string, { readonly index: number; readonly field: string }[]>()
  const note = (value: unknown, field: string, index: number): void => {
    if (Array.isArray(value)) for (const item of value) note(item, field, index)
    else if (isObject(value)) for (const [name, part] of Object.entries(value)) note(part, name, index)
    else if (field !== '' && (typeof value === 'string' || typeof value === 'number'))
      notePlace(String(value), field, index)
  }
  const notePlace = (text: string, field: string, index: number): void => {
    if (!isWanted(text)) return
    const known = entryOf(places, text, () => [])
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

/** Where a request has a value that an answer may repeat or be chosen by. */
export interface Source {
  readonly in: 'path' | 'query' | 'body' | 'header' | 'user'
  readonly name: string
}

/** A value that has no parts. */
export type Scalar = string | number | boolean

/** Headers that say something of a request rather than of the client or the connection. */
export const NO_SOURCE =
  /^(accept|accept-.*|host|user-agent|connection|content-.*|cookie|authorization|origin|referer|cache-control|pragma|te|trailer|transfer-encoding|expect|via|forwarded|x-forwarded-.*|sec-.*|if-.*|dnt|priority|upgrade.*)$/

/** The scalars of a request by where they stand. @param path the values of the path's parameters */
export function sourcesOf(sample: Sample, path: Readonly<Record<string, string>>): [Source, Scalar][] {
  const scalars = (place: Source['in'], values: Readonly<Record<string, unknown>>): [Source, Scalar][] =>
    Object.entries(values).flatMap(([name, value]) => (isScalar(value) ? [[{ in: place, name }, value]] : []))
  const headers = Object.entries(sample.headers).filter(([name]) => !NO_SOURCE.test(name))
  return [
    ...scalars('path', path),
    ...scalars('query', sample.query),
    ...(isObject(sample.body) ? scalars('body', sample.body) : []),
    ...scalars('header', Object.fromEntries(headers)),
    ...scalars('user', sample.user ?? {}),
  ]
}

/** Whether a value has no parts. */
export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The form of a JSON value: the names of an object's first fields, in order, or its type. */
export function keysOf(value: unknown, most = Infinity): string {
  if (Array.isArray(value)) return `[${keysOf(value[0], most)}]`
  return isObject(value) ? Object.keys(value).toSorted().slice(0, most).join(',') : typeof value
}

/** A text of a path, query or form as the number or boolean it spells; a text that spells neither stays one. */
export function readScalar(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true'
  // Leading zeros and long digits are codes and ids, which a number would change.
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text
}

/** The values of one place read as scalars, if all of them read as one type; else as the texts they are. */
export function readScalars(texts: readonly string[]): readonly Scalar[] {
  const read = texts.map(readScalar)
  return new Set(read.map((value) => typeof value)).size === 1 ? read : texts
}

/** What a path segment looks like. A `word` may be a name in the path or a slug: only evidence can show. */
export type SegmentKind = 'number' | 'uuid' | 'ulid' | 'date' | 'hash' | 'word'

const KINDS: readonly (readonly [RegExp, SegmentKind])[] = [
  [DATE, 'date'],
  [/^-?\d+$/, 'number'],
  [UUID, 'uuid'],
  // Crockford's base 32 without I, L, O and U; the first digit holds two bits of a 48-bit time.
  [/^[0-7][0-9a-hjkmnp-tv-z]{25}$/i, 'ulid'],
  [/^(?=.*\d)(?=.*[a-f])[0-9a-f]{12,}$/i, 'hash'],
]

/** The kind of a segment by its form alone. */
export function segmentKind(segment: string): SegmentKind {
  return KINDS.find(([form]) => form.test(segment))?.[1] ?? (isDrawnId(segment) ? 'hash' : 'word')
}

// Signs of base 62 or 64 with both cases and digits, which stand in several places, or beside more capitals than words have.
function isDrawnId(segment: string): boolean {
  const isAble = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{16,}$/.test(segment)
  return isAble && (/\d\D+\d/.test(segment) || hasMixedCase(segment) || NAMED_ID.test(segment))
}

// What says the kind, and then signs with a digit between letters and capitals side by side, as words do not have them.
const NAMED_ID = /^[a-z]{2,8}_(?=.*[A-Za-z]\d[A-Za-z])(?=.*[A-Z]{2})[0-9A-Za-z]{14,}$/

/** Whether the signs of a segment are in such disorder, after what may say the kind, that it is an id where something else says so. */
export function mayBeDrawn(segment: string): boolean {
  const own = segment.slice(segment.search(/(?<![0-9A-Za-z])[0-9A-Za-z]+$/))
  return own.length >= MIN_DRAWN && (areInNoOrder([own]) || hasMixedCase(own))
}

/** Shorter segments may be initials and names. */
const MIN_DRAWN = 12
