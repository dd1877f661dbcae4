import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../src/engine/operation.ts'
import { type Schema, createResolver } from '../../../src/engine/schema/schema.ts'
import { parameterChecker, defaultOf } from '../../../src/openapi/serve/parameter-reader.ts'
import { issuesOf, parameter, readerOf } from './reading.ts'

function reading(given: Partial<Parameter> & { readonly model: Schema }, others: readonly Parameter[] = []) {
  const own = parameter({ name: 'p', in: 'query', ...given })
  const read = readerOf('/x', { parameters: [own, ...others] }, 'GET')
  return (search: string) => read({ search })
}

const integers: Schema = { type: 'array', items: { type: 'integer' } }
const open: Schema = { type: 'object', additionalProperties: { type: 'integer' } }

describe('a parameter', () => {
  it.for([
    [{ model: { type: 'integer' } }, 'p=5', { p: 5 }],
    [{ model: { type: 'integer' } }, '', {}],
    [{ model: { type: 'integer', default: 7 } }, '', { p: 7 }],
    [{ model: { type: 'integer', default: 7 } }, 'p=5', { p: 5 }],
    [{ model: { $ref: '#/$defs/A', $defs: { A: { default: 'x' } } } }, '', { p: 'x' }],
    [{ model: { type: ['integer', 'null'] } }, 'p=', { p: null }],
    [{ model: { type: 'string' } }, 'p=', { p: '' }],
    [{ model: { type: 'string' } }, 'p', { p: '' }],
    [{ model: { type: 'boolean' }, allowEmptyValue: true }, 'p', {}],
    [{ model: { type: 'boolean' }, allowEmptyValue: true, required: true }, 'p=', {}],
    [{ model: { type: 'boolean', default: true }, allowEmptyValue: true }, 'p', { p: true }],
    [{ model: { type: 'string' }, allowEmptyValue: true }, 'p', { p: '' }],
    [{ model: integers, explode: false }, 'p=1,2', { p: [1, 2] }],
    [{ model: integers, explode: false }, 'p=1%2C2', { p: [1, 2] }],
    [{ model: { type: 'array', items: { type: 'string' } }, explode: false }, 'p=1%2C2', { p: ['1,2'] }],
    [{ model: integers }, 'p[]=1&p[]=2', { p: [1, 2] }],
    [{ model: integers }, 'p[0]=1&p[1]=2', { p: [1, 2] }],
    [{ model: { anyOf: [{ type: 'string' }, integers] } }, 'p=a', { p: 'a' }],
    [{ model: { anyOf: [{ type: 'integer' }, integers] }, explode: false }, 'p=1,2', { p: [1, 2] }],
    [{ model: { anyOf: [{ type: 'string' }, integers] } }, 'p=1&p=2', { p: [1, 2] }],
    [{ model: open, style: 'deepObject' }, 'p[a]=1&p[b]=2', { p: { a: 1, b: 2 } }],
    [
      { model: { type: 'object', properties: { a: open } }, style: 'deepObject' },
      'p[a][b]=2',
      { p: { a: { b: 2 } } },
    ],
    [
      { model: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
      'p[a][]=2',
      { p: { a: [2] } },
    ],
    [{ model: { type: 'object', properties: { a: integers } } }, 'a=1&a=2&b=3', { p: { a: [1, 2] } }],
    [{ model: open }, 'a=1&b=2', { p: { a: 1, b: 2 } }],
    [{ model: open }, '', {}],
    [{ model: { type: 'object', properties: { a: { default: 1 } } } }, 'p[b]=2', { p: { a: 1, b: '2' } }],
    [{ model: { type: 'object' }, mediaType: 'application/json' }, 'p=%7B%22a%22:1%7D', { p: { a: 1 } }],
    [{ model: { type: 'integer' }, mediaType: 'text/plain' }, 'p=1', { p: 1 }],
  ] as const)('as %j reads %s as %j', ([given, search, value]) => {
    expect(reading(given)(search)).toEqual(value)
  })

  it('leaves the names of others to them', () => {
    const other = parameter({ name: 'q', in: 'query' })
    expect(reading({ model: open }, [other])('a=1&q=x')).toEqual({ p: { a: 1 }, q: 'x' })
  })

  it.for([
    [{ model: { type: 'integer' } }, 'p=x', 'type_error', ['query', 'p'], 'x'],
    [{ model: { type: 'integer' } }, 'p=', 'type_error', ['query', 'p'], ''],
    [{ model: { type: 'integer' }, required: true }, 'q=1', 'missing', ['query', 'p'], null],
    [{ model: { enum: ['a', 'b'] } }, 'p=c', 'enum', ['query', 'p'], 'c'],
    [{ model: { type: 'string', format: 'date' } }, 'p=c', 'format', ['query', 'p'], 'c'],
    [{ model: integers }, 'p=1&p=x', 'type_error', ['query', 'p', 1], 'x'],
    [{ model: open }, 'a=x', 'type_error', ['query', 'p', 'a'], 'x'],
    [{ model: { ...open, required: ['a'] } }, 'b=1', 'missing', ['query', 'p', 'a'], { b: 1 }],
    [{ model: {}, mediaType: 'application/json' }, 'p={', 'json_invalid', ['query', 'p'], '{'],
    [{ model: { type: 'object' }, mediaType: 'application/json' }, 'p=1', 'type_error', ['query', 'p'], 1],
  ] as const)('as %j refuses %s as %s', ([given, search, type, loc, input]) => {
    expect(issuesOf(() => reading(given)(search))).toEqual([{ type, loc, msg: expect.any(String), input }])
  })

  it('gives a fresh copy of its default to each request', () => {
    const read = reading({ model: { type: 'array', default: ['a'] } })
    ;(read('')['p'] as string[]).push('b')
    expect(read('')).toEqual({ p: ['a'] })
  })
})

it('is the same for equal models', () => {
  const checker = parameterChecker({ type: 'integer', maximum: 3 })
  expect(parameterChecker({ type: 'integer', maximum: 3 })).toBe(checker)
  expect(parameterChecker({ type: 'integer', maximum: 4 })).not.toBe(checker)
  expect([checker.fits(3), checker.fits(4), parameterChecker({}).fits(4)]).toEqual([true, false, true])
})

it('fills in defaults', () => {
  const value = {}
  parameterChecker({ properties: { a: { default: 1 } } }).check(value)
  expect(value).toEqual({ a: 1 })
})

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
