import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readScalar, readScalars } from '../../../src/recording/inference/read-scalar.ts'

it.for<[string, unknown]>([
  ['true', true],
  ['12', 12],
  ['-1.5', -1.5],
  ['007', '007'],
  ['1e5', '1e5'],
  ['1234567890123456', '1234567890123456'],
  ['', ''],
])('reads %j', ([text, value]) => {
  expect(readScalar(text)).toBe(value)
})

it('reads every integer that a double holds with room to spare', () => {
  fc.assert(fc.property(fc.integer(), (value) => readScalar(String(value)) === value))
})

it('reads values as one type, or as the texts they are', () => {
  expect(readScalars(['1', '2'])).toEqual([1, 2])
  expect(readScalars(['1', 'x'])).toEqual(['1', 'x'])
})
