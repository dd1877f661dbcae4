import { describe, expect, it } from 'vitest'
import { contentKindOf, essenceOf, mediaKindOf, mediaParameters } from '../src/media-type.ts'

describe('the kind of a media type', () => {
  it.for([
    ['application/json; charset=utf-8', 'json'],
    ['Application/Problem+JSON', 'json'],
    ['text/json', 'json'],
    ['application/json5', 'json'],
    ['application/openstack-images-v2.1-json-patch', 'json'],
    ['application/json, application/json', 'json'],
    ['application/x-ndjson', 'json-lines'],
    ['application/jsonl', 'json-lines'],
    ['application/stream+json', 'json-lines'],
    ['application/json-seq', 'json-lines'],
    ['text/event-stream', 'events'],
    ['application/x-www-form-urlencoded', 'form'],
    ['multipart/form-data; boundary=x', 'multipart'],
    ['text/xml', 'xml'],
    ['image/svg+xml', 'xml'],
    ['text/html', 'text'],
    ['text/csv', 'text'],
    ['application/javascript', 'text'],
    ['application/yaml', 'text'],
    ['application/toml', 'text'],
    ['application/pdf', 'binary'],
    ['image/png', 'binary'],
    ['application/octet-stream', 'binary'],
    ['application/grpc', 'binary'],
    ['nonsense', 'binary'],
  ] as const)('of %s is %s', ([type, kind]) => {
    expect(mediaKindOf(type)).toBe(kind)
    expect(contentKindOf(type)).toBe(kind)
  })

  it('is text for the content of a body without a type', () => {
    expect([mediaKindOf(''), contentKindOf('')]).toEqual(['binary', 'text'])
  })
})

describe('a media type', () => {
  it('has an essence without parameters', () => {
    expect(essenceOf(' Text/HTML ; charset="a;b"')).toBe('text/html')
    expect(essenceOf('Application/JSON; charset=utf-8')).toBe('application/json')
    expect(essenceOf('')).toBe('')
  })

  it('has parameters', () => {
    const parameters = mediaParameters('a/b; Charset=utf-8 ;x="a\\"; y=1";empty=')
    expect([...parameters]).toEqual([
      ['charset', 'utf-8'],
      ['x', 'a"; y=1'],
      ['empty', ''],
    ])
  })
})
