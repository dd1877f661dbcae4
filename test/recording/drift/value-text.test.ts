import { expect, it } from 'vitest'
import { below, describe, shown, shownAll, typeOf } from '../../../src/recording/drift/value-text.ts'

it('calls types as JSON Schema does', () => {
  expect([null, [], {}, 1, 1.5, 'a', true].map(typeOf)).toEqual([
    ...['null', 'array', 'object', 'integer', 'number', 'string', 'boolean'],
  ])
  expect(describe({ type: ['string', 'null'] })).toBe('string or null')
  expect([describe(undefined), describe(true), describe({})]).toEqual(['a value', 'a value', 'a value'])
})

it('cuts long values short, and escapes pointers', () => {
  expect(shown('x'.repeat(1000))).toHaveLength(81)
  expect(shownAll(Array.from({ length: 9 }, (_, index) => index))).toBe('0, 1, 2, 3, 4, 5, 6, 7, …')
  expect(below('/a', 'b/c~d')).toBe('/a/b~1c~0d')
})
