import { describe, expect, it } from 'vitest'
import { isNear, termsOf, defaultFuzziness } from '../../src/filter/terms.ts'

describe('terms', () => {
  it('end at white space and punctuation, and keep inner periods', () => {
    expect(termsOf(`Hello, (big) "world": it's v2.0... and ... ~more-or [less].`)).toEqual([
      'hello',
      'big',
      'world',
      'it',
      's',
      'v2.0',
      'and',
      'more',
      'or',
      'less',
    ])
  })

  it('are near by insertions, deletions, changes and exchanges', () => {
    expect(isNear('brown', 'bronw', 1)).toBe(true)
    expect(isNear('brown', 'brow', 1)).toBe(true)
    expect(isNear('brown', 'browns', 1)).toBe(true)
    expect(isNear('brown', 'crown', 1)).toBe(true)
    expect(isNear('brown', 'crowd', 1)).toBe(false)
    expect(isNear('brown', 'crowd', 2)).toBe(true)
    expect(['ab', 'abc', 'abcdef'].map(defaultFuzziness)).toEqual([0, 1, 2])
  })
})
