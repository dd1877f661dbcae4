import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderFields } from '../../../src/engine/links/link.ts'

const order = (needs: Record<string, string[]>): string[] => orderFields('M', new Map(Object.entries(needs)))

describe('orderFields', () => {
  it('keeps the declared order where it can', () => {
    expect(order({ c: [], a: [], b: ['c'] })).toEqual(['c', 'a', 'b'])
    expect(order({ c: ['a'], b: [], a: [] })).toEqual(['a', 'c', 'b'])
    expect(order({ a: ['nowhere'] })).toEqual(['a'])
  })

  it('names a circle', () => {
    expect(() => order({ x: ['a'], a: ['b'], b: ['a'] })).toThrow(
      'M: fields are computed from each other in a circle: a → b → a',
    )
    expect(() => order({ a: ['a'] })).toThrow('in a circle: a → a')
  })

  it('has every field once, each after what it needs', () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
    const needs = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(needs, fc.shuffledSubarray([...fields], { minLength: 8 }), (picks, declared) => {
        // Each needs only earlier letters, so that there is no circle.
        const map = new Map<string, string[]>(
          declared.map((name) => {
            const index = fields.indexOf(name)
            return [
              name,
              (picks[index] ?? []).filter((pick) => pick < index).map((pick) => fields[pick] ?? ''),
            ]
          }),
        )
        const ordered = orderFields('M', map)
        expect(ordered.toSorted()).toEqual([...fields])
        for (const [name, needed] of map) {
          for (const each of needed) expect(ordered.indexOf(each)).toBeLessThan(ordered.indexOf(name))
        }
      }),
    )
  })
})
