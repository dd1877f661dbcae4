import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ITEMS } from '../../../src/engine/schema/array.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { hashText } from '../../../src/engine/random.ts'
import { fittingValuesOf, valuesOf } from './generating.ts'

describe('compileArray', () => {
  it.for<Schema>([
    { type: 'array' },
    { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 4 },
    { type: 'array', items: { type: 'integer' }, maxItems: 0 },
    { type: 'array', items: { type: 'integer' }, minItems: 100 },
    { type: 'array', items: false },
    { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2 },
    {
      type: 'array',
      items: { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
      uniqueItems: true,
      minItems: 8,
    },
    {
      type: 'array',
      items: { type: 'object', properties: { n: { enum: [1, 2, 3] } } },
      uniqueItems: true,
      minItems: 3,
    },
    { type: 'array', prefixItems: [{ const: 1 }, { type: 'string' }], items: false },
    { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 }, minItems: 4 },
    { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }, { const: 3 }], maxItems: 2 },
    { type: 'array', prefixItems: [{ const: 1 }, false] },
    { type: 'array', items: { type: 'integer' }, contains: { minimum: 900 } },
    { type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 3, maxContains: 3 },
    { type: 'array', prefixItems: [{ type: 'string' }], contains: { const: true } },
    { type: 'array', contains: { type: 'null' }, minContains: 0 },
    { prefixItems: [{ type: 'string' }], minItems: 1, type: 'array', uniqueItems: true },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema)
  })

  it('has one to three items where the bounds leave it open', () => {
    const lengths = valuesOf<unknown[]>({ type: 'array', items: {} }, 100).map(({ length }) => length)
    expect([...new Set(lengths)].toSorted()).toEqual([1, 2, 3])
  })

  it('has all items of a tuple, as TypeBox writes it', () => {
    const [value] = valuesOf<unknown[]>(Type.Tuple([Type.Literal('a'), Type.Integer(), Type.Boolean()]), 1)
    expect(value).toEqual(['a', expect.any(Number), expect.any(Boolean)])
  })

  it('has items that differ', () => {
    const [items = []] = valuesOf<unknown[]>(
      { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 50 },
      1,
    )
    expect(new Set(items).size).toBe(50)
  })

  it('stays short of a unique list for which there are not enough values', () => {
    expect(valuesOf({ type: 'array', items: { const: 1 }, uniqueItems: true, minItems: 3 }, 1)).toEqual([[1]])
  })

  it('looks as its name in the singular suggests', () => {
    const model = {
      type: 'object',
      required: ['emails'],
      properties: { emails: { type: 'array', items: { type: 'string' } } },
    }
    const [value] = valuesOf<{ emails: string[] }>(model, 1)
    expect(value?.emails.every((email) => email.includes('@example.'))).toBe(true)
  })
})

describe('ITEMS', () => {
  it('is the salt of no small index', () => {
    expect(ITEMS).toBe(hashText('items of the list'))
    expect(Math.abs(ITEMS)).toBeGreaterThan(1_000_000)
  })
})
