import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ordered } from 'sim-gateway/adapter'

describe('ordered items', () => {
  it('are walked in order from any place, however they came and went', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 50 })),
        fc.array(fc.nat({ max: 50 })),
        fc.integer({ min: -1, max: 51 }),
        (added, removed, from) => {
          const items = new Ordered<{ sequence: number }>()
          const all = added.map((sequence) => ({ sequence }))
          for (const item of all) items.add(item)
          for (const item of all) if (removed.includes(item.sequence)) items.delete(item)
          const left = added.filter((sequence) => !removed.includes(sequence)).toSorted((a, b) => a - b)

          expect([...items].map(({ sequence }) => sequence)).toEqual(left)
          expect([...items.upwards(from)].map(({ sequence }) => sequence)).toEqual(
            left.filter((each) => each > from),
          )
          expect([...items.downwards(from)].map(({ sequence }) => sequence)).toEqual(
            left.filter((each) => each < from).toReversed(),
          )
          expect(items.size).toBe(left.length)
          expect(items.first()?.sequence).toBe(left[0])
        },
      ),
    )
  })

  it('do not delete another item of the same number', () => {
    const items = new Ordered<{ sequence: number }>()
    items.add({ sequence: 1 })
    items.delete({ sequence: 1 })
    expect(items.size).toBe(1)
  })
})
