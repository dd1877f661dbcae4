import { once } from 'node:events'
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { decodeBody, readOperationBody } from '../../../src/openapi/serve/read-operation-body.ts'
import { bodyOf, issuesOf } from './reading.ts'

function requestOf(headers: IncomingHttpHeaders, text: string): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, { 'content-length': String(text.length), ...headers })
  if (text !== '') request.push(text)
  request.push(null)
  return request
}
const integer = { type: 'integer' }

describe('the body of an operation', () => {
  it.for([
    ['application/json', {}, '1', 1],
    ['application/json', { 'content-type': 'application/json' }, '', undefined],
    ['application/json', { 'content-length': undefined, 'transfer-encoding': 'chunked' }, '', undefined],
    ['application/json', { 'content-type': 'text/plain' }, '', undefined],
    ['text/plain', { 'content-type': 'text/plain' }, '', ''],
    ['text/plain', {}, '', undefined],
    ['*/*', { 'content-type': 'text/plain' }, '7', 7],
    ['application/x-www-form-urlencoded', { 'content-type': 'application/x-www-form-urlencoded' }, '', {}],
    ['multipart/form-data', { 'content-type': 'multipart/form-data; boundary=b' }, '', undefined],
  ] as const)('of %s is, of the headers %j and %j, %j', async ([type, headers, text, value]) => {
    expect(await readOperationBody(requestOf(headers, text), bodyOf(type, integer))).toEqual(value)
  })

  it('is what a parent has read already', async () => {
    const request = requestOf({ 'content-type': 'application/json' }, '{}')
    request.resume()
    await once(request, 'end')
    Object.assign(request, { body: { a: 1 } })
    expect(await readOperationBody(request, bodyOf('application/json'))).toEqual({ a: 1 })
  })
})

const integers = { type: 'array', items: { type: 'integer' } }

describe('a body', () => {
  it.for([
    ['application/json', {}, '{"a":1}', { a: 1 }],
    ['application/x-ndjson', {}, '{"a":1}\n\n[2]\n', [{ a: 1 }, [2]]],
    ['application/x-www-form-urlencoded', { properties: { a: integers } }, 'a=1', { a: [1] }],
    ['application/xml', { properties: { a: integers } }, '<x><a>1</a></x>', { a: [1] }],
    ['application/xml', { type: 'string' }, '<x/>', '<x/>'],
    ['application/x-www-form-urlencoded', { type: 'string' }, 'list=1+cup&n=1', 'list=1+cup&n=1'],
    [
      'application/x-www-form-urlencoded',
      { $ref: '#/$defs/A', $defs: { A: { type: 'string' } } },
      'a=1',
      'a=1',
    ],
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
