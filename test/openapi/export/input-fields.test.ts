import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import {
  inputModelOf,
  isList,
  type InputField,
  refusesInput,
} from '../../../src/openapi/export/input-fields.ts'

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

const refuses = (method: Method, path: string, input?: object): boolean => {
  const route = createRoute(method, path, { ...(input !== undefined && { input }) })
  return refusesInput(route, inputModelOf(route))
}

describe('refusesInput', () => {
  it.for(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'expects %s to refuse a body that is not JSON',
    (method) => {
      expect(refuses(method, '/x')).toBe(true)
    },
  )

  it.for<[string, object, boolean]>([
    [
      'optional texts',
      Type.Object({ a: Type.Optional(Type.String({ description: 'a', ...{ 'x-more': 1 } })) }),
      false,
    ],
    ['a text with a default', Type.Object({ a: Type.String({ default: 'a' }) }), false],
    ['anything', { properties: { a: true, b: {} } }, false],
    ['what the path gives', Type.Object({ id: Type.String() }), false],
    ['a required text', Type.Object({ a: Type.String() }), true],
    ['a number', Type.Object({ a: Type.Optional(Type.Integer()) }), true],
    ['a text with a rule', Type.Object({ a: Type.Optional(Type.String({ minLength: 1 })) }), true],
    ['nothing', { properties: { a: false } }, true],
    ['no other fields', Type.Object({}, { additionalProperties: false }), true],
    ['other rules', { minProperties: 1 }, true],
  ])('knows of a GET that takes %s', ([, input, expected]) => {
    expect(refuses('GET', '/users/{id}', input)).toBe(expected)
  })

  it('expects a GET without a model to take everything', () => {
    expect(refuses('GET', '/users/{id}')).toBe(false)
  })
})
