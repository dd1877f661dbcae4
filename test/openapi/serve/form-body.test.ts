import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { createFormReader, createPartsReader } from '../../../src/openapi/serve/form-body.ts'
import { issuesOf } from './reading.ts'
import type { Encoding } from '../../../src/engine/operation.ts'
import type { ReceivedPart } from '../../../src/http/read-multipart.ts'

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

const binary = { type: 'string', format: 'binary' }
const partsModel: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    ages: { type: 'array', items: { type: 'integer' } },
    point,
    points: { type: 'array', items: point },
    photo: binary,
    photos: { type: 'array', items: binary },
    file: { type: 'object' },
  },
}

const part = (name: string, content: string, contentType = 'text/plain'): ReceivedPart => ({
  name,
  contentType,
  content,
})
const facts = { contentType: 'image/png', size: 3, sha256: 'abc' }
const file = (name: string, filename?: string): ReceivedPart => ({
  name,
  contentType: facts.contentType,
  content: { ...facts, ...(filename !== undefined && { filename }) },
})

describe('a multipart body', () => {
  const read = (parts: readonly ReceivedPart[], encoding: Record<string, Encoding> = {}) =>
    createPartsReader(partsModel, encoding)(parts)

  it.for([
    [[part('name', '%20+'), part('age', '7')], { name: '%20+', age: 7 }],
    [[part('ages', '1'), part('ages', '2')], { ages: [1, 2] }],
    [[part('ages[]', '1')], { ages: [1] }],
    [[part('ages', '[1,2]', 'application/json')], { ages: [1, 2] }],
    [[part('point', '{"x":1}', 'application/json')], { point: { x: 1 } }],
    [[part('point', '{"x":1}')], { point: { x: 1 } }],
    [[part('point[x]', '1')], { point: { x: 1 } }],
    [
      [part('points', '{"x":1}', 'application/json'), part('points', '{"x":2}')],
      { points: [{ x: 1 }, { x: 2 }] },
    ],
    [[part('other', '{"x":1}')], { other: '{"x":1}' }],
    [[file('photo', 'a.png')], { photo: 'a.png' }],
    [[file('photo')], { photo: 'photo' }],
    [[file('photos', 'a.png'), file('photos', 'b.png')], { photos: ['a.png', 'b.png'] }],
    [[file('file', 'a.png')], { file: { ...facts, filename: 'a.png' } }],
  ] as const)('of %j is %j', ([parts, value]) => {
    expect(read(parts)).toEqual(value)
  })

  it('is written as its encoding says', () => {
    expect(read([part('ages', '1,2')], { ages: { style: 'form', explode: false } })).toEqual({ ages: [1, 2] })
    expect(read([part('name', '"a"')], { name: { contentType: 'application/json' } })).toEqual({ name: 'a' })
    const exploded: Record<string, Encoding> = { point: { style: 'form', explode: true } }
    expect(read([part('x', '1'), part('age', '7')], exploded)).toEqual({ point: { x: 1 }, age: 7 })
    expect(read([part('age', '7')], exploded)).toEqual({ age: 7 })
    expect(read([part('point', '{"x":1}')], exploded)).toEqual({ point: { x: 1 } })
    expect(read([file('photo', 'a')], { photo: { contentType: 'image/*, text/csv' } })).toEqual({
      photo: 'a',
    })
  })

  it('is refused where a file has a type that its encoding does not have', () => {
    const issues = issuesOf(() =>
      read([file('photo', 'a')], { photo: { contentType: 'image/gif, image/jpeg' } }),
    )
    expect(issues).toEqual([
      {
        type: 'content_type',
        loc: ['body', 'photo'],
        msg: 'Expected a part of image/gif or image/jpeg, not image/png',
        input: 'image/png',
      },
    ])
  })
})

describe('a body of very many names', () => {
  const names = Array.from({ length: 40_000 }, (_, index) => `a${index}`)

  // Where each name is looked for in all of them, these take a minute.
  it('is read in linear time as a form', () => {
    const text = names.map((name) => `${name}=1`).join('&')
    expect(Object.keys(createFormReader(model, {})(text) as object)).toHaveLength(names.length)
  }, 5000)

  it('is read in linear time in parts', () => {
    const parts = names.map((name): ReceivedPart => ({ name, contentType: 'text/plain', content: '1' }))
    expect(Object.keys(createPartsReader(model, {})(parts) as object)).toHaveLength(names.length)
  }, 5000)

  it('is read in linear time where one is repeated for an exploded object', () => {
    const reader = createFormReader(model, { point: { style: 'form' } })
    expect(reader('x=1&'.repeat(40_000))).toHaveProperty('point')
  }, 5000)
})
