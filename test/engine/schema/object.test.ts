import { describe, expect, it } from 'vitest'
import Type from 'typebox'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, scopeOf, valuesOf } from './generating.ts'

const text = { type: 'string' }
const objectOf = (properties: object, more: object = {}): Schema => ({ type: 'object', properties, ...more })

describe('compileObject', () => {
  it.for<Schema>([
    { type: 'object' },
    objectOf({}),
    objectOf({ a: text, b: text, c: text }, { maxProperties: 2, required: ['c'] }),
    objectOf({ a: text, b: text }, { maxProperties: 0 }),
    objectOf({ a: text, b: false }),
    objectOf({ a: text, b: { not: {} } }),
    objectOf(
      { a: text },
      { dependentSchemas: { a: { properties: { b: text }, additionalProperties: false } } },
    ),
    { allOf: [objectOf({ a: text }), { unevaluatedProperties: false }] },
    { type: 'object', patternProperties: { 'f.*': true, 'b.*': false, '^f?b': text } },
    objectOf({ a: { minLength: 3 } }, { patternProperties: { '^a': { type: 'string', maxLength: 4 } } }),
    objectOf({ a: text, ab: { type: 'integer' } }, { patternProperties: { '^ab': { minimum: 5000 } } }),
    objectOf({ a: true, b: {} }, { required: ['a', 'b'] }),
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema)
  })

  it('has all its fields, required or not, in their declared order', () => {
    const [value] = valuesOf<object>(objectOf({ z: text, a: text, m: text }, { required: ['m'] }), 1)
    expect(Object.keys(value ?? {})).toEqual(['z', 'a', 'm'])
  })

  it('makes a field that does not depend on the others', () => {
    const [alone] = valuesOf<{ a: string }>(objectOf({ a: text }), 1)
    const [together] = valuesOf<{ a: string }>(objectOf({ b: text, a: text, c: text }), 1)
    expect(together?.a).toBe(alone?.a)
  })

  it('keeps the declared order where links are evaluated in another', () => {
    const join = (...parts: unknown[]): string => parts.join('+')
    const model = objectOf({
      c: { ...text, ...ComputedFrom(['b', 'a'], join) },
      b: { ...text, ...ComputedFrom(['a'], (a: string) => `${a}!`) },
      a: { const: 'x' },
      d: text,
    })
    const [value] = valuesOf<object>(model, 1)
    expect(Object.keys(value ?? {})).toEqual(['c', 'b', 'a', 'd'])
    expect(value).toMatchObject({ c: 'x!+x', b: 'x!', a: 'x' })
  })

  it('takes given values where no link gives another, in the outermost object only', () => {
    const inner = objectOf({ id: text, n: { type: 'integer' } })
    const model = objectOf({
      id: text,
      name: { ...text, ...FromInput('name') },
      n: { type: 'integer' },
      inner,
    })
    const given = { id: 'mine', name: 'given', n: 'unchecked', more: 1 }
    const [linked] = valuesOf<Record<string, unknown>>(model, 1, { ...scopeOf({ name: 'Ada' }), given })
    expect(linked).toMatchObject({ id: 'mine', name: 'Ada', n: 'unchecked', more: 1 })
    expect(linked?.['inner']).not.toMatchObject({ id: 'mine' })
    const [unlinked] = valuesOf(model, 1, { ...scopeOf(), given })
    expect(unlinked).toMatchObject({ name: 'given' })
    const [closed] = valuesOf<object>({ ...model, additionalProperties: false }, 1, { ...scopeOf(), given })
    expect(Object.keys(closed ?? {})).toEqual(['id', 'name', 'n', 'inner'])
  })

  it('keeps given entries of a record, and adds none', () => {
    const record = { type: 'object', additionalProperties: { type: 'integer' } }
    expect(valuesOf(record, 1, { ...scopeOf(), given: { a: 1, b: 2 } })).toEqual([{ a: 1, b: 2 }])
  })

  it('has a field called __proto__ without changing a prototype', () => {
    const properties = JSON.parse('{"__proto__":{"const":{"polluted":true}},"a":{"const":1}}') as object
    const [value] = valuesOf<object>(objectOf(properties, { required: ['__proto__'] }), 1)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"a":1}')
    const given = JSON.parse('{"__proto__":1}') as object
    const [taken] = valuesOf<object>(objectOf({}), 1, { ...scopeOf(), given: { ...given } })
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype)
  })

  it('reports a required field that nothing fits', () => {
    const model = objectOf({ a: objectOf({ b: false }, { required: ['b'] }), c: text })
    expect(Object.keys(valuesOf<object>(model, 1)[0] ?? {})).toEqual(['c'])
  })
})

const integer = { type: 'integer' }

describe('compileEntries', () => {
  it.for<Schema>([
    { type: 'object', additionalProperties: integer },
    { type: 'object', additionalProperties: integer, minProperties: 6, maxProperties: 7 },
    { type: 'object', additionalProperties: integer, maxProperties: 0 },
    { type: 'object', minProperties: 3 },
    {
      type: 'object',
      patternProperties: { '^\\d+$': integer },
      additionalProperties: false,
      minProperties: 2,
    },
    {
      type: 'object',
      patternProperties: { '^a': { minimum: 3 }, z$: integer },
      additionalProperties: { type: 'null' },
    },
    { type: 'object', patternProperties: { '^a': false }, additionalProperties: integer },
    { type: 'object', patternProperties: { '^a': false }, additionalProperties: false },
    { type: 'object', propertyNames: { pattern: '^[A-Z]{3}$' }, additionalProperties: integer },
    {
      type: 'object',
      propertyNames: { enum: ['north', 'south'] },
      additionalProperties: integer,
      minProperties: 2,
    },
    { type: 'object', propertyNames: { format: 'uuid' }, minProperties: 1 },
    {
      type: 'object',
      propertyNames: { maxLength: 3 },
      patternProperties: { '^x': integer },
      minProperties: 2,
    },
    { type: 'object', required: ['a', 'b'] },
    { type: 'object', required: ['a'], properties: { b: integer }, additionalProperties: integer },
    {
      type: 'object',
      required: ['x1'],
      patternProperties: { '^x': integer },
      additionalProperties: { type: 'null' },
    },
    { type: 'object', properties: { a: integer }, minProperties: 3, maxProperties: 3 },
    { type: 'object', properties: { a: integer }, dependentRequired: { a: ['b'], c: ['d'] } },
  ])('keeps to %j', (schema) => {
    fittingValuesOf(schema)
  })

  it('gives a record one to three entries', () => {
    const sizes = valuesOf<object>({ type: 'object', additionalProperties: integer }, 60).map(
      (value) => Object.keys(value).length,
    )
    expect([...new Set(sizes)].toSorted()).toEqual([1, 2, 3])
  })

  it('gives entries of no name where none is described', () => {
    expect(valuesOf({ type: 'object', additionalProperties: true }, 1)).toEqual([{}])
    expect(
      valuesOf({ type: 'object', properties: { a: integer }, additionalProperties: integer }, 1),
    ).toEqual([{ a: expect.any(Number) as unknown }])
  })

  it('makes records as TypeBox writes them', () => {
    const words = valuesOf<object>(Type.Record(Type.String(), Type.Integer()))
    expect(words.every((value) => Object.keys(value).every((name) => /^\S+( \S+)*$/.test(name)))).toBe(true)
    const numbers = valuesOf<object>(Type.Record(Type.Integer(), Type.Boolean()))
    expect(numbers.every((value) => Object.keys(value).every((name) => /^-?\d+$/.test(name)))).toBe(true)
  })

  it('applies the links of entries', () => {
    const model = {
      type: 'object',
      additionalProperties: { type: 'string', ...FromInput('name') },
      required: ['must'],
    }
    const [value] = valuesOf<object>(model, 1, scopeOf({ name: 'Ada' }))
    expect(new Set(Object.values(value ?? {}))).toEqual(new Set(['Ada']))
    expect(value).toHaveProperty('must')
  })

  it('gives up where there are not enough names', () => {
    const model = {
      type: 'object',
      propertyNames: { const: 'only' },
      additionalProperties: integer,
      minProperties: 2,
    }
    expect(valuesOf(model, 1)).toEqual([{ only: expect.any(Number) as unknown }])
  })

  it('takes a required name such as __proto__ as it is', () => {
    const [value] = valuesOf<object>({ type: 'object', required: ['__proto__', 'constructor'] }, 1)
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
