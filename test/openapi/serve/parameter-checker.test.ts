import { expect, it } from 'vitest'
import { parameterChecker } from '../../../src/openapi/serve/parameter-checker.ts'

it('is the same for equal models', () => {
  const checker = parameterChecker({ type: 'integer', maximum: 3 })
  expect(parameterChecker({ type: 'integer', maximum: 3 })).toBe(checker)
  expect(parameterChecker({ type: 'integer', maximum: 4 })).not.toBe(checker)
  expect([checker.fits(3), checker.fits(4), parameterChecker({}).fits(4)]).toEqual([true, false, true])
})

it('fills in defaults', () => {
  const value = {}
  parameterChecker({ properties: { a: { default: 1 } } }).check(value)
  expect(value).toEqual({ a: 1 })
})
