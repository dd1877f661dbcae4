import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExchangeTexts, type Recordable } from '../../../src/recording/capture/exchange-text.ts'
import { buildExchange, type Capture } from '../../../src/recording/files/har.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { REDACTOR } from '../samples.ts'

// Long enough to be looked for in all of an exchange.
const LONG = 'a-l0ng-s3cret-of-a-client'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'a=b',
    `Bearer ${JWT}`,
    JWT,
    '{"token":"s3cret"}',
    `{"token":"${LONG}"}`,
    `{"session":"${LONG}2","note":"${LONG}"}`,
    `{"note":"${LONG}"}`,
    `x: ${LONG}`,
    '{"a":[1,"b"]}',
    '[',
    'x?token=s3cret',
    'note: 1',
  ),
)
const header = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom('Accept', 'Server', 'X-Note', 'Content-Type'), weight: 9 },
    fc.constantFrom('Authorization', 'Cookie', 'Set-Cookie', 'Location', 'x-api-key'),
  ),
  fc.oneof(fc.constantFrom('application/json', 'text/plain; charset=utf-8', 'image/png', '*/*', LONG), text),
)
const headers = fc.array(header, { maxLength: 4 })
const time = fc.double({ min: 0, max: 1e4, noNaN: true })
const body = fc.oneof(
  text.map((each) => Buffer.from(each)),
  fc.uint8Array().map((each) => Buffer.from(each)),
  fc.constant(Buffer.alloc(40_000, 'x')),
)

const capture: fc.Arbitrary<Capture> = fc.record({
  startedAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }),
  timings: fc.record({ send: time, wait: time, receive: time }),
  request: fc.record({
    method: fc.constantFrom('GET', 'DELETE', 'M"'),
    url: fc.oneof(
      { arbitrary: fc.constantFrom('http://h/', 'http://h/a/42', 'http://h/ä'), weight: 4 },
      fc.constantFrom('http://u:p@h/', 'http://h/?token=s', 'http://h/#f', 'http://h/v1/secrets/a'),
    ),
    httpVersion: fc.constantFrom('HTTP/1.1', '1.1', '2'),
    headers,
  }),
  requestBody: fc.option(
    fc
      .constantFrom(Buffer.alloc(0), Buffer.from('{"a":1}'))
      .map((bytes) => ({ wireSize: bytes.length, bytes })),
    { nil: undefined, freq: 1 },
  ),
  response: fc.record({
    status: fc.constantFrom(200, 204, 500),
    statusText: fc.constantFrom('OK', '', 'So "so"'),
    httpVersion: fc.constant('HTTP/1.1'),
    headers,
  }),
  responseBody: fc.option(
    body.map((bytes) => ({ wireSize: bytes.length, bytes })),
    { nil: undefined },
  ),
  trailers: fc.constantFrom(undefined, [], [], [['X-Sum', '4'] as const]),
  isAborted: fc.constantFrom(undefined, false, false, true),
})

const REDACTORS = [
  createRedactor(),
  createRedactor({ names: ['note'], except: ['authorization'] }),
  createRedactor({ patterns: ['\\d{2}'] }),
]

const jsonOf = (recordable: Recordable): unknown =>
  JSON.parse(typeof recordable === 'string' ? recordable : JSON.stringify(recordable))

it('is what is built and redacted, whatever was requested before, in the same order of members', () => {
  let texts = 0
  const few = fc.uniqueArray(capture, { minLength: 1, maxLength: 4 })
  const turns = fc.array(fc.tuple(fc.nat(), fc.record({ send: time, wait: time, receive: time })), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(few, turns, fc.constantFrom(...REDACTORS), (captures, requested, redactor) => {
      const recordableOf = createExchangeTexts(redactor)
      for (const [index, timings] of requested) {
        const seen = { ...(captures[index % captures.length] as Capture), timings }
        const expected = redactor.exchange(buildExchange(seen))
        const recordable = recordableOf(seen)
        if (typeof recordable !== 'string') expect(recordable).toEqual(expected)
        else if (texts++ >= 0)
          expect(Object.keys(jsonOf(recordable) as object)).toEqual(Object.keys(expected))
        expect(jsonOf(recordable)).toEqual(jsonOf(expected))
      }
    }),
    { numRuns: 500 },
  )
  expect(texts).toBeGreaterThan(500)
})

describe('what is requested again', () => {
  const body = (text: string): Capture['responseBody'] => ({
    wireSize: text.length,
    bytes: Buffer.from(text),
  })
  const seen: Capture = {
    startedAt: new Date(0),
    timings: { send: 0, wait: 1.23456, receive: 0.5 },
    request: { method: 'GET', url: 'http://h/', httpVersion: 'HTTP/1.1', headers: [['Accept', '*/*']] },
    response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [['X-A', '1']] },
    responseBody: body('one'),
  }

  it.for<[string, Partial<Capture>]>([
    ['body', { responseBody: body('two') }],
    ['size on the wire', { responseBody: { wireSize: 9, bytes: Buffer.from('one') } }],
    ['coding', { responseBody: { wireSize: 3, bytes: Buffer.from('one'), codings: 'gzip' } }],
    ['absence of a body', { responseBody: undefined }],
    ['request header', { request: { ...seen.request, headers: [['Accept', 'a/b']] } }],
    ['response header', { response: { ...seen.response, headers: [['X-A', '2']] } }],
    ['number of headers', { response: { ...seen.response, headers: [] } }],
    ['method', { request: { ...seen.request, method: 'DELETE' } }],
    ['address', { request: { ...seen.request, url: 'http://h/2' } }],
    ['version', { request: { ...seen.request, httpVersion: '2' } }],
    ['status', { response: { ...seen.response, status: 201 } }],
    ['text of the status', { response: { ...seen.response, statusText: 'Fine' } }],
    ['version of the answer', { response: { ...seen.response, httpVersion: 'HTTP/1.0' } }],
  ])('is written anew where its %s is another', ([, change]) => {
    const recordableOf = createExchangeTexts(REDACTOR)
    const changed = { ...seen, ...change }
    for (const each of [seen, changed, seen, changed])
      expect(jsonOf(recordableOf(each))).toEqual(jsonOf(REDACTOR.exchange(buildExchange(each))))
  })
})

it('gives no text of what pseudonyms make too long for a line', () => {
  const recordableOf = createExchangeTexts(REDACTOR)
  const head = { httpVersion: 'HTTP/1.1', headers: [['Content-Type', 'application/json'] as const] }
  const seen: Capture = {
    startedAt: new Date(0),
    timings: { send: 0, wait: 0, receive: 0 },
    request: { ...head, method: 'GET', url: 'http://h/' },
    response: { ...head, status: 200, statusText: 'OK' },
  }
  const grows = JSON.stringify(Array.from({ length: 2000 }, () => ({ token: 'a' })))
  const short = JSON.stringify(Array.from({ length: 2000 }, () => ({ count: 'a' })))
  const typeOf = (text: string): string =>
    typeof recordableOf({ ...seen, responseBody: { wireSize: text.length, bytes: Buffer.from(text) } })
  expect([grows, short, grows, short].map(typeOf)).toEqual(['object', 'string', 'object', 'string'])
})
