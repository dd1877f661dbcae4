import { describe, expect, it } from 'vitest'
import { textsOf } from '../../../src/engine/links/link.ts'

describe('textsOf', () => {
  it('reads one text or two', () => {
    expect(textsOf('usage')('a')).toEqual(['a'])
    expect(textsOf('usage', 2)(['a', 'b'])).toEqual(['a', 'b'])
  })

  it.for<[1 | 2, unknown]>([
    [1, 7],
    [1, ''],
    [1, null],
    [1, ['a']],
    [1, { a: 1 }],
    [2, 'a'],
    [2, ['a']],
    [2, ['a', 'b', 'c']],
    [2, ['a', 1]],
  ])('takes for %d no %j', ([count, data]) => {
    const read = count === 1 ? textsOf('x takes a name') : textsOf('x takes a name', 2)
    expect(() => read(data)).toThrow('x takes a name')
  })
})
