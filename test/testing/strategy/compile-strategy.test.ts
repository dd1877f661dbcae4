import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import { compileStrategy, strategyForInputModel } from '../../../src/testing/strategy/compile-strategy.ts'
import { draw, shrink } from './draw.ts'
import { models, validatorOf } from './models.ts'

const Node = {
  type: 'object',
  required: ['v'],
  properties: {
    v: { type: 'integer' },
    left: { $ref: '#/$defs/Node' },
    kids: { type: 'array', items: { $ref: '#/$defs/Node' } },
    map: { type: 'object', additionalProperties: { $ref: '#/$defs/Node' } },
  },
}
const Tree = { $ref: '#/$defs/Node', $defs: { Node } }

function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('compileStrategy', () => {
  it.for([
    Tree,
    {
      anyOf: [
        { type: 'number' },
        { type: 'object', required: ['l'], properties: { l: { $ref: '#' }, r: { $ref: '#' } } },
      ],
    },
    {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: {
        A: {
          type: 'object',
          required: ['b'],
          properties: { b: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] } },
        },
        B: {
          type: 'object',
          required: ['a', 'as'],
          properties: {
            a: { $ref: '#/$defs/A' },
            as: { type: 'array', items: { $ref: '#/$defs/A' }, minItems: 1 },
          },
        },
      },
    },
  ])('draws values that end from models that hold themselves', (model) => {
    const depths = draw(model, 100).map(depthOf)
    expect(Math.max(...depths)).toBeGreaterThan(1)
    expect(Math.max(...depths)).toBeLessThan(20)
  })

  it('ends tuples and lists that hold the model itself', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'integer' }, { $ref: '#' }], items: { $ref: '#' } }
    expect(Math.max(...draw(tuple, 100).map(depthOf))).toBeLessThan(12)
    const endless = { type: 'array', prefixItems: [{ type: 'integer' }, { $ref: '#/$defs/E' }] }
    const $defs = { E: { type: 'object', required: ['e'], properties: { e: { $ref: '#/$defs/E' } } } }
    expect(new Set((draw({ ...endless, $defs }, 100) as unknown[][]).map(({ length }) => length))).toEqual(
      new Set([0, 1]),
    )
  })

  it('draws deeper values where that is wanted', () => {
    const deepest = [0, 1, 4].map((maxDepth) => {
      const strategy = compileStrategy(
        {
          ...Tree,
          $defs: { Node: { ...Node, properties: { v: Node.properties.v, left: Node.properties.left } } },
        },
        { maxDepth },
      )
      return Math.max(...fc.sample(strategy, { numRuns: 200, seed: 1 }).map(depthOf))
    })
    expect(deepest).toEqual([2, 3, 6])
  })

  it('shrinks within models that hold themselves', () => {
    const model = Tree as object
    expect(
      shrink(model, (value: { kids?: { left?: unknown }[] }) => value.kids?.[0]?.left === undefined),
    ).toEqual({
      v: 0,
      kids: [{ v: 0, left: { v: 0 } }],
    })
  })

  it.for([
    {
      type: 'object',
      required: ['p'],
      properties: { p: { $ref: '#/$defs/P', minimum: 3, title: 'p' } },
      $defs: { P: { type: 'integer', maximum: 9 } },
    },
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
        { properties: { b: {} } },
      ],
    },
    {
      allOf: [
        { type: 'string', pattern: '^[a-z]+$' },
        { type: 'string', pattern: 'z$' },
      ],
    },
    { type: 'integer', not: { multipleOf: 2 } },
    { not: { type: 'string' } },
    { type: 'string', enum: ['a', 'b', 3] },
    { const: { a: [1, null] } },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array', items: true },
    {},
  ])('draws values of %j', (model) => {
    expect(draw(model)).toHaveLength(200)
  })

  it.for([
    [{ type: 'string', enum: [1] }, 'the model: its schema allows no value at all'],
    [{ type: 'string', const: 1 }, 'the model: its schema allows no value at all'],
    [
      {
        type: 'object',
        required: ['a'],
        properties: { a: { allOf: [{ type: 'string' }, { type: 'integer' }] } },
      },
      'allows no value at all',
    ],
    [
      { title: 'Endless', type: 'object', required: ['a'], properties: { a: { $ref: '#' } } },
      'Endless: its schema allows no value at all, or only endless ones',
    ],
    [
      { title: 'Odd', type: 'integer', not: { type: 'integer' } },
      'none of 2000 drawn values fits its schema',
    ],
  ] as const)('refuses %j', ([model, message]) => {
    expect(() => draw(model)).toThrow(message)
  })

  it('lets the fields of the model itself be adapted', () => {
    const strategy = compileStrategy(
      {
        type: 'object',
        required: ['a', 'o'],
        properties: {
          a: { type: 'integer' },
          o: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        },
      },
      { adaptField: (name, _schema, fields) => (name === 'a' ? fc.constant(7) : fields) },
    )
    const values = fc.sample(strategy, { numRuns: 20, seed: 1 }) as { a: number; o: { a: number } }[]
    expect(new Set(values.map(({ a }) => a))).toEqual(new Set([7]))
    expect(new Set(values.map(({ o }) => o.a)).size).toBeGreaterThan(3)
  })
})

describe('strategyForInputModel', () => {
  it('draws only values that an independent validator accepts, from any model', () => {
    fc.assert(
      fc.property(models, fc.integer(), (model, seed) => {
        const validate = validatorOf(model)
        for (const value of fc.sample(strategyForInputModel<unknown>(model), { numRuns: 10, seed })) {
          expect([value, validate(value) || validate.errors]).toEqual([value, true])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('takes the models of schema libraries', () => {
    const Order = Type.Object({
      product: Type.String({ minLength: 1 }),
      quantity: Type.Integer({ minimum: 1, maximum: 100 }),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      pair: Type.Tuple([Type.Number(), Type.Boolean()]),
    })
    const strategy = strategyForInputModel<Type.Static<typeof Order>>(Order)
    fc.assert(
      fc.property(strategy, ({ product, quantity, pair }) => {
        expect(product.length).toBeGreaterThan(0)
        expect(quantity % 1).toBe(0)
        expect(pair).toHaveLength(2)
      }),
    )
  })

  it('bounds how often a model lies in itself', () => {
    const Tree = { type: 'object', properties: { next: { $ref: '#' } } }
    const deepest = (maxDepth: number): number => {
      const texts = fc
        .sample(strategyForInputModel(Tree, { maxDepth }), 200)
        .map((value) => JSON.stringify(value))
      return Math.max(...texts.map((text) => text.split('next').length - 1))
    }
    expect([deepest(0), deepest(3)]).toEqual([1, 4])
  })
})
