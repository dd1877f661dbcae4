import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkSchema, createChecker } from '../../../src/engine/schema/checker.ts'
import { baseOf, formOfModel, formOfPart } from '../../../src/engine/schema/validator-form.ts'
import { onLimit } from '../../../src/engine/limit-notes.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { ModelInvalid } from '../../../src/errors.ts'

describe('createChecker', () => {
  it.each([Number.NaN, Infinity])('takes %d for no number, as JSON has none', (value) => {
    expect(createChecker({ type: 'number' }).fits(value)).toBe(false)
    expect(createChecker({ type: 'object', properties: { a: { type: 'integer' } } }).fits({ a: value })).toBe(
      false,
    )
  })

  it('says so of a model whose $ref leads back to it', () => {
    const circle: Schema = {
      $ref: '#/$defs/A',
      $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
    }
    expect(() => createChecker(circle).fits({})).toThrow(/its \$ref leads back to it/)
  })

  it('reports every violation with keyword, place and message', () => {
    const checker = createChecker({
      type: 'object',
      required: ['id', 'name'],
      additionalProperties: false,
      properties: {
        id: { type: 'integer' },
        tags: { items: { enum: ['a', 'b'] } },
        'a/b~c': { const: 1 },
        name: {},
      },
    })
    expect(checker.check({ id: 'x', tags: ['a', 'z'], 'a/b~c': 2, more: 1 })).toEqual(
      expect.arrayContaining([
        { keyword: 'required', path: ['name'], message: 'Field required' },
        { keyword: 'additionalProperties', path: ['more'], message: 'Unknown field' },
        { keyword: 'type', path: ['id'], message: 'Value must be integer' },
        {
          keyword: 'enum',
          path: ['tags', 1],
          message: 'Value must be equal to one of the allowed values: ["a","b"]',
        },
        { keyword: 'const', path: ['a/b~c'], message: 'Value must be equal to constant: 1' },
      ]),
    )
    expect(checker.check({ id: 1, name: null })).toEqual([])
  })

  it('tests a part of its model, whose references mean the whole', () => {
    const part = { $ref: '#/$defs/Name', minLength: 2 }
    const root: Schema = { $defs: { Name: { $anchor: 'n', type: 'string' } }, properties: { a: part } }
    const checker = createChecker(root)
    expect([checker.fits('ab', part), checker.fits('a', part), checker.fits(1, part)]).toEqual([
      true,
      false,
      false,
    ])
    expect(checker.check(1, part)).toMatchObject([{ keyword: 'type', path: [] }])
    expect(checker.fits('x', { $ref: '#n' })).toBe(true)
    expect(checker.fits(1, { $ref: '#n' })).toBe(false)
  })

  it.for<[string, Schema, unknown, unknown]>([
    [
      'itself by its own name',
      { $id: 'Node', properties: { next: { $ref: 'Node' }, v: { type: 'integer' } } },
      { next: { v: 1 } },
      { next: { v: '1' } },
    ],
    [
      'itself by an address',
      {
        $id: 'https://a.example/node.json#',
        properties: { next: { $ref: 'node.json' }, v: { type: 'integer' } },
      },
      { next: { v: 1 } },
      { next: { v: '1' } },
    ],
    [
      'itself by #',
      { properties: { next: { $ref: '#' }, v: { type: 'integer' } } },
      { next: { v: 1 } },
      { next: { v: '1' } },
    ],
    [
      'a part by its name',
      { $defs: { V: { $id: 'V', type: 'integer' } }, properties: { v: { $ref: 'V' } } },
      { v: 1 },
      { v: '1' },
    ],
    [
      'a part that is there twice',
      {
        properties: { a: { $id: 'V', type: 'integer' }, b: { $id: 'V', type: 'integer' }, c: { $ref: 'V' } },
      },
      { a: 1, b: 2, c: 3 },
      { b: '2' },
    ],
    [
      'a part of an OpenAPI document',
      { components: { schemas: { V: { type: 'integer' } } }, $ref: '#/components/schemas/V' },
      1,
      '1',
    ],
  ])('understands a model that refers to %s', ([, model, good, bad]) => {
    const checker = createChecker(model)
    expect([checker.fits(good), checker.fits(bad)]).toEqual([true, false])
    expect([checker.fits(good, { allOf: [model] }), checker.fits(bad, { allOf: [model] })]).toEqual([
      true,
      false,
    ])
  })

  it('understands what TypeBox writes: parts that contain themselves, tuples, records', () => {
    const Node = Type.Cyclic(
      { Node: Type.Object({ v: Type.Integer(), next: Type.Optional(Type.Ref('Node')) }) },
      'Node',
    )
    const model = Type.Object({
      a: Node,
      b: Node,
      pair: Type.Tuple([Type.String(), Type.Integer()]),
      by: Type.Record(Type.Integer(), Type.Boolean()),
    }) as unknown as Schema
    const good = { a: { v: 1, next: { v: 2 } }, b: { v: 1 }, pair: ['x', 1], by: { 7: true } }
    const checker = createChecker(model)
    expect(checker.check(good)).toEqual([])
    expect(checker.check({ ...good, b: { v: 1, next: {} } })).toMatchObject([{ path: ['b', 'next', 'v'] }])
    expect(checker.fits({ ...good, pair: ['x', 1, 2] })).toBe(false)
    expect(checker.fits({ ...good, pair: [1, 'x'] })).toBe(false)
    expect(checker.fits({ v: 'x' }, Node as unknown as Schema)).toBe(false)
    expect(checker.fits(['x', 1], Type.Tuple([Type.String(), Type.Integer()]) as unknown as Schema)).toBe(
      true,
    )
  })

  it('leaves values alone that look like schemas', () => {
    const checker = createChecker({ $id: 'M', properties: { a: { const: { $id: 'M', items: [1] } } } })
    expect(checker.fits({ a: { $id: 'M', items: [1] } })).toBe(true)
    expect(checker.fits({ a: { items: [1] } }, { properties: { a: { enum: [{ $ref: 'x' }] } } })).toBe(false)
    expect(checker.fits({ a: { $ref: 'x' } }, { properties: { a: { enum: [{ $ref: 'x' }] } } })).toBe(true)
  })

  it('fills in defaults when it was made to', () => {
    const model = {
      properties: { a: { type: 'string', default: 'x' }, b: { properties: { c: { default: 1 } } } },
    }
    const [plain, filled] = [{ b: {} }, { b: {} }]
    createChecker(model).check(plain)
    createChecker(model, { defaults: true }).check(filled)
    expect([plain, filled]).toEqual([{ b: {} }, { a: 'x', b: { c: 1 } }])
  })

  it('fills in nothing that a member of a choice has, which the value may turn out not to be', () => {
    const $defs = {
      Line: { properties: { angle: { default: 0 } } },
      Point: { additionalProperties: false, properties: { size: { default: 1 } } },
    }
    const anyOf = [{ $ref: '#/$defs/Line', required: ['angle'] }, { $ref: '#/$defs/Point' }]
    const value = { shape: { size: 2 } }
    const model = { properties: { shape: { anyOf }, other: { $ref: '#/$defs/Point' } }, $defs }
    expect(createChecker(model, { defaults: true }).check(value)).toEqual([])
    expect(value).toEqual({ shape: { size: 2 } })
    const filled = { other: {} }
    createChecker(model, { defaults: true }).check(filled)
    expect(filled).toEqual({ other: { size: 1 } })
  })

  it('forgives rounding', () => {
    const model = { type: 'number', multipleOf: 0.01 }
    expect(createChecker(model, { defaults: true }).check(0.07)).toEqual([])
    expect(createChecker(model, { defaults: true }).check(0.075)).toHaveLength(1)
    expect([0.07, 19.99, 0.075].map((value) => createChecker(model).fits(value))).toEqual([true, true, false])
  })

  it('ignores formats and keywords it does not know', () => {
    expect(createChecker({ type: 'string', format: 'unheard-of', colour: 'red' }).fits('x')).toBe(true)
  })

  it('names a model that is not a valid schema when it is first used', () => {
    const checker = createChecker({ title: 'Odd', type: 'colour' })
    expect(() => checker.fits(1)).toThrow(ModelInvalid)
    expect(() => checker.check(1)).toThrow(/^Odd is not a valid JSON Schema: /)
    expect(() => createChecker({ $ref: '#/$defs/gone' }).fits(1)).toThrow(
      /the model is not a valid JSON Schema/,
    )
  })

  it('changes no prototype for a field called __proto__', () => {
    const model = JSON.parse('{"properties":{"__proto__":{"type":"object","default":{"x":1}}}}') as Schema
    const value = JSON.parse('{"__proto__":{"polluted":true}}') as object
    createChecker(model, { defaults: true }).check(value)
    createChecker(model, { defaults: true }).check({})
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
    expect('x' in {}).toBe(false)
  })
})

describe('a check', () => {
  const item = { type: 'object', properties: { x: { $ref: '#/$defs/Item' } } }

  // Each took minutes.
  it('takes steps in proportion to the value', () => {
    const many = createChecker({ items: { $ref: '#/$defs/Item' }, $defs: { Item: item } })
    expect(many.check(Array.from({ length: 100_000 }, () => 1))).toHaveLength(1000)
    const unique = createChecker({ uniqueItems: true })
    const items = Array.from({ length: 50_000 }, (_, index) => ({ a: { index } }))
    expect(unique.fits(items)).toBe(true)
    expect(unique.check([...items, { a: { index: 7 } }])).toEqual([
      {
        keyword: 'uniqueItems',
        path: [],
        message: 'Value must NOT have duplicate items (items ## 7 and 50000 are identical)',
      },
    ])
  })

  it('ends, where parts are named in so many ways that no one could go through all', () => {
    const both = (index: number) => [{ $ref: `#/$defs/A${index}` }, { $ref: `#/$defs/A${index}` }]
    const chain = Array.from({ length: 60 }, (_, index) => [`A${index}`, { allOf: both(index + 1) }])
    const model = { $ref: '#/$defs/A0', $defs: { ...Object.fromEntries(chain), A60: { type: 'string' } } }
    const notes: string[] = []
    const end = onLimit((note) => notes.push(note))
    expect(createChecker(model).fits(1)).toBe(true)
    end()
    expect(notes).toEqual(['the model: a value was not checked, which takes over 2000000 steps'])
  })
})

describe('checkSchema', () => {
  it('says what is wrong with a schema as a schema', () => {
    expect(checkSchema({ type: 'object', properties: { a: { type: 'string' } } })).toEqual([])
    expect(checkSchema({ properties: { a: { minLength: -1 } } })).toEqual([
      { keyword: 'minimum', path: ['properties', 'a', 'minLength'], message: 'Value must be >= 0' },
    ])
    expect(checkSchema(Type.Tuple([Type.String()]) as unknown as Schema)).toEqual([])
  })
})

describe('baseOf', () => {
  it('is where the name of a model places it', () => {
    expect(baseOf({})).toBe('sim://model/')
    expect(baseOf({ $id: 'User' })).toBe('sim://model/User')
    expect(baseOf({ $id: 'https://a.example/user.json#' })).toBe('https://a.example/user.json')
    expect(baseOf({ $id: 'http://[' })).toBe('sim://model/')
  })
})

describe('formOfModel', () => {
  it('writes tuples as 2020-12 has them', () => {
    expect(formOfModel({ items: [{ type: 'null' }], additionalItems: false })).toEqual({
      prefixItems: [{ type: 'null' }],
      items: false,
    })
    expect(formOfModel({ allOf: [{ properties: { items: true, a: { items: [true] } } }] })).toEqual({
      allOf: [{ properties: { items: true, a: { prefixItems: [true], items: true } } }],
    })
  })

  it('keeps each name once', () => {
    const part = { $id: 'P', type: 'null' }
    expect(
      formOfModel({ properties: { a: part, b: part }, $id: 'M', not: { $id: 'M' } }, 'sim://model/M'),
    ).toEqual({
      $id: 'sim://model/M',
      properties: { a: part, b: { type: 'null' } },
      not: {},
    })
  })

  it('takes properties for what they are, whatever they are called', () => {
    const model = {
      properties: { enum: { items: [true] }, $id: { type: 'string' }, $ref: { type: 'string' } },
    }
    expect(formOfModel(model)).toEqual({
      properties: {
        enum: { prefixItems: [true], items: true },
        $id: { type: 'string' },
        $ref: { type: 'string' },
      },
    })
  })
})

describe('formOfPart', () => {
  it('refers to the whole model and names nothing', () => {
    const part = {
      $id: 'P',
      $anchor: 'p',
      anyOf: [{ $ref: '#/$defs/A' }, { $ref: 'B' }, { $ref: 'https://c.example/' }],
    }
    expect(formOfPart(part, 'sim://model/M')).toEqual({
      anyOf: [{ $ref: 'sim://model/M#/$defs/A' }, { $ref: 'sim://model/B' }, { $ref: 'https://c.example/' }],
    })
  })

  it('leaves constants alone', () => {
    const part = { const: { $id: 'x' }, enum: [{ $ref: 'y' }], default: { items: [1] } }
    expect(formOfPart(part, 'sim://model/M')).toEqual(part)
  })
})

it('is compiled in time in proportion to the parts of a model', () => {
  const timeOf = (count: number): number => {
    const allOf = Array.from({ length: count }, (_, at) => ({
      properties: { [`p${at}`]: { type: 'string' } },
    }))
    const began = performance.now()
    expect(createChecker({ allOf }).fits({ p1: 1 })).toBe(false)
    return performance.now() - began
  }
  timeOf(10)
  expect(timeOf(2400)).toBeLessThan(9 * Math.min(timeOf(600), timeOf(600)))
})
