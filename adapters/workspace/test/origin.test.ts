import { describe, expect, it } from 'vitest'
import { hostOf, originOf } from '../src/host.ts'

describe('the origin of a client', () => {
  it.for([
    { headers: {}, origin: 'http://localhost', host: 'localhost' },
    { headers: { host: '127.0.0.1:8766' }, origin: 'http://127.0.0.1:8766', host: '127.0.0.1' },
    { headers: { host: '[::1]:80' }, origin: 'http://[::1]:80', host: '[::1]' },
    {
      headers: {
        host: 'inner',
        'x-forwarded-proto': 'https, http',
        'x-forwarded-host': ['outer.example.com:8443', 'inner'],
        'x-forwarded-prefix': '/workspace/',
      },
      origin: 'https://outer.example.com:8443/workspace',
      host: 'outer.example.com',
    },
    { headers: { host: 'not a host' }, origin: 'http://not a host', host: 'localhost' },
  ])('is $origin', ({ headers, origin, host }) => {
    expect([originOf({ headers }), hostOf({ headers })]).toEqual([origin, host])
  })
})
