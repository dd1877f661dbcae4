import { describe, expect, it } from 'vitest'
import type { SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'
import { createWriter } from '../../../src/openapi/serve/write-body.ts'

function text(type: string, value: unknown, model: SchemaOrBoolean = true): string {
  return Buffer.from(createWriter(type, model)(value).data).toString()
}

describe('a body writer', () => {
  it.for([
    ['application/json', 'a', '"a"'],
    ['application/problem+json', null, 'null'],
    ['text/plain', 'a', 'a'],
    ['text/csv', [1], '[1]'],
    ['application/x-ndjson', [{ a: 1 }, 'b'], '{"a":1}\n"b"\n'],
    ['application/x-ndjson', { a: 1 }, '{"a":1}\n'],
    ['application/x-ndjson', '{"a":1}\n', '{"a":1}\n'],
    [
      'text/event-stream',
      [{ data: 'a\nb', id: 7, event: 'x' }, 1],
      'event: x\nid: 7\ndata: a\ndata: b\n\ndata: 1\n\n',
    ],
    ['text/event-stream', 'data: raw\n\n', 'data: raw\n\n'],
    [
      'application/x-www-form-urlencoded',
      { a: 'x y', b: [1, 2], c: { d: 1 }, e: null },
      'a=x+y&b=1&b=2&c=%7B%22d%22%3A1%7D&e=',
    ],
    ['application/x-www-form-urlencoded', 'a=1', 'a=1'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/png', 'bytes', 'bytes'],
  ] as const)('writes %s of %j', ([type, value, written]) => {
    expect(text(type, value)).toBe(written)
  })

  it('decodes base64, where the model says that it is', () => {
    expect(text('image/png', 'aGk=', { type: 'string', contentEncoding: 'base64' })).toBe('hi')
    expect(text('image/png', 'not base64!', { type: 'string', format: 'byte' })).toBe('not base64!')
    expect(text('image/png', 'aGk=', { type: 'string', format: 'binary' })).toBe('aGk=')
  })
})
