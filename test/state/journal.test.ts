import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRing } from '../../src/state/journal.ts'

describe('a ring', () => {
  it('has the latest entries, the newest first, so many and no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(60), (max, count) => {
        const ring = createRing<number>(max)
        for (let i = 0; i < count; i++) ring.add(i)
        const latest = Array.from({ length: Math.min(max, count) }, (_, index) => count - 1 - index)
        expect(ring.newest()).toEqual(latest)
        expect([ring.size, ring.dropped]).toEqual([latest.length, count - latest.length])
      }),
    )
  })

  it('is empty when it was cleared', () => {
    const ring = createRing<number>(2)
    for (const entry of [1, 2, 3]) ring.add(entry)
    void ring.clear()
    expect([ring.newest(), ring.dropped]).toEqual([[], 0])
    ring.add(4)
    expect(ring.newest()).toEqual([4])
  })

  it('keeps no more bytes than it may, and the newest in any case', () => {
    const ring = createRing<string>(10, 100)
    for (const each of ['a', 'b', 'c']) ring.add(each, 40)
    expect([ring.newest(), ring.dropped]).toEqual([['c', 'b'], 1])
    ring.add('d', 1000)
    expect([ring.newest(), ring.dropped]).toEqual([['d'], 3])
    ring.add('e', 1)
    expect(ring.newest()).toEqual(['e'])
    void ring.clear()
    for (const each of ['f', 'g']) ring.add(each, 50)
    expect([ring.newest(), ring.dropped]).toEqual([['g', 'f'], 0])
  })
})
