import { describe, expect, it } from 'vitest'
import { negotiate } from '../../../src/openapi/serve/negotiate.ts'
import { media } from './describing.ts'

function typeFor(types: readonly string[], accept?: string | string[]): string | undefined {
  const content = new Map(types.map((type) => [type, media()]))
  return negotiate(content, accept === undefined ? {} : { accept })?.type
}

describe('negotiate', () => {
  it.for([
    [['text/html', 'application/json'], undefined, 'application/json'],
    [['text/html', 'application/hal+json'], undefined, 'application/hal+json'],
    [['application/hal+json', 'application/json; charset=utf-8'], '*/*', 'application/json; charset=utf-8'],
    [['text/html', 'text/plain'], undefined, 'text/html'],
    [['application/json', 'text/plain'], 'text/*', 'text/plain'],
    [['application/json', 'text/plain'], 'text/plain;q=0.1, application/json;q=0.2', 'application/json'],
    [['application/json', 'application/xml'], 'application/json;q=0, */*', 'application/xml'],
    [['application/json'], 'application/vnd.github.v3+json', 'application/json'],
    [['application/json'], 'application/json; version=2', 'application/json'],
    [['application/vnd.a+json'], 'application/json', 'application/vnd.a+json'],
    [['text/xml', 'application/json'], 'application/soap+xml', 'text/xml'],
    [['*/*'], undefined, 'application/json'],
    [['*/*'], 'text/csv', 'text/csv'],
    [['image/*'], 'image/*', 'image/png'],
    [['image/*'], 'text/html, image/webp;q=0.5', 'image/webp'],
    [['font/*'], undefined, 'application/octet-stream'],
  ] as const)('of %j chooses for %s', ([types, accept, chosen]) => {
    expect(typeFor(types, accept)).toBe(chosen)
  })

  it('joins several headers', () => {
    expect(typeFor(['text/plain', 'text/html'], ['text/html', 'text/plain;q=0.5'])).toBe('text/html')
  })

  it('names the types there are when none is accepted', () => {
    expect(() => typeFor(['text/html', 'application/json'], 'image/png')).toThrow(
      'accepts image/png, but the response is text/html or application/json',
    )
  })

  it('has nothing to choose from for a response without content', () => {
    expect(typeFor([], 'image/png')).toBeUndefined()
  })
})
