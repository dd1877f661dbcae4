import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import { plainList, plainObject, type PlainField } from './reference-generator.ts'

/** The schema that a field of the reference stands for; its name means nothing, so that only the schema counts. */
function schemaOf({ kind, from = 0, to = 1000, choices = [], fields = {} }: PlainField): Schema {
  const formats = new Set(['uuid', 'date-time', 'email'])
  if (formats.has(kind)) return { type: 'string', format: kind }
  if (kind === 'whole') return { type: 'integer', minimum: from, maximum: to }
  if (kind === 'flag') return { type: 'boolean' }
  if (kind === 'choice') return { enum: choices }
  if (kind === 'first name') return { type: 'string' }
  const properties = Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, schemaOf(part)]))
  return { type: 'object', required: Object.keys(fields), additionalProperties: false, properties }
}

const leaf: fc.Arbitrary<PlainField> = fc.oneof(
  fc.constantFrom<PlainField>({ kind: 'uuid' }, { kind: 'date-time' }, { kind: 'email' }, { kind: 'flag' }),
  fc
    .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(1e9))
    .map(([from, span]): PlainField => ({ kind: 'whole', from, to: from + span })),
  fc
    .uniqueArray(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)), { minLength: 1 })
    .map((choices): PlainField => ({ kind: 'choice', choices })),
)
const { node } = fc.letrec<{ node: PlainField }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .dictionary(fc.stringMatching(/^x[a-z]{1,3}$/), tie('node'), { maxKeys: 4 })
      .map((fields): PlainField => ({ kind: 'object', fields })),
  ),
}))
const fields = fc.dictionary(fc.stringMatching(/^x[a-z]{1,3}$/), node, { minKeys: 1, maxKeys: 6 })
const query = fc.record({ q: fc.string({ unit: 'grapheme' }), n: fc.integer() }, { requiredKeys: [] })
const Query = { type: 'object', properties: { q: { type: 'string' }, n: { type: 'integer' } } }

describe('an answer', () => {
  it('has the bytes that a plain account of it has, made or written at once', () => {
    fc.assert(
      fc.property(fields, query, fc.nat(), fc.integer({ min: 0, max: 5 }), (own, input, seed, count) => {
        const model = schemaOf({ kind: 'object', fields: own })
        const api = new SimAPI({ seed })
        api
          .get('/one', { input: Query, output: model })
          .get('/all', { input: Query, output: list(model), listCount: count })
        const engine = api.engine()
        const search = new URLSearchParams(
          Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString()
        for (const path of ['/one', '/all']) {
          const call = { method: 'GET', scheme: 'http', host: 'a', path, search, headers: {} } as const
          const match = engine.match(call)
          if (match === undefined) throw new Error(`${path} is not declared`)
          const read = engine.inputReader(match.route)(call, match.params)
          const plain =
            path === '/one'
              ? plainObject(seed, 'GET /one', read, own)
              : plainList(seed, 'GET /all', read, own, count)
          const expected = JSON.stringify(plain)
          expect(JSON.stringify(engine.answer(match, call, read).body)).toBe(expected)
          const written = engine.jsonWriter(match.route)?.write(call, read) ?? ''
          expect(Buffer.from(written, 'latin1').toString()).toBe(expected)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('has names by its fields, the same ones in every version', () => {
    const api = new SimAPI({ seed: 42 })
    const named: PlainField['fields'] = {
      first_name: { kind: 'first name' },
      id: { kind: 'uuid' },
      email: { kind: 'email' },
    }
    api.get('/people', { output: list(schemaOf({ kind: 'object', fields: named })), listCount: 50 })
    const engine = api.engine()
    const call = {
      method: 'GET',
      scheme: 'http',
      host: 'a',
      path: '/people',
      search: '',
      headers: {},
    } as const
    const match = engine.match(call)
    if (match === undefined) throw new Error('it is not declared')
    expect(engine.answer(match, call, {}).body).toEqual(plainList(42, 'GET /people', {}, named, 50))
  })
})
