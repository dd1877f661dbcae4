import { describe, expect, it } from 'vitest'
import {
  bodyKindOf,
  chooseMediaType,
  matchMediaType,
  negotiate,
} from '../../../src/openapi/serve/choose-media-type.ts'
import { media } from './describing.ts'

describe('a media type', () => {
  it.for([
    ['application/json', ['*/*', 'application/*', 'application/json'], 'application/json'],
    ['Application/JSON; charset=utf-8', ['application/json'], 'application/json'],
    ['application/json', ['application/json; charset=utf-8'], 'application/json; charset=utf-8'],
    ['text/csv', ['*/*', 'text/*'], 'text/*'],
    ['text/csv', ['application/*', '*/*'], '*/*'],
    ['text/csv', ['application/json'], undefined],
    ['text/csv', [], undefined],
    ['a/b; v=1', ['a/b', 'a/b; v=1', 'a/b; v=2'], 'a/b; v=1'],
    ['a/b; v=2', ['a/b; v=1'], undefined],
    ['', ['text/*'], undefined],
  ] as const)('%s among %j is %s', ([type, declared, range]) => {
    expect(matchMediaType(type, declared)).toBe(range)
  })
})

const contentOf = (types: readonly string[]) =>
  new Map(types.map((type) => [type, { model: {}, examples: [] }]))

describe('the media type of a body', () => {
  it.for([
    [['text/*', 'application/json'], 'text/csv; a=b', { range: 'text/*', type: 'text/csv; a=b' }],
    [['text/csv', 'a/x+json'], undefined, { range: 'a/x+json', type: 'a/x+json' }],
    [['text/csv', 'text/html'], undefined, { range: 'text/csv', type: 'text/csv' }],
    [['*/*'], undefined, { range: '*/*', type: 'application/json' }],
    [['text/csv'], 'text/html', undefined],
    [[], 'text/html', { range: '*/*', type: 'text/html' }],
    [[], undefined, { range: '*/*', type: 'application/json' }],
  ] as const)('of %j is, for %s, %j', ([types, given, chosen]) => {
    expect(chooseMediaType(contentOf(types), given)).toEqual(chosen)
  })
})

it.for([
  ['application/json', {}, 'json'],
  ['application/json', { type: 'string', format: 'binary' }, 'binary'],
  ['Multipart/Form-Data; boundary=b', undefined, 'parts'],
  ['multipart/mixed', undefined, 'binary'],
  ['image/png', undefined, 'binary'],
] as const)('a body of %s with the model %j is read as %s', ([type, model, kind]) => {
  expect(bodyKindOf(type, { model, examples: [] })).toBe(kind)
})

function typeFor(types: readonly string[], accept?: string | string[]): string | undefined {
  const content = new Map(types.map((type) => [type, media()]))
  return negotiate(content, accept)?.type
}

describe('negotiate', () => {
  it.for([
    [['text/html', 'application/json'], undefined, 'application/json'],
    [['text/html', 'application/hal+json'], undefined, 'application/hal+json'],
    [['application/hal+json', 'application/json; charset=utf-8'], '*/*', 'application/json; charset=utf-8'],
    [['text/html', 'text/plain'], undefined, 'text/html'],
    [['PDF'], undefined, 'PDF'],
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

  it('takes a type that is named before a range that has it', () => {
    const named = media({ type: 'object' })
    const content = new Map([
      ['*/*', media()],
      ['application/json', named],
    ])
    expect(negotiate(content, undefined)?.media).toBe(named)
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

it('takes a file for one, whatever its media type is', () => {
  const kinds = ['binary', 'file'].map((format) =>
    bodyKindOf('text/plain', media({ type: 'object', format })),
  )
  expect(kinds).toEqual(['binary', 'binary'])
})
