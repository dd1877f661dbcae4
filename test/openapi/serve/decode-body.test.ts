import { describe, expect, it } from 'vitest'
import { decodeBody } from '../../../src/openapi/serve/decode-body.ts'
import { issuesOf } from './reading.ts'

const integers = { type: 'array', items: { type: 'integer' } }

describe('a body', () => {
  it.for([
    ['application/json', {}, '{"a":1}', { a: 1 }],
    ['application/x-ndjson', {}, '{"a":1}\n\n[2]\n', [{ a: 1 }, [2]]],
    ['application/x-www-form-urlencoded', { properties: { a: integers } }, 'a=1', { a: [1] }],
    ['application/xml', { properties: { a: integers } }, '<x><a>1</a></x>', { a: [1] }],
    ['application/xml', { type: 'string' }, '<x/>', '<x/>'],
    ['text/plain', { type: 'integer' }, '7', 7],
    ['text/plain', undefined, '7', '7'],
    ['multipart/form-data', {}, [{ name: 'a', contentType: 'text/plain', content: 'b' }], { a: 'b' }],
    [
      'image/png',
      {},
      { contentType: 'image/png', size: 0, sha256: '' },
      { contentType: 'image/png', size: 0, sha256: '' },
    ],
  ] as const)('of %s, of the model %j, is read from %j as %j', ([type, model, content, value]) => {
    expect(decodeBody({ model, examples: [] }, type, content)).toEqual(value)
  })

  it('of a range is read as the type it has', () => {
    const media = { model: {}, examples: [] }
    expect(decodeBody(media, 'application/json', '1')).toBe(1)
    expect(decodeBody(media, 'text/plain', '1')).toBe('1')
  })

  it('of lines names the line that is none', () => {
    const read = () => decodeBody({ model: {}, examples: [] }, 'application/jsonl', '1\n{')
    expect(issuesOf(read)).toMatchObject([{ type: 'json_invalid', loc: ['body', 1] }])
  })
})
