import { reply } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { headerOf, isReply, toResponse } from '../../src/adapter/request.ts'

describe('the parts of a reply', () => {
  it.for([
    [{}, { status: 200, headers: [] }],
    [{ status: 204 }, { status: 204, headers: [] }],
    [{ body: { a: 1 } }, { status: 200, headers: ['content-type', 'application/json'], body: '{"a":1}' }],
    [{ body: null }, { status: 200, headers: ['content-type', 'application/json'], body: 'null' }],
    [{ body: 'x' }, { status: 200, headers: ['content-type', 'text/plain; charset=utf-8'], body: 'x' }],
    [
      { body: Buffer.from('x'), headers: { 'Content-Type': 'image/png', ETag: '1' } },
      { status: 200, headers: ['content-type', 'image/png', 'etag', '1'], body: Buffer.from('x') },
    ],
  ] as const)('become a response: %j', ([parts, response]) => {
    expect(toResponse(parts)).toEqual(response)
  })

  it('are distinguished from JSON that has the same fields', () => {
    expect(isReply(reply({ status: 201 }))).toBe(true)
    expect([isReply({ status: 201 }), isReply(null), isReply('x'), isReply(undefined)]).not.toContain(true)
  })

  it('of a request may come several times', () => {
    const headers = { a: ['1', '2'], b: '3' }
    expect(['a', 'b', 'c'].map((name) => headerOf(headers, name))).toEqual(['1', '3', undefined])
  })
})
