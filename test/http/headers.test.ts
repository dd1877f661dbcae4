import { describe, expect, it } from 'vitest'
import { forwardedHeaders } from '../../src/http/headers.ts'

describe('the headers for a mounted adapter', () => {
  it('say where the client sees it, whatever the client says of that', () => {
    const given = {
      accept: '*/*',
      forwarded: 'host=evil.test',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': ['evil.test', 'worse.test'],
      'x-forwarded-prefix': '/evil',
      'x-forwarded-proto': 'https',
      'x-forwarded-anything': 'evil',
    }
    expect(forwardedHeaders(given, { scheme: 'http', host: 'here.test:81', prefix: '/v' })).toEqual({
      accept: '*/*',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'here.test:81',
      'x-forwarded-prefix': '/v',
    })
  })

  it('name no prefix and no host where there is none', () => {
    const given = { 'x-forwarded-prefix': '/evil', 'x-forwarded-host': 'evil.test' }
    expect(forwardedHeaders(given, { scheme: 'http', host: '', prefix: '' })).toEqual({
      'x-forwarded-proto': 'http',
    })
  })
})
