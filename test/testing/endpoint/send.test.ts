import { describe, expect, it } from 'vitest'
import { reasonOf, send } from '../../../src/testing/endpoint/request.ts'

describe('send', () => {
  it('reads the answer and leaves it to be read again', async () => {
    const calls: unknown[] = []
    const fetch = (...args: unknown[]) => {
      calls.push(args)
      return Promise.resolve(new Response('text'))
    }
    const request = { method: 'POST', url: 'http://h/a', headers: { a: 'b' }, body: '{}' }
    const { response, text } = await send(request, { fetch })
    expect([text, await response.text()]).toEqual(['text', 'text'])
    expect(calls).toEqual([['http://h/a', { method: 'POST', headers: { a: 'b' }, body: '{}' }]])
  })
})

describe('reasonOf', () => {
  it('is the message of an error and the text of anything else', () => {
    expect([new Error('why'), 'why', undefined].map(reasonOf)).toEqual(['why', 'why', 'undefined'])
  })
})
