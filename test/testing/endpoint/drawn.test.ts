import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { list } from '../../../src/engine/schema/list.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { drawnStrategy, inputOf, paramsOf } from '../../../src/testing/endpoint/drawn.ts'

const draw = (method: Method, path: string, options: object) =>
  fc.sample(drawnStrategy(createRoute(method, path, options)), { numRuns: 300, seed: 1 })
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

describe('drawnStrategy', () => {
  it('draws no input for a route without a model, and a text for each path parameter', () => {
    for (const { input, texts } of draw('GET', '/a/{x}/{y}', {})) {
      expect(input).toBeUndefined()
      expect(Object.keys(texts)).toEqual(['x', 'y'])
      expect(Object.values(texts).filter((text) => ['', '.', '..'].includes(text))).toEqual([])
    }
  })

  it('draws for a query only what a query can carry', () => {
    const nullable = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
    const input = object({
      tags: { type: 'array', items: { type: 'integer' } },
      n: nullable,
      o: { anyOf: [{ type: 'object' }, { type: 'boolean' }] },
    })
    const inputs = draw('GET', '/', { input }).map((each) => each.input as Record<string, unknown>)
    expect(inputs.every(({ tags }) => (tags as number[]).length > 0)).toBe(true)
    expect(new Set(inputs.map(({ o }) => typeof o))).toEqual(new Set(['boolean']))
    expect(inputs.some(({ n }) => n === null)).toBe(true)
  })

  it('draws for a body whatever the model says', () => {
    const input = object({
      tags: { type: 'array', items: { type: 'integer' } },
      id: { enum: ['', '..', 'x'] },
    })
    const inputs = draw('POST', '/{id}', { input }).map((each) => each.input as Record<string, unknown>)
    expect(inputs.some(({ tags }) => (tags as number[]).length === 0)).toBe(true)
    expect(new Set(inputs.map(({ id }) => id))).toEqual(new Set(['x']))
  })

  it.for([
    [
      'its field of the input',
      { input: object({ id: { type: 'integer', minimum: 5, maximum: 7 } }, []) },
      /^[567]$/,
    ],
    [
      'a referenced field',
      {
        input: {
          ...object({ id: { $ref: '#/$defs/Id' } }, []),
          $defs: { Id: { type: 'integer', minimum: 5, maximum: 7 } },
        },
      },
      /^[567]$/,
    ],
    [
      'its field of the output',
      { output: object({ id: { type: 'string', format: 'uuid' } }) },
      /^[\da-f-]{36}$/,
    ],
    ['its field of a list', { output: list(object({ id: { const: 'one' } })) }, /^one$/],
    ['a field that takes anything', { input: object({ id: true }) }, /./s],
    [
      'a list of one',
      { input: object({ id: { type: 'array', items: { const: 'one' }, maxItems: 2 } }) },
      /^one$/,
    ],
  ] as const)('takes a path parameter for %s', ([_what, options, pattern]) => {
    for (const { texts } of draw('GET', '/a/{id}', options)) expect(texts['id']).toMatch(pattern)
  })

  it('takes the last parameter, whatever its name, for the id of the output', () => {
    const output = object({ id: { const: 7 } })
    expect(draw('GET', '/users/{user}', { output })[0]?.texts).toEqual({ user: '7' })
    expect(draw('GET', '/users/{user}/x', { output }).some(({ texts }) => texts['user'] === '7')).toBe(false)
  })
})

describe('paramsOf and inputOf', () => {
  const route = createRoute('GET', '/{a}/{b}/{c}', {
    input: object({ a: {}, b: { type: 'integer' }, c: {} }, []),
  })
  const params = paramsOf(route, { input: { b: 2 }, texts: { a: 'x', b: 'y', c: 'z' } }, { c: 9 })

  it('prefer given values to those of the input, and these to drawn ones', () => {
    expect(params).toEqual({ a: 'x', b: '2', c: '9' })
  })

  it('leave an input alone that has no fields', () => {
    expect(inputOf(createRoute('POST', '/{a}', { input: {} }), [1], { a: 'x' })).toEqual([1])
  })

  it('read the path into the input', () => {
    expect(inputOf(route, { q: 1 }, params)).toMatchObject({ q: 1, a: 'x', b: 2 })
    expect(inputOf(createRoute('GET', '/{a}', {}), undefined, { a: 'x' })).toEqual({ a: 'x' })
    expect(inputOf(createRoute('GET', '/{a}', { input: object({}) }), {}, { a: 'x' })).toEqual({})
  })
})
