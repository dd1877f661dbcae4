import '../../../src/engine/links/built-in.ts'
import type { Scope } from '../../../src/engine/schema/generate.ts'
import { LINK, type Schema } from '../../../src/engine/schema/schema.ts'
import { scopeOf, valuesOf } from '../schema/generating.ts'

/** A text that no generated value is, so that a link's value is known from a generated one. */
export const UNLIKELY = '«linked»'

/** The value of a field with a link in a model called Thing. */
export function fieldOf(field: Schema, input: Scope['input'] = {}, headers: Scope['headers'] = {}): unknown {
  const model = { title: 'Thing', type: 'object', required: ['f'], properties: { f: field } }
  return valuesOf<{ f: unknown }>(model, 1, scopeOf(input, headers))[0]?.f
}

/** A text field whose link is written as data. */
export function linkedText(keyword: object): Schema {
  return { type: 'string', [LINK]: keyword }
}
