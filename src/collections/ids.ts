import { contentStream, type Seed, type Stream } from '../engine/random.ts'
import { createChecker } from '../engine/schema/checker.ts'
import { createTextReader } from '../engine/schema/coerce.ts'
import { compileGenerator } from '../engine/schema/compile.ts'
import { uuid } from '../engine/schema/formats.ts'
import { createResolver, typesOf, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import type { Address } from './address.ts'
import { readIdTemplate } from './id-template.ts'

/** An id that is assigned, and how many were assigned or passed over before it. */
export interface AssignedId {
  readonly value: unknown
  readonly ordinal: number
}

/** Assigns the ids of collections. */
export interface AssignId {
  /** The next id of a collection that is not taken. @param assigned how many ids the collection assigned before */
  (path: string, assigned: number, isTaken: (id: string) => boolean): AssignedId
  /** How many ids come before one that a client gave; absent where ids do not count up. */
  readonly ordinalOf?: (id: number) => number
}

const MAX_ATTEMPTS = 10_000

/**
 * Assigns ids of a schema, as a function of the seed, the collection and how many ids it assigned before.
 * Whole numbers count up; texts without a form of their own are UUIDs.
 * @param form how ids are written or made, in place of that
 */
export function createIds(schema: SchemaOrBoolean, seed: Seed, form?: string | Candidate): AssignId {
  const own = typeof form === 'string' ? written(form, schema) : form
  const candidate = own ?? candidates(schema)
  let last: { readonly path: string; readonly stream: Stream } | undefined
  const streamOf = (path: string): Stream => {
    if (last?.path !== path) last = { path, stream: contentStream(seed, `ids of ${path}`) }
    return last.stream
  }
  const assignId = (path: string, assigned: number, isTaken: (id: string) => boolean): AssignedId => {
    const place = (ordinal: number): Stream => streamOf(path).child(ordinal)
    for (let ordinal = assigned; ordinal < assigned + MAX_ATTEMPTS; ordinal++) {
      const value = candidate(ordinal, place)
      if (!isTaken(typeof value === 'string' ? value : JSON.stringify(value))) return { value, ordinal }
    }
    return { value: uuid(place(assigned)), ordinal: assigned }
  }
  if (typeof schema === 'boolean') return assignId
  const first = own === undefined ? firstNumber(schema) : undefined
  if (first === undefined) return assignId
  const checker = createChecker(schema)
  // What has none after it does not count.
  const isFollowed = (id: number): boolean => Number.isSafeInteger(id + MAX_ATTEMPTS) && checker.fits(id + 1)
  return Object.assign(assignId, { ordinalOf: (id: number) => (isFollowed(id) ? id - first : 0) })
}

/** The id that may be assigned at an ordinal. */
export type Candidate = (ordinal: number, place: (ordinal: number) => Stream) => unknown

function written(template: string, schema: SchemaOrBoolean): Candidate | undefined {
  const make = readIdTemplate(template)
  const isNumber = typeof schema !== 'boolean' && typesOf(schema).includes('integer')
  if (make === undefined) return undefined
  return (ordinal, place) => {
    const text = make(ordinal, place(ordinal))
    return isNumber ? Number(text) : text
  }
}

function candidates(schema: SchemaOrBoolean): Candidate {
  const ownUuid: Candidate = (ordinal, place) => uuid(place(ordinal))
  if (typeof schema === 'boolean') return ownUuid
  const { 'x-sim-link': _link, ...own } = schema
  const plain: Schema = own
  const checker = createChecker(plain)
  const first = firstNumber(schema)
  if (first !== undefined) return (ordinal) => first + ordinal
  if (checker.fits(uuid(contentStream('', '')))) return ownUuid
  const generate = compileGenerator(plain, { checker })
  return (ordinal, place) => generate(place(ordinal), { route: '', input: {}, headers: {}, depth: 0 })
}

// Where ids count up.
function firstNumber(schema: SchemaOrBoolean): number | undefined {
  if (typeof schema === 'boolean' || !typesOf(schema).includes('integer')) return undefined
  const { 'x-sim-link': _link, ...plain } = schema
  const checker = createChecker(plain)
  const first = typeof schema['minimum'] === 'number' ? Math.max(1, Math.ceil(schema['minimum'])) : 1
  return checker.fits(first) && checker.fits(first + 1) ? first : undefined
}

/** Reads a path's id as the type of the id's field; `undefined` when it cannot be one. */
export function createIdReader({
  idSchema,
  idPath,
}: Pick<Address, 'idSchema' | 'idPath'>): (text: string) => unknown {
  if (typeof idSchema === 'boolean' || idPath === undefined) return (text) => text
  const checker = createChecker(idSchema)
  const read = createTextReader(idSchema, createResolver(idSchema))
  return (text) => {
    const id = read(text)
    return checker.fits(id) ? id : undefined
  }
}

/** Whether a request gives no id. */
export function isBlank(id: unknown): boolean {
  return id === undefined || id === null || id === ''
}
