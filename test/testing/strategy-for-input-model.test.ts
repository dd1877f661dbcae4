import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { strategyForInputModel } from '../../src/testing/strategy/compile-strategy.ts'
import { models, validatorOf } from './strategy/models.ts'

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
  }, 120_000)

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
