import { once } from 'node:events'
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readOperationBody } from '../../../src/openapi/serve/read-operation-body.ts'
import { bodyOf } from './reading.ts'

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
