import { expect, it } from 'vitest'
import { byName } from '../src/grouping.ts'

it('has values by name, and repeated ones as lists', () => {
  expect(byName(new URLSearchParams('b=1&a=x+y%21&b=2&c'))).toEqual({ b: ['1', '2'], a: 'x y!', c: '' })
  expect(Object.keys(byName([['__proto__', 1]]))).toEqual(['__proto__'])
})
