import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { curlOf, fetchOf } from '../../../src/testing/endpoint/endpoint-failed.ts'

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
