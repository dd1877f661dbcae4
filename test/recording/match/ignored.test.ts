import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OptionInvalid } from '../../../src/errors.ts'
import {
  createSettle,
  readPointerGlob,
  SETTLED,
  withoutPointers,
} from '../../../src/recording/match/ignored.ts'
import { pointerBelow } from '../../../src/engine/schema/pointer.ts'

describe('createSettle', () => {
  it('replaces every match of every pattern, in short texts and long ones', () => {
    const withSettled = createSettle(['\\d{3,}', '(?<=run-)\\w+', '$&'])
    for (const letters of [10, 100_000])
      expect(withSettled(letters, (settle) => settle('a 12 123 1234 run-x'))).toBe(
        `a 12 ${SETTLED} ${SETTLED} run-${SETTLED}`,
      )
  })

  it('changes nothing without patterns', () => {
    expect(createSettle([])(1e9, (settle) => settle('123'))).toBe('123')
  })

  it.for([
    ['(a+)+b', 40],
    ['a*a*a*b', 20_000],
    ['a+b', 1_000_000],
  ] as const)('breaks off %s for %i letters', ([pattern, count]) => {
    const text = 'a'.repeat(count)
    const withSettled = createSettle(['x', pattern])
    let failure: unknown
    try {
      withSettled(text.length, (settle) => settle(text))
    } catch (error) {
      failure = error
    }
    expect(failure).toBeInstanceOf(OptionInvalid)
    expect((failure as Error).message).toContain(`The pattern '${pattern}' took longer than 1000 ms`)
    expect(withSettled(3, (settle) => settle('axa'))).toBe(`a${SETTLED}a`)
  })

  it('passes on what the work throws', () => {
    const fail = (): never => {
      throw new RangeError('too deep')
    }
    for (const letters of [1, 100_000]) expect(() => createSettle(['a'])(letters, fail)).toThrow('too deep')
  })
})

describe('pointer glob', () => {
  const without = (value: unknown, ...pointers: string[]): unknown =>
    withoutPointers(
      value,
      pointers.map((text) => readPointerGlob(text) ?? []),
    )

  it('reads the parts of a JSON pointer, and nothing else', () => {
    expect(readPointerGlob('')).toEqual([])
    expect(readPointerGlob('/a~1b/*/~0c/')).toEqual(['a/b', '*', '~c', ''])
    for (const text of ['a', '#/a', '/a~2', '/~']) expect(readPointerGlob(text)).toBeUndefined()
  })

  it('reads back what was written for any names', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        expect(readPointerGlob(names.reduce(pointerBelow, ''))).toEqual(names)
      }),
    )
  })

  const value = { id: 1, items: [{ id: 1, x: 1 }, { id: 2 }], by: { a: { at: 1 }, b: { at: 2, n: 3 } } }

  it('takes out members, and items with those after them moving up', () => {
    expect(without(value, '/id', '/items/0')).toEqual({ items: [{ id: 2 }], by: value.by })
    expect(without([1, 2, 3], '/0', '/2')).toEqual([2])
  })

  it('takes out of every item and member', () => {
    expect(without(value, '/items/*/id', '/by/*/at', '/id')).toEqual({
      items: [{ x: 1 }, {}],
      by: { a: {}, b: { n: 3 } },
    })
    expect(without(value, '/items/*', '/by/*')).toEqual({ id: 1, items: [], by: {} })
  })

  it('takes out all of it by the empty pointer, and nothing by one that leads nowhere', () => {
    expect(without(value, '')).toBeUndefined()
    expect(without(value, '/none', '/id/x', '/items/9/id', '/items/id')).toEqual(value)
    expect(without(null, '/a')).toBeNull()
  })

  it('leaves the value itself as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.constantFrom('*', '0', 'a', '')), (json, parts) => {
        const before = JSON.stringify(json)
        withoutPointers(json, [parts])
        expect(JSON.stringify(json)).toBe(before)
      }),
    )
  })
})
