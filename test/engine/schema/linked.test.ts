import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { defineLink } from '../../../src/engine/links/link.ts'
import { holdsLink, linksOf, siblingsOf } from '../../../src/engine/schema/linked.ts'
import { createResolver, type Model, type Schema } from '../../../src/engine/schema/schema.ts'
import { FixtureMiss, LinkMismatch } from '../../../src/errors.ts'
import { fieldOf } from '../links/linking.ts'
import { scopeOf, valuesOf } from './generating.ts'

const Name = Type.String(FromInput('name'))
const User = Type.Object({ name: Name }, { title: 'User' })
const named = { name: 'Ada' }

describe('a link', () => {
  it.for<[string, Model, unknown]>([
    ['the whole answer', Name, 'Ada'],
    ['a field', User, named],
    ['a nested model', Type.Object({ a: Type.Object({ b: User }) }), { a: { b: named } }],
    ['list items', Type.Object({ a: Type.Array(Name, { minItems: 2, maxItems: 2 }) }), { a: ['Ada', 'Ada'] }],
    ['models in a list', Type.Array(User, { minItems: 1, maxItems: 1 }), [named]],
    ['tuple items', Type.Tuple([Name, User]), ['Ada', named]],
    ['a record', { type: 'object', required: ['k'], additionalProperties: User }, { k: named }],
    [
      'a record by pattern',
      { type: 'object', required: ['k'], patternProperties: { k: Name } },
      { k: 'Ada' },
    ],
    ['a nullable text', Type.Object({ a: Type.Union([Name, Type.Null()]) }), { a: 'Ada' }],
    ['a nullable model', Type.Object({ a: Type.Union([Type.Null(), User]) }), { a: named }],
    [
      'a union written on the union',
      { anyOf: [{ type: 'integer' }, { type: 'string' }], ...FromInput('name') },
      'Ada',
    ],
    ['a field that is merged', { allOf: [{ minLength: 1 }, Name] }, 'Ada'],
    ['a merged model', Type.Intersect([User, Type.Object({ also: Name })]), { name: 'Ada', also: 'Ada' }],
    ['a reference', { $ref: '#/$defs/U', $defs: { U: User } }, named],
    [
      'a reference to a text',
      { type: 'array', items: { $ref: '#/$defs/N' }, minItems: 1, maxItems: 1, $defs: { N: Name } },
      ['Ada'],
    ],
    [
      'a reference in a union',
      { anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }], $defs: { N: Name } },
      'Ada',
    ],
  ])('applies in %s', ([, model, expected]) => {
    const [value] = valuesOf(model, 1, scopeOf({ name: 'Ada' }))
    expect(value).toEqual(expected)
  })

  it('applies in every model that contains itself', () => {
    const model = {
      type: 'object',
      properties: { name: Name, kids: { type: 'array', items: { $ref: '#' } } },
    }
    const text = JSON.stringify(valuesOf(model, 3, scopeOf({ name: 'Ada' })))
    const names = text.match(/"name":"[^"]*"/g) ?? []
    expect(names.length).toBeGreaterThan(6)
    expect(new Set(names)).toEqual(new Set(['"name":"Ada"']))
  })

  it.for<[object, string, unknown]>([
    [{ type: 'integer' }, '7', 7],
    [{ type: 'number' }, '-0.5', -0.5],
    [{ type: 'boolean' }, 'no', false],
    [{ type: 'string' }, '7', '7'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
    [{ enum: [1, 2] }, '2', 2],
    [{ type: 'array', items: { type: 'integer' } }, '7', [7]],
  ])('reads for a field of %j the text %s as %j', ([schema, text, expected]) => {
    expect(fieldOf({ ...schema, ...FromInput('v') }, { v: text })).toEqual(expected)
    expect(fieldOf({ ...schema, ...FromHeader('v') }, {}, { v: text })).toEqual(expected)
  })

  it.for<[Schema, unknown, string]>([
    [{ type: 'integer' }, 'seven', "gave 'seven'. Value must be integer"],
    [{ type: 'string' }, 7, 'gave 7. Value must be string'],
    [{ type: 'string', minLength: 3 }, 'ab', "gave 'ab'. Value must NOT have fewer than 3 characters"],
    [
      { type: 'object', properties: { a: { properties: { b: { type: 'null' } } } } },
      { a: { b: 1 } },
      'gave { a: { b: 1 } }. a.b: Value must be null',
    ],
    [{ enum: ['a', 'b'] }, 'c', `gave 'c'. Value must be equal to one of the allowed values: ["a","b"]`],
    [{ type: 'string' }, 'x'.repeat(200), ''],
  ])('names route, model and field where a field of %j does not take %j', ([schema, value, message]) => {
    const attempt = (): unknown => fieldOf({ ...schema, ...FromInput('v') }, { v: value })
    if (message === '') return expect(attempt()).toBe(value)
    expect(attempt).toThrow(LinkMismatch)
    return expect(attempt).toThrow(`GET /x: Thing.f: its fromInput link ${message}`)
  })

  it('shows no more than the beginning of a long value', () => {
    const attempt = (): unknown => fieldOf({ type: 'integer', ...FromInput('v') }, { v: 'x'.repeat(10_000) })
    expect(attempt).toThrow(/^.{0,300}$/)
  })

  it('shows values that are not JSON', () => {
    const Odd = defineLink('odd', () => 10n)
    expect(() => fieldOf({ type: 'integer', ...Odd() })).toThrow(
      'its odd link gave 10n. Value must be integer',
    )
  })

  it('lets errors through that speak for themselves', () => {
    const Strict = defineLink('strict', () => {
      throw new FixtureMiss('users.json')
    })
    expect(() => fieldOf({ type: 'string', ...Strict() })).toThrow(FixtureMiss)
  })
})

describe('linksOf', () => {
  it('finds the links of a schema, its reference and its members, in that order', () => {
    const model = {
      $defs: {
        N: { type: 'string', ...FromInput('b') },
        Self: { anyOf: [{ $ref: '#/$defs/Self' }, { $ref: '#/$defs/N' }] },
      },
      ...FromInput('a'),
      $ref: '#/$defs/Self',
      allOf: [FromInput('c'), true],
      oneOf: [FromInput('d')],
    }
    const links = linksOf(model, createResolver(model))
    expect(links.map(({ link }) => link.inputFields[0])).toEqual(['a', 'b', 'c', 'd'])
    expect(linksOf(true, createResolver({}))).toEqual([])
  })

  it('does not look into fields and items', () => {
    const model = { properties: { a: FromInput('a') }, items: FromInput('b') }
    expect(linksOf(model, createResolver(model))).toEqual([])
    expect(siblingsOf(model, createResolver(model))).toEqual([])
  })
})

describe('holdsLink', () => {
  it('looks everywhere, references included', () => {
    const holds = (model: Schema): boolean => holdsLink(model, createResolver(model))
    expect(holds({ anyOf: [{ items: { properties: { a: { ...FromInput('a') } } } }] })).toBe(true)
    expect(
      holds({
        anyOf: [{ $ref: '#/$defs/A' }],
        $defs: { A: { $ref: '#/$defs/B' }, B: { ...FromInput('a') } },
      }),
    ).toBe(true)
    expect(holds({ anyOf: [{ $ref: '#' }], properties: { a: { enum: ['x'] } } })).toBe(false)
    expect(holdsLink(true, createResolver({}))).toBe(false)
  })
})
