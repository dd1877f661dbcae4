import { describe, expect, it } from 'vitest'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, scopeOf, valuesOf } from './generating.ts'

const text = { type: 'string' }

describe('compileUnion', () => {
  it.for<Schema>([
    { anyOf: [text, { type: 'integer' }] },
    { oneOf: [{ type: 'integer' }, { type: 'number' }] },
    { oneOf: [{ type: 'integer' }, text, { type: ['null', 'boolean'] }] },
    { type: 'string', anyOf: [{ minLength: 20 }, { maxLength: 3 }] },
    {
      anyOf: [{ minimum: 5 }, { maximum: -5 }],
      oneOf: [{ type: 'integer' }, { type: 'number', minimum: 0.5 }],
    },
    { type: ['string', 'integer', 'null'], minLength: 4, minimum: 7 },
    { anyOf: [false, text] },
    { anyOf: [true, { type: 'null' }] },
    {
      type: 'object',
      properties: { a: text, b: text, c: {} },
      oneOf: [{ required: ['a'] }, { properties: { c: false } }],
    },
    { anyOf: [{ type: 'object', required: ['x'], properties: { x: { $ref: '#' } } }, { type: 'null' }] },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema, 50)
  })

  it('gives every member its turn, and null seldom', () => {
    const values = valuesOf({ anyOf: [text, { type: 'integer' }, { type: 'null' }] }, 400)
    const nulls = values.filter((value) => value === null).length
    const texts = values.filter((value) => typeof value === 'string').length
    expect(nulls).toBeGreaterThan(15)
    expect(nulls).toBeLessThan(80)
    expect(texts).toBeGreaterThan(120)
    expect(texts).toBeLessThan(240)
  })

  it('is never null where another member holds links to keep, even behind a reference', () => {
    const model = {
      $defs: {
        Named: {
          type: 'object',
          required: ['name'],
          properties: { name: { ...text, ...FromInput('name') } },
        },
      },
      anyOf: [{ $ref: '#/$defs/Named' }, { const: null }],
    }
    expect(
      new Set(valuesOf(model, 50, scopeOf({ name: 'Ada' })).map((each) => JSON.stringify(each))),
    ).toEqual(new Set(['{"name":"Ada"}']))
  })

  it('is null where there is nothing else', () => {
    expect(valuesOf({ oneOf: [{ type: 'null' }] }, 3)).toEqual([null, null, null])
  })

  it('reports a union of which no member can be', () => {
    const model = {
      type: 'object',
      title: 'T',
      required: ['a'],
      properties: { a: { anyOf: [text], type: 'null' } },
    }
    expect(() => valuesOf(model)).toThrow('T')
  })
})
