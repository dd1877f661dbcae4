import { reply } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { headerOf, isReply, toAdapterAnswer } from '../../src/adapter/request.ts'

describe('the parts of a reply', () => {
  it.for([
    [{}, { status: 200, headers: {}, body: '' }],
    [{ status: 204 }, { status: 204, headers: {}, body: '' }],
    [{ body: { a: 1 } }, { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }],
    [{ body: null }, { status: 200, headers: { 'content-type': 'application/json' }, body: 'null' }],
    [{ body: 'x' }, { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'x' }],
    [
      { body: Buffer.from('x'), headers: { 'Content-Type': 'image/png', ETag: '1' } },
      { status: 200, headers: { 'content-type': 'image/png', etag: '1' }, body: Buffer.from('x') },
    ],
  ] as const)('become an answer: %j', ([parts, answer]) => {
    expect(toAdapterAnswer(parts)).toEqual(answer)
  })

  it('are told from JSON that has the same fields', () => {
    expect(isReply(reply({ status: 201 }))).toBe(true)
    expect([isReply({ status: 201 }), isReply(null), isReply('x'), isReply(undefined)]).not.toContain(true)
  })

  it('of a request may come several times', () => {
    const request = { method: 'GET', url: '/', body: Buffer.alloc(0), headers: { a: ['1', '2'], b: '3' } }
    expect(['a', 'b', 'c'].map((name) => headerOf(request, name))).toEqual(['1', '3', undefined])
  })
})
