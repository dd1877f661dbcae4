import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitting, lazily } from '../../../src/testing/strategy/strategies.ts'

describe('fitting', () => {
  const large = fitting(fc.nat(), (value) => value > 50, 'large')

  it('draws only what fits, and shrinks to it', () => {
    expect(fc.sample(large, 100).every((value) => value > 50)).toBe(true)
    expect(
      fc.check(
        fc.property(large, () => false),
        { seed: 1 },
      ).counterexample?.[0],
    ).toBeLessThan(103)
    expect(
      fc.check(
        fc.property(large, (value) => value < 101),
        { seed: 1 },
      ).counterexample,
    ).toEqual([101])
  })

  it('gives up where nothing fits', () => {
    expect(() =>
      fc.sample(
        fitting(fc.nat(), () => false, 'age'),
        1,
      ),
    ).toThrow('age: none of 2000 drawn values fits its schema')
  })

  it('knows which given values it can shrink', () => {
    expect([60, 5, 'x'].map((value) => large.canShrinkWithoutContext(value))).toEqual([true, false, false])
  })
})

describe('lazily', () => {
  it('makes its arbitrary once, when it is first needed', () => {
    let made = 0
    const lazy = lazily(() => {
      made++
      return fc.nat()
    })
    expect(made).toBe(0)
    expect(lazy.canShrinkWithoutContext(3)).toBe(true)
    expect(
      fc.check(
        fc.property(lazy, (value) => value < 7),
        { seed: 1 },
      ).counterexample,
    ).toEqual([7])
    expect(made).toBe(1)
  })
})
