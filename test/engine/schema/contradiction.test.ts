import { describe, expect, it } from 'vitest'
import { isContradiction } from '../../../src/engine/schema/height.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'

describe('isContradiction', () => {
  it.for<[string, Schema, boolean]>([
    ['string', { minLength: 3, maxLength: 2 }, true],
    ['string', { minLength: 2, maxLength: 2 }, false],
    ['array', { minItems: 1, maxItems: 0 }, true],
    ['array', { minItems: 1 }, false],
    ['object', { minProperties: 2, maxProperties: 1 }, true],
    ['object', { required: ['a', 'b'], maxProperties: 1 }, true],
    ['object', { required: ['a'], maxProperties: 1 }, false],
    ['number', { minimum: 2, maximum: 1 }, true],
    ['number', { minimum: 1, exclusiveMaximum: 1 }, true],
    ['number', { exclusiveMinimum: 1, maximum: 1 }, true],
    ['number', { exclusiveMinimum: 1, exclusiveMaximum: 1.1 }, false],
    ['integer', { exclusiveMinimum: 1, exclusiveMaximum: 2 }, true],
    ['integer', { minimum: 1.2, maximum: 1.8 }, true],
    ['integer', { exclusiveMinimum: 1.2, exclusiveMaximum: 2.1 }, false],
    ['integer', {}, false],
    ['null', { minimum: 2, maximum: 1 }, false],
  ])('of %s and %j is %s', ([type, schema, expected]) => {
    expect(isContradiction(type, schema)).toBe(expected)
  })
})
