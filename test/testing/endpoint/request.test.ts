import { describe, expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import { buildRequest, textsOf, reasonOf, send } from '../../../src/testing/endpoint/request.ts'

const input = { type: 'object', properties: { id: {}, q: {} } }
const build = (
  method: 'GET' | 'POST' | 'DELETE',
  value: unknown,
  options: object = { input },
  baseUrl?: string,
) =>
  buildRequest(createRoute(method, '/a/{id}', options), {
    input: value,
    params: { id: 'x/y z' },
    headers: { 'x-a': 'b' },
    baseUrl,
  })

describe('buildRequest', () => {
  it('puts the fields of a GET into its path and query', () => {
    expect(build('GET', { id: 'no', q: ['a b', null, 1, { o: true }], r: "é'&" })).toEqual({
      method: 'GET',
      url: 'http://127.0.0.1:8000/a/x%2Fy%20z?q=a+b&q=null&q=1&q=%7B%22o%22%3Atrue%7D&r=%C3%A9%27%26',
      headers: { 'x-a': 'b' },
    })
  })

  it('puts the other fields of other methods into a JSON body', () => {
    expect(build('POST', { id: 'no', q: [1] })).toEqual({
      method: 'POST',
      url: 'http://127.0.0.1:8000/a/x%2Fy%20z',
      headers: { 'content-type': 'application/json', 'x-a': 'b' },
      body: '{"q":[1]}',
    })
    expect(build('POST', [1, 2]).body).toBe('[1,2]')
    expect(build('DELETE', { id: 'no', q: 1 }).body).toBe('{"q":1}')
  })

  it('sends no body without a model, nor an empty one with DELETE', () => {
    expect('body' in build('POST', undefined, {})).toBe(false)
    expect('body' in build('DELETE', { id: 'no' })).toBe(false)
    expect(build('POST', { id: 'no' }).body).toBe('{}')
  })

  it('keeps the path of a base URL', () => {
    expect(build('GET', {}, {}, 'https://api.example/v1/').url).toBe('https://api.example/v1/a/x%2Fy%20z')
  })

  it('writes what cannot be seen as escapes', () => {
    const text = 'a b\u00a0\u202e\u0301\u{e0001}\ud800é😀"'
    const { body = '' } = build('POST', { q: text })
    expect(body).toBe('{"q":"a b\\u00a0\\u202e\\u0301\\udb40\\udc01\\ud800é😀\\""}')
    expect(JSON.parse(body)).toEqual({ q: text })
  })
})

describe('textsOf', () => {
  it.for([
    ['a', ['a']],
    [1e21, ['1e+21']],
    [[], []],
    [
      [true, ['x']],
      ['true', '["x"]'],
    ],
    ['\ud800', ['\ufffd']],
  ] as const)('carries %j as %j', ([value, texts]) => {
    expect(textsOf(value)).toEqual(texts)
  })
})

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
