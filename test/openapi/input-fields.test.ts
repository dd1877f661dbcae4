import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createRoute } from '../../src/engine/route.ts'
import { inputModelOf, isList, type InputField } from '../../src/openapi/input-fields.ts'

const fieldsOf = (input: object): Record<string, InputField> =>
  Object.fromEntries(inputModelOf(createRoute('GET', '/x', { input }))?.fields ?? [])

describe('inputModelOf', () => {
  it('is nothing for a route without an input model', () => {
    expect(inputModelOf(createRoute('GET', '/x', {}))).toBeUndefined()
  })

  it('requires what the model requires and has no default for', () => {
    const input = Type.Object({
      a: Type.String(),
      b: Type.String({ default: 'b' }),
      c: Type.Optional(Type.String()),
    })
    const { a, b, c } = fieldsOf(input)
    expect([a?.required, b?.required, c?.required]).toEqual([true, false, false])
  })

  it('folds references and allOf', () => {
    const fields = fieldsOf({
      $defs: { Name: { type: 'string', description: 'A name' } },
      allOf: [{ properties: { name: { $ref: '#/$defs/Name' } } }, { required: ['name'] }],
    })
    expect(fields['name']).toEqual({
      schema: { $ref: '#/$defs/Name' },
      flat: { type: 'string', description: 'A name' },
      required: true,
    })
  })

  it('names the fields of the members of a union, and requires those that all members require', () => {
    const fields = fieldsOf({
      anyOf: [
        { properties: { kind: { const: 'a' }, a: { type: 'string' } }, required: ['kind', 'a'] },
        { properties: { kind: { const: 'b' }, b: true }, required: ['kind'] },
      ],
    })
    expect(Object.entries(fields).map(([name, { required }]) => [name, required])).toEqual([
      ['kind', true],
      ['a', false],
      ['b', false],
    ])
  })
})

describe('isList', () => {
  it.for([
    [{ type: 'array' }, true],
    [{ type: ['array', 'null'] }, true],
    [{ anyOf: [{ type: 'array' }, { type: 'null' }] }, true],
    [{ $ref: '#/$defs/List' }, true],
    [{ anyOf: [true, { type: 'null' }] }, false],
    [{ type: 'string' }, false],
    [true, false],
  ] as const)('is, of %j, %s', ([schema, expected]) => {
    const fields = fieldsOf({ $defs: { List: { type: 'array' } }, properties: { field: schema } })
    expect(fields['field'] && isList(fields['field'])).toBe(expected)
  })
})
