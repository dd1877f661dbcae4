import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { ITEMS } from '../../../src/engine/schema/array.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { hashText } from '../../../src/engine/random.ts'
import { fittingValuesOf, valuesOf, scopeOf } from './generating.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'

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
    { type: 'array', items: { type: 'integer' }, contains: { minimum: 10 }, maxContains: 2, minItems: 6 },
    { type: 'array', items: { enum: ['a', 'b'] }, contains: { const: 'a' }, maxContains: 1, minItems: 9 },
    { type: 'array', items: { const: 'a' }, contains: { const: 'a' }, minContains: 0, maxContains: 1 },
    { prefixItems: [{ type: 'string' }], minItems: 1, type: 'array', uniqueItems: true },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema)
  })

  it('is another value where no list fits, and lists are not all that may be', () => {
    fittingValuesOf({ contains: { const: 1 }, minContains: 3, maxContains: 1 })
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

  it('gives a value of a member where each fits what another does, whatever stands beside them', () => {
    const member = (name: string): Schema => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, [name]: { type: 'string' } },
    })
    const oneOf = [member('color'), member('size')]
    for (const schema of [{ oneOf }, { type: 'object', oneOf }])
      expect(valuesOf(schema, 3)).toEqual(
        Array.from(
          { length: 3 },
          () => expect.objectContaining({ kind: expect.any(String) as unknown }) as unknown,
        ),
      )
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
