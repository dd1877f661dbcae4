import { expect, it } from 'vitest'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'
import { defaultOf } from '../../../src/openapi/serve/default-of.ts'

const $defs = { A: { default: 1 }, Self: { $ref: '#/$defs/Self' } }

it.for([
  [{ default: 0 }, 0],
  [{ default: null }, null],
  [{}, undefined],
  [{ $ref: '#/$defs/A' }, 1],
  [{ $ref: '#/$defs/A', default: 2 }, 2],
  [{ allOf: [{}, { $ref: '#/$defs/A' }] }, 1],
  [{ $ref: '#/$defs/Self' }, undefined],
] as const)('the default of %j is %j', ([schema, value]) => {
  const model: Schema = { ...schema, $defs }
  expect(defaultOf(model, createResolver(model))).toBe(value)
  expect(defaultOf(true, createResolver(model))).toBeUndefined()
})
