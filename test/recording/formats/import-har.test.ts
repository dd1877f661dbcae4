import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/recording/exchange.ts'
import { importHar } from '../../../src/recording/formats/import-har.ts'
import { toHar } from '../../../src/recording/formats/export.ts'
import { RecordingUnusable } from '../../../src/errors.ts'

function har(...entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

/** As Chrome saves one: pseudo-headers, `blocked` times, decoded text, an `x-unknown` type elsewhere. */
const FROM_CHROME = {
  startedDateTime: '2026-01-31T10:00:00.000Z',
  time: 12.5,
  request: {
    method: 'POST',
    url: 'https://api.example.com/users?page=2#top',
    httpVersion: 'http/2.0',
    headers: [
      { name: ':authority', value: 'api.example.com' },
      { name: 'content-type', value: 'application/x-www-form-urlencoded' },
    ],
    queryString: [{ name: 'page', value: '2' }],
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      params: [
        { name: 'name', value: 'Ann & Bo' },
        { name: 'age', value: '7' },
      ],
    },
    headersSize: -1,
    bodySize: 24,
  },
  response: {
    status: 201,
    statusText: '',
    httpVersion: 'http/2.0',
    headers: [{ name: 'content-encoding', value: 'br' }],
    content: { size: 8, mimeType: 'application/json', text: '{"id":1}' },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  },
  cache: {},
  timings: { blocked: 1, dns: -1, connect: 2, send: 0.5, wait: 8, receive: 1 },
}

describe('importHar', () => {
  it('reads what a browser saved', () => {
    const { exchanges, skipped } = importHar(har(FROM_CHROME))
    expect(skipped.size).toBe(0)
    expect(exchanges).toMatchObject([
      {
        request: {
          url: 'https://api.example.com/users?page=2',
          headers: [{ name: 'content-type' }],
          postData: { text: 'name=Ann+%26+Bo&age=7' },
        },
        response: {
          status: 201,
          content: { text: '{"id":1}', mimeType: 'application/json', _decoded: 'br' },
        },
        timings: { send: 0.5, wait: 11, receive: 1 },
      },
    ])
  })

  it('reads binary bodies and a byte order mark', () => {
    const content = { mimeType: 'image/png', text: 'iVBORw==', encoding: 'base64' }
    const entry = { ...FROM_CHROME, response: { ...FROM_CHROME.response, headers: [], content } }
    expect(importHar(`\uFEFF${har(entry)}`).exchanges[0]?.response.content).toMatchObject({
      text: 'iVBORw==',
      encoding: 'base64',
      size: 4,
    })
  })

  it('takes lines in the value of a header for headers of their own, and leaves out what is none', () => {
    const headers = [
      { name: 'set-cookie', value: 'a=1\nb=2' },
      { name: 'x: y', value: '1' },
      { name: 'x', value: '\0' },
    ]
    const { exchanges } = importHar(har({ ...FROM_CHROME, response: { ...FROM_CHROME.response, headers } }))
    expect(exchanges[0]?.response.headers).toEqual([
      { name: 'set-cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=2' },
      { name: 'content-type', value: 'application/json' },
    ])
  })

  it('counts what is not an exchange, by reason', () => {
    const aborted = { ...FROM_CHROME, response: { ...FROM_CHROME.response, status: 0 } }
    const blob = { ...FROM_CHROME, request: { ...FROM_CHROME.request, url: 'blob:https://x/1' } }
    expect([...importHar(har(aborted, blob, 7, FROM_CHROME)).skipped]).toEqual([
      ['no answer', 1],
      ['not an HTTP URL', 1],
      ['no request and response', 1],
    ])
  })

  it.for(['', '{', '[]', '{"log":{}}'])('refuses %j', (text) => {
    expect(() => importHar(text)).toThrow(RecordingUnusable)
  })

  it('reads its own files back', async () => {
    const { exchanges } = importHar(har(FROM_CHROME))
    const document = await toHar(iterate(exchanges), '1.0.0', () => Promise.resolve(undefined))
    expect(importHar(JSON.stringify(document)).exchanges).toEqual(exchanges)
  })
})

async function* iterate(exchanges: readonly Exchange[]): AsyncGenerator<Exchange> {
  yield* exchanges
}
