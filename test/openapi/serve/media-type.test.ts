import { describe, expect, it } from 'vitest'
import { essenceOf, mediaKindOf } from '../../../src/openapi/serve/media-type.ts'

describe('mediaKindOf', () => {
  it.for([
    ['application/json; charset=utf-8', 'json'],
    ['Application/Problem+JSON', 'json'],
    ['text/xml', 'xml'],
    ['image/svg+xml', 'xml'],
    ['application/x-www-form-urlencoded', 'form'],
    ['application/x-ndjson', 'lines'],
    ['text/event-stream', 'events'],
    ['text/csv', 'text'],
    ['application/yaml', 'text'],
    ['application/pdf', 'binary'],
    ['nonsense', 'binary'],
  ] as const)('takes %s for %s', ([type, kind]) => {
    expect(mediaKindOf(type)).toBe(kind)
  })
})

describe('essenceOf', () => {
  it('leaves parameters out', () => {
    expect(essenceOf(' Text/HTML ; charset="a;b"')).toBe('text/html')
  })
})
