import { describe, expect, it } from 'vitest'
import { chooseMediaType } from '../../../src/openapi/serve/choose-media-type.ts'

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
