import { describe, expect, it } from 'vitest'
import { matchMediaType } from '../../../src/openapi/serve/match-media-type.ts'

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
