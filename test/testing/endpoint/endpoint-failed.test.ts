import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { EndpointFailed, Mismatch, curlOf, fetchOf } from '../../../src/testing/endpoint/endpoint-failed.ts'
import { SimError } from '../../../src/errors.ts'

const request = { method: 'GET', url: 'http://h/a', headers: {} }

describe('EndpointFailed', () => {
  it('is a named error that keeps its cause', () => {
    const cause = new Error('why')
    const error = new EndpointFailed(
      'GET /a',
      new Mismatch('what', { input: 1, requests: [], answer: undefined }, cause),
      {
        seed: 1,
        path: '0',
      },
    )
    expect(error).toBeInstanceOf(SimError)
    expect([error.name, error.code, error.cause]).toEqual(['EndpointFailed', 'SIM_ENDPOINT_FAILED', cause])
  })

  it('says all there is to know', () => {
    const answer = { status: 599, statusText: '', text: 'text' }
    const mismatch = new Mismatch('what', {
      input: { a: 1 },
      requests: [request, { ...request, method: 'PUT' }],
      answer,
    })
    expect(new EndpointFailed('GET /a', mismatch, { seed: 5, path: '1:2', appSeed: 'x' }).message)
      .toBe(`GET /a: what

Input: {"a":1}
Response: 599
text
Replay: { seed: 5, replayPath: '1:2' }; the app's seed is "x"

Reproduce with curl:
curl -i 'http://h/a'
curl -i -X PUT 'http://h/a'

Or JavaScript:
await fetch('http://h/a')
await fetch('http://h/a', {
  method: 'PUT',
})`)
  })

  it('says what there is when there is no input and no answer', () => {
    const mismatch = new Mismatch('what', { input: undefined, requests: [request], answer: undefined })
    expect(new EndpointFailed('GET /a', mismatch, { seed: 5, path: '' }).message).toContain(`
Input: none
Response: none
Replay: { seed: 5, replayPath: '' }

`)
  })
})

const get = { method: 'GET', url: 'http://h/a', headers: {} }
const put = {
  method: 'PUT',
  url: "http://h/[a]?q='",
  headers: { 'x-a': "it's" },
  body: `{"a":"it's \\\\ \\n"}`,
}

describe('curlOf', () => {
  it('is one line for a plain GET', () => {
    expect(curlOf(get)).toBe(`curl -i 'http://h/a'`)
  })

  it('quotes for the shell, and keeps curl from reading brackets', () => {
    expect(curlOf(put)).toBe(
      [
        `curl -i --globoff -X PUT 'http://h/[a]?q='\\''' \\`,
        `  -H 'x-a: it'\\''s' \\`,
        `  --data-raw '{"a":"it'\\''s \\\\\\\\ \\\\n"}'`.replaceAll('\\\\', '\\'),
      ].join('\n'),
    )
  })
})

describe('fetchOf', () => {
  it('is one line for a plain GET', () => {
    expect(fetchOf(get)).toBe(`await fetch('http://h/a')`)
  })

  it('gives fetch the same request', async () => {
    const calls: unknown[] = []
    const fetch = (...args: unknown[]): void => void calls.push(args)
    await runInNewContext(`(async () => ${fetchOf(put)})()`, { fetch })
    const { url, ...init } = put
    expect(calls).toEqual([[url, init]])
  })

  it('keeps line breaks within a literal', () => {
    expect(fetchOf({ ...get, headers: { a: 'x\r\ny' } })).toContain(`headers: { 'a': 'x\\r\\ny' },`)
  })
})
