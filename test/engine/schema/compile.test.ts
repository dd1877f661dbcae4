import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Model, Schema } from '../../../src/engine/schema/schema.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { ModelInvalid, ModelNotGenerable } from '../../../src/errors.ts'
import { models } from './arbitrary-model.ts'
import { createValidator, fittingValuesOf, scopeOf, valuesOf } from './generating.ts'

function countNodes(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countNodes(part), 1)
}

describe('compileGenerator', () => {
  it('makes values that fit any model, the same for the same place', () => {
    fc.assert(
      fc.property(models, fc.integer(), (model, seed) => {
        const findErrors = createValidator(model)
        const [generate, again] = [compileGenerator(model), compileGenerator(model)]
        const at = (index: number) => contentStream(seed, 'GET /x').child(index)
        const values = [0, 1, 2, 3].map((index) => generate(at(index), scopeOf()))
        for (const value of values) expect([value, findErrors(value)]).toEqual([value, []])
        // In another order, from a generator of its own.
        expect([3, 2, 1, 0].map((index) => again(at(index), scopeOf())).toReversed()).toEqual(values)
      }),
      { numRuns: 700 },
    )
  }, 120_000)

  it('makes a different value for every item', () => {
    const model = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String(), n: Type.Number() })
    const values = valuesOf<Record<string, unknown>>(model, 500)
    expect(new Set(values.map(({ id }) => id)).size).toBe(500)
    expect(new Set(values.map(({ name }) => name)).size).toBeGreaterThan(400)
    expect(new Set(values.map(({ n }) => n)).size).toBeGreaterThan(400)
  })

  it('makes what a reference names look as the field does that holds it, whichever is asked first', () => {
    const model = {
      $defs: {
        Text: { type: 'string' },
        A: {
          type: 'object',
          properties: { email: { $ref: '#/$defs/Text' }, city: { $ref: '#/$defs/Text' } },
        },
      },
      anyOf: [{ $ref: '#/$defs/A' }, { type: 'object', properties: { note: { $ref: '#/$defs/Text' } } }],
    }
    const values = valuesOf<Record<string, string>>(model, 40)
    const emails = values.flatMap(({ email }) => email ?? [])
    expect(emails.length).toBeGreaterThan(5)
    expect(emails.every((email) => email.includes('@example.'))).toBe(true)
    const [generate, items] = [compileGenerator(model), contentStream(42, 'GET /x')]
    const backwards = values.map((_value, index) => generate(items.child(39 - index), scopeOf()))
    expect(backwards.toReversed()).toEqual(values)
  })

  it('names models by their titles and references', () => {
    const Product = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const model = {
      $defs: { Company: Product },
      type: 'object',
      properties: { by: { $ref: '#/$defs/Company' } },
    }
    const [value] = valuesOf<{ by: { name: string } }>(model, 1)
    expect(value?.by.name).toMatch(/ (Ltd|Inc|Group|and Sons)$/)
  })

  it('meets what a nullable reference with a description asks', () => {
    const model = {
      type: 'object',
      required: ['value', 'next'],
      properties: {
        value: { type: 'integer' },
        next: { title: 'Next', description: 'the next one', anyOf: [{ $ref: '#' }, { type: 'null' }] },
      },
    }
    expect(fittingValuesOf(model, 50).some((value) => JSON.stringify(value).includes('"next":{'))).toBe(true)
  })

  it('refuses a reference to nothing', () => {
    expect(() =>
      compileGenerator({ title: 'M', type: 'object', required: ['a'], properties: { a: { $ref: '#/x' } } }),
    ).toThrow(ModelInvalid)
  })

  it.for<Model>([
    { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } },
    Type.Cyclic({ A: Type.Object({ b: Type.Ref('B') }), B: Type.Object({ a: Type.Ref('A') }) }, 'A'),
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'object', required: ['a'], properties: { a: false } },
  ])('refuses a model that no finite value fits: %j', (model) => {
    expect(() => compileGenerator(model as Schema)).toThrow(ModelNotGenerable)
  })
})

const wide = (fields: number): Schema => ({
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    ...Object.fromEntries(
      Array.from({ length: fields }, (_, index) => [`f${index}`, { type: 'array', items: { $ref: '#' } }]),
    ),
  },
})
const mutual = (models: number): Schema => ({
  $ref: '#/$defs/M0',
  $defs: Object.fromEntries(
    Array.from({ length: models }, (_, index) => [
      `M${index}`,
      {
        type: 'object',
        required: ['list'],
        properties: {
          id: { type: 'string' },
          list: { type: 'array', items: { $ref: `#/$defs/M${(index + 1) % models}` } },
          one: { $ref: `#/$defs/M${(index + 2) % models}` },
          other: { anyOf: [{ $ref: `#/$defs/M${(index + 3) % models}` }, { type: 'null' }] },
        },
      },
    ]),
  ),
})

describe('a recursive model', () => {
  it.for<[string, Model]>([
    ['one that refers to itself in one list', wide(1)],
    ['one that refers to itself in six lists', wide(6)],
    ['two that refer to each other', mutual(2)],
    ['ten that refer to each other', mutual(10)],
    ['sixty that refer to each other', mutual(60)],
    [
      'a TypeBox model',
      Type.Cyclic(
        { N: Type.Object({ v: Type.Integer(), l: Type.Array(Type.Ref('N')), r: Type.Array(Type.Ref('N')) }) },
        'N',
      ),
    ],
    [
      'a union of itself',
      { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' }, minItems: 2 }] },
    ],
    ['a record of itself', { type: 'object', additionalProperties: { $ref: '#' } }],
    [
      'a tuple of itself',
      { type: 'array', prefixItems: [{ type: 'integer' }, { $ref: '#' }], items: { $ref: '#' } },
    ],
    [
      'one that merges with itself',
      {
        type: 'object',
        properties: { a: { allOf: [{ $ref: '#' }, { required: ['b'], properties: { b: {} } }] } },
      },
    ],
  ])('has small values, made fast: %s', ([, model]) => {
    const values = fittingValuesOf(model, 20)
    for (const value of values) expect(countNodes(value)).toBeLessThan(2000)
    const generate = compileGenerator(model as Schema)
    const items = contentStream(7, 'GET /x')
    for (let index = 0; index < 20; index++) generate(items.child(index), scopeOf())
    const started = performance.now()
    for (let index = 0; index < 20; index++) generate(items.child(index), scopeOf())
    expect((performance.now() - started) / 20).toBeLessThan(5)
  })

  it('goes more than one level deep', () => {
    const [value] = valuesOf<{ f0: { f0: unknown[] }[] }>(wide(1), 1)
    expect(value?.f0[0]?.f0.length).toBeGreaterThan(0)
  })

  it('keeps scalar fields in its deepest values', () => {
    const leaf = JSON.stringify(valuesOf(wide(1), 1))
    expect(leaf).not.toMatch(/\{\}/)
    expect(leaf.match(/"id":/g)?.length).toBeGreaterThan(2)
  })
})
