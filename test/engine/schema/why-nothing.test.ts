import { expect, it } from 'vitest'
import { compileGenerator } from '../../../src/engine/schema/compile.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'

const text: Schema = { type: 'string' }

it.for<[Schema, string]>([
  [{ type: 'integer', minimum: 5, maximum: 1 }, '#: minimum 5 and maximum 1 contradict each other'],
  [
    { type: 'string', format: 'uuid', maxLength: 5 },
    '#: format "uuid" and maxLength 5 contradict each other',
  ],
  [{ type: 'array', items: false, minItems: 1 }, '#/items allows nothing'],
  [
    { type: 'array', prefixItems: [text, { type: 'integer', enum: ['a'] }], minItems: 2 },
    '#/prefixItems/1: no value of enum is of type integer',
  ],
  [
    { type: 'object', required: ['a/b'], properties: { 'a/b': { allOf: [text, false] } } },
    '#/properties/a~1b/allOf/1 allows nothing',
  ],
  [{ type: 'object', required: ['x'], additionalProperties: false }, '#/additionalProperties allows nothing'],
  [{ anyOf: [{ type: 'string', minLength: 2, maxLength: 1 }] }, '#/anyOf/0: minLength 2 and maxLength 1'],
  [{ allOf: [text, { type: 'integer' }] }, '#: what is wanted together contradicts itself'],
  [
    {
      $ref: '#/$defs/A',
      $defs: {
        A: { type: 'object', required: ['b'], properties: { b: { $ref: '#/$defs/B' } } },
        B: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/A' } } },
      },
    },
    '#/$defs/A requires itself without end',
  ],
])('%j is refused for what is wrong in it', ([model, why]) => {
  expect(() => compileGenerator(model)).toThrow(why)
})
