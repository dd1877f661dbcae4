import { describe, expect, it } from 'vitest'
import { bodyKindOf, chooseMediaType, matchMediaType } from '../../../src/openapi/serve/choose-media-type.ts'

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
