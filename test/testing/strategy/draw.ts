import fc from 'fast-check'
import { expect } from 'vitest'
import { strategyForInputModel } from '../../../src/testing/strategy/compile-strategy.ts'
import { validatorOf } from './models.ts'

/** Values drawn from a model, each of which an independent validator accepts and JSON keeps. */
export function draw(model: object, numRuns = 200): readonly unknown[] {
  const validate = validatorOf(model)
  const values = fc.sample(strategyForInputModel<unknown>(model), { numRuns, seed: 1 })
  for (const value of values) {
    expect([value, validate(value) || validate.errors]).toEqual([value, true])
    expect(JSON.parse(JSON.stringify(value))).toEqual(value)
  }
  return values
}

/** The smallest value of a model for which a claim is false. */
export function shrink(model: object, claim: (value: never) => boolean): unknown {
  const property = fc.property(strategyForInputModel<never>(model), claim)
  return fc.check(property, { numRuns: 1000, seed: 1 }).counterexample?.[0]
}
