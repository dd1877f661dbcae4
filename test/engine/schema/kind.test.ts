import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'

describe('compileKind', () => {
  it.for<Schema>([
    {},
    { type: 'boolean' },
    { type: 'null' },
    { const: { deep: [1, null] } },
    { const: null },
    { enum: [1, 'a', null, { k: 1 }] },
    { type: 'string', enum: ['a', 1, null] },
    { type: ['integer', 'null'], enum: ['a', 1.5, 2, null] },
    { type: 'object', enum: [{ k: 1 }, [], 'x'] },
    { type: 'array', enum: [{ k: 1 }, [], 'x'] },
    { enum: [1, 20, 300], minimum: 10, maximum: 100 },
    { enum: ['a', 'bcd'], minLength: 2, description: 'long ones' },
    { if: { type: 'string' }, then: { minLength: 30 } },
    {
      type: 'object',
      properties: { country: { enum: ['US', 'NL'] }, code: {} },
      required: ['country', 'code'],
      if: { properties: { country: { const: 'US' } } },
      then: { properties: { code: { type: 'string', pattern: '^\\d{5}$' } } },
      else: { properties: { code: { type: 'integer' } } },
    },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema, 40)
  })

  it('gives each value of an enum its turn', () => {
    expect(new Set(valuesOf({ enum: ['a', 'b', 'c'] }, 60))).toEqual(new Set(['a', 'b', 'c']))
  })

  it('copies constants, so that changing an answer does not change the model', () => {
    const model = { const: { list: [1] } }
    const [first, second] = valuesOf<{ list: number[] }>(model, 2)
    first?.list.push(2)
    expect([model.const.list, second?.list]).toEqual([[1], [1]])
  })

  it('takes both branches of a condition', () => {
    const model = { if: { type: 'string' }, then: { const: 'yes' }, else: { const: 7 } }
    expect(new Set(valuesOf(model, 30))).toEqual(new Set(['yes', 7]))
  })

  it.for<Schema>([
    { type: 'colour' },
    { enum: ['a'], type: 'integer' },
    { enum: [] },
    { type: 'constructor' },
  ])('reports that nothing is of %j', (schema) => {
    const model = { title: 'T', type: 'object', required: ['a'], properties: { a: schema } }
    expect(() => valuesOf(model)).toThrow(/^T/)
  })
})
