import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'

describe('retryUntilFits', () => {
  it.for<Schema>([
    { type: 'integer', not: { multipleOf: 2 } },
    { type: 'string', not: { pattern: 'a' }, maxLength: 6 },
    { enum: [1, 2, 3, 4], not: { enum: [2, 3] } },
    { allOf: [{ type: 'integer', multipleOf: 2 }, { multipleOf: 3 }] },
    { allOf: [{ type: 'string', pattern: '^[a-z]' }, { pattern: '^\\w{3}$' }] },
    { type: 'object', properties: { a: { type: 'integer' } }, unevaluatedProperties: false },
    { allOf: [{ properties: { a: true } }], type: 'object', unevaluatedProperties: false },
    { type: 'array', prefixItems: [true], unevaluatedItems: false },
    {
      type: 'object',
      properties: { a: {} },
      dependentSchemas: { a: { required: ['b'], properties: { b: {} } } },
    },
    {
      oneOf: ['cat', 'dog'].map((kind) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { const: kind }, name: { type: 'string' } },
      })),
    },
  ])('meets %j', (schema) => {
    if ('dependentSchemas' in schema) expect(valuesOf(schema, 1)).toHaveLength(1)
    else fittingValuesOf(schema, 30)
  })

  it('finds the one member of a large union that stands apart from the others', () => {
    const named = (name: string): Schema => ({ type: 'object', required: [name], properties: { [name]: {} } })
    const members = [{ type: 'object' }, ...Array.from({ length: 60 }, (_, index) => named(`a${index}`))]
    expect(fittingValuesOf({ oneOf: members }, 30)).toEqual(Array.from({ length: 30 }, () => ({})))
  })

  it.for<Schema>([
    {
      type: 'object',
      properties: { type: { enum: ['a', 'b'] }, id: { type: 'integer' }, name: { type: 'string' } },
      oneOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    {
      oneOf: ['id', 'name'].map((name) => ({
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
        required: [name],
      })),
    },
  ])('leaves out what would make a value fit two members of %j', (schema) => {
    fittingValuesOf(schema, 30)
  })

  it('gives the first attempt where none fits', () => {
    expect(valuesOf({ const: 1, not: { const: 1 } }, 1)).toEqual([1])
  })

  it('gives the same value for the same place, however many attempts that takes', () => {
    const model = { type: 'integer', not: { multipleOf: 2 } }
    expect(valuesOf(model, 30)).toEqual(valuesOf(model, 30))
  })
})
