import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/message.ts'
import type { ResponseHeader } from '../../../src/engine/operation.ts'
import { createHeaders, headerText } from '../../../src/openapi/serve/response-headers.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { header, response } from './describing.ts'

const call: HttpRequest = { method: 'GET', scheme: 'http', host: 'a', path: '/', search: '', headers: {} }

function made(status: number, ...headers: ResponseHeader[]): Record<string, string> {
  return createHeaders(response(200, {}, headers), status, 'GET /')(call, {}, () => contentStream(1, 'GET /'))
}

describe('createHeaders', () => {
  it('makes what is required or has an example that fits', () => {
    const id = header('X-Id', { required: true, model: { type: 'integer', const: 7 } })
    expect(made(200, id, header('X-Else'), header('X-Says', { example: 'hi' }))).toEqual({
      'x-id': '7',
      'x-says': 'hi',
    })
    expect(made(200, header('X-Id', { model: { type: 'integer' }, example: 'seven' }))).toEqual({})
  })

  it('leaves alone what the transport and the body decide, and links', () => {
    const names = ['Content-Type', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Link']
    expect(made(200, ...names.map((name) => header(name, { required: true, example: 'x' })))).toEqual({})
  })

  it('always has the place that a redirect leads to', () => {
    const location = header('Location', { model: { type: 'string', format: 'uri' } })
    expect(made(302, location)['location']).toMatch(/^https?:/)
    expect(made(201, location)).toEqual({})
  })
})

describe('headerText', () => {
  it.for([
    ['a\r\nX-Evil: b', 'aX-Evil: b'],
    [['a', 1, null], 'a,1,null'],
    [{ a: 1, b: [2] }, 'a,1,b,[2]'],
    ['Zürich 東京', 'Zürich '],
    [true, 'true'],
  ] as const)('writes %j', ([value, text]) => {
    expect(headerText(value)).toBe(text)
  })
})
