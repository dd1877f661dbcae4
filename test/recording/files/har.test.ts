import { describe, expect, it } from 'vitest'
import { exchangeOf, sampleCapture } from '../samples.ts'
import {
  bodyPath,
  buildExchange,
  headerValue,
  mayHaveBody,
  readCookies,
  readSetCookie,
} from '../../../src/recording/files/har.ts'

describe('buildExchange', () => {
  it('writes a HAR 1.2 entry', () => {
    expect(buildExchange(sampleCapture)).toEqual({
      startedDateTime: '1970-01-01T00:00:00.000Z',
      time: 6,
      request: {
        method: 'GET',
        url: 'https://api.example.com/users?page=2',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        queryString: [{ name: 'page', value: '2' }],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        content: { size: 0, mimeType: '' },
        redirectURL: '',
        headersSize: -1,
        bodySize: 0,
      },
      cache: {},
      timings: { send: 1, wait: 2, receive: 3 },
    })
  })

  it('keeps repeated headers, their order and their writing', () => {
    const headers = [
      ['Set-Cookie', 'a=1'],
      ['X-One', '1'],
      ['set-cookie', 'b=2; Path=/'],
      ['X-One', '1'],
    ] as const
    const { response } = exchangeOf({ responseHeaders: headers })

    expect(response.headers.map(({ name, value }) => [name, value])).toEqual(headers)
    expect(response.cookies).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2', path: '/' },
    ])
  })

  it('gathers the cookies of every cookie header', () => {
    const { request } = exchangeOf({
      requestHeaders: [
        ['Cookie', 'a=1; b=2'],
        ['cookie', 'c=3'],
      ],
    })

    expect(request.cookies.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('decodes the query and drops the fragment', () => {
    const { request } = exchangeOf({ url: 'https://h/a?q=a+b%20c&q=%C3%A9&x=1?2&flag#top' })

    expect(request.url).toBe('https://h/a?q=a+b%20c&q=%C3%A9&x=1?2&flag')
    expect(request.queryString.map(({ name, value }) => [name, value])).toEqual([
      ['q', 'a b c'],
      ['q', '\u00e9'],
      ['x', '1?2'],
      ['flag', ''],
    ])
  })

  it('makes the time the sum of the timings, to the microsecond', () => {
    const { time, timings } = buildExchange({
      ...sampleCapture,
      timings: { send: 0.10004, wait: 1.23456, receive: 0 },
    })

    expect(timings).toEqual({ send: 0.1, wait: 1.235, receive: 0 })
    expect(time).toBe(1.335)
  })

  it('keeps text readable and other bytes as base64, in both directions', () => {
    const headers = [['Content-Type', 'application/octet-stream']] as const
    const bytes = Buffer.from([0xff, 0xd8])
    const text = exchangeOf({ requestBody: 'caf\u00e9', responseBody: 'caf\u00e9' })
    const binary = exchangeOf({
      requestHeaders: headers,
      requestBody: bytes,
      responseHeaders: headers,
      responseBody: bytes,
    })

    expect(text.request).toMatchObject({ postData: { mimeType: '', text: 'caf\u00e9' }, bodySize: 5 })
    expect(text.response).toMatchObject({ content: { text: 'caf\u00e9', size: 5 }, bodySize: 5 })
    expect(binary.request.postData).toEqual({
      mimeType: 'application/octet-stream',
      text: '/9g=',
      _encoding: 'base64',
    })
    expect(binary.response.content).toEqual({
      mimeType: 'application/octet-stream',
      size: 2,
      text: '/9g=',
      encoding: 'base64',
    })
  })

  it('says which codings were taken off and what they saved', () => {
    const body = { wireSize: 30, bytes: Buffer.from('x'.repeat(100)), codings: 'gzip' }
    const { request, response } = buildExchange({ ...sampleCapture, requestBody: body, responseBody: body })

    expect(request).toMatchObject({ bodySize: 30, postData: { _decoded: 'gzip' } })
    expect(response).toMatchObject({
      bodySize: 30,
      content: { size: 100, compression: 70, _decoded: 'gzip' },
    })
  })

  it.for([
    [
      { wireSize: 40_000, sha256: 'a' },
      { _file: bodyPath('a'), _sha256: 'a' },
    ],
    [{ wireSize: 9, omitted: 'too odd' }, { _omitted: 'too odd' }],
  ] as const)('says where a body is, or why it was left out (%#)', ([body, notes]) => {
    const { request, response } = buildExchange({ ...sampleCapture, requestBody: body, responseBody: body })

    expect(request.postData).toEqual({ mimeType: '', ...notes })
    expect(response.content).toEqual({ mimeType: '', size: body.wireSize, ...notes })
  })

  it('has bodies in a folder of their own', () => {
    expect(bodyPath('a')).toBe('bodies/a')
  })

  it('distinguishes no body of a request from an empty one of a response', () => {
    const { request, response } = exchangeOf({ requestBody: '', responseBody: '' })

    expect(request).not.toHaveProperty('postData')
    expect(response.content).toEqual({ mimeType: '', size: 0, text: '' })
  })

  it('keeps where the response redirects to, and its trailers', () => {
    const { response } = exchangeOf({ responseHeaders: [['Location', '/b#c']], trailers: [['Digest', 'x']] })

    expect(response.redirectURL).toBe('/b#c')
    expect(response._trailers).toEqual([{ name: 'Digest', value: 'x' }])
  })
})

describe('headerValue', () => {
  it('joins repeated headers', () => {
    const headers = ['gzip', 'br'].map((value) => ['Content-Encoding', value] as const)
    expect(headerValue([...headers, ['content-encoding', 'x']], 'content-encoding')).toBe('gzip, br, x')
  })
})

describe('mayHaveBody', () => {
  it.for([
    ['GET', 200, true],
    ['POST', 500, true],
    ['HEAD', 200, false],
    ['GET', 204, false],
    ['GET', 304, false],
    ['GET', 101, false],
  ] as const)('answers %s %s with %s', ([method, status, expected]) => {
    expect(mayHaveBody(method, status)).toBe(expected)
  })
})

describe('readCookies', () => {
  it('splits names from values at the first equals sign', () => {
    expect(readCookies('a=1; b=x=y; ;nameless')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x=y' },
      { name: '', value: 'nameless' },
    ])
  })
})

describe('readSetCookie', () => {
  it('reads the attributes that HAR knows', () => {
    expect(
      readSetCookie(
        'a=1; Path=/x; Domain=example.com; expires=Thu, 01 Jan 1970 00:00:01 GMT; HttpOnly; secure; SameSite=Lax',
      ),
    ).toEqual({
      name: 'a',
      value: '1',
      path: '/x',
      domain: 'example.com',
      expires: '1970-01-01T00:00:01.000Z',
      httpOnly: true,
      secure: true,
    })
  })

  it('leaves out what cannot be read', () => {
    expect(readSetCookie('a=; expires=never')).toEqual({ name: 'a', value: '' })
  })
})
