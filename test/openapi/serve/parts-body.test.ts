import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import type { Encoding } from '../../../src/engine/operation.ts'
import { createPartsReader } from '../../../src/openapi/serve/form-body.ts'
import type { ReceivedPart } from '../../../src/http/read-multipart.ts'
import { issuesOf } from './reading.ts'

const binary = { type: 'string', format: 'binary' }
const point = { type: 'object', properties: { x: { type: 'integer' } } }
const model: Schema = {
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
    createPartsReader(model, encoding)(parts)

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
