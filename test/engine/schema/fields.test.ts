import { describe, expect, it } from 'vitest'
import { fieldsOf, fieldSchemasOf } from '../../../src/engine/schema/fields.ts'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'

const fields = (model: Schema): object => Object.fromEntries(fieldsOf(model, createResolver(model)))

describe('fieldsOf', () => {
  it('gives the fields of references, allOf, unions and conditions', () => {
    const model = {
      $defs: {
        Named: { properties: { name: { type: 'string' } } },
        Self: { anyOf: [{ $ref: '#/$defs/Self' }] },
      },
      allOf: [{ $ref: '#/$defs/Named' }, { properties: { id: { type: 'integer' } } }],
      anyOf: [{ properties: { a: { type: 'null' } } }, { $ref: '#/$defs/Self' }, true],
      oneOf: [{ properties: { b: true } }],
      if: { properties: { ignored: true } },
      then: { properties: { c: true } },
      else: { properties: { d: true } },
    }
    expect(fields(model)).toEqual({
      name: { type: 'string' },
      id: { type: 'integer' },
      a: { type: 'null' },
      b: true,
      c: true,
      d: true,
    })
  })

  it('joins what several members say of a field', () => {
    const shared = { type: 'boolean' }
    const model = {
      anyOf: [
        { properties: { x: { type: 'integer' }, y: shared } },
        { properties: { x: { type: 'string' }, y: shared } },
      ],
    }
    expect(fields(model)).toEqual({ x: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, y: shared })
  })

  it('has none for a model that is not an object', () => {
    expect(fields({ type: 'string' })).toEqual({})
    expect(fields({ allOf: [false] })).toEqual({})
  })
})

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
