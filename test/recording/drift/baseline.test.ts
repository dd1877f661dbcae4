import { expect, it } from 'vitest'
import { essenceOf, pathOf } from '../../../src/recording/drift/baseline.ts'

it('compares media types without parameters, and paths encoded', () => {
  expect(essenceOf('Application/JSON; charset=utf-8')).toBe('application/json')
  expect(essenceOf('')).toBe('')
  expect(pathOf({ segments: ['a b', 'c/d'] })).toBe('/a%20b/c%2Fd')
})
