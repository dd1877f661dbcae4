import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../../src/recording/inference/shape-schema.ts'
import { addValue, createShape } from '../../../src/recording/inference/shape.ts'
import { formatsOf } from '../../../src/recording/inference/values.ts'

function schemaOfAll(values: readonly unknown[]): unknown {
  const shape = createShape()
  for (const value of values) addValue(shape, value, formatsOf)
  return schemaOf(shape)
}

describe('schemaOf', () => {
  it('fits every value it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 30 }), (values) => {
        const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false, ownProperties: true }))
        const validate = ajv.compile(schemaOfAll(values) as object)
        for (const value of values)
          expect([value, validate(value), validate.errors]).toEqual([value, true, null])
      }),
    )
  })

  it('fits every value also where sets are closed and numbers and lists bounded', () => {
    const scalar = fc.constantFrom(
      null,
      true,
      0,
      1,
      2.5,
      -7,
      'open',
      'closed',
      '2026-01-31',
      'a@b.example',
      '',
    )
    const item = fc.record(
      { a: scalar, b: scalar, c: fc.array(scalar, { maxLength: 3 }) },
      { requiredKeys: ['a'] },
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(scalar, item, fc.array(item, { minLength: 1, maxLength: 2 })), { minLength: 40 }),
        (values) => {
          const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }))
          const validate = ajv.compile(schemaOfAll(values) as object)
          for (const value of values)
            expect([value, validate(value), validate.errors]).toEqual([value, true, null])
        },
      ),
    )
  })

  it('bounds a list that always has one short length', () => {
    const points = Array.from({ length: 12 }, (_, index) => [index / 2 + 0.1, -index])
    expect(schemaOfAll(points)).toMatchObject({ minItems: 2, maxItems: 2 })
    expect(schemaOfAll([...points, [1, 2, 3]])).not.toHaveProperty('maxItems')
  })

  it('makes no promise of a field that every object seems to have', () => {
    const value: unknown = JSON.parse('{"__proto__": 1, "a": 2}')
    expect(schemaOfAll([value, {}])).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 0 } },
    })
  })

  it('requires the fields that were always there, and takes null where it was', () => {
    expect(
      schemaOfAll([
        { id: 1, note: null },
        { id: 2, note: 'x', extra: true },
      ]),
    ).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        note: { type: ['string', 'null'] },
        extra: { type: 'boolean' },
      },
      required: ['id', 'note'],
    })
  })

  it('closes a set of texts that come again and again', () => {
    const values = Array.from({ length: 12 }, (_, index) => ['open', 'closed'][index % 2])
    expect(schemaOfAll(values)).toEqual({ type: 'string', enum: ['closed', 'open'] })
    expect(schemaOfAll(values.slice(0, 6))).toEqual({ type: 'string' })
  })

  it('leaves space beyond the numbers that were seen', () => {
    expect(schemaOfAll(Array.from({ length: 20 }, (_, index) => index * 5))).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 200,
    })
  })

  it('reports formats', () => {
    expect(schemaOfAll(['2026-01-31T10:00:00Z', '2026-02-01T10:00:00+01:00'])).toMatchObject({
      format: 'date-time',
    })
    expect(schemaOfAll(['a@b.example', 'not one'])).toEqual({ type: 'string' })
  })

  it('takes objects with names that are data for a record', () => {
    const entries = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`user-${index}`, { n: index }]),
    )
    expect(schemaOfAll([entries])).toEqual({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { n: { type: 'integer', minimum: 0, maximum: 50 } },
        required: ['n'],
      },
    })
  })
})
