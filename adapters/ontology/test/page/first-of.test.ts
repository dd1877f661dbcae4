import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstOf } from '../../src/operations/pages.ts'

it('finds what sorting everything would find', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(20), (items, count) => {
      const compare = (left: number, right: number) => left - right
      expect(firstOf(items, count, compare)).toEqual(items.toSorted(compare).slice(0, count))
    }),
  )
})

it('compares few of many items more than once', () => {
  let compared = 0
  const items = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 100_000)
  const first = firstOf(items, 100, (left, right) => {
    compared++
    return left - right
  })
  expect(first).toEqual(Array.from({ length: 100 }, (_, index) => index))
  expect(compared).toBeLessThan(2 * items.length)
})
