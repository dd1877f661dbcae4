import { expect, it } from 'vitest'
import { kindOf } from '../../../src/recording/files/media.ts'

it.for([
  ['application/json; charset=utf-8', 'json'],
  ['Application/Problem+JSON', 'json'],
  ['text/json', 'json'],
  ['application/x-ndjson', 'json-lines'],
  ['application/jsonl', 'json-lines'],
  ['application/json-seq', 'json-lines'],
  ['text/event-stream', 'events'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data; boundary=x', 'multipart'],
  ['text/xml', 'xml'],
  ['image/svg+xml', 'xml'],
  ['text/html', 'text'],
  ['application/javascript', 'text'],
  ['application/json, application/json', 'json'],
  ['', 'text'],
  ['image/png', 'binary'],
  ['application/octet-stream', 'binary'],
  ['application/grpc', 'binary'],
])('takes %s for %s', ([type, kind]) => {
  expect(kindOf(type ?? '')).toBe(kind)
})
