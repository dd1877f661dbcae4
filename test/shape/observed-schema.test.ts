import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observationOf } from '../../src/shape/observe.ts'
import { schemaOf, schemaOfValues } from '../../src/shape/observed-schema.ts'
import { withoutSeen } from './without-seen.ts'

const schemaOfAll = (values: readonly unknown[]): unknown => withoutSeen(schemaOf(observationOf(values)))

describe('schemaOf', () => {
  const scalar = fc.constantFrom(null, true, 0, 1, 2.5, -7, 'open', 'closed', '2026-01-31', 'a@b.example', '')
  const item = fc.record(
    { a: scalar, b: scalar, c: fc.array(scalar, { maxLength: 3 }) },
    { requiredKeys: ['a'] },
  )
  const items = fc.oneof(scalar, item, fc.array(item, { minLength: 1, maxLength: 2 }))

  it.for<[string, fc.Arbitrary<readonly unknown[]>]>([
    ['it was made of', fc.array(fc.jsonValue(), { minLength: 1, maxLength: 30 })],
    ['also where sets are closed and numbers and lists bounded', fc.array(items, { minLength: 40 })],
  ])('fits every value %s', ([, lists]) => {
    fc.assert(
      fc.property(lists, (values) => {
        const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false, ownProperties: true }))
        const validate = ajv.compile(schemaOfAll(values) as object)
        for (const value of values)
          expect([value, validate(value), validate.errors]).toEqual([value, true, null])
      }),
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
      properties: { a: { type: 'number', multipleOf: 1, minimum: 0 } },
    })
  })

  it('requires the fields that were always there, and takes null where it was', () => {
    expect(
      schemaOfAll([
        { id: 1, note: null },
        { id: 2, note: 'x', extra: true },
        { id: 3, note: 'y' },
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
    const dates = ['2026-01-31T10:00:00Z', '2026-02-01T10:00:00+01:00', '2026-02-02T10:00:00Z']
    expect(schemaOfAll(dates)).toEqual({ type: 'string', format: 'date-time' })
    expect(schemaOfAll([...dates, 'soon'])).toEqual({ type: 'string' })
    expect(schemaOfAll(Array.from({ length: 20 }, () => dates[0]))).toEqual({ type: 'string' })
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

  it('requires no names that may be data of what was seen with the same few values', () => {
    const labels = [{ red: '1' }, { red: '1' }, { red: '1', blue: '2' }, { red: '3', blue: '2' }]
    const more = ['4', '5', '6'].map((red) => ({ red }))
    expect(schemaOfAll(labels.map((each) => ({ labels: each })))).not.toHaveProperty(
      'properties.labels.required',
    )
    expect(schemaOfAll([...labels, ...more].map((each) => ({ labels: each })))).toHaveProperty(
      'properties.labels.required',
      ['red'],
    )
    expect(schemaOfAll(labels)).toHaveProperty('required', ['red'])
  })

  it('says nothing where nothing was seen', () => {
    expect([schemaOfAll([]), schemaOfAll([null]), schemaOfValues([])]).toEqual([true, { type: 'null' }, {}])
  })
})
