import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { contentStream } from '../../../src/engine/random.ts'

const name = fc.constantFrom(
  'id',
  'email',
  'name',
  'city',
  'price',
  'created_at',
  'tags',
  'note',
  'x',
  'inner',
)
const bounds = (most: number) =>
  fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

const text = fc.oneof(
  fc.constant({ type: 'string' }),
  bounds(30).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
  fc
    .constantFrom(
      ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'],
      ...['json-pointer', 'regex', 'byte', 'uri-reference', 'uri-template'],
    )
    .map((format) => ({ type: 'string', format })),
  fc
    .constantFrom(
      '^[a-z]{3,8}$',
      '^\\d{4}-[A-F]{2}$',
      '^(foo|bar)+$',
      '^[^\\s@]+@x\\.io$',
      '\\w',
      '^\\p{L}+$',
    )
    .map((pattern) => ({ type: 'string', pattern })),
)
const number = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    low: fc.integer({ min: -1000, max: 1000 }),
    span: fc.integer({ min: 5, max: 5000 }),
    keywords: fc.constantFrom(
      ['minimum', 'maximum'],
      ['exclusiveMinimum', 'exclusiveMaximum'],
      ['minimum'],
      ['maximum'],
      [],
    ),
    multipleOf: fc.option(fc.constantFrom(1, 2, 5, 0.5, 0.25), { nil: undefined }),
  })
  .map(({ type, low, span, keywords, multipleOf }) => ({
    type,
    ...Object.fromEntries(keywords.map((keyword) => [keyword, /min/i.test(keyword) ? low : low + span])),
    ...(multipleOf !== undefined && { multipleOf }),
  }))
const plain = fc.constantFrom<Schema>(
  { type: 'boolean' },
  { type: 'null' },
  { const: 7 },
  { enum: ['a', 1, null] },
  { type: ['string', 'null'] },
)

const { schema } = fc.letrec<{ schema: Schema; object: Schema }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
      share: fc.nat(10),
      closed: fc.boolean(),
    })
    .map(({ properties, share, closed }) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((_, index) => (index * 7) % 10 < share),
      ...(closed && { additionalProperties: false }),
    })),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    plain,
    tie('object'),
    fc
      .tuple(tie('schema'), bounds(4))
      .map(([items, [minItems, maxItems]]) => ({ type: 'array', items, minItems, maxItems })),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false, minItems: 2 })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties, minProperties: 1 })),
    tie('schema').map((part) => ({ type: 'object', patternProperties: { '^[a-z]+$': part } })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('object'), tie('object')).map(([a, b]) => ({
      anyOf: [
        { ...a, additionalProperties: true },
        { ...b, additionalProperties: true },
      ],
    })),
    fc.constant({ type: 'array', items: { type: 'integer' }, uniqueItems: true, minItems: 3, maxItems: 6 }),
    fc.constant({
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { b: { type: 'integer', minimum: 3 } } },
      ],
    }),
    fc.constant({ $ref: '#/$defs/Tree' }),
  ),
}))
const model = schema.map((root): Schema => ({
  ...root,
  $defs: {
    Tree: {
      type: 'object',
      required: ['value', 'left'],
      properties: {
        value: { type: 'integer' },
        left: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] },
        kids: { type: 'array', items: { $ref: '#/$defs/Tree' } },
      },
    },
  },
}))

// A validator of its own, so that the engine's cannot hide its mistakes.
const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }))

function validatorOf(root: Schema): (value: unknown) => unknown {
  const validate = ajv.compile(root)
  ajv.removeSchema(root)
  return (value) => (validate(value) ? undefined : [validate.errors, value])
}

describe('a generated value', () => {
  it('fits its model, whatever the model, and is the same for the same place', () => {
    fc.assert(
      fc.property(model, fc.integer(), (root, seed) => {
        const generate = compileGenerator(root)
        const violationsOf = validatorOf(root)
        for (let index = 0; index < 3; index++) {
          const at = () => contentStream(seed, 'GET /x').child(index)
          const scope = () => ({ route: 'GET /x', input: {}, headers: {}, depth: 0 })
          const value = generate(at(), scope())
          expect(violationsOf(value)).toBeUndefined()
          expect(generate(at(), scope())).toEqual(value)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('an answer', () => {
  it('fits its model, is equal on a second request, and holds its links, whatever model and input', async () => {
    const inputs = fc.record({ echo: fc.string({ unit: 'grapheme' }), n: fc.integer() })
    await fc.assert(
      fc.asyncProperty(model, inputs, fc.integer(), async (part, input, seed) => {
        const { $defs, ...own } = part
        const output = {
          type: 'object',
          required: ['echo', 'n', 'part'],
          properties: {
            echo: { type: 'string', ...FromInput('echo') },
            n: { type: 'integer', ...FromInput('n') },
            part: own,
          },
          $defs,
        }
        const api = new SimAPI({ seed, validateResponses: true })
        api.post('/x', {
          input: { type: 'object', properties: { echo: { type: 'string' }, n: { type: 'integer' } } },
          output,
        })
        const app = api.asWebApp()
        const post = async () => (await app.inject({ method: 'POST', url: '/x', payload: input })).body
        const [first, second] = [await post(), await post()]
        await app.close()
        expect(second).toBe(first)
        const body = JSON.parse(first) as Record<string, unknown>
        expect([body['echo'], body['n']]).toEqual([input.echo, input.n])
        expect(validatorOf(output)(body)).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })
})
