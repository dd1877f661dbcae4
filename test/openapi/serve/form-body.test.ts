import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { createFormReader } from '../../../src/openapi/serve/form-body.ts'
import { issuesOf } from './reading.ts'

const numbers = { type: 'array', items: { type: 'integer' } }
const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'number' } } }
const model: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    ok: { type: 'boolean' },
    numbers,
    point,
    points: { type: 'array', items: point },
    any: {},
    either: { anyOf: [{ type: 'string' }, numbers] },
    nested: { type: 'object', properties: { list: numbers, point } },
  },
}

describe('an urlencoded body', () => {
  it.for([
    ['', {}],
    ['name=a+b%2Bc&ok=true', { name: 'a b+c', ok: true }],
    ['name=%zz', { name: '%zz' }],
    ['name=1&name=2', { name: '2' }],
    ['numbers=1&numbers=2', { numbers: [1, 2] }],
    ['numbers=1', { numbers: [1] }],
    ['numbers=', { numbers: [] }],
    ['numbers[]=1&numbers[]=2', { numbers: [1, 2] }],
    ['numbers%5B1%5D=2&numbers%5B0%5D=1', { numbers: [1, 2] }],
    ['numbers=[1,2]', { numbers: [1, 2] }],
    ['point[x]=1&point[y]=2.5', { point: { x: 1, y: 2.5 } }],
    ['point={"x":1}', { point: { x: 1 } }],
    ['point=x,1,y,2', { point: { x: 1, y: 2 } }],
    ['points={"x":1}&points={"x":2}', { points: [{ x: 1 }, { x: 2 }] }],
    ['points[0][x]=1&points[1][x]=2', { points: [{ x: 1 }, { x: 2 }] }],
    ['nested[list][]=1&nested[point][y]=2', { nested: { list: [1], point: { y: 2 } } }],
    ['any=5&other=x', { any: '5', other: 'x' }],
    ['any[a][b]=5&other[]=x', { any: { a: { b: '5' } }, other: { '': ['x'] } }],
    ['either=a', { either: 'a' }],
    ['either=1&either=2', { either: [1, 2] }],
    ['numbers=one', { numbers: ['one'] }],
    ['[x]=1', { '[x]': '1' }],
    ['point[__proto__][x]=1&point[x]=2', { point: { x: 2 } }],
  ] as const)('of %s is %j', ([text, value]) => {
    expect(createFormReader(model, {})(text)).toEqual(value)
  })

  it.for([
    [{ numbers: { style: 'form', explode: false } }, 'numbers=1,2', { numbers: [1, 2] }],
    [{ numbers: { style: 'pipeDelimited', explode: false } }, 'numbers=1%7C2', { numbers: [1, 2] }],
    [{ numbers: { style: 'spaceDelimited' } }, 'numbers=1+2', { numbers: [1, 2] }],
    [{ point: { style: 'deepObject', explode: true } }, 'point[x]=1', { point: { x: 1 } }],
    [{ point: { style: 'form', explode: true } }, 'x=1&y=2&name=a', { name: 'a', point: { x: 1, y: 2 } }],
    [{ point: { style: 'form', explode: false } }, 'point=x,1', { point: { x: 1 } }],
    [{ name: { contentType: 'application/json' } }, 'name="a"', { name: 'a' }],
    [{ points: { contentType: 'application/json' } }, 'points=[{"x":1}]', { points: [{ x: 1 }] }],
  ] as const)('is written as its encoding %j says: %s', ([encoding, text, value]) => {
    expect(createFormReader(model, encoding)(text)).toEqual(value)
  })

  it('is refused where its JSON is none', () => {
    expect(issuesOf(() => createFormReader(model, {})('point={'))).toMatchObject([
      { type: 'json_invalid', loc: ['body', 'point'] },
    ])
  })

  it('never fails otherwise, and keeps texts that forms have always held', () => {
    const read = createFormReader({ type: 'object' }, {})
    const names = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((name) => !/[[\]]|^__proto__$/.test(name))
    const texts = fc.dictionary(names, fc.string({ unit: 'grapheme' }), { noNullPrototype: true })
    fc.assert(
      fc.property(texts, (fields) => {
        expect(read(new URLSearchParams(fields).toString())).toEqual(fields)
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => void createFormReader({ type: 'object' }, {})(text)))
  })
})
