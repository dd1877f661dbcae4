import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/recording/redaction/redact.ts'
import { exchangeOf } from '../samples.ts'

const SECRET = 'pl4nted-s3cret'

describe('redact', () => {
  it.for([
    ['Authorization', `Bearer ${SECRET}`, 'Bearer [redacted]'],
    ['proxy-authorization', `Basic ${SECRET}`, 'Basic [redacted]'],
    ['X-API-Key', SECRET, '[redacted]'],
    ['x-csrf-token', SECRET, '[redacted]'],
    ['Cookie', `a=${SECRET}; b=${SECRET}=x;c=`, 'a=[redacted]; b=[redacted];c='],
    ['Cookie', SECRET, '[redacted]'],
    ['Set-Cookie', `sid=${SECRET}; Path=/; HttpOnly`, 'sid=[redacted]; Path=/; HttpOnly'],
    ['Set-Cookie', `${SECRET}; Path=/`, '[redacted]; Path=/'],
    ['Referer', `/a?token=${SECRET}`, '/a?token=%5Bredacted%5D'],
    ['Link', `</a?token=${SECRET}>; rel=next`, '</a?token=%5Bredacted%5D>; rel=next'],
    ['X-Arg', `{"token":"${SECRET}"}`, '{"token":"[redacted]"}'],
    ['Accept', 'text/html;q=0.9', 'text/html;q=0.9'],
    ['X-Next-Page-Token', 'p2', 'p2'],
  ] as const)('writes the header %s: %s as %s', ([name, value, expected]) => {
    const headers = [[name, value] as const]
    const exchange = redact(
      exchangeOf({ requestHeaders: headers, responseHeaders: headers, trailers: headers }),
    )

    expect(exchange.request.headers).toEqual([{ name, value: expected }])
    expect(exchange.response.headers).toEqual([{ name, value: expected }])
    expect(exchange.response._trailers).toEqual([{ name, value: expected }])
    expect(JSON.stringify(exchange)).not.toContain(SECRET)
  })

  it('hides secrets in the URL, the query and where the response redirects to', () => {
    const exchange = redact(
      exchangeOf({
        url: `https://ann:${SECRET}@api.example.com/a?page=2&token=${SECRET}&next=/?sig=${SECRET}`,
        responseHeaders: [['Location', `/cb?page=3#access_token=${SECRET}`]],
      }),
    )

    expect(exchange.request.url).toMatch(
      /^https:\/\/.*@api\.example\.com\/a\?page=2&token=%5Bredacted%5D&next=/,
    )
    expect(exchange.request.queryString).toEqual([
      { name: 'page', value: '2' },
      { name: 'token', value: '[redacted]' },
      { name: 'next', value: '/?sig=%5Bredacted%5D' },
    ])
    expect(exchange.response.redirectURL).toBe('/cb?page=3#access_token=%5Bredacted%5D')
    expect(JSON.stringify(exchange)).not.toContain(SECRET)
  })

  it('keeps the names of cookies', () => {
    const exchange = redact(
      exchangeOf({
        requestHeaders: [['cookie', `a=${SECRET}`]],
        responseHeaders: [['set-cookie', `b=${SECRET}; Secure`]],
      }),
    )

    expect(exchange.request.cookies).toEqual([{ name: 'a', value: '[redacted]' }])
    expect(exchange.response.cookies).toEqual([{ name: 'b', value: '[redacted]', secure: true }])
  })

  it('looks into both bodies', () => {
    const exchange = redact(
      exchangeOf({
        requestHeaders: [['content-type', 'application/x-www-form-urlencoded']],
        requestBody: `password=${SECRET}`,
        responseHeaders: [['content-type', 'application/json']],
        responseBody: `{"access_token":"${SECRET}"}`,
      }),
    )

    expect(exchange.request.postData?.text).toBe('password=%5Bredacted%5D')
    expect(exchange.response.content.text).toBe('{"access_token":"[redacted]"}')
  })

  it('looks into text of other character sets byte by byte', () => {
    const body = Buffer.from(`{"name":"caf\u00e9","token":"${SECRET}"}`, 'latin1')
    const headers = [['content-type', 'application/json; charset=iso-8859-1']] as const
    const exchange = redact(
      exchangeOf({
        requestHeaders: headers,
        requestBody: body,
        responseHeaders: headers,
        responseBody: body,
      }),
    )

    expect(exchange.response.content.encoding).toBe('base64')
    expect(exchange.request.postData?._encoding).toBe('base64')
    expect(Buffer.from(exchange.response.content.text ?? '', 'base64').toString('latin1')).toBe(
      '{"name":"caf\u00e9","token":"[redacted]"}',
    )
    expect(exchange.request.postData?.text).toBe(exchange.response.content.text)
  })

  it('leaves out a body that does not have the shape of its type', () => {
    const headers = [['content-type', 'application/json']] as const
    const utf16 = Buffer.from(`{"token":"${SECRET}"}\u00e9`, 'utf16le')
    const exchange = redact(
      exchangeOf({
        requestHeaders: headers,
        requestBody: '{',
        responseHeaders: headers,
        responseBody: utf16,
      }),
    )

    const omitted = 'not valid JSON, so it could not be checked for secrets'
    expect(exchange.request.postData).toEqual({ mimeType: 'application/json', _omitted: omitted })
    expect(exchange.response.content).toEqual({
      mimeType: 'application/json',
      size: utf16.length,
      _omitted: omitted,
    })
  })

  it('leaves binary bodies and absent ones as they are', () => {
    const exchange = exchangeOf({
      responseHeaders: [['content-type', 'image/png']],
      responseBody: Buffer.from([0x89, 0xff]),
    })

    expect(redact(exchange)).toEqual(exchange)
  })

  it('keeps a planted secret in no form or query', () => {
    const harmless = fc.tuple(fc.string(), fc.string())
    const secret = fc
      .constantFrom('token', 'api_key', 'Password')
      .map((name) => [name, SECRET] as [string, string])

    fc.assert(
      fc.property(fc.array(fc.oneof(harmless, secret)), (pairs) => {
        const form = new URLSearchParams(pairs).toString()
        const exchange = exchangeOf({
          url: `https://h/?${form}`,
          requestHeaders: [['content-type', 'application/x-www-form-urlencoded']],
          requestBody: form,
        })
        expect(JSON.stringify(redact(exchange))).not.toContain(SECRET)
      }),
    )
  })
})
