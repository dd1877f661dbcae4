import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerBelow, readPointerGlob, withoutPointers } from '../../../src/recording/match/pointer-glob.ts'

const without = (value: unknown, ...pointers: string[]): unknown =>
  withoutPointers(
    value,
    pointers.map((text) => readPointerGlob(text) ?? []),
  )

describe('readPointerGlob', () => {
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
})

describe('withoutPointers', () => {
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
