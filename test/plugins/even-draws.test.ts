import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { evenDraws } from '../../plugins/chaos/even-draws.ts'

const REQUESTS = 1024

it('gives each 1,024th once to so many requests, in every draw of theirs and in another order', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.nat(5), (seed, route, block) => {
      const orders: number[][] = [[], []]
      for (let at = 0; at < REQUESTS; at++) {
        const draw = evenDraws(seed, 'kind', route, block * REQUESTS + at)
        for (const order of orders) order.push(Math.floor(draw() * REQUESTS))
      }
      for (const order of orders) expect(new Set(order).size).toBe(REQUESTS)
      const same = orders[0]?.filter((place, at) => place === orders[1]?.[at] || place === at) ?? []
      expect(same.length).toBeLessThan(REQUESTS / 20)
    }),
    { numRuns: 10 },
  )
})
