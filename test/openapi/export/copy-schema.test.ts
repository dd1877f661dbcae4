import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { copyPart, copySchema, isNamed, type Elsewhere } from '../../../src/openapi/export/copy-schema.ts'
import { schema, routes } from '../documents.ts'
import { plain, plainEntries, plainLink, createHide } from '../../../src/openapi/export/plain.ts'

const elsewhere: Elsewhere = {
  reference: (reference) => `to ${reference}`,
  named: ({ title, $id }) => ({ $ref: `named ${String(title ?? $id)}` }),
}
const copy = (schema: Schema): Schema => copySchema(schema, elsewhere)

describe('copySchema', () => {
  it('drops definitions and names, and gives references anew', () => {
    const given = {
      $id: 'A',
      $anchor: 'a',
      $schema: 'x',
      $defs: { B: {} },
      definitions: {},
      $ref: '#/$defs/B',
    }
    expect(copy(given)).toEqual({ $ref: 'to #/$defs/B' })
  })

  it.for([
    'items',
    'additionalProperties',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'propertyNames',
    'unevaluatedProperties',
    'unevaluatedItems',
  ])('gives references below %s anew', (keyword) => {
    expect(copy({ [keyword]: { $ref: 'B' } })).toEqual({ [keyword]: { $ref: 'to B' } })
    expect(copy({ [keyword]: false })).toEqual({ [keyword]: false })
  })

  it.for(['anyOf', 'oneOf', 'allOf', 'prefixItems'])('gives references in the list %s anew', (keyword) => {
    expect(copy({ [keyword]: [{ $ref: 'B' }, true] })).toEqual({ [keyword]: [{ $ref: 'to B' }, true] })
  })

  it.for(['properties', 'patternProperties', 'dependentSchemas'])(
    'gives references by name in %s anew',
    (keyword) => {
      expect(copy({ [keyword]: { $ref: { $ref: 'B' }, $id: {} } })).toEqual({
        [keyword]: { $ref: { $ref: 'to B' }, $id: {} },
      })
    },
  )

  it('leaves data alone, even data that looks like a reference', () => {
    const given = {
      const: { $ref: 'B', title: 'x', type: 'object' },
      default: [{ $id: 'y' }],
      enum: [1, null],
    }
    expect(copy(given)).toEqual(given)
  })

  it('makes a tuple of the old form one of the new', () => {
    expect(copy({ type: 'array', items: [{ $ref: 'B' }], additionalItems: false })).toEqual({
      type: 'array',
      prefixItems: [{ $ref: 'to B' }],
      items: false,
    })
    expect(copy({ items: [true] })).toEqual({ prefixItems: [true] })
    expect(copy({ dependencies: { a: ['b'] } })).toEqual({ dependencies: { a: ['b'] } })
  })

  it('gives the models of a discriminator anew, and leaves bare names', () => {
    const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' }
    expect(copy({ discriminator: { propertyName: 'kind', mapping } })).toEqual({
      discriminator: { propertyName: 'kind', mapping: { cat: 'to #/components/schemas/Cat', dog: 'Dog' } },
    })
    expect(copy({ discriminator: { propertyName: 'kind' } })).toEqual({
      discriminator: { propertyName: 'kind' },
    })
  })

  it('keeps links as data', () => {
    const compute = (name: string): string => name
    expect(copy({ ...ComputedFrom(['name'], compute) })).toEqual({
      'x-sim-link': { computedFrom: { fields: ['name'] } },
    })
    expect(copy({ ...WhenInput('kind', 'a', FromInput('name')) })).toEqual({
      'x-sim-link': { whenInput: { field: 'kind', equals: 'a', then: { fromInput: 'name' } } },
    })
  })
})

describe('copyPart', () => {
  it('refers to a model with a name, with the link of the place beside the reference', () => {
    expect(copyPart({ title: 'User', type: 'object' }, elsewhere)).toEqual({ $ref: 'named User' })
    expect(copyPart({ title: 'User', type: 'object', ...FromInput('user') }, elsewhere)).toEqual({
      $ref: 'named User',
      'x-sim-link': { fromInput: 'user' },
    })
    expect(copyPart(true, elsewhere)).toBe(true)
  })
})

describe('isNamed', () => {
  it.for([
    [{ title: 'User', type: 'object' }, true],
    [{ title: 'Anything' }, true],
    [{ title: 'Status', enum: ['a', 'b'] }, true],
    [{ title: 'Pet', anyOf: [{ type: 'object' }, { $ref: 'Cat' }] }, true],
    [{ title: 'Users', type: 'array', items: { type: 'object' } }, true],
    [{ $id: 'Id', type: 'string' }, true],
    [{ title: 'First name', type: 'string' }, false],
    [{ title: 'Low', const: 1 }, false],
    [{ title: 'Nickname', anyOf: [{ type: 'string' }, { type: 'null' }] }, false],
    [{ title: 'Tags', type: 'array', items: { type: 'string' } }, false],
    [{ title: '', type: 'object' }, false],
    [Type.Object({}), false],
  ] as const)('is, of %j, %s', ([model, expected]) => {
    expect(isNamed(schema(model))).toBe(expected)
  })
})

describe('plain', () => {
  it.for([
    [{ a: undefined, b: () => 1, c: Symbol('c'), d: 1 }, { d: 1 }],
    [
      [1, undefined, () => 1, 'x'],
      [1, 'x'],
    ],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [{ maximum: Infinity, minimum: Number.NaN }, {}],
    [null, null],
  ] as const)('makes %j what JSON can carry', ([value, expected]) => {
    expect(plain(value)).toEqual(expected)
  })

  it('makes a bigint a number', () => {
    expect(plain({ size: 12n })).toEqual({ size: 12 })
  })

  it('leaves nothing that a round trip through JSON changes', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withBigInt: true }), (value) => {
        const made = plain({ value })
        expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
      }),
    )
  })

  it('keeps a key called __proto__ as a key', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as object
    expect(JSON.stringify(plain(value))).toBe('{"__proto__":{"a":1}}')
  })
})

describe('plainEntries', () => {
  it('drops entries without a value and keeps null', () => {
    expect(
      plainEntries([
        ['a', undefined],
        ['b', null],
      ]),
    ).toEqual({ b: null })
  })
})

describe('plainLink', () => {
  it('keeps the name of a link that had only functions for arguments', () => {
    expect(plainLink({ custom: () => 1 })).toEqual({ custom: [] })
    expect(plainLink({ custom: ['a', () => 1] })).toEqual({ custom: ['a'] })
  })
})

const hideWith = (...bearerTokens: string[]) =>
  createHide(routes(['GET', '/a', { bearerTokens }], ['GET', '/b']))

describe('createHide', () => {
  it('hides tokens at any depth, in keys too', () => {
    const hide = hideWith('secret-token', 'secret-token-2')
    const value = { a: ['Bearer secret-token', 1, null, true], 'secret-token-2': { b: 'xsecret-token-2y' } }
    expect(hide(value)).toEqual({ a: ['Bearer ***', 1, null, true], '***': { b: 'x***y' } })
  })

  it('hides a short token where it stands alone', () => {
    expect(hideWith('t')('Bearer t, the token')).toBe('Bearer ***, the token')
  })

  it('takes a token for text and not for an expression', () => {
    expect(hideWith('a.b(c)*+/=')('a.b(c)*+/= axb')).toBe('*** axb')
  })

  it('leaves everything as it is when no route has a token', () => {
    const value = { a: 'Bearer t' }
    expect(hideWith()(value)).toBe(value)
  })
})
