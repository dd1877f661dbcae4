import { describe, expect, it } from 'vitest'
import { fieldSchemasOf } from '../../../src/engine/schema/fields.ts'
import { createResolver } from '../../../src/engine/schema/schema.ts'

describe('the fields of a model', () => {
  it.for([
    [{ properties: { a: {} } }, ['a'], true, false],
    [{ properties: { a: {} }, additionalProperties: false }, ['a'], false, true],
    [{ properties: { a: {} }, additionalProperties: { type: 'null' } }, ['a'], { type: 'null' }, true],
    [{ properties: { a: {} }, patternProperties: { '^o': { type: 'null' } } }, ['a'], { type: 'null' }, true],
    [{ properties: { a: {} }, patternProperties: { '^p': { type: 'null' } } }, ['a'], true, true],
    [{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, ['a', 'b'], true, false],
    [{}, [], true, true],
  ] as const)('%j are %j, any other is %j', ([model, names, other, isClosed]) => {
    const fields = fieldSchemasOf(model, createResolver(model))
    expect([[...fields.declared.keys()], fields.other('other'), fields.isClosed]).toEqual([
      names,
      other,
      isClosed,
    ])
  })
})
