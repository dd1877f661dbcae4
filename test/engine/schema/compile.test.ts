import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Model, Schema } from '../../../src/engine/schema/schema.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { ModelInvalid, ModelNotGenerable } from '../../../src/errors.ts'
import { models } from './arbitrary-model.ts'
import { createValidator, fittingValuesOf, scopeOf, valuesOf } from './generating.ts'
import { MAX_DEPTH } from '../../../src/engine/schema/budget.ts'
import type { Generate } from '../../../src/engine/schema/generate.ts'
import { createParts, type CompilePart } from '../../../src/engine/schema/parts.ts'

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
  })

  it('makes a different value for every item', () => {
    const model = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String(), n: Type.Number() })
    const values = valuesOf<Record<string, unknown>>(model, 500)
    expect(new Set(values.map(({ id }) => id)).size).toBe(500)
    expect(new Set(values.map(({ name }) => name)).size).toBeGreaterThan(400)
    expect(new Set(values.map(({ n }) => n)).size).toBeGreaterThan(400)
  })

  it('makes what a reference names look as the field does that holds it, whichever is reached first', () => {
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
    // The best of several rounds: others of the suite run beside it.
    const rounds = Array.from({ length: 8 }, () => {
      const started = performance.now()
      for (let index = 0; index < 20; index++) generate(items.child(index), scopeOf())
      return (performance.now() - started) / 20
    })
    expect(Math.min(...rounds)).toBeLessThan(5)
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

  it.for<[Schema, readonly unknown[]]>([
    [{ type: 'string', examples: ['Ada', 'Bob'] }, ['Ada', 'Bob']],
    [{ type: ['string', 'null'], examples: ['Ada', null] }, ['Ada', null]],
    [{ type: 'integer', minimum: 2, examples: [1, 7, 'seven'] }, [7]],
    [{ type: 'array', items: { type: 'string' }, examples: [[]] }, [[]]],
    [{ enum: ['a', 'b', 'c'], examples: ['b'] }, ['b']],
    [
      { type: 'object', properties: { id: { type: 'integer', ...FromInput('id') } }, examples: [{ id: 7 }] },
      [{ id: 5 }],
    ],
    [{ type: 'boolean', examples: ['yes'] }, [true, false]],
  ])('takes the examples of %j that fit and hold no link', ([model, expected]) => {
    const values = valuesOf(model, 60, scopeOf({ id: 5 }))
    expect(new Set(values.map((value) => JSON.stringify(value)))).toEqual(
      new Set(expected.map((value) => JSON.stringify(value))),
    )
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

describe('retryUntilFits', () => {
  it.for<Schema>([
    { type: 'integer', not: { multipleOf: 2 } },
    { type: 'integer', minimum: 0, maximum: 1_000_000, not: { minimum: 3, maximum: 999_999 } },
    { type: 'number', not: { exclusiveMinimum: -1000, exclusiveMaximum: 1000 } },
    { type: 'string', not: { minLength: 2, maxLength: 100 } },
    { type: 'array', items: { type: 'integer' }, not: { minItems: 1, maxItems: 5 } },
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

const at = { model: 'M', field: '' }
const stream = contentStream(1, 'parts')

describe('createParts', () => {
  it('compiles a part when a value first needs it, and once', () => {
    const compiled: string[] = []
    const parts = createParts((folded, { field }) => {
      compiled.push(field)
      return () => folded['const']
    })
    const part = { const: 1 }
    const [a, again, b] = [parts(part, at), parts(part, at), parts(part, { model: 'M', field: 'b' })]
    expect(compiled).toEqual([])
    expect([a(stream, scopeOf()), again(stream, scopeOf()), b(stream, scopeOf())]).toEqual([1, 1, 1])
    expect(compiled).toEqual(['', 'b'])
    expect(again).toBe(a)
  })

  it('counts a part within itself as much deeper than one that is only named', () => {
    const depths: number[] = []
    const [self, other] = [{}, {}]
    const compile: CompilePart =
      (folded): Generate =>
      (place, scope) => {
        depths.push(scope.depth)
        if (scope.depth <= MAX_DEPTH) parts(folded === self ? other : self, at)(place, scope)
        return undefined
      }
    const parts = createParts(compile)
    parts(self, at)(stream, scopeOf())
    expect(depths).toEqual([1, 2, 7, 12])
  })

  it('restores the depth when making a value fails', () => {
    const parts = createParts(() => () => {
      throw new Error('no')
    })
    const scope = scopeOf()
    expect(() => parts({}, at)(stream, scope)).toThrow('no')
    expect(scope.depth).toBe(0)
  })

  it('counts as deep what lies below a part that holds very many', () => {
    const depths: number[] = []
    const leaf = {}
    const parts = createParts((folded) => (place, scope) => {
      if (folded === leaf) depths.push(scope.depth)
      else for (let index = 0; index < 40; index++) parts(leaf, at)(place, scope)
      return undefined
    })
    const scope = { ...scopeOf(), depth: 1 }
    parts({ many: true }, at)(stream, scope)
    expect(depths.filter((depth) => depth === 3)).toHaveLength(29)
    expect(depths.filter((depth) => depth > MAX_DEPTH)).toHaveLength(11)
  })
})
