import { createChecker } from '../engine/schema/checker.ts'
import { createTextReader } from '../engine/schema/coerce.ts'
import { compileGenerator } from '../engine/schema/compile.ts'
import { uuid } from '../engine/schema/formats.ts'
import { createResolver, typesOf, type Schema, type SchemaOrBoolean } from '../engine/schema/schema.ts'
import { contentStream, type Seed, type Stream } from '../engine/random.ts'
import type { Address } from './address.ts'
import type { Collection } from '../state/store.ts'

/** The next id of a collection: one that no stored item has, and none that `isTaken` besides. */
export type AssignId = (path: string, collection: Collection, isTaken?: (id: string) => boolean) => unknown

const MOST_ATTEMPTS = 10_000

/**
 * Assigns ids of a schema, as a function of the seed, the collection and how many ids it assigned before.
 * Whole numbers count up; texts without a form of their own are UUIDs.
 */
export function createIds(schema: SchemaOrBoolean, seed: Seed): AssignId {
  const candidate = candidates(schema)
  return (path, collection, isTaken = () => false) => {
    const stream = contentStream(seed, `ids of ${path}`)
    for (let ordinal = collection.assigned; ordinal < collection.assigned + MOST_ATTEMPTS; ordinal++) {
      const id = candidate(ordinal, stream.child(ordinal))
      const text = typeof id === 'string' ? id : JSON.stringify(id)
      if (collection.get(text) !== undefined || isTaken(text)) continue
      collection.assigned = ordinal
      return id
    }
    return uuid(stream.child(collection.assigned))
  }
}

function candidates(schema: SchemaOrBoolean): (ordinal: number, stream: Stream) => unknown {
  if (typeof schema === 'boolean') return (_ordinal, stream) => uuid(stream)
  const { 'x-sim-link': _link, ...own } = schema
  const plain: Schema = own
  const checker = createChecker(plain)
  if (typesOf(plain).includes('integer')) {
    const first = typeof plain['minimum'] === 'number' ? Math.max(1, Math.ceil(plain['minimum'])) : 1
    if (checker.fits(first) && checker.fits(first + 1)) return (ordinal) => first + ordinal
  }
  if (checker.fits(uuid(contentStream('', '')))) return (_ordinal, stream) => uuid(stream)
  const generate = compileGenerator(plain, checker)
  return (_ordinal, stream) => generate(stream, { route: '', input: {}, headers: {}, depth: 0 })
}

/** Reads a path's id as the type of the id's field; `undefined` when it cannot be one. */
export function createIdReader({
  idSchema,
  idField,
}: Pick<Address, 'idSchema' | 'idField'>): (text: string) => unknown {
  if (typeof idSchema === 'boolean' || idField === undefined) return (text) => text
  const checker = createChecker(idSchema)
  const read = createTextReader(idSchema, createResolver(idSchema))
  return (text) => {
    const id = read(text)
    return checker.fits(id) ? id : undefined
  }
}
